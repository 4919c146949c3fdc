"""Runs the example server by itself, under `memomalloc profile` and under `memomalloc serve`, and loads it."""

import contextlib
import json
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import time
import unittest

BUILD = pathlib.Path(os.environ["MEMO_BUILD"])
COMMAND = os.environ.get("MEMO_COMMAND", str(BUILD / "bin" / "memomalloc"))  # another where the servers are of another machine
SERVER = str(BUILD / "bin" / "mini_server")
LOAD = str(BUILD / "bin" / "mini_load")

# Keeps serving from standing aside: the cost of passes is measured in time, and a busy machine must not decide what these tests
# count.
os.environ.setdefault("MEMOMALLOC_ASIDE", "never")
SMALL = ("--image", "32")
PATIENCE = 90  # seconds, until something is called missing


def children_of(process):
    """The process itself, if it has none."""
    children = pathlib.Path(f"/proc/{process}/task/{process}/children").read_text().split()
    return [int(child) for child in children] or [process]


def wait_until(holds, said, meanwhile=lambda: None):
    """Looks again and again, since no other process says when it is done. `said()` explains a wait in vain."""
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, said()
        meanwhile()
        time.sleep(0.02)


class RunningProgram:
    """A running program and what it says on stderr, until the end of the `with`."""

    def __init__(self, command, environment=None, **options):
        self.errors = tempfile.TemporaryFile()
        self.process = subprocess.Popen(command, stderr=self.errors, text=True, env={**os.environ, **(environment or {})}, **options)

    def children(self):
        """The program itself, whatever launched it."""
        return children_of(self.process.pid)

    def stderr(self):
        """Leaves the position alone: the program shares it, and would write over what it wrote."""
        return os.pread(self.errors.fileno(), os.fstat(self.errors.fileno()).st_size, 0).decode()

    def end(self):
        """Ends a program that reads its input to the end."""
        self.process.stdin.close()
        return self.process.wait(timeout=PATIENCE)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()
        if self.process.stdout is not None:
            self.process.stdout.close()
        self.errors.close()


class AskedProgram(RunningProgram):
    """A running program that answers each line of its input by one line."""

    def __init__(self, *command, prefix=(), environment=None):
        super().__init__([*prefix, *command], environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def say(self, line):
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()

    def ask(self, line):
        self.say(line)
        return self.process.stdout.readline()


class Server(RunningProgram):
    """A running mini_server, behind whatever prefix; stopped by the end of the `with`."""

    def __init__(self, *options, prefix=(), environment=None):
        super().__init__([*prefix, SERVER, "--port", "0", *options], environment, stdout=subprocess.PIPE)
        self.port = self._read_port()

    def _read_port(self):
        for line in self.process.stdout:
            if found := re.search(r"http://127\.0\.0\.1:(\d+)", line):
                return int(found.group(1))
        raise AssertionError(f"the server did not start: {self.stderr()}")

    def load(self, requests, connections=2, shapes=()):
        command = [LOAD, "--port", str(self.port), "--requests", str(requests), "--connections", str(connections),
                   "--json"]
        for shape in shapes:
            command += ["--shape", shape]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        summary = json.loads(done.stdout)
        assert done.returncode == 0 and summary["wrong"] == 0 and summary["failed"] == 0, done.stdout + done.stderr
        return summary["checksums"]

    def page_faults(self):
        """Minor page faults of the server itself so far."""
        stat = pathlib.Path(f"/proc/{self.children()[0]}/stat").read_text()
        return int(stat.rpartition(")")[2].split()[7])

    def stop(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        self.process.stdout.read()
        return self.process.wait(timeout=60)

    def _end_children(self):
        """A shell in front of the server hands no signal on, and its output would never end."""
        for child in self.children():
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, signal.SIGTERM)

    def end(self):
        if self.process.poll() is None:
            self._end_children()
            self.stop()


class PassesCase(unittest.TestCase):
    """A folder for the traces and plans of one test, and the steps on the way."""

    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="memomalloc-e2e.")
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)

    def run_command(self, *arguments, status=0):
        done = subprocess.run([COMMAND, *map(str, arguments)], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done

    def answers(self, *options, shapes=(), requests=4):
        """What the server says without MemoMalloc."""
        with Server(*options) as server:
            return server.load(requests, shapes=shapes)

    def statistics_now(self, server):
        """Of a server that runs; some exit status says whether it is served."""
        command = [COMMAND, "status", "--json", "--interval", "100ms", str(server.children()[0])]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        return json.loads(done.stdout)["processes"][0]["statistics"]

    def wait_until_plans_serve(self, server, plans, load):
        """The library decides when it looks for a plan, and a busy machine when it gets to it. `load` makes passes."""
        end = time.monotonic() + PATIENCE
        while (now := self.statistics_now(server))["plans_loaded"] < plans or now["state"] != "serving":
            self.assertLess(time.monotonic(), end, server.stderr())
            load()

    def profile(self, *options, shapes=(), requests=12, name="server.trace"):
        trace = self.folder / name
        with Server(*options, prefix=(COMMAND, "profile", "-o", str(trace), "--")) as server:
            checksums = server.load(requests, shapes=shapes)
            self.assertEqual(server.stop(), 0, server.stderr())
        return trace, checksums

    def plan(self, *traces, name="server.plan"):
        plan = self.folder / name
        done = self.run_command("plan", "--json", "-o", plan, *traces)
        return plan, json.loads(done.stdout)

    def served_program(self, plan, *command):
        """The statistics of a program that runs by itself, and says the same as without MemoMalloc."""
        stats = self.folder / "stats.json"
        done = self.run_command("serve", "--plan", plan, "--stats", stats, "--", *command)
        plain = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=True)
        self.assertEqual(done.stdout, plain.stdout)
        return json.loads(stats.read_text())

    def serve(self, plan, *options, shapes=(), requests=12, connections=2, lanes=0):
        """(checksums, statistics, stderr) of a served run."""
        stats = self.folder / "stats.json"
        prefix = (COMMAND, "serve", "--plan", str(plan), "--lanes", str(lanes), "--stats", str(stats), "--")
        with Server(*options, prefix=prefix) as server:
            checksums = server.load(requests, connections=connections, shapes=shapes)
            self.assertEqual(server.stop(), 0, server.stderr())
            errors = server.stderr()
        return checksums, json.loads(stats.read_text()), errors


def missed(statistics):
    return sum(statistics["fallback"].values())


def share(statistics):
    return statistics["served"] / max(1, statistics["served"] + missed(statistics))
