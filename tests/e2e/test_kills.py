"""A server that is killed, or stopped and continued, at any moment: what it answered was right, what it recorded can be read.

The moments are drawn from a seed, which is printed; KILLS says how many (scripts/check/faults: 200), KILLS_SEED which.
Failure: a wrong checksum before the kill, a trace that cannot be read or has fewer passes than were answered, a plan that
does not serve afterwards, anything that hangs.
"""

import json
import os
import random
import signal
import subprocess
import time

from harness import COMMAND, LOAD, SMALL, PassesCase, Server

KILLS = int(os.environ.get("KILLS", "6"))
SEED = int(os.environ.get("KILLS_SEED", "1"))
LONGEST = 0.5  # seconds until a kill: the start, the first passes, and some more


class Loaded:
    """Requests from another process, without end; what was wrong about them."""

    def __init__(self, server):
        self.process = subprocess.Popen([LOAD, "--port", str(server.port), "--seconds", "50", "--json"], text=True,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)

    def summary(self):
        return json.loads(self.process.communicate(timeout=60)[0])


class Kills(PassesCase):
    def moments(self, name):
        print(f"{name}: {KILLS} kills, seed {SEED}", flush=True)
        dice = random.Random(f"{name} {SEED}")
        return [dice.random() ** 2 * LONGEST for _ in range(KILLS)]

    def kill_after(self, seconds, prefix):
        """The requests that a server behind `prefix` answered before it was killed."""
        with Server(*SMALL, prefix=prefix) as server:
            load = Loaded(server)
            time.sleep(seconds)  # the moment is what is tried
            for child in server.children():
                os.kill(child, signal.SIGKILL)
            summary = load.summary()
            server.process.wait(timeout=60)
        self.assertEqual(summary["wrong"], 0, summary)
        return summary

    def test_while_it_is_profiled(self):
        for number, moment in enumerate(self.moments("profile")):
            with self.subTest(kill=number, moment=moment):
                trace = self.folder / f"{number}.trace"
                keep = ("newest", "first")[number % 2]
                summary = self.kill_after(moment, (COMMAND, "profile", "--keep", keep, "-o", str(trace), "--"))
                self.assert_has_passes(trace, summary["requests"])

    def assert_has_passes(self, trace, answered):
        """All that were answered, give or take those that had ended and were not yet noticed: one for each thread."""
        if not trace.exists():
            self.assertLessEqual(answered, 2)
            return
        read = subprocess.run([COMMAND, "inspect", "--json", trace], capture_output=True, text=True, timeout=60)
        if answered > 2:
            self.assertEqual(read.returncode, 0, read.stderr)
            self.assertGreaterEqual(len(json.loads(read.stdout)["passes"]), answered - 2)
        else:
            self.assertIn(read.returncode, (0, 3), read.stderr)

    def test_while_it_is_served(self):
        trace, checksums = self.profile(*SMALL)
        plan, _ = self.plan(trace)
        for number, moment in enumerate(self.moments("serve")):
            with self.subTest(kill=number, moment=moment):
                summary = self.kill_after(moment, (COMMAND, "serve", "--plan", str(plan), "--"))
                for shape, checksum in summary["checksums"].items():
                    self.assertEqual(checksum, checksums.get(shape, checksum))
        served, statistics, _ = self.serve(plan, *SMALL)
        self.assertEqual(served, checksums)
        self.assertGreater(statistics["served"], 0)

    def test_while_it_is_planned(self):
        """A plan is there whole or not at all."""
        trace, _ = self.profile(*SMALL)
        for number, moment in enumerate(self.moments("plan")):
            with self.subTest(kill=number, moment=moment):
                plan = self.folder / f"{number}.plan"
                planning = subprocess.Popen([COMMAND, "plan", "-q", "-o", plan, trace], stdout=subprocess.DEVNULL)
                time.sleep(moment)  # likewise
                planning.kill()
                planning.wait(timeout=60)
                if plan.exists():
                    self.run_command("check", plan)

    def test_stopped_and_continued(self):
        trace, checksums = self.profile(*SMALL)
        plan, _ = self.plan(trace)
        for prefix in ((COMMAND, "profile", "--force", "-o", str(trace), "--"), (COMMAND, "serve", "--plan", str(plan), "--")):
            with self.subTest(prefix[1]), Server(*SMALL, prefix=prefix) as server:
                load = subprocess.Popen([LOAD, "--port", str(server.port), "--requests", "150", "--json"], text=True,
                                        stdout=subprocess.PIPE)
                for moment in self.moments(f"stop {prefix[1]}"):
                    time.sleep(moment / 5)  # likewise, and how long it stands still
                    for number in (signal.SIGSTOP, signal.SIGCONT):
                        for child in server.children():
                            os.kill(child, number)
                        time.sleep(0.02)
                summary = json.loads(load.communicate(timeout=60)[0])
                self.assertEqual((summary["wrong"], summary["failed"], summary["checksums"]), (0, 0, checksums))
                self.assertEqual(server.stop(), 0, server.stderr())
