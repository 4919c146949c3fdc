"""One command: `memomalloc run` learns the passes of a server while it runs, serves them from then on, and at the next start
from the first one. Whatever goes wrong on the way costs a line, never an answer."""

import json
import os
import pathlib
import shutil
import signal
import time
import unittest

from harness import BUILD, COMMAND, AskedProgram, PassesCase, Server, share, wait_until

WARM_UP = 2  # requests of each connection of mini_load before those that it counts
LEAST_REST = 2.1  # seconds that have to pass before it learns for the first time again; nothing tells when
SMALL = ("--image", "16")
# A superuser who has to keep to what a folder allows.
OBEDIENT = ("setpriv", "--bounding-set", "-dac_override,-dac_read_search") if os.geteuid() == 0 else ()


class Changing(AskedProgram):
    """A program whose passes are of the kind that it is asked for."""

    def __init__(self, *prefix, environment=None):
        super().__init__(os.environ["MEMO_CHANGING"], prefix=prefix, environment=environment)

    @classmethod
    def sums(cls, *asked):
        """What it answers without the library."""
        with cls() as program:
            return {(kind, passes): program.load(kind, passes) for kind, passes in asked}

    def load(self, kind, passes):
        return self.ask(f"{kind} {passes}")


class Run(PassesCase):
    def setUp(self):
        super().setUp()
        self.cache = self.folder / "cache" / "memomalloc"
        self.stats = self.folder / "stats.json"
        self.expected = self.answers(*SMALL)

    def server(self, *how, command=COMMAND, stats=True, before=(), **environment):
        options = ("--stats", str(self.stats)) if stats else ()
        return Server(*SMALL, prefix=(*before, command, "run", *how, *options, "--"),
                      environment={"XDG_CACHE_HOME": str(self.folder / "cache"), **environment})

    def wait_for(self, server, words):
        """Under load only where that is waited for: the planner comes last."""
        wait_until(lambda: words in server.stderr(), server.stderr)

    def learn(self, *how, before=()):
        """Statistics and stderr of a run that got its plan on the way."""
        with self.server(*how, before=before) as server:
            self.assertEqual(server.load(20), self.expected)
            self.wait_for(server, "planned; serving")
            self.wait_until_plans_serve(server, 1, lambda: self.assertEqual(server.load(2), self.expected))
            self.assertEqual(server.load(60), self.expected)
            self.assertEqual(server.stop(), 0, server.stderr())
            return json.loads(self.stats.read_text()), server.stderr()

    def serve_again(self, *how):
        with self.server(*how) as server:
            self.assertEqual(server.load(40), self.expected)
            self.assertEqual(server.stop(), 0, server.stderr())
            return json.loads(self.stats.read_text()), server.stderr()

    def plans(self):
        return sorted(self.cache.glob("*.plan"))

    def assert_nothing_is_left_but_the_plan(self, traces=(1,)):
        """And its record, and the traces that it was made from."""
        (plan,) = self.plans()
        self.assertEqual({path.name for path in self.cache.iterdir()},
                         {plan.name, plan.with_suffix(".json").name, plan.with_suffix(".traces").name})
        self.assertIn(len(list(plan.with_suffix(".traces").iterdir())), traces)

    def test_it_learns_then_serves_and_the_next_start_serves_from_the_first_pass(self):
        statistics, errors = self.learn()
        self.assertEqual((statistics["state"], statistics["plans_loaded"]), ("serving", 1), statistics)
        self.assertGreater(statistics["served"], 50 * 3000, statistics)
        self.assertEqual(errors.count("\n"), 4, errors)
        self.assert_nothing_is_left_but_the_plan()
        statistics, errors = self.serve_again()
        self.assertGreater(share(statistics), 0.95, statistics)
        self.assertGreaterEqual(statistics["passes"], 38)
        self.assertIn("serving from", errors)
        self.assertEqual(errors.count("\n"), 3, errors)

    def test_it_learns_by_the_period(self):
        """How long a period is found depends on what was recorded; what e2e.period profiles whole says how well it serves."""
        statistics, errors = self.learn("--passes-by", "period")
        self.assertIn("planned; serving", errors)
        self.assertGreater(statistics["served"], 0, statistics)
        statistics, errors = self.serve_again()
        self.assertIn("serving from", errors)
        self.assertGreater(share(statistics), 0.5, statistics)

    def test_without_a_cache_nothing_is_kept(self):
        statistics, _ = self.learn("--no-cache")
        self.assertEqual(statistics["state"], "serving")
        self.assertFalse(self.cache.exists())

    def test_a_broken_plan_in_the_cache_is_thrown_away(self):
        self.learn()
        (plan,) = self.plans()
        plan.write_bytes(plan.read_bytes()[:-7])
        _, errors = self.learn()
        self.assertIn("broken or of another build", errors)
        self.assertGreater(share(self.serve_again()[0]), 0.95)

    def test_a_kept_trace_that_nothing_can_be_planned_with_is_forgotten(self):
        self.learn()
        (plan,) = self.plans()
        plan.unlink()
        (kept,) = plan.with_suffix(".traces").iterdir()
        kept.write_text("no trace any more")
        self.learn()
        self.assert_nothing_is_left_but_the_plan()
        self.assertFalse(kept.exists())

    def assert_one_line_and_served(self, statistics, errors):
        self.assertEqual(statistics["state"], "serving")
        self.assertEqual(errors.count("cannot write to"), 1, errors)
        self.assertEqual(errors.count("\n"), 5, errors)

    def test_a_cache_that_cannot_be_made_costs_one_line(self):
        (self.folder / "cache").write_text("a file where a folder should be")
        self.assert_one_line_and_served(*self.learn())

    def test_a_cache_that_may_not_be_written_to_costs_one_line(self):
        self.cache.mkdir(parents=True)
        self.cache.chmod(0o555)
        self.assert_one_line_and_served(*self.learn(before=OBEDIENT))
        self.assertEqual(list(self.cache.iterdir()), [])

    def changing(self, *how, stats=True):
        return Changing(COMMAND, "run", *how, *(("--stats", str(self.stats)) if stats else ()), "--",
                        environment={"XDG_CACHE_HOME": str(self.folder / "cache")})

    def wait_for_words(self, program, words, kind, passes):
        wait_until(lambda: words in program.stderr(), program.stderr,
                   lambda: self.assertEqual(program.load(kind, passes), self.sums[kind, passes]))

    def test_passes_that_change_are_learned_again_and_what_was_learned_stays(self):
        self.sums = Changing.sums(("a", 8), ("a", 40), ("b", 40))
        with self.changing() as program:
            # The fewer are recorded, the sooner it may learn again.
            self.wait_for_words(program, "planned; serving", "a", 8)
            self.wait_for_words(program, "learning again", "b", 40)
            self.wait_for_words(program, "planned anew", "b", 40)
            self.wait_until_plans_serve(program, 2, lambda: program.load("b", 40))
            self.assertEqual(program.load("a", 8), self.sums["a", 8])
            self.assertEqual(program.end(), 0, program.stderr())
            self.assertEqual(program.stderr().count("\n"), 6, program.stderr())
        statistics = json.loads(self.stats.read_text())
        self.assertEqual((statistics["state"], statistics["recordings"], statistics["plans_loaded"]), ("serving", 2, 2))
        self.assert_nothing_is_left_but_the_plan(traces=(2,))
        for kind in "ab":
            with self.changing("--once") as program:
                self.assertEqual(program.load(kind, 40), self.sums[kind, 40])
                self.assertEqual(program.end(), 0, program.stderr())
            self.assertGreater(share(json.loads(self.stats.read_text())), 0.95, kind)

    def test_once_is_once(self):
        self.sums = Changing.sums(("a", 8), ("b", 160))
        with self.changing(stats=False) as program:
            self.wait_for_words(program, "planned; serving", "a", 8)
            self.assertEqual(program.end(), 0, program.stderr())
        with self.changing("--once") as program:
            time.sleep(LEAST_REST)  # without --once it would learn after two windows of 32 passes
            self.assertEqual(program.load("b", 160), self.sums["b", 160])
            self.assertEqual(program.end(), 0, program.stderr())
        self.assertEqual(json.loads(self.stats.read_text())["recordings"], 0)
        self.assert_nothing_is_left_but_the_plan()

    def recorded_passes(self, *requests, connections=2):
        """Nobody plans, and one request is one pass. The least rest lies between two loads."""
        trace = self.folder / "server.trace"
        environment = {"LD_PRELOAD": str(BUILD / "lib" / "libmemomalloc.so"), "MEMOMALLOC_MODE": "auto",
                       "MEMOMALLOC_TRACE": str(trace), "MEMOMALLOC_KEEP": "newest", "MEMOMALLOC_STATS": str(self.stats),
                       "MEMOMALLOC_LOG": str(self.folder / "log"),
                       "MEMOMALLOC_PLAN": str(self.folder / "never.plan")}
        with Server(*SMALL, environment=environment) as server:
            for number, load in enumerate(requests):
                time.sleep(LEAST_REST if number > 0 else 0)
                self.assertEqual(server.load(load, connections=connections), self.expected)
            self.assertEqual(server.stop(), 0, server.stderr())
        return len(json.loads(self.run_command("inspect", "--json", trace).stdout)["passes"])

    def test_the_first_two_passes_are_not_recorded(self):
        """One after the other: while a thread claims the recording, no other waits, and its pass is not recorded."""
        self.assertEqual(self.recorded_passes(6, connections=1), WARM_UP + 6 - 2)

    def assert_limited(self, passes):
        """Those that are under way when the recording ends are in the trace as well: one for each of the two connections."""
        self.assertIn(passes, range(64, 64 + 2 + 1))

    def test_what_is_recorded_is_limited(self):
        """Nobody plans: after 64 passes the program is left alone (for how long, profile.schedule says)."""
        self.assert_limited(self.recorded_passes(300))
        statistics = json.loads(self.stats.read_text())
        self.assertEqual((statistics["state"], statistics["recordings"]), ("planning", 1))
        self.assertEqual(list(self.folder.glob("*.trace*")), [self.folder / "server.trace"])

    def test_windows_without_a_plan_are_not_judged(self):
        """A planner that gets no processor time: the rests of passes and of seconds are over, and it may still be at work."""
        self.assert_limited(self.recorded_passes(64, 1200))
        self.assertEqual(json.loads(self.stats.read_text())["recordings"], 1)
        self.assertNotIn("learning again", (self.folder / "log").read_text())

    def test_two_servers_share_a_cache(self):
        with self.server(stats=False) as one, self.server(stats=False) as other:
            for server in (one, other):
                self.assertEqual(server.load(20), self.expected)
            for server in (one, other):
                self.wait_for(server, "plan")
            for server in (one, other):
                self.assertEqual(server.load(20), self.expected)
                self.assertEqual(server.stop(), 0, server.stderr())
        self.assert_nothing_is_left_but_the_plan(traces=(1, 2))

    def test_without_a_planner_the_program_runs_on(self):
        planner = self.folder / "memomalloc"
        shutil.copy(COMMAND, planner)
        with self.server(command=str(planner), MEMOMALLOC_LIBRARY=str(BUILD / "lib" / "libmemomalloc.so")) as server:
            planner.unlink()
            self.assertEqual(server.load(20), self.expected)
            self.wait_for(server, "nothing is planned")
            self.assertEqual(server.load(20), self.expected)
            self.assertEqual(server.stop(), 0, server.stderr())
            self.assertEqual(server.stderr().count("nothing is planned"), 1)

    def test_a_dry_run_serves_nothing_and_says_what_would_have_been(self):
        with self.server("--dry-run") as server:
            self.assertEqual(server.load(64), self.expected)  # as many as the first recording takes
            self.wait_for(server, "planned; the plan is")
            time.sleep(LEAST_REST)
            self.assertEqual(server.load(1200), self.expected)
            self.assertEqual(server.stop(), 0, server.stderr())
            # Whether any are recorded after the last plan hangs on what recording and planning cost here.
            self.assertRegex(server.stderr(), r"dry run: (9\d|100)\.\d\d % of \d+ allocations .* in \d+ passes (recorded after|that) the plan was made")
        statistics = json.loads(self.stats.read_text())
        self.assertEqual(statistics["state"], "dry run")
        self.assertGreater(share(statistics), 0.95)
        self.run_command("inspect", self.stats)

    def test_a_dry_run_without_a_plan_says_so(self):
        with self.server("--dry-run") as server:
            self.assertEqual(server.stop(), 0, server.stderr())
            self.assertIn("nothing would have been served", server.stderr())

    # ---- by environment alone

    def alone(self, *options, prefix=(), **environment):
        """The server with the library in it and nobody beside it."""
        self.log = self.folder / "log"
        (self.folder / "tmp").mkdir(exist_ok=True)
        return Server(*SMALL, *options, prefix=prefix, environment={
            "LD_PRELOAD": str(BUILD / "lib" / "libmemomalloc.so"), "MEMOMALLOC_MODE": "auto", "TMPDIR": str(self.folder / "tmp"),
            "MEMOMALLOC_LOG": str(self.log), "MEMOMALLOC_STATS": str(self.stats), "XDG_CACHE_HOME": str(self.folder / "cache"),
            **environment})

    def planners_of(self, process):
        """The planner that the program started: no child of its own."""
        def words(folder):
            try:
                return (folder / "cmdline").read_bytes().split(b"\0")
            except OSError:
                return ()
        return [folder for folder in pathlib.Path("/proc").glob("[0-9]*")
                if b"learn" in words(folder) and str(process).encode() in words(folder)]

    def sessions_share(self):
        """Where sessions share the processors out among themselves, the planner's priority in its own says nothing."""
        switch = pathlib.Path("/proc/sys/kernel/sched_autogroup_enabled")
        return switch.exists() and switch.read_text() != "0\n"

    def has_stepped_back(self, process):
        """Whether the planner's session has a tenth of the weight now. A planner that starves takes the whole again."""
        try:
            return any((planner / "autogroup").read_text().endswith(" nice 10\n") for planner in self.planners_of(process))
        except OSError:
            return False

    def wait_until(self, holds, server):
        def load():
            if server is not None:
                self.assertEqual(server.load(4), self.expected)
        wait_until(holds, self.log.read_text, load)

    def test_by_environment_alone_it_brings_its_planner(self):
        # The shell around the server has the library in it as well.
        with self.alone(prefix=("sh", "-c", '"$@"; exit $?', "sh")) as server:
            (child,) = server.children()
            if self.sessions_share():
                self.wait_until(lambda: self.has_stepped_back(child), server)
            self.wait_until(lambda: "auto: serving from" in self.log.read_text(), server)
            self.assertEqual(pathlib.Path(f"/proc/{child}/task/{child}/children").read_text(), "")
            self.assertEqual(server.load(40), self.expected)
            os.kill(child, signal.SIGTERM)
            server.process.stdout.read()
            self.assertEqual(server.process.wait(timeout=60), 0)
            self.assertEqual(server.stderr(), "")
        self.assertEqual(self.log.read_text().count("the planner "), 1, self.log.read_text())
        self.assertEqual(json.loads(self.stats.read_text())["state"], "serving")
        self.wait_until(lambda: list((self.folder / "tmp").iterdir()) == [], None)
        self.assert_nothing_is_left_but_the_plan()

    def test_by_environment_alone_the_next_start_needs_no_planner(self):
        self.learn()
        with self.alone() as server:
            self.assertEqual(server.load(40), self.expected)
            self.assertEqual(server.stop(), 0)
        self.assertNotIn("the planner ", self.log.read_text())
        statistics = json.loads(self.stats.read_text())
        self.assertEqual((statistics["state"], statistics["recordings"]), ("serving", 0))
        self.assertGreater(share(statistics), 0.95)

    def test_by_environment_alone_without_a_planner(self):
        with self.alone(MEMOMALLOC_PLANNER="/nowhere/memomalloc", MEMOMALLOC_LOG="") as server:
            self.assertEqual(server.load(200), self.expected)
            self.assertEqual(server.stop(), 0)
            self.assertEqual(server.stderr().count("\n"), 1, server.stderr())
            self.assertIn("no planner at /nowhere/memomalloc", server.stderr())
        self.assertEqual(json.loads(self.stats.read_text())["state"], "no planner")
        self.assertEqual(list((self.folder / "tmp").iterdir()), [])

    def test_by_environment_alone_with_a_cache_that_may_not_be_written_to(self):
        self.cache.mkdir(parents=True)
        self.cache.chmod(0o555)
        with self.alone(prefix=OBEDIENT) as server:
            self.wait_until(lambda: "auto: serving from" in self.log.read_text(), server)
            self.assertEqual(server.stop(), 0)
        self.assertEqual(self.log.read_text().count("cannot write beside"), 1)
        self.assertEqual(list(self.cache.iterdir()), [])
        self.wait_until(lambda: list((self.folder / "tmp").iterdir()) == [], None)

    def test_a_learner_that_is_killed_takes_nothing_with_it(self):
        with self.server(stats=False) as server:
            self.assertEqual(server.load(20), self.expected)
            (child,) = server.children()
            server.process.kill()
            self.assertEqual(server.load(20), self.expected)
            os.kill(child, signal.SIGTERM)
            server.process.stdout.read()

    def test_a_server_that_is_killed_leaves_nothing_behind(self):
        with self.server() as server:
            self.assertEqual(server.load(8), self.expected)
            pid = server.process.pid
            (child,) = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
            os.kill(int(child), signal.SIGKILL)
            self.assertEqual(server.process.wait(timeout=60), 128 + signal.SIGKILL)
        self.assertEqual([path for path in self.cache.iterdir() if path.suffix not in (".plan", ".json", ".traces")], [])


if __name__ == "__main__":
    unittest.main()
