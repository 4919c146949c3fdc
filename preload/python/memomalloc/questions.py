"""What the library does in this process. Without the library the answers are empty."""
import ctypes
import json

from . import library


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


def _statistics_text():
    capacity = 1 << 16
    while True:
        buffer = ctypes.create_string_buffer(capacity)
        length = library.stats_json(buffer, capacity)
        if length < capacity:
            return buffer.value
        capacity = 2 * length
