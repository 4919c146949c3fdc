"""The magics for notebooks in a real IPython, under a plan and without the library. A failure means that a notebook is told other
shares than its process has, that a cell's names are lost, or that the report does not appear. Skipped where there is no IPython."""

import json
import os
import pathlib
import subprocess
import sys
import unittest

from harness import COMMAND, PassesCase

ROOT = pathlib.Path(__file__).parents[2]
ENGINES = pathlib.Path(os.environ.get("MEMOMALLOC_ENGINES") or ROOT / "build" / "engines")
PROGRAM = pathlib.Path(__file__).parent / "programs" / "magics.py"
PACKAGE = ROOT / "preload" / "python"


def has_ipython(python):
    return os.path.exists(python) and subprocess.run([python, "-c", "import IPython"], capture_output=True, check=False).returncode == 0


PYTHON = next((python for python in (sys.executable, str(ENGINES / "bin" / "python")) if has_ipython(python)), None)


@unittest.skipUnless(PYTHON, "there is no IPython: scripts/setup-engines installs it")
class Notebook(PassesCase):
    def shown(self, *prefix, **variables):
        """What the magics show, and what else the program says."""
        environment = {**os.environ, "IPYTHONDIR": str(self.folder), "PYTHONDONTWRITEBYTECODE": "1", **variables}
        done = subprocess.run([*map(str, prefix), PYTHON, PROGRAM, "shown"], capture_output=True, text=True, timeout=250,
                              env=environment, cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads((self.folder / "shown").read_text())

    def test_under_a_plan(self):
        self.shown(COMMAND, "profile", "-q", "--passes-by", "api", "-o", "trace", "--")
        self.plan(self.folder / "trace", name="plan")
        shown = self.shown(COMMAND, "serve", "-q", "--passes-by", "api", "--plan", "plan", "--")
        served = r"Served: (\d+\.\d\d) % of the allocations in passes, and (\d+\.\d\d) % of their bytes\."
        for words in ("cell", "process"):
            self.assertRegex(shown[words], served)
            self.assertGreater(float(shown[words].split()[1]), 90, shown[words])
        self.assertRegex(shown["cell"], r"passes +3\b")
        self.assertRegex(shown["process"], r"passes +23\b")
        self.assertRegex(shown["process"], r"state +serving")
        self.assertEqual(shown["kept"], 5)
        self.assertIn("<td style='text-align: left'>serving</td>", shown["html"])
        self.assertTrue(shown["report"].startswith('<iframe srcdoc="&lt;!doctype html&gt;'), shown["report"][:200])
        self.assertIn("the plan fits", shown["report"])
        self.assertIn('There is no "rubbish"', shown["unknown"])
        self.assertIn("nowhere.plan", shown["no file"])
        self.assertEqual(shown["failed"], "None")

    def test_without_the_library(self):
        shown = self.shown(PYTHONPATH=str(PACKAGE))
        for words in ("cell", "process", "report"):
            self.assertIn("memomalloc run -- jupyter lab", shown[words])
        self.assertEqual(shown["kept"], 5)


if __name__ == "__main__":
    unittest.main()
