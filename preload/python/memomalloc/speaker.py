"""Whether this process may write to stderr, by the rule of the library (preload/log/speaker.h): of a command and all that it starts
one process may, and to the file that it was given alone."""
import os


def may_speak():
    """Costs a look at what the kernel says of this process or of its parent. Where it says nothing, this process is silent."""
    try:
        named = os.environ.get("MEMOMALLOC_SPEAKER")
        is_first = named == _own_name() if named is not None else not _parent_has_library()
        return is_first and not _stdout_and_stderr_are_one_pipe()
    except (OSError, ValueError, IndexError):
        return False


def say(line):
    """Writes past `sys.stderr`, which the program may have put something else in the place of. A reader that has gone takes the
    line with it."""
    if not may_speak():
        return
    try:
        os.write(2, line.encode("utf-8", "backslashreplace"))
    except OSError:
        pass


def _own_name():
    """As runtime/formats/speaker.h writes it."""
    with open("/proc/self/stat", "rb") as stat:
        started = int(stat.read().rpartition(b")")[2].split()[19])
    about = os.fstat(2)
    return "%d.%d.%x.%x" % (os.getpid(), started, about.st_dev, about.st_ino)


def _parent_has_library():
    preloaded = os.environ.get("LD_PRELOAD")
    if not preloaded:
        return False
    with open("/proc/%d/environ" % os.getppid(), "rb") as environment:
        return os.fsencode("LD_PRELOAD=" + preloaded) in environment.read().split(b"\0")


def _stdout_and_stderr_are_one_pipe():
    import stat
    out, err = os.fstat(1), os.fstat(2)
    return stat.S_ISFIFO(out.st_mode) and (out.st_dev, out.st_ino) == (err.st_dev, err.st_ino)
