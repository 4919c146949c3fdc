"""What is learned is never lost: a program that ends before its plan is there is planned after its end, for a bounded time, and
the next start serves from its first steady pass. Where nothing recurs, one line says why and what to do.

The program is `pyramid`: 40 passes that take some ten milliseconds together, far less than a planner needs to start."""

import json
import os
import shutil
import signal
import subprocess
import unittest

from harness import BUILD, COMMAND, PATIENCE, AskedProgram, PassesCase, share, wait_until

PYRAMID = os.environ["MEMO_PYRAMID"]
STARTER = os.environ["MEMO_STARTER"]
UNMARKED = os.environ["MEMO_UNMARKED"]
PASSES = ("64",) * 40
FINISHING = "the program has ended; finishing its plan"

# Allocates from eight sites in an order and with sizes that never come again.
WITHOUT_ORDER = """
#include <stdlib.h>
static unsigned long state = 1;
static unsigned long next(void) { return (state = state * 6364136223846793005ul + 1442695040888963407ul) >> 33; }
static void* block(void) {
  const unsigned long size = 64 + next() % 100000;
  switch (next() % 8) {
    case 0: return malloc(size);
    case 1: return malloc(size + 1);
    case 2: return malloc(size + 2);
    case 3: return malloc(size + 3);
    case 4: return malloc(size + 4);
    case 5: return malloc(size + 5);
    case 6: return malloc(size + 6);
    default: return malloc(size + 7);
  }
}
void work(int allocations) {
  void* live[16] = {0};
  for (int i = 0; i < allocations; ++i) {
    const unsigned long which = next() % 16;
    free(live[which]);
    live[which] = block();
  }
  for (int which = 0; which < 16; ++which) free(live[which]);
}
"""
MARKED = """
__attribute__((weak)) void memo_pass_begin(unsigned long key);
__attribute__((weak)) void memo_pass_end(void);
int main(void) {
  for (int pass = 0; pass < 24; ++pass) {
    if (memo_pass_begin) memo_pass_begin(0);
    work(100 + next() % 300);
    if (memo_pass_end) memo_pass_end();
  }
  return 0;
}
"""


class Finish(PassesCase):
    def setUp(self):
        super().setUp()
        self.cache = self.folder / "cache" / "memomalloc"
        self.stats = self.folder / "stats.json"
        self.environment = {**os.environ, "XDG_CACHE_HOME": str(self.folder / "cache")}

    def start(self, *command, options=("--finish", "30s"), **environment):
        words = [COMMAND, "run", "--stats", str(self.stats), *options, "--", *command]
        return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                env={**self.environment, **environment})

    def run_once(self, *command, options=("--finish", "30s"), status=0, **environment):
        with self.start(*command, options=options, **environment) as process:
            output, errors = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, status, errors)
        return output, errors

    def script(self, text, name="program"):
        path = self.folder / name
        path.write_text(text)
        path.chmod(0o755)
        return str(path)

    def assert_served_from_the_first_pass(self):
        statistics = json.loads(self.stats.read_text())
        self.assertEqual((statistics["passes"], statistics["recordings"]), (len(PASSES), 0), statistics)
        self.assertGreater(share(statistics), 0.95, statistics)

    def test_a_short_program_is_served_at_its_second_start(self):
        first, errors = self.run_once(PYRAMID, *PASSES)
        self.assertIn(f"{FINISHING} (at most 30 s)", errors)
        self.assertIn("planned; the next start serves from", errors)
        second, errors = self.run_once(PYRAMID, *PASSES)
        self.assertEqual(first, second)
        self.assertNotIn(FINISHING, errors)
        self.assert_served_from_the_first_pass()
        self.assertEqual(json.loads(self.stats.read_text())["steady"]["warm_up"], 2)  # those that no trace has
        (plan,) = self.cache.glob("*.plan")
        self.assertEqual({path.name for path in self.cache.iterdir()}, {plan.name, plan.with_suffix(".json").name, plan.with_suffix(".traces").name})

    def test_passes_that_nothing_marks_are_found_in_a_trace_that_was_full(self):
        """1.6 million allocations: the trace keeps the newest million, and none of them lies between marks."""
        first, errors = self.run_once(UNMARKED, "40000")
        self.assertIn("planned; ", errors)
        second, _ = self.run_once(UNMARKED, "40000")
        self.assertEqual(first, second)
        self.assertGreater(json.loads(self.stats.read_text())["served"], 39_000 * 40)

    def test_a_plan_keeps_no_block_out_that_was_made_while_the_program_wrote_over_its_trace(self):
        """The trace is full long before the planner has read it. The frees that are lost by then may not make blocks seem kept."""
        first, errors = self.run_once(UNMARKED, "400000")
        self.assertIn("planned; ", errors)
        second, _ = self.run_once(UNMARKED, "400000")
        self.assertEqual(first, second)
        statistics = json.loads(self.stats.read_text())
        self.assertEqual(statistics["fallback"]["kept"], 0, statistics)
        self.assertGreater(share(statistics), 0.5, statistics)  # slow neighbours make serving stand aside for some passes

    def test_the_programs_status_is_kept(self):
        _, errors = self.run_once("sh", "-c", f"{PYRAMID} {' '.join(PASSES)}; exit 7", status=7)
        self.assertIn("planned; the next start", errors)

    def test_finishing_can_be_forbidden(self):
        _, errors = self.run_once(PYRAMID, *PASSES, options=("--finish", "0"))
        self.assertNotIn(FINISHING, errors)
        self.assertEqual(list(self.cache.iterdir()), [])

    def test_nothing_is_finished_that_would_be_forgotten(self):
        _, errors = self.run_once(PYRAMID, *PASSES, options=("--no-cache",))
        self.assertNotIn(FINISHING, errors)

    def test_a_dry_run_of_a_short_program_says_what_would_have_been_served(self):
        _, errors = self.run_once(PYRAMID, *PASSES, options=("--dry-run",))
        self.assertRegex(errors, r"dry run: \d+\.\d\d % of \d+ allocations and .* would have been served")

    def test_a_short_program_is_not_waited_for(self):
        _, errors = self.run_once(PYRAMID, *PASSES, options=())
        self.assertRegex(errors, rf"{FINISHING} \(at most 0\.\d+ s\)")

    def starter(self, *options):
        return AskedProgram(STARTER, prefix=(COMMAND, "run", "--stats", str(self.stats), *options, "--"),
                            environment=self.environment)

    def test_the_next_start_plans_from_what_was_recorded(self):
        """Without a pass of its own, and while the program runs."""
        for _ in range(20):
            with self.starter("--finish", "1ms") as program:
                program.ask("pass 40")
                program.end()
                errors = program.stderr()
            if "the next start plans from what was recorded" in errors:
                break
            shutil.rmtree(self.cache)
        self.assertEqual(list(self.cache.glob("*.plan")), [], errors)
        with self.starter() as program:
            wait_until(lambda: "planned; serving" in program.stderr(), program.stderr)
            program.ask("pass 40")
            program.end()
        statistics = json.loads(self.stats.read_text())
        self.assertGreater(statistics["served"], 30 * 40, statistics)

    def run_that_is_not_finished(self):
        """On a busy machine the plan may be there before anybody looks at the clock. It is then forgotten, and learned anew."""
        for _ in range(20):
            _, errors = self.run_once(PYRAMID, *PASSES, options=("--finish", "1ms"))
            if "planned; the next start serves from" not in errors:
                return errors
            shutil.rmtree(self.cache)
        return self.fail(f"a millisecond was always enough: {errors}")

    def test_a_start_that_has_no_success_with_what_was_recorded_promises_nothing(self):
        """It had the traces from its begin on. So the next one would do no better, and is not recorded."""
        for _ in range(20):
            self.assertIn("the next start plans from what was recorded", self.run_that_is_not_finished())
            _, errors = self.run_once(PYRAMID, *PASSES, options=("--finish", "1ms"))
            if "planned; " not in errors:
                break
            shutil.rmtree(self.cache)
        self.assertIn("this is too short to gain: the next start is not recorded", errors)
        _, errors = self.run_once(PYRAMID, *PASSES)
        self.assertIn("this start is not recorded", errors)

    def test_the_time_is_bounded(self):
        self.assertIn("not finished after 0.001 s", self.run_that_is_not_finished())
        self.assertEqual(list(self.cache.glob("*.plan")), [])
        self.assertEqual([path for path in self.cache.iterdir() if "memomalloc.run" in path.name], [])

    def test_a_signal_ends_it_at_once(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(number=number), self.start("sh", "-c", f"{PYRAMID} {' '.join(PASSES)}; exit 5") as process:
                errors = ""
                while FINISHING not in errors:
                    errors += process.stderr.readline()
                process.send_signal(number)
                errors += process.stderr.read()
                self.assertEqual(process.wait(timeout=PATIENCE), 5, errors)
                # The planner may have been faster than the signal.
                self.assertRegex(errors, "told to end: the plan is not finished|planned; the next start")
                for plan in self.cache.glob("*.plan"):
                    plan.unlink()

    # ---- by environment alone

    def test_by_environment_alone_too(self):
        log, temporary = self.folder / "log", self.folder / "tmp"
        temporary.mkdir()
        environment = {**self.environment, "LD_PRELOAD": str(BUILD / "lib" / "libmemomalloc.so"), "MEMOMALLOC_MODE": "auto",
                       "TMPDIR": str(temporary), "MEMOMALLOC_LOG": str(log), "MEMOMALLOC_STATS": str(self.stats)}
        subprocess.run([PYRAMID, *PASSES], env=environment, check=True, stdout=subprocess.DEVNULL, timeout=PATIENCE)
        wait_until(lambda: not list(temporary.iterdir()), log.read_text)
        self.assertIn("planned; the next start serves from", log.read_text())
        self.stats.unlink(missing_ok=True)
        subprocess.run([PYRAMID, *PASSES], env=environment, check=True, stdout=subprocess.DEVNULL, timeout=PATIENCE)
        self.assert_served_from_the_first_pass()

    # ---- nothing recurs

    def why(self, *command, status=0):
        _, errors = self.run_once(*command, status=status)
        self.assertNotIn("error", errors)
        self.assertEqual([path.name for path in self.cache.iterdir() if path.suffix != ".nothing"], [], "no plan")
        return errors

    def test_passes_that_do_not_recur(self):
        errors = self.why(self.compiled("job", WITHOUT_ORDER + MARKED))
        self.assertRegex(errors, r"no pass recurs in [\d,]+ allocations: none of its \d+ passes ran twice alike")
        self.assertEqual(errors.count("no pass recurs"), 1)

    def test_a_script_that_starts_nothing_of_interest(self):
        self.assertIn("memomalloc: program is a script that starts other programs", self.why(self.script("#!/bin/sh\nexit 3\n"), status=3))

    def test_a_program_that_is_too_short(self):
        self.assertIn("true ended without a pass", self.why("true"))

    def compiled(self, name, text, *options):
        path = self.folder / name
        source = self.folder / f"{name}.c"
        source.write_text(text)
        subprocess.run(["cc", "-O1", "-fno-builtin", "-o", path, source, *options], check=True)
        return str(path)

    def test_a_program_that_no_library_can_be_loaded_into(self):
        program = self.compiled("job", "int main(void) { return 3; }", "-static")
        self.assertIn("is linked statically: no library can be loaded into it; link it without -static", self.why(program, status=3))

    def test_pytorch_whose_passes_nothing_marks_and_that_never_recur(self):
        """A library of that name stands for PyTorch."""
        library = self.compiled("libtorch_python.so", WITHOUT_ORDER, "-shared", "-fPIC")
        program = self.compiled("job", "void work(int); int main(void) { work(200000); return 0; }", library)
        errors = self.why(program)
        self.assertRegex(errors, r"no pass recurs in [\d,]+ allocations: eager PyTorch was seen")
        self.assertEqual(errors.count("no pass recurs"), 1)

    def test_a_program_that_is_not_there_is_not_diagnosed(self):
        errors = self.why("/nowhere/program", status=127)
        self.assertEqual(errors.count("\n"), 2, errors)


if __name__ == "__main__":
    unittest.main()
