"""Nothing of the library's is in what a program reads: whatever it captures, duplicates or executes.

One process may write to stderr: the one that the command, or whoever set the variables, started, and to the stderr that it was
given. A variable with a bad value makes each process with the library want to say a line as it starts; the programs here run
helpers, and read what these print. Failure: a line in an answer, or none where it belongs.
"""

import json
import os
import shutil
import subprocess
import sys
import unittest

from guest import LIBRARY, lines_of_ours
from planned import COMMAND, NEEDS_OWN_PROGRAMS, PATIENCE, emulated, new_folder

PYTHON = sys.executable
TROUBLE = {"MEMOMALLOC_LANES": "x"}

# Each prints what it read from a helper, and nothing else.
SCENES = {
    "popen": r"""import os; print(repr(os.popen("perl -e 'print 42' 2>&1").read()))""",
    "the shell of a popen": r"""import os; print(repr(os.popen("true; perl -e 'print 42'; ls /nonexistent >/dev/null 2>&1") .read()))""",
    "captured apart": r"""import subprocess, sys
done = subprocess.run([sys.executable, "-c", "print(42)"], capture_output=True)
print(done.stdout, done.stderr)""",
    "posix_spawn": r"""import os
reader, writer = os.pipe()
child = os.posix_spawn("/usr/bin/perl", ["perl", "-e", "print 42"], os.environ,
                       file_actions=[(os.POSIX_SPAWN_DUP2, writer, 2), (os.POSIX_SPAWN_DUP2, writer, 1)])
os.close(writer)
print(os.fdopen(reader).read())
os.waitpid(child, 0)""",
    "a copy that becomes another program": r"""import os
reader, writer = os.pipe()
if os.fork() == 0:
    os.dup2(writer, 2)
    os.execv("/usr/bin/perl", ["perl", "-e", "print STDERR 42"])
os.close(writer)
print(os.fdopen(reader).read())""",
    "a helper of a helper": r"""import os; print(repr(os.popen("sh -c 'perl -e \"print 42\"; true' 2>&1").read()))""",
    "a terminal of its own": r"""import os
print(repr(os.popen("script -qec 'perl -e \"print 42\"' /dev/null </dev/null").read()))""",
}

# The program itself goes on as another, with a pipe in the place of stderr that it reads.
BECOMES_ANOTHER = r"""import os, sys
reader, writer = os.pipe()
os.set_inheritable(reader, True)
os.set_blocking(reader, False)
os.dup2(writer, 2)
os.execv(sys.executable, [sys.executable, "-c", f'''import os
try: print(os.read({reader}, 999))
except BlockingIOError: print("nothing")'''])"""

# Asks for a plan that is not there, which is trouble, while a pipe lies over stderr; and in a copy of itself.
READS_ITSELF = r"""import ctypes, os
library = ctypes.CDLL(None)
reader, writer = os.pipe()
kept = os.dup(2)
os.dup2(writer, 2)
library.memo_plan_load(b"/nonexistent/while/captured")
os.dup2(kept, 2)
os.set_blocking(reader, False)
try: print(os.read(reader, 999))
except BlockingIOError: print("nothing")
"""
FORKS = r"""import ctypes, os
library = ctypes.CDLL(None)
if os.fork() == 0:
    library.memo_plan_load(b"/nonexistent/by/the/copy")
    library.memo_pass_begin(ctypes.c_uint64(1))
    library.memo_pass_end()
    raise SystemExit
os.wait()
library.memo_plan_load(b"/nonexistent/by/itself")
"""


def prefixes(folder):
    """The ways in which a program gets the library, by name: what stands before its command, and its variables."""
    return {
        "run": ([COMMAND, "run", "-q", "--no-cache", "--"], {}),
        "profile": ([COMMAND, "profile", "-q", "--force", "-o", str(folder / "trace"), "--"], {}),
        "variables": ([], {"LD_PRELOAD": LIBRARY, "MEMOMALLOC_MODE": "serve"}),
        "a log on stderr": ([], {"LD_PRELOAD": LIBRARY, "MEMOMALLOC_LOG": "stderr"}),
        "a log that cannot be written": ([], {"LD_PRELOAD": LIBRARY, "MEMOMALLOC_LOG": "/nonexistent/log"}),
    }


@unittest.skipIf(emulated, NEEDS_OWN_PROGRAMS)
class Speaker(unittest.TestCase):
    def setUp(self):
        self.folder = new_folder("speaker", self.addCleanup)

    def started(self, prefix, variables, script, stderr=subprocess.PIPE):
        environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", **variables}
        done = subprocess.run([*prefix, PYTHON, "-c", script], env=environment, stdout=subprocess.PIPE, stderr=stderr, text=True,
                              timeout=PATIENCE, cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def plain(self, script):
        return self.started([], {}, script).stdout

    def test_no_answer_holds_a_line(self):
        for scene, script in SCENES.items():
            if "script -" in script and not shutil.which("script"):
                continue
            expected = self.plain(script)
            self.assertIn("42", expected)
            for way, (prefix, variables) in prefixes(self.folder).items():
                with self.subTest(scene=scene, way=way):
                    done = self.started(prefix, {**variables, **TROUBLE}, script)
                    self.assertEqual(done.stdout, expected)

    def test_the_first_process_says_its_line(self):
        for way, (prefix, variables) in prefixes(self.folder).items():
            with self.subTest(way=way):
                done = self.started(prefix, {**variables, **TROUBLE}, SCENES["popen"])
                said = [line for line in lines_of_ours(done.stderr) if "MEMOMALLOC_LANES" in line]
                self.assertEqual(len(said), 1, done.stderr)

    def test_a_program_that_becomes_another_behind_a_pipe(self):
        for way in ("run", "profile"):
            prefix, variables = prefixes(self.folder)[way]
            with self.subTest(way=way):
                self.assertEqual(self.started(prefix, {**variables, **TROUBLE}, BECOMES_ANOTHER).stdout, "nothing\n")

    def test_a_program_that_reads_its_own_stderr(self):
        for way in ("run", "variables"):
            prefix, variables = prefixes(self.folder)[way]
            with self.subTest(way=way):
                self.assertEqual(self.started(prefix, variables, READS_ITSELF).stdout, "nothing\n")

    def test_one_pipe_for_all_that_a_program_prints(self):
        """Somebody reads its answers there."""
        variables = {"LD_PRELOAD": LIBRARY, **TROUBLE}
        self.assertEqual(self.started([], variables, "print(42)", stderr=subprocess.STDOUT).stdout, "42\n")

    def test_what_a_copy_would_say_the_command_says(self):
        prefix, _ = prefixes(self.folder)["run"]
        done = self.started([word for word in prefix if word != "-q"], {}, FORKS)
        ours = "\n".join(lines_of_ours(done.stderr))
        self.assertIn("/nonexistent/by/itself", ours)
        self.assertNotIn("/nonexistent/by/the/copy", ours)
        said = [line for line in done.stderr.splitlines() if line.startswith("memomalloc: ") and "/nonexistent/by/the/copy" in line]
        self.assertEqual(len(said), 1, done.stderr)

    def test_a_log_has_the_lines_of_all(self):
        log = self.folder / "log"
        self.started([COMMAND, "run", "-q", "--no-cache", "--"], {"MEMOMALLOC_LOG": str(log), **TROUBLE}, SCENES["popen"])
        said = [line.partition("]")[0] for line in log.read_text().splitlines() if "MEMOMALLOC_LANES" in line]
        self.assertGreaterEqual(len(set(said)), 3, said)  # Python, the shell and perl

    def test_a_command_below_another_has_a_stderr_of_its_own(self):
        """What it starts may speak there: whoever captures the inner command's stderr asked for its lines."""
        inner = f"{COMMAND} run -q --no-cache -- perl -e 'print 42'"
        script = f"import json, subprocess; done = subprocess.run({inner.split(' -e')[0].split()!r} + ['-e', 'print 42'], " \
                 "capture_output=True, text=True); print(json.dumps([done.stdout, done.stderr]))"
        prefix, variables = prefixes(self.folder)["run"]
        out, err = json.loads(self.started(prefix, {**variables, **TROUBLE}, script).stdout)
        self.assertEqual((out, len(lines_of_ours(err))), ("42", 1))


if __name__ == "__main__":
    unittest.main()
