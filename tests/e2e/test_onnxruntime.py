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
# Prints a hash of the answers, and writes the graph that the session made of the model.
NODES_PROGRAM = """
import hashlib, sys, numpy, onnxruntime
options = onnxruntime.SessionOptions()
options.intra_op_num_threads, options.log_severity_level = 1, 3
options.optimized_model_filepath = "optimized.onnx"
session = onnxruntime.InferenceSession(sys.argv[1], options, providers=["CPUExecutionProvider"])
image = numpy.random.default_rng(1).random((1, 3, 64, 64), dtype=numpy.float32)
for _ in range(20):
    [answer] = session.run(None, {session.get_inputs()[0].name: image})
print(hashlib.sha256(answer.tobytes()).hexdigest())
"""
# Prints the nodes of that graph, and who reads whose values.
GRAPH_PROGRAM = """
import json, onnx
nodes = onnx.load("optimized.onnx").graph.node
makers = {value: node.name for node in nodes for value in node.output}
print(json.dumps({
    "nodes": sorted(f"{node.name} ({node.op_type})" for node in nodes),
    "edges": sorted({(makers[value], node.name) for node in nodes for value in node.input if value in makers})}))
"""
MOST_OUTSIDE = 0.05  # of the bytes
ROOT = pathlib.Path(__file__).resolve().parents[2]
ENGINES = pathlib.Path(os.environ.get("MEMOMALLOC_ENGINES") or ROOT / "build" / "engines")
PYTHON = ENGINES / "bin" / "python"
EXAMPLE = BUILD / "bin" / "onnxruntime_infer"


def library_of_the_package():
    return next(ENGINES.glob("lib/python3*/site-packages/onnxruntime/capi/libonnxruntime.so.*"), None)


class OnnxRuntime(PassesCase):
    def test_every_planned_allocation_of_each_shape_is_served(self):
        trace = self.folder / "client.trace"
        self.run_command("profile", "-o", trace, "--", *CLIENT)
        plan, report = self.plan(trace, name="client.plan")
        [variant] = report["variants"]
        self.assertEqual((variant["buffers"], variant["shapes"], variant["key"]), (3, 2, 0), report)

        stats = self.folder / "stats.json"
        self.run_command("serve", "--plan", plan, "--stats", stats, "--", *CLIENT)
        statistics = json.loads(stats.read_text())
        self.assertEqual(statistics["passes"], PASSES)
        self.assertEqual(statistics["served"], 3 * PASSES, statistics)
        self.assertEqual(missed(statistics), 0, "the result of each run, which ends before the next one, has a place, too")


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
        command = [str(word) for word in (COMMAND, "run", "--finish", "30s", "--stats", stats, "--", *self.program)]
        for _ in range(2):
            done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, "XDG_CACHE_HOME": str(self.folder)})
            self.assertEqual(done.returncode, 0, done.stderr)
        self.assertGreater(json.loads(stats.read_text())["steady"]["passes"], PASSES // 2, done.stderr)


class Nodes(PassesCase):
    """A recording names the nodes of a session in Python, and knows the graph. It is compared with the graph that ONNX Runtime
    itself has written."""

    def setUp(self):
        super().setUp()
        (self.folder / "nodes.py").write_text(NODES_PROGRAM)
        (self.folder / "graph.py").write_text(GRAPH_PROGRAM)
        maker = ROOT / "examples" / "onnx_models" / "make_onnx.py"
        if not PYTHON.exists() or self.python(maker, "--batch", "1", "--side", "64", "model.onnx", check=False).returncode != 0:
            self.skipTest("there is no ONNX Runtime, or no onnx: scripts/setup-engines installs both")

    def python(self, *words, prefix=(), check=True):
        done = subprocess.run([str(word) for word in (*prefix, PYTHON, *words)], capture_output=True, text=True, check=False,
                              cwd=self.folder)
        if check:
            self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def recorded(self, *options):
        """What `inspect` says of a recording, and what the program said on stderr."""
        done = self.python("nodes.py", "model.onnx", prefix=(COMMAND, "profile", "--force", *options, "-o", "trace", "--"))
        self.assertEqual(done.stdout, self.python("nodes.py", "model.onnx").stdout)
        return json.loads(self.run_command("inspect", "--json", self.folder / "trace").stdout), done.stderr

    def test_names_and_edges_are_those_of_the_graph(self):
        seen, _ = self.recorded("--ort-arena", "off", "--data-flow")
        graph = json.loads(self.python("graph.py").stdout)
        operators = seen["data_flow"]["operators"]
        self.assertEqual(sorted(operator["name"] for operator in operators), graph["nodes"])
        names = [operator["name"].rsplit(" (", 1)[0] for operator in operators]
        edges = {(names[edge["from"]], names[edge["to"]]) for edge in seen["data_flow"]["edges"]}
        self.assertEqual(edges, {tuple(edge) for edge in graph["edges"]})

    def test_nearly_all_bytes_are_those_of_nodes(self):
        seen, _ = self.recorded("--ort-arena", "off")
        paths = seen["operator_paths"]
        total = sum(path["bytes"] for path in paths)
        outside = sum(path["bytes"] for path in paths if path["path"] == ["outside operators"])
        self.assertLess(outside, MOST_OUTSIDE * total, paths)

    def test_an_arena_has_names_and_no_edges(self):
        """There many tensors are in one block."""
        seen, said = self.recorded("--data-flow")
        self.assertNotIn("data_flow", seen)
        self.assertIn("--ort-arena off", said)
        self.assertTrue(any(path["path"][0].endswith(" (Conv)") for path in seen["operator_paths"]))

    def test_plans_go_without_nodes(self):
        """A plan of a recording serves the same program, whose nodes nobody names."""
        self.recorded("--ort-arena", "off")
        self.plan(self.folder / "trace", name="plan")
        stats = self.folder / "stats"
        self.python("nodes.py", "model.onnx", prefix=(COMMAND, "serve", "--ort-arena", "off", "--plan", "plan", "--stats", stats, "--"))
        steady = json.loads(stats.read_text())["steady"]
        self.assertGreater(steady["served_bytes"], 0.95 * (steady["served_bytes"] + steady["missed_bytes"]), steady)
