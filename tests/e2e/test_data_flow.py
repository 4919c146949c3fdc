"""The data flow of eager PyTorch and of TorchScript: the operators that ran, in their order, and who reads what whom has written.
The network has a branch, views, an operator in place and one that reads a list. Its answer is the one without recording, bit for
bit. A plan of this trace and of a plain one knows the branches, and serves. Skipped where scripts/setup-engines has not been run."""

import json
import os
import pathlib
import subprocess
import unittest

from harness import COMMAND, PassesCase

ROOT = pathlib.Path(__file__).parents[2]
PYTHON = pathlib.Path(os.environ.get("MEMOMALLOC_ENGINES") or ROOT / "build" / "engines") / "bin" / "python"
PROGRAM = """
import hashlib, sys, torch
from torch import nn

class Network(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Conv2d(3, 8, 3, padding=1)
        self.left, self.right = nn.Conv2d(8, 4, 1), nn.Conv2d(8, 4, 3, padding=1)
        self.dropout, self.last = nn.Dropout(), nn.Linear(32, 5)
    def forward(self, images):
        trunk = torch.relu_(self.first(images))
        both = torch.cat([self.left(trunk), self.right(trunk)], 1)
        return self.last(self.dropout(both.transpose(1, 2).flatten(2).mean(2).flatten(1)))

torch.manual_seed(1)
torch.set_num_threads(1)
network, images = Network().eval(), torch.rand(2, 3, 32, 32)
with torch.inference_mode("inference" in sys.argv), torch.no_grad():
    if "traced" in sys.argv:
        network = torch.jit.trace(network, images)
    for _ in range(12):
        answer = network(images)
print(hashlib.sha256(answer.numpy().tobytes()).hexdigest())
"""
# What follows the convolutions: flatten() must copy, since the channels are not next to each other.
NAMES = ["relu_", "cat", "clone", "_unsafe_view", "mean", "addmm"]
NAMES_IN_INFERENCE = ["relu_", "cat", "flatten", "mean", "linear"]
# A convolution, relu_, the two branches, cat, and from there on each reads from the one before. Weights are of nobody.
BRANCHES = {(0, 1), (1, 2), (1, 3), (2, 4), (3, 4)}
LEAST_SHARE = 0.9  # of twelve passes


@unittest.skipUnless(PYTHON.exists(), "there is no PyTorch: scripts/setup-engines installs it")
class DataFlow(PassesCase):
    def answer(self, *options, prefix=()):
        (self.folder / "program.py").write_text(PROGRAM)
        done = subprocess.run([*map(str, prefix), PYTHON, "program.py", *options], capture_output=True, text=True, timeout=250,
                              cwd=self.folder, env={**os.environ, "XDG_CACHE_HOME": str(self.folder)})
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def check(self, *options, expected=NAMES):
        plain = self.answer(*options)
        self.assertEqual(self.answer(*options, prefix=(COMMAND, "profile", "--data-flow", "-o", "trace", "--")), plain)
        flow = json.loads(self.run_command("inspect", "--json", self.folder / "trace").stdout)["data_flow"]
        names = [operator["name"].removeprefix("aten::") for operator in flow["operators"]]
        self.assertEqual([name for name in names if "conv" not in name], expected)
        chain = {(i, i + 1) for i in range(4, len(names) - 1)}
        self.assertEqual({(edge["from"], edge["to"]) for edge in flow["edges"]}, BRANCHES | chain, names)
        self.answer(*options, prefix=(COMMAND, "profile", "-o", "plain", "--"))
        self.run_command("plan", "--keep-parallel", "-o", self.folder / "plan", self.folder / "plain", self.folder / "trace")
        self.assertEqual(self.answer(*options, prefix=(COMMAND, "serve", "--plan", "plan", "--stats", "stats", "--")), plain)
        steady = json.loads((self.folder / "stats").read_text())["steady"]
        self.assertGreater(steady["served_bytes"] / (steady["served_bytes"] + steady["missed_bytes"]), LEAST_SHARE, steady)
        return flow

    def test_eager(self):
        flow = self.check()
        self.assertEqual(flow["operators"][2]["place"], "[left]")

    def test_inference_mode(self):
        """There the operators are those that the network's author wrote, and some do other than their schemas say."""
        self.check("inference", expected=NAMES_IN_INFERENCE)

    def test_torchscript(self):
        self.check("traced")


if __name__ == "__main__":
    unittest.main()
