"""Says what the store does, in lines like the library's (preload/log): trouble on stderr, and all of it where MEMOMALLOC_LOG says."""
import contextlib
import json
import os
import sys
import time


def _write_on_stderr(line):
    """A reader of stderr that has gone takes the line with it."""
    with contextlib.suppress(OSError):
        sys.stderr.write(line)
        sys.stderr.flush()


class Messages:
    def __init__(self, environment, says_all, on_stderr=_write_on_stderr):
        self._write_on_stderr = on_stderr
        self._place = environment.get("MEMOMALLOC_LOG", "")
        self._format = environment.get("MEMOMALLOC_LOG_FORMAT", "plain")
        self._says_all = says_all or self._place == "stderr"

    def note(self, message):
        self._write("info", message, on_stderr=self._says_all)

    def trouble(self, message):
        self._write("warning", message, on_stderr=self._place != "off")

    def _write(self, level, message, on_stderr):
        line = self._line(level, "store: " + message)
        if on_stderr:
            self._write_on_stderr(line)
        if self._place not in ("", "off", "stderr"):
            self._append(line)

    def _append(self, line):
        """Never waits at a pipe, as the library."""
        try:
            log = os.open(self._place, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NONBLOCK | os.O_NOCTTY, 0o666)
        except OSError:
            self._place = ""  # the library says it once for the process
            return
        with contextlib.suppress(OSError), open(log, "a", encoding="utf-8", errors="backslashreplace") as text:
            text.write(line)

    def _line(self, level, message):
        if self._format not in ("timed", "json"):
            return "memomalloc[{}]: {}\n".format(os.getpid(), message)
        now = time.time()
        moment = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(now)) + ".{:03d}Z".format(int(now % 1 * 1000))
        if self._format == "timed":
            return "{} memomalloc[{}] {}: {}\n".format(moment, os.getpid(), level, message)
        return json.dumps({"time": moment, "level": level, "pid": os.getpid(), "message": message}) + "\n"
