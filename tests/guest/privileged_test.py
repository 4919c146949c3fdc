"""Programs with raised privileges: nobody who starts one may steer the library through the environment or a file.

The loader ignores preloads there; a program that is linked against the library, or has the arena inside, has it all the
same. Each case runs as an ordinary program first, where the same trap works, so that the test cannot pass because the trap
is broken. Failure: a variable that is obeyed, a file that is written, a plan taken that somebody else may write to.
"""

import os
import pathlib
import shutil
import struct
import subprocess
import tempfile
import unittest

from guest import LIBRARY, program

TRUSTING = os.environ["GUEST_TRUSTING"]
COMMAND = os.environ["GUEST_COMMAND"]
NOBODY = 65534

# The bytes that the kernel keeps with a file that has a capability: version 2, effective; which may be had (CAP_NET_RAW is the
# 13th).
ONE_CAPABILITY = struct.pack("<5I", 0x02000001, 1 << 13, 0, 0, 0)


@unittest.skipUnless(os.geteuid() == 0, "needs root to make programs with raised privileges")
class Privileged(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="memomalloc-privileged.")
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        self.folder.chmod(0o777)

    def copy(self, original, kind):
        """A copy of the program that is ordinary, or set-user-id, or has a capability."""
        copy = self.folder / f"{pathlib.Path(original).name}-{kind}"
        shutil.copy(original, copy)
        copy.chmod(0o4755 if kind == "set-user-id" else 0o755)
        if kind == "capability":
            os.setxattr(copy, "security.capability", ONE_CAPABILITY)
        return copy

    def run_as_nobody(self, command, expected, **environment):
        done = subprocess.run([str(word) for word in command], env={"PATH": os.environ["PATH"], **environment},
                              user=NOBODY, group=NOBODY, extra_groups=[], capture_output=True, text=True, timeout=60)
        if expected == "raised" and done.stdout.startswith("ordinary"):
            self.skipTest(f"programs in {self.folder} get no privileges")
        return done

    def traps(self):
        return {"HOSTILE_INJECTED": "1", "MEMOMALLOC_MODE": "profile", "MEMOMALLOC_LOG": str(self.folder / "caught.log"),
                "MEMOMALLOC_TRACE": str(self.folder / "caught.trace"), "MALLOC_CONF": "stats_print:true"}

    def caught(self):
        return sorted(path.name for path in self.folder.glob("caught*"))

    def test_no_variable_is_obeyed(self):
        done = self.run_as_nobody([self.copy(program("linked"), "ordinary")], "ordinary", **self.traps())
        if done.returncode == 127:
            self.skipTest(f"others may not read {LIBRARY}")
        self.assertIn("jemalloc statistics", done.stderr)
        self.assertEqual(self.caught(), ["caught.log", "caught.trace"], done.stderr)
        for kind in ("set-user-id", "capability"):
            with self.subTest(kind):
                for name in self.caught():
                    (self.folder / name).unlink()
                done = self.run_as_nobody([self.copy(program("linked"), kind)], "raised", **self.traps())
                self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "raised 0\n", ""))
                self.assertEqual(self.caught(), [])

    def test_no_plan_is_taken_in_mode_off(self):
        """Which mode such a program cannot leave: what serves is decided when it starts."""
        done = self.run_as_nobody([self.copy(program("linked"), "set-user-id"), self.some_plan()], "raised",
                                  HOSTILE_INJECTED="1")
        self.assertEqual((done.stdout, done.stderr), ("raised -1\n", ""))

    def some_plan(self):
        """A plan by the planner, from passes of the program itself."""
        trace, plan = self.folder / "some.trace", self.folder / "some.plan"
        if not plan.exists():
            recorded = {**os.environ, "HOSTILE_INJECTED": "1"}
            subprocess.run([COMMAND, "profile", "-o", trace, "--", program("served_crowd"), "record"], env=recorded,
                           check=True, capture_output=True)
            subprocess.run([COMMAND, "plan", "-o", plan, trace], check=True, capture_output=True)
        return plan

    def plan_of(self, owner, mode):
        plan = self.folder / f"plan-{owner}-{mode:o}"
        shutil.copy(self.some_plan(), plan)
        os.chown(plan, owner, owner)
        plan.chmod(mode)
        return plan

    def serves(self, kind, plan):
        done = self.run_as_nobody([self.copy(TRUSTING, kind), plan], "ordinary" if kind == "ordinary" else "raised")
        return done.stdout.strip(), done.stderr

    def test_a_plan_of_somebody_else_is_refused(self):
        plan = self.plan_of(NOBODY, 0o644)
        self.assertEqual(self.serves("ordinary", plan), ("ordinary serves", ""))
        for kind in ("set-user-id", "capability"):
            with self.subTest(kind):
                said, why = self.serves(kind, plan)
                self.assertEqual(said, "raised refuses")
                self.assertIn("belongs to user 65534 and this program has raised privileges", why)

    def test_a_plan_that_others_may_write_to_is_refused(self):
        for mode in (0o666, 0o664):
            plan = self.plan_of(0, mode)
            self.assertEqual(self.serves("ordinary", plan)[0], "ordinary serves" if mode == 0o664 else "ordinary refuses")
            said, why = self.serves("set-user-id", plan)
            self.assertEqual(said, "raised refuses")
            self.assertIn(f"others may write to it (mode {mode:o})", why)

    def test_the_plan_of_root_is_taken(self):
        for kind in ("set-user-id", "capability"):
            self.assertEqual(self.serves(kind, self.plan_of(0, 0o644)), ("raised serves", ""))

    def test_the_command_does_not_run(self):
        done = self.run_as_nobody([self.copy(COMMAND, "set-user-id"), "--version"], "raised")
        self.assertEqual(done.returncode, 2)
        self.assertIn("raised privileges", done.stderr)


if __name__ == "__main__":
    unittest.main()
