"""A server whose parent loads the network and runs no pass, and whose workers run all of them, in the manner of gunicorn (by
fork) and of uvicorn (each worker starts the program anew). One worker at a time records, all of them serve from the one
plan as soon as it is there, and at the next start every worker serves from its first pass on."""

import json
import os
import pathlib
import signal
import unittest

from harness import BUILD, COMMAND, AskedProgram, PassesCase, share, wait_until

PREFORK = os.environ["MEMO_PREFORK"]
WORKERS = 4
OTHERS = range(1, WORKERS)


class Prefork(AskedProgram):
    """A running server; each call waits for its answer."""

    def __init__(self, *options, prefix=(), environment):
        super().__init__(PREFORK, *options, str(WORKERS), prefix=prefix, environment=environment)

    def ask(self, words):
        return super().ask(words).strip()

    def passes(self, worker, count):
        return self.ask(f"pass {worker} {count}")

    def statistics(self, worker):
        return json.loads(self.ask(f"stats {worker}"))

    def states(self):
        return [self.statistics(worker)["state"] for worker in range(WORKERS)]

    def records(self, worker):
        statistics = self.statistics(worker)
        return (statistics["state"], statistics["recordings"]) == ("learning", 1)

    def stop(self):
        self.say("end")
        return self.process.wait(timeout=60)

    def end(self):
        self.text = self.stderr()
        self.process.kill()
        self.process.communicate()


class PreforkLearns(PassesCase):
    def setUp(self):
        super().setUp()
        self.cache = self.folder / "cache" / "memomalloc"
        self.stats = self.folder / "stats.json"
        self.log = self.folder / "log"
        (self.folder / "tmp").mkdir()
        self.common = {"XDG_CACHE_HOME": str(self.folder / "cache"), "TMPDIR": str(self.folder / "tmp"),
                       "MEMOMALLOC_LOG": str(self.log)}
        with Prefork(environment={}) as server:
            self.one = server.passes(0, 1)
            self.assertNotIn(self.one, ("", "nan"))

    def run_server(self, *options):
        prefix = (COMMAND, "run", "--log", str(self.log), "--stats", str(self.stats), "--")
        return Prefork(*options, prefix=prefix, environment=self.common)

    def alone(self, *options):
        return Prefork(*options, environment={
            **self.common, "LD_PRELOAD": str(BUILD / "lib" / "libmemomalloc.so"), "MEMOMALLOC_MODE": "auto",
            "MEMOMALLOC_STATS": str(self.stats)})

    def text_of_log(self):
        return self.log.read_text() if self.log.exists() else ""

    def pass_until(self, holds, server, workers=range(WORKERS)):
        """One pass of each worker after the other, until it holds."""
        def one_pass_of_each():
            for worker in workers:
                self.assertEqual(server.passes(worker, 1), self.one)
        wait_until(holds, lambda: self.text_of_log() + server.stderr(), one_pass_of_each)

    def all_serve(self, server):
        return lambda: set(server.states()) == {"serving"}

    def learn(self, start, *options):
        with start(*options) as server:
            self.pass_until(self.all_serve(server), server)
            recordings = [server.statistics(worker)["recordings"] for worker in range(WORKERS)]
            self.assertEqual(sum(recordings), 1, (recordings, self.text_of_log()))
            self.assertEqual(server.stop(), 0)

    def assert_every_worker_serves_from_its_first_pass(self, start, *options):
        with start(*options) as server:
            for worker in range(WORKERS):
                self.assertEqual(server.passes(worker, 1), self.one)
                self.assertEqual(server.statistics(worker)["passes"], 1)
                self.assertGreater(share(server.statistics(worker)), 0.97, server.statistics(worker))
                server.passes(worker, 30)
                statistics = server.statistics(worker)
                self.assertGreater(share(statistics), 0.97, statistics)
                self.assertEqual((statistics["state"], statistics["recordings"]), ("serving", 0))
            self.assertEqual(server.stop(), 0)

    def assert_one_plan(self):
        self.assertEqual(len(list(self.cache.glob("*.plan"))), 1, list(self.cache.iterdir()))

    def test_forked_workers_learn_and_the_next_start_serves_from_the_first_pass(self):
        for name in ("run_server", "alone"):
            with self.subTest(start=name):
                start = getattr(self, name)
                for plan in self.cache.glob("*.plan"):
                    plan.unlink()
                self.learn(start)
                self.assert_one_plan()
                self.assert_every_worker_serves_from_its_first_pass(start)
                self.assertGreaterEqual(len(list(self.folder.glob("stats.json.*"))), WORKERS)

    def planners(self):
        """The work folders that planners are busy in."""
        return list((self.folder / "tmp").iterdir())

    def test_the_planner_serves_processes_that_did_not_start_it(self):
        """One of the workers starts it and is killed. Whoever records next keeps it alive, or starts another."""
        with self.alone("--small") as server:
            self.assertEqual(self.planners(), [])
            self.assertEqual([server.passes(0, 1) for _ in range(3)], [self.one] * 3)
            self.assertTrue(server.records(0), server.statistics(0))
            self.assertEqual(len(self.planners()), 1)
            os.kill(int(server.ask("pid 0")), signal.SIGKILL)
            server.ask("anew 0")
            self.pass_until(self.all_serve(server), server)
            self.assertLessEqual(len(self.planners()), 1)
            self.assertEqual(server.stop(), 0)
        self.assert_one_plan()
        wait_until(lambda: not self.planners(), self.text_of_log)
        self.assert_every_worker_serves_from_its_first_pass(self.alone, "--small")

    def test_profile_names_the_traces_of_all_workers_and_not_the_one_of_the_parent(self):
        trace = self.folder / "server.%p.trace"
        with Prefork("--warm", prefix=(COMMAND, "profile", "--follow", "-o", str(trace), "--"), environment=self.common) as server:
            workers = {server.ask(f"pid {worker}") for worker in range(WORKERS)}
            for worker in range(WORKERS):
                server.passes(worker, 5)
            self.assertEqual(server.stop(), 0)
        (total,) = [line for line in server.text.splitlines() if "together" in line]
        self.assertRegex(total, rf"\b{5 * WORKERS + 2} passes with \d+ allocations are in the {WORKERS + 1} traces together")
        (following,) = [line for line in server.text.splitlines() if "next: " in line]
        named = following.partition("memomalloc plan ")[2].split()
        self.assertEqual({pathlib.Path(name).name.split(".")[1] for name in named}, workers)
        self.plan(*named)

    def test_workers_that_are_programs_of_their_own_take_turns_under_run(self):
        self.learn(self.run_server, "--exec")
        self.assert_one_plan()
        self.assert_every_worker_serves_from_its_first_pass(self.run_server, "--exec")

    def test_another_worker_takes_over_from_one_that_is_killed_while_it_records(self):
        for options in ((), ("--exec",)):
            with self.subTest(options=options):
                self.log.unlink(missing_ok=True)
                for plan in self.cache.glob("*.plan"):
                    plan.unlink()
                with self.run_server(*options) as server:
                    self.assertEqual([server.passes(0, 1) for _ in range(3)], [self.one] * 3)  # two warm up, one is recorded
                    self.assertTrue(server.records(0), server.statistics(0))
                    os.kill(int(server.ask("pid 0")), signal.SIGKILL)
                    self.pass_until(lambda: any(server.records(worker) for worker in OTHERS), server, OTHERS)
                    server.ask("anew 0")
                    self.pass_until(self.all_serve(server), server)
                    self.assertEqual(server.stop(), 0)
                self.assert_one_plan()


if __name__ == "__main__":
    unittest.main()
