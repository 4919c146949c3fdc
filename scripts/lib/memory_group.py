"""A control group with a limit of memory, as a container has, for programs that a script starts. Needs the rights to make one."""

import contextlib
import os
import pathlib
import tempfile

MEBIBYTE = 1 << 20


def _folder_and_limit():
    """The folder of this process's control group of memory and the name of its limit; None where it can be found in neither version."""
    for line in pathlib.Path("/proc/self/cgroup").read_text().splitlines():
        _, controllers, group = line.split(":", 2)
        for root, limit, wanted in (("/sys/fs/cgroup", "memory.max", ""), ("/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory")):
            folders = (pathlib.Path(root + group), pathlib.Path(root))  # in a container the path may be the host's
            found = [folder for folder in folders if controllers == wanted and (folder / limit).exists() and os.access(folder, os.W_OK)]
            if found:
                return found[0], limit
    return None


@contextlib.contextmanager
def limited_to(mebibytes):
    """Yields the words to put before a command, so that it runs with so much memory at the most."""
    place = _folder_and_limit()
    if place is None:
        raise SystemExit("no control group of memory can be made here: run this as root, where a folder of /sys/fs/cgroup may be written")
    group = pathlib.Path(tempfile.mkdtemp(prefix="memomalloc.", dir=place[0]))
    try:
        (group / place[1]).write_text(str(mebibytes * MEBIBYTE))
        yield ["sh", "-c", 'echo $$ >"$0/cgroup.procs" && exec "$@"', group]
    finally:
        group.rmdir()
