"""scripts/setup-engines where engines cannot be had: each of them is said in one line, the others are installed all the same, and the
script ends well. A Python that only notes what it is asked for stands in for the environment's. A failure means that somebody
without one package gets none of the engines behind it."""

import pathlib
import re
import subprocess
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "setup-engines"
PYTHON = r"""#!/bin/sh
case "$*" in
  -V) echo Python 9.9 ;;
  -c*) exit 1 ;;
  *"install"*)
    for word; do pin=$word; done
    for absent in $ABSENT; do
      case "$*" in *" $absent=="*) echo "ERROR: there is no $absent"; exit 1 ;; esac
    done
    echo "$pin" >>"$ASKED" ;;
esac
"""


class SetupEngines(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        python = self.folder / "bin" / "python"
        python.parent.mkdir()
        python.write_text(PYTHON)
        python.chmod(0o755)

    def set_up(self, *words, absent=""):
        """What is said of absent packages, and the names of those that were installed."""
        asked = self.folder / "asked"
        done = subprocess.run([SCRIPT, *words], capture_output=True, text=True, timeout=60, check=False,
                              env={"PATH": "/usr/bin:/bin", "MEMOMALLOC_ENGINES": str(self.folder), "ABSENT": absent, "ASKED": str(asked)})
        self.assertEqual((done.returncode, done.stdout), (0, f"{self.folder}/bin/python\n"), done.stderr)
        said = [line for line in done.stderr.splitlines() if "cannot be had" in line]
        return said, re.findall(r"(?m)^([\w-]+)(?:\[\w+\])?==", asked.read_text())

    def test_all_are_there(self):
        said, installed = self.set_up()
        self.assertEqual(said, [])
        self.assertIn("transformers", installed)
        self.assertNotIn("jax", installed)

    def test_a_package_that_cannot_be_had_is_one_line(self):
        everything = self.set_up("--all")[1]
        (self.folder / "asked").unlink()
        said, installed = self.set_up("--all", absent="onnxruntime jax")
        self.assertEqual(len(said), 2, said)
        self.assertRegex(said[0], r"setup-engines: onnxruntime==\S+ cannot be had here: ERROR: there is no onnxruntime")
        self.assertEqual(installed, [name for name in everything if name not in ("onnxruntime", "jax")])

    def test_without_torch_the_others_are_installed(self):
        said, installed = self.set_up(absent="torch")
        self.assertEqual(len(said), 1, said)
        self.assertIn("for Python 9.9", said[0])
        self.assertIn("onnxruntime", installed)


if __name__ == "__main__":
    unittest.main()
