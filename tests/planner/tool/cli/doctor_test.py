"""`memomalloc doctor` on each kind of program that cannot be served, and on some that can.

The programs are all the same few lines (program.c), built differently. Every bad one must be found, with a cure and exit status 5; a good one,
and one that is merely odd, must pass with 0. A failure means that somebody deploys what will not work, or is kept from
deploying what would."""

import json
import os
import shutil
import subprocess
import unittest

import harness

STUB = r"""
#include <stddef.h>
extern void* __libc_malloc(size_t);
extern void __libc_free(void*);
void* malloc(size_t size) { return __libc_malloc(size); }
void free(void* block) { __libc_free(block); }
void* mi_malloc(size_t size) { return __libc_malloc(size); }
"""


class Doctor(harness.CliTest):
    def build_stub(self, name="libstub.so"):
        self.write("stub.c", STUB)
        self.cc("-shared", "-fPIC", "stub.c", "-o", name)

    def examine(self, *words, status=0):
        """What is found, as {about: [findings]}."""
        stdout, _ = self.run_command("doctor", "--json", *words, status=status)
        report = json.loads(stdout)
        self.assertEqual(report["works"], status == 0)
        found = {}
        for finding in report["findings"]:
            self.assertEqual(bool(finding["cure"]), finding["level"] != "fine", finding)
            found.setdefault(finding["about"], []).append(finding)
        return found

    def assert_fault(self, about, words, *command):
        faults = [finding for finding in self.examine(*command, status=5)[about] if finding["level"] == "fault"]
        self.assertTrue(any(words in finding["text"] for finding in faults), faults)
        return faults

    def test_a_program_with_passes_will_work(self):
        found = self.examine("--", self.build_program("program"))
        self.assertEqual({finding["level"] for rows in found.values() for finding in rows}, {"fine"})
        self.assertEqual(found["passes"][0]["text"], "20 were seen")

    def test_a_recording_in_which_nothing_grows(self):
        self.run_command("profile", "-o", "own.trace", "--", self.build_program("program"))
        (finding,) = self.examine("--trace", "own.trace")["cache"]
        self.assertEqual(finding["level"], "fine")
        self.assertIn("in the 20 passes of own.trace", finding["text"])

    def test_a_recording_of_an_engine_that_keeps_a_block_of_each_pass(self):
        self.write("keep.c", "#include <stdlib.h>\nvoid* keep(void) { return malloc(500); }\n")
        self.cc("-shared", "-fPIC", "-fno-builtin", "keep.c", "-o", "libdnnl.so.3")
        program = self.build_program("program", "libdnnl.so.3", "-Wl,-rpath,$ORIGIN", KEEPS="keep", PASSES="100")
        (finding,) = self.examine("--", program)["cache"]
        self.assertEqual(finding["level"], "advice")
        self.assertIn("blocks of libdnnl.so.3 that outlive their passes grow by 500 bytes a pass", finding["text"])

    def test_the_machine_alone(self):
        self.assertIn("memory", self.examine())
        _, stderr = self.run_command("doctor")
        self.assertIn("next: memomalloc profile", stderr)

    def test_a_static_program(self):
        self.assert_fault("program", "linked statically", "--", self.build_program("program", "-static"))

    def test_a_program_for_people_reads_the_cure(self):
        stdout, stderr = self.run_command("doctor", "--", self.build_program("program", "-static"), status=5)
        self.assertIn("mend it: link it without -static", stdout)
        self.assertIn("serving will not work before the fault is mended", stderr)

    @unittest.skipUnless(os.geteuid() == 0, "needs root to give a program away")
    def test_a_set_user_id_program(self):
        program = self.folder / self.build_program("program")
        os.chown(program, 65534, 65534)
        os.chmod(program, 0o4755)
        (fault,) = self.assert_fault("privileges", "set-user-id", "--", "./program")
        self.assertIn("sudo chmod ug-s", fault["cure"])

    def test_a_program_with_an_allocator_inside(self):
        self.assert_fault("allocator", "defines malloc itself", "--", self.build_program("program", "-DOWN_MALLOC", "-rdynamic"))

    def test_a_program_linked_to_another_allocator_works_all_the_same(self):
        self.build_stub()
        (finding,) = self.examine("--", self.build_program("program", "libstub.so", "-Wl,-rpath,$ORIGIN,--no-as-needed"))["allocator"]
        self.assertEqual(finding["level"], "advice")
        self.assertIn("libstub.so", finding["text"])

    def test_a_program_that_calls_another_allocator_by_its_own_names(self):
        self.build_stub()
        program = self.build_program("program", "-DOWN_INTERFACE", "libstub.so", "-Wl,-rpath,$ORIGIN")
        self.assert_fault("allocator", "calls mi_malloc of libstub.so", "--trial", "0", "--", program)

    def test_another_allocator_that_is_preloaded(self):
        self.build_stub()
        program = self.build_program("program")
        os.environ["LD_PRELOAD"] = str(self.folder / "libstub.so")
        self.addCleanup(os.environ.pop, "LD_PRELOAD")
        (finding,) = self.examine("--", program)["allocator"]
        self.assertIn("take libstub.so out of LD_PRELOAD", finding["cure"])

    def test_a_library_opened_with_deepbind(self):
        self.build_stub("libopened.so")
        (finding,) = self.examine("--", self.build_program("program"), "./libopened.so")["deepbind"]
        self.assertIn("./libopened.so is opened with RTLD_DEEPBIND", finding["text"])

    def test_a_program_without_passes(self):
        self.assert_fault("passes", "none was seen", "--", self.build_program("program", PASSES=0))

    def test_passes_by_their_period(self):
        """What nobody marked, and recurs; with memory that a plan is worth making for."""
        program = self.build_program("program", PASSES=0, ROUNDS=1000, STEPS=30, BYTES=100000)
        self.assert_fault("passes", "none was seen", "--", program)
        (finding,) = self.examine("--passes-by", "period", "--", program)["passes"]
        self.assertRegex(finding["text"], r"\d+ were seen")

    def test_a_program_that_fails(self):
        self.assert_fault("trial", "exited with 7", "--", self.build_program("program", STATUS=7))

    def test_a_server_that_waits_for_requests(self):
        self.write("server", "#!/bin/sh\nexec sleep 60\n")
        os.chmod(self.folder / "server", 0o755)
        self.assert_fault("passes", "none began", "--trial", "300ms", "--", "./server")

    def test_a_program_that_clears_its_environment(self):
        self.assert_fault("passes", "none was seen", "--", "env", "-i", self.build_program("program"))

    def test_a_program_that_is_not_there(self):
        self.assert_fault("program", "not to be found", "--", "./nowhere")

    def test_a_script_leads_to_its_interpreter(self):
        self.build_program("interpreter", "-static")
        self.write("script", f"#!{self.folder}/interpreter\n")
        os.chmod(self.folder / "script", 0o755)
        self.assert_fault("program", "interpreter is linked statically", "--", "./script")

    @unittest.skipUnless(shutil.which("musl-gcc"), "musl-gcc is not installed")
    def test_a_musl_program(self):
        self.write("hello.c", "int main(void) { return 0; }\n")
        subprocess.run(["musl-gcc", "hello.c", "-o", "hello"], cwd=self.folder, check=True)
        self.assert_fault("program", "uses musl", "--", "./hello")

    def plan(self, program):
        self.run_command("profile", "-o", "trace", "--", program)
        self.run_command("plan", "-o", "plan", "trace")

    def test_the_plan_of_this_build(self):
        program = self.build_program("program")
        self.plan(program)
        found = self.examine("--plan", "plan", "--", program)
        self.assertEqual(found["plan"][0]["text"], "it was made from these very builds")
        self.assertIn("100.00 % of the allocations and 100.00 % of their bytes served, warm-up included", found["passes"][0]["text"])

    def test_the_plan_of_another_build(self):
        self.plan(self.build_program("program"))
        (fault,) = self.assert_fault("plan", "another build", "--plan", "plan", "--", self.build_program("program", BYTES=6000))
        self.assertIn("memomalloc profile", fault["cure"])

    def test_the_plan_of_another_program(self):
        self.plan(self.build_program("program"))
        self.assert_fault("plan", "was not seen to be loaded", "--plan", "plan", "--", self.build_program("another", BYTES=6000))

    def test_a_file_that_is_no_plan(self):
        self.write("plan", "no plan")
        _, stderr = self.run_command("doctor", "--plan", "plan", status=3)
        self.assertIn("plan", stderr)

    def test_wrong_lanes(self):
        self.plan(self.build_program("program"))
        self.run_command("doctor", "--plan", "plan", "--lanes", "many", status=2)

    def test_nothing_of_a_trial_is_left(self):
        os.environ["TMPDIR"] = str(self.folder / "tmp")
        self.addCleanup(os.environ.pop, "TMPDIR")
        (self.folder / "tmp").mkdir()
        self.examine("--", self.build_program("program"))
        self.assertEqual(list((self.folder / "tmp").iterdir()), [])


if __name__ == "__main__":
    harness.main()
