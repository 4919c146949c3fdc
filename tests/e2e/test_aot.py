"""A model that AOTInductor compiled ahead of time, run from Python and from C++ by both of its calls, with nothing marked: hooks find
every pass, and each is counted once although the calls nest. On the PyTorch of scripts/setup-engines; skipped where that is not
installed, or cannot compile."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

from harness import COMMAND

ROOT = pathlib.Path(__file__).resolve().parents[2]
ENGINES = pathlib.Path(os.environ.get("MEMOMALLOC_ENGINES") or ROOT / "build" / "engines")
PYTHON = ENGINES / "bin" / "python"
SOURCE = pathlib.Path(__file__).parent / "programs" / "aot.cpp"
PASSES = 30
MAKE_MODEL = """
import sys, torch
torch.manual_seed(1)
model = torch.nn.Sequential(torch.nn.Linear(64, 128), torch.nn.ReLU(), torch.nn.Linear(128, 16)).eval()
with torch.no_grad():
    torch._inductor.aoti_compile_and_package(torch.export.export(model, (torch.ones(8, 64),)), package_path=sys.argv[1])
"""
RUN_MODEL = """
import sys, torch
model = torch._inductor.aoti_load_package(sys.argv[1])
with torch.no_grad():
    for _ in range(int(sys.argv[2])):
        answer = model(torch.ones(8, 64))
print(float(answer.sum()))
"""


def run(*words, timeout=600):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=timeout, check=False)


def require(done, what):
    if done.returncode != 0:
        raise unittest.SkipTest(f"{what}: {(done.stderr.splitlines() or ['no word'])[-1]}")
    return done.stdout.strip()


def torch_folder():
    if not PYTHON.exists():
        raise unittest.SkipTest(f"there is no {PYTHON}: scripts/setup-engines makes it")
    find = "import importlib.util; print(importlib.util.find_spec('torch').submodule_search_locations[0])"
    return pathlib.Path(require(run(PYTHON, "-c", find), "no PyTorch"))


def build_program(torch, program):
    words = ["c++", "-std=c++20", "-O0", "-isystem", torch / "include", SOURCE, "-o", program,
             f"-L{torch / 'lib'}", "-Wl,--no-as-needed", "-ltorch_cpu", "-ltorch", "-lc10", f"-Wl,-rpath,{torch / 'lib'}"]
    require(run(*words), "the program cannot be built")


class CompiledAheadOfTime(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        torch = torch_folder()
        holder = tempfile.TemporaryDirectory(prefix="memomalloc-aot.")
        cls.addClassCleanup(holder.cleanup)
        cls.folder = pathlib.Path(holder.name)
        cls.model, cls.program = cls.folder / "model.pt2", cls.folder / "aot"
        require(run(PYTHON, "-c", MAKE_MODEL, cls.model), "no model")
        build_program(torch, cls.program)

    def passes_of(self, *command):
        trace = self.folder / "trace"
        plain = run(*command)
        self.assertEqual(plain.returncode, 0, plain.stderr)
        done = run(COMMAND, "profile", "--force", "-q", "--passes-by", "hooks", "-o", trace, "--", *command)
        self.assertEqual((done.returncode, done.stdout), (0, plain.stdout), done.stderr)
        return len(json.loads(run(COMMAND, "inspect", "--json", trace).stdout)["passes"])

    def test_from_python(self):
        self.assertEqual(self.passes_of(PYTHON, "-c", RUN_MODEL, self.model, PASSES), PASSES)

    def test_the_plan_of_one_start_serves_the_next(self):
        """The package is unpacked anew at each start, and what was unpacked is gone by then."""
        environment = {**os.environ, "XDG_CACHE_HOME": str(self.folder)}
        command = [str(word) for word in (COMMAND, "run", "--finish", "30s", "--", self.program, self.model, PASSES, "run")]
        for _ in range(2):
            done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False, env=environment)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertNotIn("another build", done.stderr)
        self.assertIn("serving from", done.stderr)

    def test_from_cxx(self):
        for call in ("run", "boxed_run"):
            with self.subTest(call=call):
                self.assertEqual(self.passes_of(self.program, self.model, PASSES, call), PASSES)


if __name__ == "__main__":
    unittest.main()
