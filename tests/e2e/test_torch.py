"""torch_server on a network of three layers: what its long life is made of happens as often as it was told to, and changes no
answer, without the library and served from a plan; and the library counts the passes that were made, no more and no less:
loading a network runs TorchScript's interpreter, too, the first time oftener than later. In Python, a thread that sleeps behind
its call keeps no lane.
Skipped where libtorch's Python side is missing, or the server, which is built on demand, is missing or older than its sources."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

from harness import BUILD, COMMAND, PassesCase

SERVER = BUILD / "bin" / "torch_server"
SOURCES = pathlib.Path(__file__).parents[2] / "examples" / "torch_server"
PYTHON = "/usr/bin/python3"  # the one that has the distribution's packages
MAKE_MODEL = """
import sys, torch
torch.manual_seed(1)
layers = (torch.nn.Conv2d(3, 8, 3), torch.nn.ReLU(), torch.nn.AdaptiveAvgPool2d(2), torch.nn.Flatten(), torch.nn.Linear(32, 5))
torch.jit.script(torch.nn.Sequential(*layers).eval()).save(sys.argv[1])
"""
HARD_LIFE = ("--restart-workers", "5", "--reload-every", "7", "--fork-every", "6")
WORKERS, PASSES = 2, 30


def require_server():
    cure = f"build it by scripts/build {BUILD.name} torch_server"
    if not SERVER.exists():
        raise unittest.SkipTest(f"there is no {SERVER}: {cure}")
    built = SERVER.stat().st_mtime
    for source in (*SOURCES.glob("*.cpp"), *SOURCES.glob("*.h")):
        if source.stat().st_mtime > built:
            raise unittest.SkipTest(f"{SERVER} is older than {source.name}: {cure}")


def make_model(path):
    done = subprocess.run([PYTHON, "-c", MAKE_MODEL, path], capture_output=True, text=True, timeout=120)
    if done.returncode != 0:
        raise unittest.SkipTest(f"no model: {done.stderr.splitlines()[-1]}")


class Torch(PassesCase):
    @classmethod
    def setUpClass(cls):
        require_server()
        holder = tempfile.TemporaryDirectory(prefix="memomalloc-model.")
        cls.addClassCleanup(holder.cleanup)
        cls.model = pathlib.Path(holder.name) / "model.pt"
        make_model(cls.model)

    def infer(self, *options, workers=WORKERS, passes=PASSES, prefix=()):
        command = [*prefix, SERVER, self.model, "--side", "16,24", "--workers", workers, "--warmup", 0, "--passes", passes, *options]
        # OpenBLAS ends its threads at a fork, under whoever waits for them.
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=120,
                              env={**os.environ, "OPENBLAS_NUM_THREADS": "1"})
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def test_a_hard_life_changes_no_answer(self):
        plain, hard = self.infer(), self.infer(*HARD_LIFE)
        self.assertEqual(hard["checksum"], plain["checksum"])
        self.assertEqual((plain["passes"], plain["restarts"], plain["reloads"], plain["forks"]), (WORKERS * PASSES, 0, 0, 0))
        self.assertEqual((hard["passes"], hard["reloads"], hard["forks"]), (WORKERS * PASSES, WORKERS * PASSES // 7, WORKERS * PASSES // 6))
        self.assertGreaterEqual(hard["restarts"], WORKERS * PASSES // 5 - WORKERS)

    def test_asked_in_turn_it_is_planned_and_served(self):
        """Two workers under way together; no plan is given."""
        done = subprocess.run(
            [COMMAND, "compare", "-q", "--json", "--allocators", "glibc,serve", "--runs", "1", "--in-turn", "4", "--turns", "10",
             "--warmup", "40", "--", SERVER, self.model, "--side", "16", "--workers", "2", "--asked"],
            capture_output=True, text=True, timeout=120, env={**os.environ, "OPENBLAS_NUM_THREADS": "1"})
        self.assertEqual(done.returncode, 0, done.stderr)
        report = json.loads(done.stdout)
        self.assertTrue(report["same_answers"])
        self.assertGreater(report["served_share"], 0)
        self.assertEqual([len(allocator["turns"][0]) for allocator in report["allocators"]], [10, 10])

    def test_every_pass_is_counted_once(self):
        trace, plan = self.folder / "trace", self.folder / "plan"
        plain = self.infer(prefix=(COMMAND, "profile", "-q", "-o", trace, "--"))
        self.run_command("plan", "-q", "-o", plan, trace)
        _, loaded = self.serve_from(plan, workers=1, passes=0)
        _, loaded_twice = self.serve_from(plan, "--reload-every", 1, workers=1, passes=1)
        loaded_again = loaded_twice["passes"] - 1 - loaded["passes"]
        served, statistics = self.serve_from(plan, *HARD_LIFE)
        self.assertEqual(served["checksum"], plain["checksum"])
        print(f"{served['passes']} passes on {WORKERS} workers that were replaced {served['restarts']} times; {loaded['passes']} while "
              f"the network was loaded, {loaded_again} each of {served['reloads']} times it was loaded again; {statistics['passes']} counted")
        self.assertEqual(statistics["passes"], served["passes"] + loaded["passes"] + served["reloads"] * loaded_again)
        self.assertEqual(statistics["abandoned"], 0)
        self.assertLess(statistics["lanes"], WORKERS + served["restarts"])  # whoever ended left the lane to the next

    def serve_from(self, plan, *options, **how):
        """(what the server says, the statistics)"""
        stats = self.folder / "stats"
        said = self.infer(*options, **how, prefix=(COMMAND, "serve", "--plan", plan, "--stats", stats, "--"))
        return said, json.loads(stats.read_text())


class Sleepers(PassesCase):
    def test_threads_that_sleep_behind_their_call_share_a_lane(self):
        model, trace, plan, stats = (self.folder / name for name in ("model.pt", "trace", "plan", "stats"))
        make_model(model)
        program = [PYTHON, pathlib.Path(__file__).parent / "programs" / "sleepers.py", model]
        answers = {self.run_command("profile", "-q", "-o", trace, "--", *program).stdout}
        self.run_command("plan", "-q", "-o", plan, trace)
        answers.add(self.run_command("serve", "-q", "--plan", plan, "--stats", stats, "--", *program).stdout)
        self.assertEqual(len(answers), 1, answers)
        statistics = json.loads(stats.read_text())
        self.assertGreater(statistics["served"], 0)
        # One for the thread that loaded the model, one for the thread whose turn it is, and few that slow neighbours wore out.
        self.assertLess(statistics["lanes"], 6, "a lane for each thread")


if __name__ == "__main__":
    unittest.main()
