"""What the library does in this process. Without the library the answers are empty."""
import collections
import ctypes
import json

from . import library

LastPass = collections.namedtuple("LastPass", "at_most_bytes served_blocks served_bytes heap_blocks heap_bytes is_counted")
LastPass.__doc__ = """What a pass took. at_most_bytes: held at once, as high as the plan lays it out, and all that it took from the heap.
Where is_counted is False nobody saw its blocks, and the figures are those of the last pass of its kind whose blocks were seen."""


def is_loaded():
    """Whether the library is in this process."""
    return library.is_loaded


def stats():
    """The statistics of this process, as docs/statistics.md explains them; {} without the library."""
    if not library.is_loaded:
        return {}
    text = _statistics_text()
    return json.loads(text) if text else {}


def is_serving():
    """Whether a plan is in force, so that passes are served from it."""
    return stats().get("state") == "serving"


def release():
    """Gives what nothing uses back to the kernel: lanes on which no pass runs, and idle pages of the heap. Returns whether any
    went."""
    return library.release is not None and library.release() > 0


def last_pass():
    """What the calling thread's last pass took, as a LastPass, without what other threads took for it. None where no pass of the
    thread has ended, inside one, while the library records, and without the library."""
    figures = (ctypes.c_uint64 * len(LastPass._fields))()
    if library.last_pass is None or not library.last_pass(figures):
        return None
    *counts, is_counted = figures
    return LastPass(*counts, is_counted != 0)


def _statistics_text():
    capacity = 1 << 16
    while True:
        buffer = ctypes.create_string_buffer(capacity)
        length = library.stats_json(buffer, capacity)
        if length < capacity:
            return buffer.value
        capacity = 2 * length
