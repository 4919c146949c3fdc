"""Hostile programs while a plan serves them.

Each program of the folder served/ opens with what it proves. It runs plainly, is profiled in its ordinary passes, planned,
and then runs its worst from the plan. Failure: any other end than success, more words than the one line that is due, or
statistics that do not account for what was done.
"""

import json
import os
import pathlib
import resource
import shutil
import subprocess
import unittest

from guest import LIBRARY, lines_of_ours, program, run
from planned import COMMAND, NEEDS_OWN_PROGRAMS, PATIENCE, Planned, emulated, started

NEEDS_ADDRESS_SPACE = "QEMU takes its own out of the same limit"


def may_mount():
    unshare = shutil.which("unshare")
    return unshare is not None and subprocess.run([unshare, "-m", "true"], capture_output=True).returncode == 0


def missed(statistics):
    return sum(statistics["fallback"].values())


MOST_UNSEEN = 4 * 64 // 16  # passes of threads that end in them, in four trials of the program


class Served(Planned):
    def serve(self, name, plan, lanes=0, limit=None, words=(), mode="serve", **variables):
        """(statistics of the process, its lines) of the program's worst."""
        stats = self.folder / "stats.json"
        result = run([program(f"served_{name}"), *words], HOSTILE_INJECTED="1", MEMOMALLOC_MODE=mode,
                     MEMOMALLOC_PLAN=str(plan), MEMOMALLOC_LANES=str(lanes), MEMOMALLOC_STATS=str(stats), limit=limit, **variables)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(len(lines_of_ours(result.stderr)), len(result.stderr.splitlines()), result.stderr)
        return json.loads(stats.read_text()), result.stderr.splitlines()

    def serve_quietly(self, name, lanes=0):
        statistics, lines = self.serve(name, self.plan(name), lanes)
        self.assertEqual(lines, [])
        self.assertGreater(statistics["served"], 0)
        self.assertEqual(statistics["double_free"] + statistics["bad_free"], 0)
        return statistics

    @unittest.skipIf(emulated, "what a pass costs there is the emulator's")
    def test_serving_stands_aside_for_passes_that_it_only_costs(self):
        statistics, lines = self.serve("standing_aside", self.plan("standing_aside"), MEMOMALLOC_ASIDE="auto")
        self.assertGreater(statistics["aside"]["passes"], 0, statistics)
        # A thread that ends in one of the passes whose allocations are counted, one in sixteen, takes its count with it.
        unseen = 100 * statistics["passes"] - statistics["served"] - missed(statistics) - statistics["compared"]["blocks"]
        self.assertIn(unseen, range(0, 100 * MOST_UNSEEN + 1, 100), statistics)
        self.assertEqual(statistics["compared"]["blocks"], 100 * statistics["compared"]["passes"])
        self.assertNotIn("compared", statistics["fallback"])
        self.assertEqual((statistics["aside"]["kinds"], statistics["aside"]["of_kinds"]), (1, 2))
        self.assertEqual(statistics["state"], "serving")
        self.assertEqual(len(lines), 1, lines)
        self.assertIn("serving stands aside for it for 10 min", lines[0])

    @unittest.skipIf(emulated, "what a pass costs there is the emulator's")
    def test_a_process_that_stands_aside_for_all_its_passes_says_so_once(self):
        statistics, lines = self.serve("standing_aside", self.plan("standing_aside"), words=["all"], MEMOMALLOC_ASIDE="auto")
        self.assertEqual((statistics["state"], statistics["aside"]["kinds"], statistics["aside"]["of_kinds"]), ("standing aside", 2, 2))
        self.assertEqual(len(lines), 1, lines)
        self.assertTrue(lines[0].endswith("; profile and plan what the program does now"), lines)

    @unittest.skipIf(emulated, "what a pass costs there is the emulator's")
    def test_where_the_library_plans_the_log_says_it_and_nobody_is_told_to_plan(self):
        log = self.folder / "log"
        statistics, lines = self.serve("standing_aside", self.plan("standing_aside"), words=["all"], mode="auto", MEMOMALLOC_ASIDE="auto",
                                       MEMOMALLOC_LEARN="once", MEMOMALLOC_LOG=str(log))
        self.assertEqual((statistics["state"], lines), ("standing aside", []))
        said = [line for line in log.read_text().splitlines() if "stands aside for it for" in line]
        self.assertGreaterEqual(len(said), 2)
        self.assertEqual([line for line in said if not line.endswith(" min")], [])

    def test_tensors_of_an_allocator_inside_their_library_are_taken_over(self):
        """All sixteen of each pass, of eight sizes, whoever asks."""
        statistics = self.serve_quietly("tensors")
        self.assertGreaterEqual(statistics["steady"]["served"], statistics["steady"]["passes"] * 16)
        self.assertEqual(statistics["steady"]["missed"], 0, statistics)

    def test_tensors_of_a_library_that_calls_itself_directly_stay_with_it(self):
        """Its passes allocate nothing else, so there is nothing to plan."""
        plain = run([program("served_tensors_bound_directly")], HOSTILE_INJECTED="1", MEMOMALLOC_MODE="profile",
                    MEMOMALLOC_TRACE=str(self.folder / "trace"))
        self.assertEqual((plain.returncode, plain.stderr), (0, ""))

    def test_mode_off_leaves_tensors_to_their_library(self):
        done = run([program("served_tensors")], HOSTILE_INJECTED="1", MEMOMALLOC_MODE="off")
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_passes_run_with_the_lock_of_the_loader_held(self):
        """The one line is about the library that the plan knows and the process has not loaded."""
        statistics, lines = self.serve("loader_callbacks", self.plan("loader_callbacks"))
        self.assertGreater(statistics["served"], 0)
        self.assertLessEqual(len(lines), 1, lines)

    def test_a_program_that_is_known_by_its_path_alone(self):
        statistics = self.serve_quietly("nameless")
        self.assertEqual(missed(statistics), 0)

    def test_blocks_are_resized_across_slab_and_heap(self):
        statistics = self.serve_quietly("resizing")
        self.assertEqual(statistics["pinned"], 0)

    def test_memory_that_is_used_again_is_zeroed_aligned_and_as_large_as_said(self):
        statistics = self.serve_quietly("reused_memory")
        self.assertEqual(missed(statistics), 0, statistics)

    def test_other_threads_free_during_after_and_never(self):
        statistics = self.serve_quietly("other_threads", lanes=2)
        self.assertGreater(statistics["pinned"], 0)

    def test_more_threads_than_lanes(self):
        statistics = self.serve_quietly("crowd", lanes=2)
        # Neighbours that are slow to free what they got wear lanes out; others stand in for them, eight at most.
        self.assertIn(statistics["lanes"], range(2, 2 + 8 + 1))
        self.assertGreater(statistics["fallback"]["no_lane"], 0)
        self.assertEqual(statistics["served"] + missed(statistics), 40 * statistics["passes"])

    def test_lanes_stay_within_the_memory_budget(self):
        """Passes beyond it are on the heap, with one line; without room for one lane all are."""
        plan = self.plan("crowd")
        free, _ = self.serve("crowd", plan)
        of_one = free["slab_bytes"] // free["lanes"]
        statistics, lines = self.serve("crowd", plan, MEMOMALLOC_MEMORY_BUDGET=str(2 * of_one + of_one // 2))
        self.assertEqual((len(lines), statistics["lanes"], statistics["slab_bytes"]), (1, 2, 2 * of_one), lines)
        self.assertIn("raise --memory-budget", lines[0])
        self.assertGreater(statistics["fallback"]["no_lane"], 0)
        self.assertEqual(statistics["served"] + missed(statistics), 40 * statistics["passes"])
        statistics, lines = self.serve("crowd", plan, MEMOMALLOC_MEMORY_BUDGET="1K")
        self.assertEqual(len(lines), 1, lines)
        self.assertIn("the memory budget of 1024 leaves 1024; raise --memory-budget", lines[0])
        self.assert_heap_served(statistics)

    def test_as_many_lanes_as_passes(self):
        statistics = self.serve_quietly("crowd")
        self.assertEqual(statistics["fallback"]["no_lane"], 0)
        self.assertEqual(statistics["served"] + missed(statistics), 40 * statistics["passes"])

    def test_passes_that_take_turns_need_few_lanes(self):
        """Each of them waits, and is served all the same."""
        statistics, lines = self.serve("crowd", self.plan("crowd"), MEMOMALLOC_AT_ONCE="2")
        self.assertEqual(lines, [])
        self.assertGreater(statistics["turns"]["waited"], 0)
        # As above: slow neighbours wear lanes out.
        self.assertLessEqual(statistics["lanes"], 2 + statistics["turns"]["in_vain"] + 8)
        self.assertEqual(statistics["fallback"]["no_lane"], 0)
        self.assertEqual(statistics["served"] + missed(statistics), 40 * statistics["passes"])

    def test_turns_by_themselves_come_where_passes_outnumber_processors(self):
        statistics, lines = self.serve("crowd", self.plan("crowd"), MEMOMALLOC_AT_ONCE="auto")
        self.assertEqual(lines, [])
        if len(os.sched_getaffinity(0)) <= 4:
            self.assertGreater(statistics["turns"]["waited"], 0)
        self.assertEqual(statistics["served"] + missed(statistics), 40 * statistics["passes"])

    def test_memory_that_no_pass_needs_goes_back(self):
        statistics, lines = self.serve("idle", self.plan("idle"), MEMOMALLOC_IDLE_RELEASE="1")
        self.assertEqual((lines, statistics["fallback"]["no_lane"]), ([], 0))
        self.assertGreaterEqual(statistics["released"]["times"], 2)
        self.assertEqual((statistics["lanes"], statistics["lanes_used"]), (1, 1))
        self.assertEqual(statistics["double_free"] + statistics["bad_free"], 0)

    def test_a_program_gives_its_idle_memory_back(self):
        statistics = self.serve_quietly("released")
        self.assertEqual((missed(statistics), statistics["lanes"]), (0, 1))
        self.assertGreaterEqual(statistics["released"]["lane_bytes"], 1 << 18)

    @staticmethod
    def write_line(process):
        process.stdin.write("\n")
        process.stdin.flush()

    def release(self, process, status, *options):
        done = subprocess.run([COMMAND, "release", *options, str(process)], capture_output=True, text=True, timeout=PATIENCE)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def test_a_process_gives_its_idle_memory_back_when_it_is_asked(self):
        plan, stats = self.plan("released"), self.folder / "stats.json"
        asked = {"PATH": os.environ["PATH"], "LD_PRELOAD": LIBRARY, "HOSTILE_INJECTED": "1", "MEMOMALLOC_MODE": "serve",
                 "MEMOMALLOC_ASIDE": "never", "MEMOMALLOC_PLAN": str(plan), "MEMOMALLOC_STATS": str(stats), "MEMOMALLOC_LOG": "off"}
        with started([program("served_released"), "asked"], env=asked, text=True, stdin=subprocess.PIPE,
                     stdout=subprocess.PIPE) as process:
            self.assertEqual(process.stdout.readline(), "asleep\n")
            self.assertIn(f"process {process.pid} is asleep", self.release(process.pid, 1, "--wait", "50ms"))
            self.write_line(process)
            self.assertEqual(process.stdout.readline(), "done\n")
            self.write_line(process)
            self.assertEqual(process.stdout.readline(), "warm\n")
            done = json.loads(self.release(process.pid, 0, "--json", "--wait", f"{PATIENCE}s"))
            self.assertGreaterEqual(done["released"]["lane_bytes"], 1 << 18)
            process.communicate("\n", timeout=PATIENCE)
        self.assertEqual(process.returncode, 0)
        self.assertEqual(json.loads(stats.read_text())["fallback"]["no_lane"], 0)

    def test_a_process_without_a_page_is_not_asked(self):
        self.assertIn("libmemomalloc.so", self.release(os.getpid(), 3))

    def test_double_frees_are_said_once_and_change_nothing(self):
        statistics, lines = self.serve("double_free", self.plan("double_free"))
        self.assertEqual(len(lines), 2, lines)
        self.assertIn("free of an address inside a block", lines[0])
        self.assertIn("double free", lines[1])
        self.assertEqual((statistics["double_free"], statistics["bad_free"], missed(statistics)), (50, 100, 0))

    def test_passes_that_are_left_without_an_end(self):
        statistics = self.serve_quietly("left_without_end")
        self.assertGreater(statistics["abandoned"], 0)

    @unittest.skipIf(emulated, NEEDS_OWN_PROGRAMS)
    def test_forks_inside_a_pass(self):
        self.serve_quietly("forks")

    def test_damaged_plans_do_no_harm(self):
        self.serve("damaged_plans", self.plan("damaged_plans"), MEMOMALLOC_LOG="off")

    def plan_of_loops(self, name):
        """A plan whose pass has a loop in a loop, or the program would attack nothing."""
        plan = self.plan(name)
        (variant,) = json.loads(self.command("inspect", "--json", plan).stdout)["variants"]
        outer, *inner = variant["loops"]
        self.assertTrue(inner and all(loop["end_slot"] <= outer["end_slot"] for loop in inner), variant["loops"])
        return plan

    @unittest.skipIf(emulated, "ten thousands of iterations, each byte written and read, take the emulator minutes")
    def test_loops_in_loops_are_left_interrupted_and_shared(self):
        """The one line is about sizes that double until no plan is worth it."""
        statistics, lines = self.serve("nested_loops", self.plan_of_loops("nested_loops"))
        self.assertEqual(len(lines), 1, lines)
        self.assertIn("no plan can be as large as a pass asked for", lines[0])
        self.assertEqual(statistics["double_free"] + statistics["bad_free"], 0)
        self.assertGreater(statistics["abandoned"], 0)
        self.assertGreater(statistics["pinned"], 0)

    def test_layouts_of_loops_grow_while_the_plan_is_exchanged(self):
        statistics, _ = self.serve("growing_loops", self.plan_of_loops("growing_loops"), MEMOMALLOC_LOG="off")
        self.assertGreater(min(statistics["plans_grown"], statistics["plans_refused"]), 0, statistics)
        self.assertEqual(statistics["double_free"] + statistics["bad_free"], 0)

    def test_blocks_live_across_every_switch_of_a_run(self):
        run_it = [COMMAND, "run", "--no-cache", "--", program("served_switches")]
        done = subprocess.run(run_it, capture_output=True, text=True, timeout=PATIENCE)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("planned anew", done.stderr)
        self.assertNotIn("overwritten", done.stderr)

    def test_workers_inside_the_passes_of_others(self):
        """A fixed number of lanes is for passes: with three of them the three owners side by side find theirs."""
        for workers, lanes in (("2", 3), ("4", 0)):
            with self.subTest(workers=workers):
                plan = self.plan("workers", POOL_WORKERS=workers)
                statistics, lines = self.serve("workers", plan, lanes, POOL_WORKERS=workers)
                self.assertEqual((lines, statistics["fallback"]["no_lane"]), ([], 0))
                self.assertIn(lanes, (0, statistics["lanes"]))
                self.assertEqual(statistics["double_free"] + statistics["bad_free"] + statistics["abandoned"], 0)
                self.assertGreater(statistics["worker_passes"], 200)
                self.assertGreater(statistics["worker_served"], 0.95 * 200 * 4 * 16)
                self.assertIn(statistics["worker_lanes"], range(1, 49))

    def test_registers_reach_hooked_functions(self):
        hooks = {"MEMOMALLOC_PASS_SYMBOLS": "guest_pass*", "MEMOMALLOC_SCOPE_SYMBOLS": "guest_operator*"}
        statistics, lines = self.serve("registers", self.plan("registers", **hooks), **hooks)
        self.assertEqual((lines, statistics["abandoned"]), ([], 0))
        self.assertGreater(statistics["served"], 1000)
        with self.subTest("recorded"):
            worst = run([program("served_registers"), "worst"], HOSTILE_INJECTED="1", MEMOMALLOC_MODE="profile",
                        MEMOMALLOC_TRACE=str(self.folder / "worst.trace"), **hooks)
            self.assertEqual((worst.returncode, worst.stderr), (0, ""))

    def test_operators_lead_passes_that_depart_from_their_plan(self):
        hooks = {"MEMOMALLOC_PASS_SYMBOLS": "guest_pass*", "MEMOMALLOC_SCOPE_SYMBOLS": "guest_operator*"}
        statistics, lines = self.serve("led", self.plan("led", **hooks), **hooks)
        self.assertEqual((lines, statistics["pinned"]), ([], 0))

    def test_figures_of_memory_are_the_whole_and_no_more(self):
        """A plan is held as it was read and as it is used; the heap cannot have more memory than the process."""
        plan = self.plan("own_figures")
        statistics, lines = self.serve("own_figures", plan)
        own = statistics["own"]
        self.assertEqual(lines, [])
        self.assertGreater(own["plans"], 2 * plan.stat().st_size)
        self.assertEqual(own["slab_index"], statistics["slab_bytes"] // 32)
        self.assertGreater(own["hooks"], 0)

    def test_a_thread_is_told_what_its_last_pass_took(self):
        """The histogram has all passes on lanes, which these are, and its sum is theirs."""
        memory = self.serve_quietly("last_pass")["pass_memory"]
        self.assertEqual(sum(memory["up_to"].values()), 5)
        self.assertGreaterEqual(memory["most"], 400_000)
        self.assertGreaterEqual(5 * memory["most"], memory["sum"])

    def test_passes_leave_the_heap_alone(self):
        self.serve_quietly("idle_heap")

    @unittest.skipIf(emulated, NEEDS_ADDRESS_SPACE)
    def test_little_address_space(self):
        """The slab takes no more than its share of what the process may map, and serves as ever."""
        statistics, lines = self.serve("reused_memory", self.plan("reused_memory"), limit=(resource.RLIMIT_AS, 512 << 20))
        self.assertEqual((lines, missed(statistics)), ([], 0))

    @unittest.skipIf(emulated, NEEDS_ADDRESS_SPACE)
    def test_no_address_space_for_the_slab(self):
        statistics, lines = self.serve("huge", self.plan("huge"), limit=(resource.RLIMIT_AS, 600 << 20))
        self.assertEqual(len(lines), 1, lines)
        self.assertIn("no address space for the slab; the heap serves", lines[0])
        self.assert_heap_served(statistics)
        self.assertEqual(statistics["plans_refused"], 1)

    def groups_with_limit(self, limit):
        """A folder that shows the control groups of this process as if they had a limit."""
        folder = self.folder / "cgroup"
        for line in pathlib.Path("/proc/self/cgroup").read_text().splitlines():
            _, controllers, group = line.split(":", 2)
            if controllers == "":
                place, name = folder / group.lstrip("/"), "memory.max"
            elif "memory" in controllers.split(","):
                place, name = folder / "memory" / group.lstrip("/"), "memory.limit_in_bytes"
            else:
                continue
            place.mkdir(parents=True, exist_ok=True)
            (place / name).write_text(f"{limit}\n")
        return folder

    def serve_in_group(self, name, limit):
        """(statistics, what it said) of the program where a control group seems to have this limit."""
        plan, stats = self.plan(name), self.folder / "stats.json"
        served = ["env", f"LD_PRELOAD={LIBRARY}", "MEMOMALLOC_MODE=serve", f"MEMOMALLOC_PLAN={plan}",
                  f"MEMOMALLOC_STATS={stats}", "HOSTILE_INJECTED=1", program(f"served_{name}")]
        show = 'mount --bind "$0" /sys/fs/cgroup && exec "$@"'
        result = subprocess.run(["unshare", "-m", "sh", "-c", show, self.groups_with_limit(limit), *served],
                                capture_output=True, text=True, timeout=60)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
        return json.loads(stats.read_text()), result.stderr

    @unittest.skipUnless(may_mount(), "needs to be allowed a mount name space")
    def test_a_control_group_that_is_too_small_for_the_slab(self):
        statistics, said = self.serve_in_group("huge", 100 << 20)
        self.assertIn("the control group's limit leaves", said)
        self.assert_heap_served(statistics)

    @unittest.skipUnless(may_mount(), "needs to be allowed a mount name space")
    def test_passes_at_once_get_no_more_lanes_than_a_control_group_has_room_for(self):
        """Three of 24 MiB, and the heap has room for another one: none of them is touched when they are given out."""
        statistics, said = self.serve_in_group("at_once", 100 << 20)
        self.assertIn("no memory for another lane: passes that find none idle go to the heap", said)
        self.assertEqual(statistics["lanes"], 3)
        self.assertEqual(statistics["fallback"]["no_lane"], 5)

    @unittest.skipIf(emulated, NEEDS_ADDRESS_SPACE)
    def test_no_address_space_at_all(self):
        """Not even for the least slab that is worth it: the program runs within the little it has."""
        statistics, lines = self.serve("double_free", self.plan("double_free"), limit=(resource.RLIMIT_AS, 40 << 20))
        self.assertEqual(len(lines), 1, lines)
        self.assertIn("no address space for the slab: the heap serves", lines[0])
        self.assert_heap_served(statistics)

    def assert_heap_served(self, statistics):
        self.assertEqual((statistics["served"], statistics["slab_bytes"]), (0, 0))
        self.assertGreater(statistics["passes"], 0)
        self.assertEqual(statistics["fallback"]["no_plan"], missed(statistics))
        self.assertGreater(missed(statistics), 0)


if __name__ == "__main__":
    unittest.main()
