"""Whose plan is taken: not one that everybody may write to, nor one that a stranger may have laid into a folder of everybody.

A plan of another user elsewhere is taken, and one line says so: containers often run as another user than the plan's. The
command says the same before it starts a program, and keeps nothing in a cache of everybody. Failure: a plan that is taken or
refused against docs/security.md, a refusal that does not name the file and the cure, a line too many.
"""

import os
import pathlib
import shutil
import subprocess
import unittest

from guest import LIBRARY, lines_of_ours, program
from planned import COMMAND, PATIENCE, Planned

NOBODY = 65534
ROOT_ONLY = unittest.skipUnless(os.geteuid() == 0, "needs root to give files to another user")


class Owners(Planned):
    def setUp(self):
        super().setUp()
        self.made = self.plan("crowd")
        self.place = self.folder / "place"
        self.place.mkdir()
        self.served_plan = self.place / "the.plan"
        shutil.copy(self.made, self.served_plan)
        self.set_rights(0o644, 0o755)

    def set_rights(self, plan, folder, owner=None):
        """Whatever the umask of this run is."""
        self.served_plan.chmod(plan)
        self.place.chmod(folder)
        if owner is not None:
            os.chown(self.served_plan, owner, owner)

    def lines(self, **variables):
        """What the library says of the plan, in a program that answers right in any case."""
        environment = {"PATH": os.environ["PATH"], "LD_PRELOAD": LIBRARY, "MEMOMALLOC_MODE": "serve",
                       "MEMOMALLOC_PLAN": str(self.served_plan), "MEMOMALLOC_ASIDE": "never", "HOSTILE_INJECTED": "1", **variables}
        done = subprocess.run([program("served_crowd")], env=environment, capture_output=True, text=True, timeout=PATIENCE)
        self.assertEqual(done.returncode, 0, done.stderr)
        return lines_of_ours(done.stderr)

    def assert_refused(self, why):
        lines = self.lines()
        self.assertEqual(len(lines), 1, lines)
        self.assertIn(f"cannot serve from the plan {self.served_plan}: {why}", lines[0])
        self.assertEqual(self.lines(MEMOMALLOC_PLAN_FROM="anyone"), [])

    def test_ones_own_plan_is_taken(self):
        for plan, folder in ((0o600, 0o700), (0o644, 0o777), (0o664, 0o1777), (0o444, 0o555)):
            self.set_rights(plan, folder)
            self.assertEqual(self.lines(), [])

    def test_a_plan_that_everybody_may_write_to_is_refused(self):
        for rights in (0o666, 0o646):
            self.set_rights(rights, 0o755)
            self.assert_refused(f"everybody may write to it (mode {rights:o}): chmod o-w")

    @ROOT_ONLY
    def test_a_plan_that_a_stranger_may_have_laid_there_is_refused(self):
        for folder in (0o777, 0o1777):
            self.set_rights(0o644, folder, NOBODY)
            self.assert_refused("it belongs to user 65534 and lies in a folder that everybody may write to: let this program's user or "
                                "root own it")

    @ROOT_ONLY
    def test_a_link_does_not_hide_where_the_plan_lies(self):
        self.set_rights(0o644, 0o777, NOBODY)
        link = self.folder / "link"
        link.symlink_to(self.served_plan)
        self.assertIn("lies in a folder that everybody may write to", self.lines(MEMOMALLOC_PLAN=str(link))[0])

    @ROOT_ONLY
    def test_a_plan_of_another_user_is_taken_with_a_line(self):
        self.set_rights(0o644, 0o755, NOBODY)
        lines = self.lines()
        self.assertEqual(len(lines), 1, lines)
        self.assertIn(f"the plan {self.served_plan} belongs to user 65534, who may change it", lines[0])
        self.assertEqual(self.lines(MEMOMALLOC_PLAN_FROM="anyone"), [])

    def refused_by_serve(self, *options):
        done = subprocess.run([COMMAND, "serve", "--plan", self.served_plan, *options, "--", "true"], capture_output=True, text=True,
                              timeout=PATIENCE)
        return done.returncode, done.stderr

    def test_the_command_says_so_before_it_starts_the_program(self):
        self.set_rights(0o666, 0o755)
        status, said = self.refused_by_serve()
        self.assertEqual(status, 3, said)
        self.assertIn(f"everybody may write to the plan {self.served_plan} (mode 666): chmod o-w {self.served_plan}", said)
        self.assertEqual(self.refused_by_serve("--plan-from", "anyone")[0], 0)

    def test_a_cache_of_everybody_keeps_nothing(self):
        cache = self.folder / "cache" / "memomalloc"
        cache.mkdir(parents=True)
        cache.chmod(0o777)
        for variables, forgotten in (({}, True), ({"MEMOMALLOC_PLAN_FROM": "anyone"}, False)):
            with self.subTest(variables):
                done = subprocess.run([COMMAND, "run", "--", "true"], capture_output=True, text=True, timeout=PATIENCE,
                                      env={**os.environ, "XDG_CACHE_HOME": str(cache.parent), **variables})
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(f"everybody may write to the cache {cache}: what is learned is forgotten" in done.stderr, forgotten, done.stderr)

    def test_the_library_keeps_nothing_there_either(self):
        cache = self.folder / "cache" / "memomalloc"
        cache.mkdir(parents=True)
        cache.chmod(0o777)
        environment = {"PATH": os.environ["PATH"], "LD_PRELOAD": LIBRARY, "MEMOMALLOC_MODE": "auto", "XDG_CACHE_HOME": str(cache.parent),
                       "TMPDIR": str(self.folder), "MEMOMALLOC_PLANNER": COMMAND}
        for variables, lines in (({}, 1), ({"MEMOMALLOC_PLAN_FROM": "anyone"}, 0)):
            done = subprocess.run(["true"], env={**environment, **variables}, capture_output=True, text=True, timeout=PATIENCE)
            said = [line for line in lines_of_ours(done.stderr) if f"everybody may write to the cache {cache}" in line]
            self.assertEqual((done.returncode, len(said)), (0, lines), done.stderr)

    def test_a_umask_of_nothing_makes_no_plan_of_everybody(self):
        before = os.umask(0)
        try:
            plan = self.plan("crowd")
        finally:
            os.umask(before)
        self.assertEqual(pathlib.Path(plan).stat().st_mode & 0o002, 0)


if __name__ == "__main__":
    unittest.main()
