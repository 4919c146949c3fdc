"""run_document.py DOCUMENT: runs every command line of a document, in its order, in one shell.

What is run is what readers see: the blocks fenced as sh. They run in a scratch folder that looks like the project's root.
What would take an hour or root there is replaced, and only that: scripts/test, scripts/build and scripts/setup do nothing
(they must exist), sudo installs below the scratch folder, absolute paths of an installation lead there, and the port is a
free one. `./server` is the example server, under load, for a moment. A failure means that a reader who types the line gets an
error, or that served programs are not served.

Exit status 77: what the document needs is not installed here.
"""

import contextlib
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "release"
SKIPPED = 77
LAST = "last-block.stats"  # of what the last block served, where it did not say itself where to

SERVER = """#!/bin/sh
rm -f server.out
mini_server --port 0 --image 32 >server.out &
server=$!
trap 'kill $server' EXIT
until port=$(sed -n 's/.*127\\.0\\.0\\.1:\\([0-9]*\\).*/\\1/p' server.out 2>/dev/null) && [ -n "$port" ]; do sleep 0.05; done
env -u LD_PRELOAD mini_load --port "$port" --requests 40 --connections 2 --json >load.out || exit
kill $server
trap - EXIT
wait $server
"""

# `sudo CMD` as somebody who owns nothing outside the scratch folder.
SUDO = """#!/bin/sh
DESTDIR="$SCRATCH/root" exec "$@"
"""


def blocks(document):
    """(line, text) of each block fenced as sh."""
    text = document.read_text()
    for found in re.finditer(r"^```sh\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        yield text.count("\n", 0, found.start()) + 2, found.group(1)


def free_port():
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        return str(listening.getsockname()[1])


def moved(text, scratch, port):
    """The same with paths of an installation below the scratch folder, and another port."""
    for path in ("/usr/local/", "/etc/"):
        text = text.replace(path, f"{scratch}/root{path}")
    return text.replace("8080", port)


def write_program(path, text):
    path.write_text(text)
    path.chmod(0o755)


def configured(name):
    """What the build was configured with, by the name that CMake keeps it under."""
    return re.search(rf"^{name}:\w+=(.+)$", (BUILD / "CMakeCache.txt").read_text(), re.MULTILINE).group(1)


def make_root(scratch):
    for name in ("examples", "docs", "build", "runtime"):
        (scratch / name).symlink_to(ROOT / name)
    (scratch / "scripts").mkdir()
    for script in (ROOT / "scripts").iterdir():
        if script.is_file() and os.access(script, os.X_OK):
            write_program(scratch / "scripts" / script.name, f'#!/bin/sh\nexec "{script}" "$@"\n')
    for name in ("build", "setup", "test"):
        assert (scratch / "scripts" / name).exists(), name
        write_program(scratch / "scripts" / name, "#!/bin/sh\n")
    (scratch / "tools").mkdir()
    write_program(scratch / "tools" / "sudo", SUDO)
    # Another version of either takes the whole build for stale.
    for tool, name in (("cmake", "CMAKE_COMMAND"), ("ninja", "CMAKE_MAKE_PROGRAM")):
        write_program(scratch / "tools" / tool, f'#!/bin/sh\nexec "{configured(name)}" "$@"\n')
    write_program(scratch / "server", SERVER)
    (scratch / "root" / "etc").mkdir(parents=True)
    subprocess.run(["cmake", "--install", BUILD], env={**os.environ, "DESTDIR": str(scratch / "root")}, stdout=subprocess.DEVNULL,
                   check=True)


def script_of(document, scratch):
    lines = ["set -euo pipefail"]
    port = free_port()
    for line, text in blocks(document):
        lines.append(f"echo '== {document.name}:{line}' >&2; rm -f {LAST}")
        lines.append(moved(text, scratch, port))
    return "\n".join(lines)


def environment(scratch):
    return {"PATH": f"{scratch}/tools:{BUILD}/bin:/usr/bin:/bin:/usr/sbin", "HOME": str(scratch), "SCRATCH": str(scratch),
            "QUICKSTART_SECONDS": "1", "MEMOMALLOC_STATS": str(scratch / LAST), "TMPDIR": os.environ.get("TMPDIR", "/tmp")}


def shares_served(scratch):
    """By each file of statistics that the commands left."""
    for path in sorted(scratch.glob("*.stats")):
        statistics = json.loads(path.read_text())
        yield path.name, statistics["served"]


def serves_by_variables_alone(document):
    *_, (_, last) = blocks(document)
    return "MEMOMALLOC_MODE=serve" in last and "MEMOMALLOC_STATS" not in last


def run_script(script, scratch):
    """Its exit status. What it leaves running in the background ends with it."""
    shell = subprocess.Popen(["bash", "-c", script], cwd=scratch, env=environment(scratch), start_new_session=True)
    try:
        return shell.wait()
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(shell.pid, signal.SIGKILL)


def torch_is_there():
    done = subprocess.run(["/usr/bin/python3", "-c", "import torch, torchvision"], capture_output=True, check=False)
    return done.returncode == 0 and shutil.which("curl")


def main():
    document = ROOT / sys.argv[1]
    if "python3-torch" in document.read_text() and not torch_is_there():
        print(f"SKIPPED: {document.name} needs python3-torch, python3-torchvision and curl; scripts/setup installs them")
        return SKIPPED
    with tempfile.TemporaryDirectory(prefix="memomalloc-docs.") as folder:
        scratch = pathlib.Path(folder)
        make_root(scratch)
        script = script_of(document, scratch)
        assert script.count("== ") > 1, "no block fenced as sh was found"
        if status := run_script(script, scratch):
            print(f"the commands of {document.name} ended with {status}; the last block named above is at fault")
            return 1
        served = dict(shares_served(scratch))
        assert served and all(served.values()), f"nothing was served: {served}"
        assert LAST in served or not serves_by_variables_alone(document), f"the last block served nothing: {served}"
        print(f"served: {served}")
    return 0


sys.exit(main())
