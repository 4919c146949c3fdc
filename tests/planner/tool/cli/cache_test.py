"""`memomalloc cache`: what it says of plans that are there, of none, and of a folder that it cannot use; what it removes, and
that it removes nothing else."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import unittest

import harness

NAME = "server-app.py.0123456789abcdef.plan"
BROKEN = "other.fedcba9876543210.plan"
STALE = "third.0011223344556677.plan"
# A superuser who has to keep to what a folder allows.
OBEDIENT = ("setpriv", "--bounding-set", "-dac_override,-dac_read_search") if os.geteuid() == 0 else ()


class Cache(harness.CliTest):
    def setUp(self):
        super().setUp()
        self.cache = self.folder / "cache" / "memomalloc"

    def cache_command(self, *arguments, status=0, before=(), **variables):
        """(stdout, stderr)"""
        environment = {"PATH": os.environ["PATH"], "XDG_CACHE_HOME": str(self.folder / "cache"), "TZ": "UTC", **variables}
        done = subprocess.run([*before, harness.command(), "cache", *arguments], cwd=self.folder, capture_output=True, text=True,
                              env=environment, timeout=60, check=False)
        self.assertEqual(done.returncode, status, f"{arguments}: {done.stdout}{done.stderr}")
        return done.stdout, done.stderr

    def fill(self):
        """A plan with a record and two traces; a broken one and one of a library that is not there, with neither."""
        self.cache.mkdir(parents=True)
        trace = pathlib.Path(os.environ["MEMO_TRACE_CORPUS"]) / "small"
        self.run_command("plan", "-o", str(self.cache / STALE), str(trace))
        plan = self.run_command("inspect", "--json", str(self.cache / STALE))[0]
        plan_of_any_build = re.sub('"build_id": ".*"', '"build_id": ""', plan)
        self.run_command("plan", "--from-json", "-", "-o", str(self.cache / NAME), stdin=plan_of_any_build)
        (self.cache / NAME).with_suffix(".json").write_text(json.dumps(
            {"command": ["server", "app.py"], "folder": "/srv", "version": "0.1.0", "made": "2026-11-23T10:00:00Z"}))
        self.traces = (self.cache / NAME).with_suffix(".traces")
        self.traces.mkdir()
        for age in (1, 2):
            shutil.copy(trace, self.traces / f"{age:016x}.7.trace")
        self.trace_bytes = trace.stat().st_size
        (self.cache / BROKEN).write_text("no plan")

    def names(self):
        return {path.name for path in self.cache.iterdir()}

    def test_no_folder_and_an_empty_one_are_no_error(self):
        for make in (lambda: None, lambda: self.cache.mkdir(parents=True)):
            make()
            out, errors = self.cache_command("list")
            self.assertEqual(out, "")
            self.assertIn(f"no plans in {self.cache}", errors)
            self.assertEqual(json.loads(self.cache_command("list", "--json")[0])["plans"], [])
            self.assertIn("nothing to remove", self.cache_command("clear", "--all")[1])
            self.assertIn("no plan x", self.cache_command("show", "x", status=2)[1])
        self.assertEqual(list(self.cache.iterdir()), [])

    def test_without_any_cache_it_says_what_to_set(self):
        for action in ("list", "show", "clear", "limit"):
            _, errors = self.cache_command(action, status=2, XDG_CACHE_HOME="")
            self.assertIn("neither XDG_CACHE_HOME nor HOME", errors)
            self.assertEqual(errors.count("\n"), 1)

    def test_list_has_a_row_for_each_plan(self):
        self.fill()
        out, errors = self.cache_command("list")
        head, broken, good, stale = out.splitlines()
        self.assertEqual(head.split()[:2], ["name", "program"])
        self.assertEqual(good.split()[:2], [NAME, "server-app.py"])
        self.assertEqual([row.split()[-1] for row in (good, broken, stale)], ["current", "broken", "stale"])
        self.assertIn("of at most 256.00 MiB", errors)

    def test_list_as_json(self):
        self.fill()
        listed = json.loads(self.cache_command("list", "--json")[0])
        self.assertEqual((listed["folder"], listed["trace_bytes"]), (str(self.cache), 2 * self.trace_bytes))
        broken, good, stale = listed["plans"]
        self.assertEqual((good["name"], good["current"]), (NAME, True))
        self.assertEqual((good["command"], good["folder"]), (["server", "app.py"], "/srv"))
        self.assertEqual((len(good["traces"]), good["trace_bytes"]), (2, 2 * self.trace_bytes))
        self.assertGreater(good["variants"], 0)
        self.assertEqual((broken["command"], broken["current"]), (None, False))
        self.assertIn("broken", broken["why_not"])
        self.assertEqual((stale["current"], stale["why_not"]), (False, "made from another build of /usr/lib/libnet.so"))

    def test_show_has_all_of_it(self):
        self.fill()
        for name in (NAME, NAME.removesuffix(".plan")):
            out, _ = self.cache_command("show", name)
            for words in (str(self.cache / NAME), "server app.py", "/srv", "version 0.1.0", "current", f"{2:016x}.7.trace"):
                self.assertIn(words, out)
        self.assertEqual(json.loads(self.cache_command("show", "--json", NAME)[0])["name"], NAME)

    def test_an_unknown_name_gets_those_that_are_like_it(self):
        self.fill()
        for action in ("show", "clear"):
            _, errors = self.cache_command(action, "server-app.px", status=2)
            self.assertIn(f"did you mean {NAME}?", errors)
            self.assertEqual(errors.count("\n"), 1)
            self.assertIn("`memomalloc cache list`", self.cache_command(action, "nginx", status=2)[1])
        self.assertIn(NAME, self.names())

    def test_clear_removes_a_plan_with_all_that_belongs_to_it(self):
        self.fill()
        self.cache_command("clear", NAME)
        self.assertEqual(self.names(), {BROKEN, STALE})

    def test_clear_stale_leaves_what_can_serve(self):
        self.fill()
        (self.cache / "gone.traces").mkdir()
        self.cache_command("clear", "--stale")
        self.assertEqual(self.names(), {NAME, self.traces.name, self.traces.with_suffix(".json").name})

    def test_clear_all_leaves_the_settings_and_what_is_not_its_own(self):
        self.fill()
        self.cache_command("limit", "1G")
        (self.cache / "memomalloc.run.123456").mkdir()
        self.cache_command("clear", "--all")
        self.assertEqual(self.names(), {"settings.json", "memomalloc.run.123456"})

    def test_clear_wants_to_know_what(self):
        self.fill()
        for arguments in ((), (NAME, "--all"), ("--stale", "--all")):
            self.assertIn("needs one of NAME, --stale and --all", self.cache_command("clear", *arguments, status=2)[1])
        self.assertIn("needs the NAME", self.cache_command("show", status=2)[1])
        self.assertIn(NAME, self.names())

    def test_limit_lets_the_oldest_traces_go(self):
        self.fill()
        printed = json.loads(self.cache_command("limit", "--json")[0])
        self.assertEqual(printed, {"trace_limit": 256 << 20, "removed_bytes": 0})
        self.cache_command("limit", str(self.trace_bytes))
        self.assertEqual([trace.name for trace in self.traces.iterdir()], [f"{2:016x}.7.trace"])
        for size, expected in (("1G", 1 << 30), ("2MiB", 2 << 20), ("3kB", 3 << 10), ("0", 0)):
            self.cache_command("limit", size)
            self.assertEqual(json.loads(self.cache_command("limit", "--json")[0])["trace_limit"], expected)
        self.assertEqual(list(self.traces.iterdir()), [])
        self.assertIn(NAME, self.names())

    def test_limit_refuses_what_is_no_size(self):
        for size in ("much", "1X", "1.5G", "12iM", "99999999999999999999", "99999999T"):
            self.assertIn(f'the limit is "{size}"', self.cache_command("limit", size, status=2)[1])
        self.assertFalse(self.cache.exists())

    def test_an_unknown_action_names_the_others(self):
        self.assertIn('no action "delete"; it has list, show, clear and limit', self.cache_command("delete", status=2)[1])
        self.assertIn("cache needs list|show|clear|limit", self.cache_command(status=2)[1])

    @unittest.skipUnless(not OBEDIENT or shutil.which("setpriv"), "setpriv is not installed")
    def test_a_folder_that_may_not_be_written_to_costs_one_sentence(self):
        self.fill()
        self.cache.chmod(0o555)
        self.addCleanup(self.cache.chmod, 0o755)
        for arguments in (("clear", NAME), ("clear", "--all"), ("limit", "1G")):
            _, errors = self.cache_command(*arguments, status=1, before=OBEDIENT)
            self.assertIn("Permission denied", errors)
            self.assertIn(str(self.cache), errors)
            self.assertEqual(errors.count("\n"), 1)
        self.assertIn(NAME, self.cache_command("list", before=OBEDIENT)[0])


if __name__ == "__main__":
    harness.main()
