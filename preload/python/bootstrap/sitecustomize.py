"""Runs when a Python starts under `memomalloc run`, `profile` or `serve`, which put this folder in front on PYTHONPATH.

Starts to watch for imports of engines, takes this folder off the path, and hands on to the sitecustomize that was there
before. Where there is none, ends with the ImportError that Python's site ignores: so `sys.modules` and `sys.path` look as
they do without this folder. Any Python may come here, so that the syntax of this file is that of all of them.
"""
import os
import sys


def _own_folder():
    return os.path.dirname(os.path.abspath(__file__))


def _leave_path(folder):
    sys.path[:] = [entry for entry in sys.path if entry == "" or os.path.abspath(entry) != folder]


def _log_line(message):
    """The message as the library would write it (preload/log)."""
    form = os.environ.get("MEMOMALLOC_LOG_FORMAT", "plain")
    if form not in ("timed", "json"):
        return "memomalloc[%d]: %s\n" % (os.getpid(), message)
    import json
    import time
    now = time.time()
    moment = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(now)) + ".%03dZ" % (now % 1 * 1000)
    if form == "timed":
        return "%s memomalloc[%d] info: %s\n" % (moment, os.getpid(), message)
    return '{"time":"%s","level":"info","pid":%d,"message":%s}\n' % (moment, os.getpid(), json.dumps(message))


def _append(place, line):
    """As the library does: never waits at a pipe."""
    log = os.open(place, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NONBLOCK | os.O_NOCTTY, 0o666)
    try:
        os.write(log, line.encode("utf-8", "backslashreplace"))
    finally:
        os.close(log)


def _say_unmarked(what):
    """Says where the library writes its log that the exception at hand costs marks. By default that is nowhere."""
    place = os.environ.get("MEMOMALLOC_LOG", "")
    message = "passes of %s are not marked: %r" % (what, sys.exc_info()[1])
    try:
        if place == "stderr":
            from memomalloc import speaker
            speaker.say(_log_line(message))
        elif place not in ("", "off"):
            _append(place, _log_line(message))
    except Exception:
        pass  # the program goes on, whatever happens to its log


def _watch_imports():
    """A bootstrap that fails costs the marks, and must not cost the program its start."""
    try:
        import memomalloc_imports
        memomalloc_imports.watch(_say_unmarked)
    except Exception:
        _say_unmarked("Python")


def _engines_are_changed():
    """Whether their passes are marked, their arena switched off, or their plans shared."""
    return (
        sys.version_info >= (3, 8)
        and os.environ.get("MEMOMALLOC_PYTHON", "on") != "off"
        and os.environ.get("MEMOMALLOC_MODE", "off") not in ("", "off")
        and (os.environ.get("MEMOMALLOC_PASSES_BY", "any") not in ("hooks", "period")
             or os.environ.get("MEMOMALLOC_ORT_ARENA", "on") == "off"
             or os.environ.get("MEMOMALLOC_STORE", "") != "")
    )


def _frames_are_recorded():
    """Whether call stacks are recorded, and this Python is one whose functions the library finds."""
    return (
        sys.version_info >= (3, 11)
        and os.environ.get("MEMOMALLOC_PYTHON", "on") != "off"
        and os.environ.get("MEMOMALLOC_MODE", "off") == "profile"
        and os.environ.get("MEMOMALLOC_STACKS", "0") == "1"
    )


def _let_frames_be_read():
    """A Python without ctypes has stacks without its functions where threads give its lock up, and the library says so."""
    try:
        import memomalloc_frames
        memomalloc_frames.let_be_read()
    except Exception:
        pass


def _hand_on():
    """Imports the next sitecustomize on the path in the place of this one. What it raises is its own."""
    own = sys.modules.pop(__name__, None)  # kept until the end: an old Python empties a module without references
    __import__("sitecustomize")
    del own


if _engines_are_changed():
    _watch_imports()
if _frames_are_recorded():
    _let_frames_be_read()
_leave_path(_own_folder())
_hand_on()
