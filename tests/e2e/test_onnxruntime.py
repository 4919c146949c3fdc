"""Passes that are found in ONNX Runtime's table of functions are served by the shapes of their inputs. One program looks for a library
of the suite's own that has such a table. Another, an example, opens the library of the Python package, where scripts/setup-engines has
installed it; else that test is skipped."""

import json
import os
import pathlib
import subprocess

from harness import BUILD, COMMAND, PassesCase, missed

CLIENT = (os.environ["MEMO_ORT_CLIENT"], "hundred", os.environ["MEMO_ORT_FOLDER"])
PASSES = 100
ROOT = pathlib.Path(__file__).resolve().parents[2]
ENGINES = pathlib.Path(os.environ.get("MEMOMALLOC_ENGINES") or ROOT / "build" / "engines")
EXAMPLE = BUILD / "bin" / "onnxruntime_infer"


def library_of_the_package():
    return next(ENGINES.glob("lib/python3*/site-packages/onnxruntime/capi/libonnxruntime.so.*"), None)


class OnnxRuntime(PassesCase):
    def test_every_planned_allocation_of_each_shape_is_served(self):
        trace = self.folder / "client.trace"
        self.run_command("profile", "-o", trace, "--", *CLIENT)
        plan, report = self.plan(trace, name="client.plan")
        [variant] = report["variants"]
        self.assertEqual((variant["buffers"], variant["shapes"], variant["key"]), (2, 2, 0), report)

        stats = self.folder / "stats.json"
        self.run_command("serve", "--plan", plan, "--stats", stats, "--", *CLIENT)
        statistics = json.loads(stats.read_text())
        self.assertEqual(statistics["passes"], PASSES)
        self.assertEqual(statistics["served"], 2 * PASSES, statistics)
        self.assertEqual(missed(statistics), PASSES, "the result of each run, which outlives it")


class FromCxx(PassesCase):
    def setUp(self):
        super().setUp()
        library, model = library_of_the_package(), self.folder / "one.onnx"
        if library is None or not EXAMPLE.exists():
            self.skipTest("there is no ONNX Runtime, or no example for it: scripts/setup-engines and scripts/build make both")
        maker = ROOT / "examples" / "onnx_models" / "make_onnx.py"
        made = subprocess.run([ENGINES / "bin" / "python", maker, "--batch", "1", "--side", "64", model], capture_output=True, text=True,
                              check=False)
        if made.returncode != 0:
            self.skipTest(f"no model can be made: {made.stderr}")
        self.program = [EXAMPLE, PASSES, library, model, "malloc"]

    def answer_of(self, *words):
        done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_a_session_without_arena_is_served(self):
        plain = self.answer_of(*self.program)
        trace, stats = self.folder / "own.trace", self.folder / "own.stats"
        self.assertEqual(self.answer_of(COMMAND, "profile", "-o", trace, "--", *self.program), plain)
        plan, _ = self.plan(trace, name="own.plan")
        self.assertEqual(self.answer_of(COMMAND, "serve", "--plan", plan, "--stats", stats, "--", *self.program), plain)
        steady = json.loads(stats.read_text())["steady"]
        self.assertGreater(steady["passes"], PASSES // 2)
        for kind in ("", "_bytes"):
            served, lacked = steady[f"served{kind}"], steady[f"missed{kind}"]
            self.assertGreater(served, 0.95 * (served + lacked), steady)

    def test_the_plan_of_one_start_serves_the_next(self):
        """The program opens the runtime only after the library has begun to serve."""
        stats = self.folder / "ran"
        command = [str(word) for word in (COMMAND, "run", "--stats", stats, "--", *self.program)]
        for _ in range(2):
            done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, "XDG_CACHE_HOME": str(self.folder)})
            self.assertEqual(done.returncode, 0, done.stderr)
        self.assertGreater(json.loads(stats.read_text())["steady"]["passes"], PASSES // 2, done.stderr)
