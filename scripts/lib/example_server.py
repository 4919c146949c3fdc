"""The example server under load, for the benchmarks under scripts/."""

import contextlib
import json
import os
import re
import socket
import subprocess
import tempfile

from commands import make_plan
from places import BIN, COMMAND


@contextlib.contextmanager
def running(environment, *options, prefix=()):
    """(process, port) of a mini_server that is stopped in the end."""
    process = subprocess.Popen([*map(str, prefix), str(BIN / "mini_server"), "--port", "0", *options],
                               env={**os.environ, **environment}, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                               text=True, start_new_session=True)
    try:
        yield process, int(re.search(r"127\.0\.0\.1:(\d+)", process.stdout.readline()).group(1))
    finally:
        process.terminate()
        process.communicate(timeout=60)  # it has a last word, which must find somebody to read it


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def load(port, *options):
    command = [str(word) for word in (BIN / "mini_load", "--port", port, "--json", *options)]
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=300)
    return json.loads(done.stdout)


def record(trace, *options, shape=None):
    """A trace of some requests."""
    prefix = (COMMAND, "profile", "--force", "-q", "-o", trace, "--")
    with running({}, *options, prefix=prefix) as (_, port):
        load(port, "--requests", 12, "--connections", 1, *(["--shape", shape] if shape else []))


def plan_for(folder, *options, shape=None):
    record(folder / "server.trace", *options, shape=shape)
    make_plan(folder / "server.trace", folder / "server.plan")
    return folder / "server.plan"


def new_folder():
    return tempfile.TemporaryDirectory(prefix="memomalloc-bench.")
