"""What is known about a server from outside: `memomalloc status` while it runs, its statistics whatever ended it, and the
sentence at the end of `run` and `serve`. Failure: figures that are lost with the process, a probe that says ready too early."""

import json
import os
import signal
import subprocess

from harness import COMMAND, PATIENCE, SMALL, PassesCase, Server, share, wait_until


class Status(PassesCase):
    def setUp(self):
        super().setUp()
        self.stats = self.folder / "stats.json"

    def made_plan(self):
        trace, _ = self.profile(*SMALL)
        return self.plan(trace)[0]

    def served(self, plan):
        return Server(*SMALL, prefix=(COMMAND, "serve", "--plan", str(plan), "--stats", str(self.stats), "--"))

    def status(self, process, expected):
        done = subprocess.run([COMMAND, "status", "--json", "--interval", "100ms", str(process)], capture_output=True,
                              text=True, timeout=PATIENCE)
        self.assertEqual(done.returncode, expected, done.stdout + done.stderr)
        return json.loads(done.stdout)["processes"][0]

    def test_a_served_process_is_shown_and_ready(self):
        with self.served(self.made_plan()) as server:
            server.load(12)
            seen = self.status(server.children()[0], expected=0)
            self.assertEqual((seen["state"], seen["mode"], seen["serving"]), ("serving", "serve", True))
            statistics = seen["statistics"]
            self.assertGreaterEqual(statistics["passes"], 12)
            self.assertGreater(share(statistics), 0.99)
            self.assertEqual(statistics["pid"], server.children()[0])
            self.assertLessEqual(statistics["started_ms"], statistics["written_ms"])
            self.assertNotEqual(statistics["plan_hash"], "0" * 16)
            self.assertEqual(server.stop(), 0)

    def test_the_figures_of_now_are_those_between_two_looks(self):
        with self.served(self.made_plan()) as server:
            server.load(4)
            watch = subprocess.Popen([COMMAND, "status", "--json", "--interval", "2s", str(server.children()[0])],
                                     stdout=subprocess.PIPE, text=True)
            server.load(20)
            seen = json.loads(watch.communicate(timeout=PATIENCE)[0])["processes"][0]
            self.assertLessEqual(seen["lately"]["passes"], seen["statistics"]["passes"])
            server.stop()

    def test_several_servers_have_a_row_each(self):
        plan = self.made_plan()
        with self.served(plan) as one, self.served(plan) as two, Server(*SMALL, prefix=(COMMAND, "run", "--no-cache", "--")) as three:
            for server in (one, two, three):
                server.load(4)
            table = subprocess.run([COMMAND, "status", "--interval", "100ms"], capture_output=True, text=True, timeout=PATIENCE)
            for server in (one, two, three):
                self.assertIn(f"{server.children()[0]} mini_server", table.stdout)

    def test_a_process_without_the_library_is_none(self):
        with Server(*SMALL) as server:
            done = self.run_command("status", server.process.pid, status=3)
            self.assertIn("libmemomalloc.so", done.stderr)

    def test_one_that_has_no_plan_is_not_ready(self):
        with Server(*SMALL, prefix=(COMMAND, "run", "--no-cache", "--")) as server:
            self.assertFalse(self.status(server.children()[0], expected=1)["serving"])
            server.stop()

    def kill(self, plan, how):
        """The statistics that a served server leaves after `how`, and what it says at its end."""
        with self.served(plan) as server:
            server.load(30)
            for child in server.children():
                os.kill(child, how)
            server.process.wait(timeout=PATIENCE)
            return json.loads(self.stats.read_text()), server.stderr()

    def test_whatever_ends_it_the_statistics_are_whole(self):
        plan = self.made_plan()
        for how in (signal.SIGKILL, signal.SIGTERM, signal.SIGSEGV):
            with self.subTest(signal=how):
                statistics, said = self.kill(plan, how)
                self.assertGreaterEqual(statistics["passes"], 30)
                self.assertGreater(share(statistics), 0.99)
                self.assertIn("in the steady state 100.0 % of the allocations and 100.0 % of the bytes were served", said)

    def test_run_says_at_its_end_whether_it_worked(self):
        cache = {"XDG_CACHE_HOME": str(self.folder / "cache")}
        prefix = (COMMAND, "run", "--stats", str(self.stats), "--")
        with Server(*SMALL, prefix=prefix, environment=cache) as server:
            wait_until(lambda: "serving from" in server.stderr(), server.stderr, lambda: server.load(20))
            server.stop()
        with Server(*SMALL, prefix=prefix, environment=cache) as server:
            server.load(40)
            server.stop()
            self.assertIn("in the steady state 100.0 % of the allocations", server.stderr())
        steady = json.loads(self.stats.read_text())["steady"]
        self.assertGreaterEqual(steady["passes"], 40)
        self.assertEqual(steady["missed"], 0)

    def test_a_program_without_passes_is_told_so(self):
        done = self.run_command("run", "--no-cache", "--", "/bin/true")
        self.assertIn("no pass was served: none was seen", done.stderr)

    def test_no_page_is_left_behind(self):
        plan = self.made_plan()
        own = f"/dev/shm/memomalloc-{os.geteuid()}"
        with self.served(plan) as server:
            server.load(4)
            child = server.children()[0]
            server.stop()
        left = [name for name in os.listdir(own) if name.startswith(f"{child}.")] if os.path.isdir(own) else []
        self.assertEqual(left, [])
