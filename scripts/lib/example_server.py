"""The example server under load, for the benchmarks under scripts/."""

import contextlib
import json
import os
import re
import shlex
import socket
import subprocess
import tempfile

from commands import make_plan
from comparison import compare
from places import BIN, COMMAND


@contextlib.contextmanager
def running(environment, *options, prefix=()):
    """(process, port) of a mini_server that is stopped in the end."""
    process = subprocess.Popen([*map(str, prefix), str(BIN / "mini_server"), "--port", "0", *options],
                               env={**os.environ, **environment}, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                               text=True)
    try:
        yield process, int(re.search(r"127\.0\.0\.1:(\d+)", process.stdout.readline()).group(1))
    finally:
        process.terminate()
        process.communicate(timeout=60)  # it has a last word, which must find somebody to read it


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def load_command(port, *options):
    return [str(word) for word in (BIN / "mini_load", "--port", port, "--json", *options)]


def load(port, *options):
    done = subprocess.run(load_command(port, *options), check=True, capture_output=True, text=True, timeout=300)
    return json.loads(done.stdout)


def compare_under_load(options, load_options, plan, *compare_options, allocators, runs):
    """The report of `memomalloc compare` on the server, which one load generator asks."""
    port = free_port()
    return compare([BIN / "mini_server", "--port", port, *options], "--client", shlex.join(load_command(port, *load_options)),
                   "--plan", plan, *compare_options, allocators=allocators, runs=runs)


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
