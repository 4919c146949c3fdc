"""The manifests of examples/kubernetes: the API's schema knows all that they say, and their commands do what they are there for. The
commands run as printed, in two pods' worth of folders, around a small program that marks its passes. What is replaced is what a
cluster would provide: where volumes are mounted, where the packages lie, and a container's own view of processes and ports.
Failure: a manifest that a cluster refuses, a pod that is never ready, or a second pod that learns what the first has learned."""

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
import unittest
import urllib.error
import urllib.request

from harness import BUILD, COMMAND, PassesCase, RunningProgram, wait_until

ROOT = pathlib.Path(__file__).resolve().parents[2]
MANIFESTS = ROOT / "examples" / "kubernetes"
ENGINES = pathlib.Path(os.environ.get("MEMOMALLOC_ENGINES") or ROOT / "build" / "engines")
PYTHON = ENGINES / "bin" / "python"
API = "1.31"
KEY = "0123456789abcdef0123456789abcdef"

# The document at a path as JSON, validated where a version of the API is named.
READ = """
import json, sys, yaml
documents = list(yaml.safe_load_all(open(sys.argv[1])))
if len(sys.argv) > 2:
    import kubernetes_validate
    for document in documents:
        kubernetes_validate.validate(document, sys.argv[2], strict=True)
print(json.dumps(documents))
"""

SERVER = """
import memomalloc, sys, select
while not select.select([sys.stdin], [], [], 0.002)[0]:
    with memomalloc.forward():
        blocks = [bytearray(4096 * size) for size in range(1, 9)]
        del blocks
"""


def read(path, *version):
    """The documents of a manifest; skips where this Python cannot read it."""
    needed = "yaml, kubernetes_validate" if version else "yaml"
    if not PYTHON.exists() or subprocess.run([PYTHON, "-c", f"import {needed}"], capture_output=True, check=False).returncode:
        raise unittest.SkipTest(f"there is no {needed}: scripts/setup-engines kubernetes-validate installs it")
    done = subprocess.run([PYTHON, "-c", READ, path, *version], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


class Schema(unittest.TestCase):
    def test_the_api_knows_all_that_they_say(self):
        manifests = sorted(MANIFESTS.glob("*.yaml"))
        self.assertTrue(manifests)
        kinds = [document["kind"] for path in manifests for document in read(path, API)]
        self.assertEqual(sorted(kinds), ["Deployment", "PersistentVolumeClaim", "Secret"])

    def test_what_it_does_not_know_is_noticed(self):
        (deployment,) = read(MANIFESTS / "server.yaml", API)
        deployment["spec"]["template"]["spec"]["containers"][0]["readynessProbe"] = {}
        with tempfile.NamedTemporaryFile("w", suffix=".yaml") as wrong:
            json.dump(deployment, wrong)
            wrong.flush()
            with self.assertRaisesRegex(AssertionError, "readynessProbe"):
                read(wrong.name, API)


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Pod:
    """One replica: its volumes as folders, and its containers' commands with their variables."""

    def __init__(self, folder, store, key, spec):
        self.folder = folder
        self.port = free_port()
        for name in ("plans", "stats", "metrics"):
            (folder / name).mkdir(parents=True)
        (folder / "server.py").write_text(SERVER)
        self._places = {"/plans": folder / "plans", "/stats": folder / "stats", "/metrics": folder / "metrics", "/store": store, "/key": key,
                        "/usr/lib/libmemomalloc.so": BUILD / "lib" / "libmemomalloc.so",
                        "/usr/lib/memomalloc/python": ROOT / "preload" / "python", "9464": self.port}
        self.containers = {container["name"]: container for container in spec["initContainers"] + spec["containers"]}

    def here(self, text):
        """The text with what a cluster provides in the place of its names."""
        names = "|".join(map(re.escape, sorted(self._places, key=len, reverse=True)))
        return re.sub(rf"(?<![\w/.])({names})(?![\w])", lambda found: str(self._places[found.group(1)]), text)

    def words(self, name, probe=None):
        words = self.containers[name][probe]["exec"]["command"] if probe else self.containers[name]["command"]
        return [self.here(word) for word in words]

    def environment(self, name, tools):
        variables = {entry["name"]: self.here(entry["value"]) for entry in self.containers[name].get("env", ())}
        return {"PATH": f"{tools}:{pathlib.Path(COMMAND).parent}:{os.environ['PATH']}", "HOME": str(self.folder), "PYTHONDONTWRITEBYTECODE": "1",
                **variables}


class Commands(PassesCase):
    def setUp(self):
        super().setUp()
        (deployment,) = read(MANIFESTS / "server.yaml")
        self.spec = deployment["spec"]["template"]["spec"]
        self.store, self.key, self.tools = (self.folder / name for name in ("store", "key", "tools"))
        for folder in (self.store, self.key, self.tools):
            folder.mkdir()
        (self.key / "plans.key").write_text(KEY)
        self.tool("sleep", f"exec {shutil.which('sleep')} 0.1")
        self.tool("python3", f'exec {sys.executable} "$@"')

    def tool(self, name, text):
        (self.tools / name).write_text(f"#!/bin/sh\n{text}\n")
        (self.tools / name).chmod(0o755)

    def pod(self, name):
        return Pod(self.folder / name, self.store, self.key, self.spec)

    def start(self, pod, container):
        kind = Server if container == "server" else Sidecar
        return kind(pod.words(container), pod.environment(container, self.tools), pod.folder)

    def run_init(self, pod):
        done = subprocess.run(pod.words("pull-plan"), env=pod.environment("pull-plan", self.tools), capture_output=True, text=True, check=False,
                              cwd=pod.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stderr

    def is_ready(self, pod, process):
        """A probe of this machine sees all of its processes, and so is told which."""
        words = [word.replace("-q status", f"-q status {process}") for word in pod.words("server", "readinessProbe")]
        return subprocess.run(words, env=pod.environment("server", self.tools), capture_output=True, check=False).returncode == 0

    def metrics(self, pod):
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{pod.port}/metrics.prom", timeout=10) as answer:
                return answer.read().decode()
        except (urllib.error.URLError, ConnectionError):
            return ""

    def test_the_first_pod_learns_and_the_second_serves_from_its_start(self):
        first = self.pod("first")
        self.assertEqual(self.run_init(first), "")
        self.assertFalse(self.is_ready(first, os.getpid()), "nothing serves yet")
        with self.start(first, "server") as server, self.start(first, "push-plan"), self.start(first, "metrics"):
            wait_until(lambda: self.is_ready(first, server.process.pid), server.stderr)
            wait_until(lambda: list(self.store.glob("server-v1.plan/*.sealed")), server.stderr)
            wait_until(lambda: "memomalloc_served" in self.metrics(first), server.stderr)
        second = self.pod("second")
        self.assertIn("pulled", self.run_init(second))
        with self.start(second, "server") as server:
            wait_until(lambda: self.is_ready(second, server.process.pid), server.stderr)
        statistics = json.loads((second.folder / "stats" / "server.stats").read_text())
        self.assertEqual((statistics["state"], statistics["recordings"]), ("serving", 0), statistics)

    def test_a_pod_without_a_plan_is_ready_after_a_while(self):
        """One that gets no request before it is ready has nothing to learn from."""
        pod = self.pod("first")
        (pod.folder / "server.py").write_text("import sys\nsys.stdin.read()\n")
        self.run_init(pod)
        with self.start(pod, "server") as server:
            self.assertFalse(self.is_ready(pod, server.process.pid))
            long_ago = (pod.folder / "plans" / "started").stat().st_mtime - 400
            os.utime(pod.folder / "plans" / "started", (long_ago, long_ago))
            self.assertTrue(self.is_ready(pod, server.process.pid))


class Server(RunningProgram):
    """A container's command, which ends with its input."""

    def __init__(self, words, environment, folder):
        super().__init__(["env", "-i", *[f"{name}={value}" for name, value in environment.items()], *words], stdin=subprocess.PIPE,
                         stdout=subprocess.DEVNULL, cwd=folder, start_new_session=True)


class Sidecar(Server):
    """One that a cluster ends, with all that it has started."""

    def end(self):
        os.killpg(self.process.pid, signal.SIGTERM)
        super().end()


if __name__ == "__main__":
    unittest.main()
