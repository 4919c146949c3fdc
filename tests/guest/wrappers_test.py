"""Wrapper processes. A preloaded library reaches every child: the shell, env, timeout, and what the server starts.

Each process is one of its own: none may disturb another's output, overwrite another's files, or leave a file that nobody
asked for. Failure: stray output, a stray file, or a changed exit status.
"""

import os
import subprocess
import tempfile
import unittest

from guest import LIBRARY, lines_of_ours, program, run


class Wrappers(unittest.TestCase):
    def wrapped(self, script):
        return ["sh", "-c", f"env FOO=1 timeout 50 sh -c '{script}'"]

    def test_output_passes_through(self):
        result = run(self.wrapped(f"{program('unaffected')}; echo done"))
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "42\ndone\n", ""))

    def test_status_passes_through(self):
        self.assertEqual(run(self.wrapped("exit 9")).returncode, 9)
        self.assertEqual(run(["timeout", "0.2", "sleep", "20"]).returncode, 124)
        self.assertEqual(run(["sh", "-c", "kill -9 $$"]).returncode, -9)

    def test_each_process_logs_for_itself(self):
        with tempfile.TemporaryDirectory() as folder:
            log = os.path.join(folder, "log")
            run(self.wrapped(program("unaffected")), MEMOMALLOC_LOG=log)
            with open(log, encoding="utf-8") as lines:
                text = lines.read()
            lines = lines_of_ours(text)
            self.assertEqual(len(lines), len(text.splitlines()), text)
            self.assertTrue(any("timeout" in line for line in lines), text)
            self.assertTrue(any("unaffected" in line for line in lines), text)

    def test_leaves_no_file(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(self.wrapped(program("unaffected")), cwd=folder, check=True, capture_output=True,
                           env={"PATH": os.environ["PATH"], "LD_PRELOAD": LIBRARY})
            self.assertEqual(os.listdir(folder), [])


if __name__ == "__main__":
    unittest.main()
