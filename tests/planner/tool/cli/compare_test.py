"""What `memomalloc compare` runs, says and exits with. The commands are one line of shell each, so what is proved is the
bookkeeping: who ran, in which order, with which variables, and that nothing wrong passes for a result."""

import contextlib
import json
import os
import pathlib
import re
import signal
import subprocess
import time

import harness

ECHO = 'echo "{\\"items_per_second\\": 10, \\"checksum\\": \\"same\\"}"'


HOLDS_MOST_AT_FIRST = """
import sys, time
for number, line in enumerate(sys.stdin):
    block = None
    block = b"x" * ((64 if number == 0 else 16) << 20)
    time.sleep(0.04)
    print("same", flush=True)
"""

SOURCES = pathlib.Path(__file__).resolve().parents[4]


def compiled_in_configuration():
    """What the library tells its own jemalloc, as its source says it."""
    texts = (path.read_text() for path in (SOURCES / "preload").rglob("*.cpp"))
    found = (re.search(r'memo_je_malloc_conf\s*=\s*"([^"]*)"', text) for text in texts)
    return next(match.group(1) for match in found if match)


class Compare(harness.CliTest):
    def compare(self, line, *options, status=0):
        return self.run_command("compare", *options, "--", "/bin/sh", "-c", line, status=status)

    def test_every_allocator_runs_in_every_round_each_time_another_first(self):
        """The last run is that of the locks in the heap of ours."""
        line = f'echo "$MEMOMALLOC_MODE${{MALLOC_CONF:+ locks}}" >> ran; {ECHO}'
        self.compare(line, "--allocators", "glibc,off", "--runs", "3")
        self.assertEqual(self.read("ran").splitlines(), ["", "off", "off", "", "", "off", "off locks"])

    def wait_until(self, holds, why):
        end = time.monotonic() + 60
        while not holds():
            self.assertLess(time.monotonic(), end, why)
            time.sleep(0.02)

    def test_nothing_is_left_behind_whatever_ends_it(self):
        """Of Ctrl-C the whole group hears, of the other signals the command alone."""
        (self.folder / "tmp").mkdir()
        for send, number in ((os.killpg, signal.SIGINT), (os.kill, signal.SIGTERM), (os.kill, signal.SIGKILL)):
            words = [harness.command(), "-q", "compare", "--allocators", "glibc", "--", "/bin/sh", "-c", "echo > begun; exec sleep 60"]
            compare = subprocess.Popen(words, cwd=self.folder, env={**os.environ, "TMPDIR": str(self.folder / "tmp")}, start_new_session=True)
            self.addCleanup(self.end_group, compare.pid)
            self.wait_until((self.folder / "begun").exists, "the command was not run")
            (self.folder / "begun").unlink()
            self.assertEqual(len(list((self.folder / "tmp").glob("memomalloc.compare.*"))), 1)
            send(compare.pid, number)
            self.assertEqual(compare.wait(timeout=60), -number)
            self.wait_until(lambda: not list((self.folder / "tmp").iterdir()), f"its folder stays after {number.name}")

    @staticmethod
    def end_group(group):
        """Ends the program of a command that was killed alone."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(group, signal.SIGKILL)

    def test_the_list_of_allocators(self):
        stdout, _ = self.run_command("compare", "--list-allocators", "--json")
        rows = {row["name"]: row for row in json.loads(stdout)["allocators"]}
        self.assertTrue(rows["glibc"]["installed"])
        self.assertEqual(rows["glibc"]["settings"], {})
        self.assertEqual(rows["off"]["settings"], {"MEMOMALLOC_MODE": "off"})
        self.assertEqual(rows["jemalloc-our-conf"]["settings"], {"MALLOC_CONF": compiled_in_configuration() + ",dirty_decay_ms:-1,muzzy_decay_ms:-1"})
        stdout, _ = self.run_command("compare", "--list-allocators")
        self.assertEqual([line.split()[0] for line in stdout.splitlines()], list(rows))

    def test_what_vendors_publish_is_compared_where_it_is_named(self):
        stdout, _ = self.run_command("compare", "--list-allocators", "--json")
        rows = {row["name"]: row for row in json.loads(stdout)["allocators"]}
        self.assertEqual(rows["intel"]["settings"],
                         {"MALLOC_CONF": "oversize_threshold:1,background_thread:true,metadata_thp:auto"})
        self.assertEqual(rows["aws"]["settings"], {"THP_MEM_ALLOC_ENABLE": "1", "LRU_CACHE_CAPACITY": "1024"})
        self.compare(f'echo "$THP_MEM_ALLOC_ENABLE." >> ran; {ECHO}', "--allocators", "aws,glibc", "--runs", "1")
        self.assertEqual(self.read("ran").splitlines(), [".", "1."])

    def own_library(self):
        """A library that says in a file that it was there."""
        self.write("own.c", """
            #include <fcntl.h>
            #include <stdlib.h>
            #include <unistd.h>
            __attribute__((constructor)) static void say(void) {
              const char* text = getenv("OWN");
              int file = text ? open(getenv("WITNESS"), O_WRONLY | O_CREAT | O_APPEND, 0600) : -1;
              if (file >= 0 && write(file, text, 4) == 4) close(file);
            }""")
        self.cc("-shared", "-fPIC", "-o", "libown.so", "own.c")

    def test_a_library_of_the_users_runs_with_its_variables_after_the_table(self):
        self.own_library()
        stdout, _ = self.compare(ECHO, "--allocators", "glibc", "--runs", "1", "--json", "--allocator",
                                 f"own=./libown.so,OWN=a,b,WITNESS={self.folder}/witness,LESS=1", "--allocator", "more=,LESS=2")
        rows = json.loads(stdout)["allocators"]
        self.assertEqual([row["name"] for row in rows], ["glibc", "own", "more"])
        self.assertEqual(rows[1]["library"], f"{self.folder}/libown.so")
        self.assertEqual(rows[2]["settings"], "LESS=2")
        self.assertIn("a,b\0", self.read("witness"))

    def test_a_library_that_cannot_be_compared_ends_the_command(self):
        self.write("libtext.so", "text")
        for word, sentence in ((f"own={self.folder}/nowhere.so", "the loader does not find"),
                               ("own=./libtext.so", "the loader cannot preload"),
                               ("glibc=", "takes the name of another allocator"),
                               ("./libtext.so", "has no name; give NAME=PATH")):
            _, stderr = self.compare(ECHO, "--allocators", "glibc", "--allocator", word, status=2)
            self.assertIn(sentence, stderr)
        self.compare(ECHO, "--allocators", "glibc", "--allocator", "own=", "--allocator", "own=", status=2)

    def test_a_command_is_needed(self):
        _, stderr = self.run_command("compare", "--allocators", "glibc", status=2)
        self.assertIn("compare needs a command to run", stderr)

    def test_figures_for_programs(self):
        stdout, _ = self.compare(ECHO, "--allocators", "glibc,off", "--runs", "2", "--json")
        report = json.loads(stdout)
        self.assertEqual([row["name"] for row in report["allocators"]], ["glibc", "off"])
        self.assertEqual(report["speed_figure"], "items_per_second")
        self.assertTrue(report["same_answers"])
        self.assertTrue(set(report["front"]) <= {"glibc", "off"} and report["front"])
        self.assertIn("cores", report["machine"])
        glibc = report["allocators"][0]
        self.assertEqual(glibc["figures"]["items_per_second"]["values"], [10, 10])
        self.assertEqual(glibc["times_as_fast"]["value"], 1)
        for figure in ("seconds", "system_seconds", "minor_faults", "switches", "resident_steady", "resident_high", "resident_average",
                       "resident_peak"):
            self.assertIn(figure, glibc["figures"])

    def test_memory_over_time(self):
        stdout, _ = self.compare(f"sleep 0.1; {ECHO}", "--allocators", "glibc", "--runs", "1", "--json")
        points = json.loads(stdout)["allocators"][0]["resident_over_time"]
        self.assertGreater(len(points), 1)
        self.assertEqual(points, sorted(points, key=lambda point: point[0]))
        self.assertTrue(all(size > 0 for _, size in points))

    def test_figures_for_people(self):
        stdout, _ = self.compare(ECHO, "--allocators", "glibc,off", "--runs", "2")
        for words in ("items_per_second", "off against", "the same in every run", "2 of each"):
            self.assertIn(words, stdout)

    def verdict(self, figure, *options):
        """What is said of glibc, which prints 100, and of off, which prints this figure."""
        line = f'test "$MEMOMALLOC_MODE" && figure={figure}; echo "{{\\"items_per_second\\": ${{figure:-100}}}}"'
        return self.compare(line, "--allocators", "glibc,off", *options)[0]

    def test_the_verdict_is_a_sentence(self):
        self.assertIn("\noff is 0.500 \u00b1 0.000 times as fast as glibc\n", self.verdict(50, "--runs", "2"))
        self.assertIn("\noff is 2.000 \u00b1 0.000 times as fast as glibc\n", self.verdict(200, "--runs", "2"))
        self.assertIn("\noff against glibc: no difference in speed is shown", self.verdict(100, "--runs", "2"))
        self.assertIn("\noff against glibc: one run of each shows nothing; give --runs 5\n", self.verdict(50, "--runs", "1"))

    def test_others_have_a_verdict_too(self):
        """Where nothing of ours is measured, the first is compared with the others."""
        stdout, _ = self.compare(ECHO, "--allocators", "glibc", "--allocator", "own=,LESS=1", "--runs", "2")
        self.assertIn("\nglibc against own: no difference in speed is shown", stdout)

    def test_the_picture(self):
        self.compare(ECHO, "--allocators", "glibc", "--runs", "1", "-o", "speed.svg")
        self.assertTrue(self.read("speed.svg").startswith("<svg"))
        _, stderr = self.compare(ECHO, "--allocators", "glibc", "-o", "speed.svg", status=2)
        self.assertIn("--force", stderr)

    def test_different_answers_fail(self):
        stdout, _ = self.compare('echo "{\\"checksum\\": \\"$MEMOMALLOC_MODE\\"}"', "--allocators", "glibc,off", "--runs", "1",
                                 status=5)
        self.assertIn("NOT THE SAME", stdout)

    def test_a_command_that_fails_passes_its_status_on(self):
        _, stderr = self.compare("echo broken >&2; exit 7", "--allocators", "glibc", status=7)
        self.assertIn("under glibc the command exited with 7; it said: broken", stderr)

    def test_a_command_that_is_not_there(self):
        self.run_command("compare", "--allocators", "glibc", "--", "./nowhere", status=127)

    def test_settings_of_the_caller_do_not_reach_the_runs(self):
        line = 'test -z "$MALLOC_CONF$MEMOMALLOC_LOG" && ' + ECHO
        done = subprocess.run([harness.command(), "compare", "--allocators", "glibc", "--runs", "1", "--", "/bin/sh", "-c", line],
                              env={"PATH": "/usr/bin:/bin", "MALLOC_CONF": "narenas:1", "MEMOMALLOC_LOG": "x"},
                              capture_output=True, text=True, check=False, cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_program_without_passes_cannot_be_planned(self):
        _, stderr = self.compare(ECHO, "--allocators", "glibc,serve", status=4)
        self.assertIn("--pass-symbol", stderr)

    def test_a_client_judges_a_server(self):
        """The server would sleep for a minute: it ends when the client has, and that is no failure."""
        stdout, _ = self.compare("exec sleep 60", "--allocators", "glibc,off", "--runs", "1", "--json", "--client",
                                 'echo "{\\"requests_per_second\\": 3}"')
        self.assertEqual(json.loads(stdout)["speed_figure"], "requests_per_second")

    def test_a_client_that_fails(self):
        _, stderr = self.compare("exec sleep 60", "--allocators", "glibc", "--client", "exit 3", status=1)
        self.assertIn("the client exited with 3", stderr)

    def test_wrong_words(self):
        _, stderr = self.compare(ECHO, "--allocators", "hoard", status=2)
        self.assertIn('no allocator "hoard"; there are glibc', stderr)
        self.compare(ECHO, "--runs", "0", status=2)
        self.run_command("compare", status=2)


class InTurn(harness.CliTest):
    """`compare --in-turn`: the programs of a round are there together."""

    ANSWER = "while read -r line; do echo same; done"

    def compare(self, line, *options, allocators="glibc,off", status=0):
        return self.run_command("compare", "--allocators", allocators, *options, "--", "/bin/sh", "-c", line, status=status)

    def test_each_is_asked_in_turn_another_one_first_each_time(self):
        """Of two lines in a turn, the one before the clock and the one that is timed. The runs for locks do not count."""
        line = 'while read -r line; do test "$MALLOC_CONF" || echo "$MEMOMALLOC_MODE" >> ran; echo same; done'
        self.compare(line, "--in-turn", "1", "--turns", "2", "--warmup", "1", "--runs", "1")
        self.assertEqual(self.read("ran").splitlines(), ["", "off", "", "", "off", "off", "off", "off", "", ""])

    def test_the_figures(self):
        """One of them takes 20 ms longer for each line."""
        line = 'while read -r line; do test -z "$MEMOMALLOC_MODE" || sleep 0.02; echo same; done'
        stdout, _ = self.compare(line, "--in-turn", "2", "--turns", "3", "--warmup", "2", "--runs", "2", "--json")
        report = json.loads(stdout)
        glibc, off = report["allocators"]
        self.assertEqual(report["speed_figure"], "ask_ms.p50")
        self.assertTrue(report["same_answers"])
        self.assertGreater(off["figures"]["ask_ms.p50"]["least"], 20)
        self.assertLess(glibc["times_as_fast"]["value"], 0.5)
        self.assertEqual([len(turns) for turns in glibc["turns"]], [3, 3])
        self.assertGreater(off["figures"]["resident_peak"]["median"], 0)

    def test_the_ratio_is_a_sentence(self):
        """One takes 20 ms longer for each line, and the other is asked against itself."""
        line = 'while read -r line; do test -z "$MEMOMALLOC_MODE" || sleep 0.02; echo same; done'
        stdout, _ = self.compare(line, "--in-turn", "2", "--turns", "3", "--warmup", "2", "--runs", "3")
        self.assertRegex(stdout, r"off (is 0\.\d+ (to|\u00b1) \d\.\d+ times as fast as glibc|against glibc: no difference)")
        self.assertRegex(stdout, r"p50 ms")

    def test_the_figures_for_people(self):
        stdout, _ = self.compare(self.ANSWER, "--in-turn", "2", "--turns", "2", "--runs", "2")
        for words in ("p50", "times as fast (ask_ms.p50)", "peak MiB", "the same in every run"):
            self.assertIn(words, stdout)
        self.assertRegex(stdout, r"steady MiB +high MiB +mean MiB +peak MiB")

    def test_memory_is_that_of_the_turns(self):
        """The program holds most in its warm-up. Each of its answers takes 40 ms, enough for some samples in every turn."""
        self.write("holds.py", HOLDS_MOST_AT_FIRST)
        stdout, _ = self.compare("exec python3 holds.py", "--in-turn", "1", "--turns", "3", "--warmup", "2", "--runs", "1", "--json",
                                 allocators="glibc")
        (glibc,) = json.loads(stdout)["allocators"]
        mebibytes = {name: spread["median"] / (1 << 20) for name, spread in glibc["figures"].items()}
        self.assertGreater(mebibytes["resident_peak"], 64)
        self.assertLess(mebibytes["resident_high"], 64)
        self.assertGreater(mebibytes["resident_steady"], 16)
        self.assertLessEqual(mebibytes["resident_steady"], mebibytes["resident_high"])
        self.assertGreater(len(glibc["resident_over_time"]), 3)

    def passes_and_nothing_else(self):
        """A program whose lines are answered by a pass of large blocks, and which allocates nothing else."""
        self.write("pass.c", """
            #include <stdlib.h>
            #include <string.h>
            void pass(void) {
              char *blocks[16];
              for (int i = 0; i < 16; ++i) memset(blocks[i] = malloc(65536), 1, 65536);
              for (int i = 0; i < 16; ++i) free(blocks[i]);
            }""")
        self.write("passes.c", """
            #include <unistd.h>
            void pass(void);
            int main(void) {
              char byte;
              while (read(0, &byte, 1) == 1)
                if (byte == 10) {
                  pass();
                  if (write(1, "same\\n", 5) != 5) return 1;
                }
            }""")
        self.cc("-O1", "-fno-builtin", "-shared", "-fPIC", "-o", "libpass.so", "pass.c")
        self.cc("-O1", "-o", "passes", "passes.c", "-L.", "-lpass", "-Wl,-rpath,$ORIGIN")

    def test_a_served_pass_takes_no_lock_of_the_heap(self):
        """The same pass takes a lock for each of its blocks where it is not served."""
        self.passes_and_nothing_else()
        stdout, _ = self.run_command("compare", "--pass-symbol", "pass", "--in-turn", "4", "--turns", "10", "--runs", "1", "--aside", "never",
                                     "--allocators", "off,serve", "--json", "--", "./passes")
        off, serve = (row["locks"] for row in json.loads(stdout)["allocators"])
        self.assertGreater(off["operations_a_line"], 16)
        self.assertEqual(serve["operations_a_line"], 0)
        self.assertEqual(set(off["by_lock"]), set(serve["by_lock"]))

    def test_different_answers_fail(self):
        line = 'while read -r line; do echo "$MEMOMALLOC_MODE"; done'
        stdout, _ = self.compare(line, "--in-turn", "1", "--turns", "1", "--runs", "1", status=5)
        self.assertIn("NOT THE SAME", stdout)

    def test_a_command_that_does_not_answer_every_line(self):
        _, stderr = self.compare("read -r line; echo once", "--in-turn", "2", "--runs", "1", status=1)
        self.assertIn("ended after 1 answers; with --in-turn it has to print a line for each line that it reads", stderr)

    def test_a_command_that_fails_passes_its_status_on(self):
        line = 'read -r line; echo same; test -z "$MEMOMALLOC_MODE" || { echo broken >&2; exit 7; }; ' + self.ANSWER
        _, stderr = self.compare(line, "--in-turn", "1", "--runs", "1", status=7)
        self.assertIn("under off the command exited with 7; it said: broken", stderr)

    def test_a_command_that_is_not_there(self):
        self.run_command("compare", "--in-turn", "1", "--allocators", "glibc", "--", "./nowhere", status=127)

    def test_a_program_without_passes_cannot_be_planned(self):
        _, stderr = self.compare(self.ANSWER, "--in-turn", "1", allocators="glibc,serve", status=4)
        self.assertIn("--pass-symbol", stderr)

    def test_wrong_words(self):
        for options, words in ((("--client", "true"), "--client"), (("--turns", "0"), "--turns 0"), (("--warmup", "5000"), "4096")):
            _, stderr = self.compare(self.ANSWER, "--in-turn", "1", *options, status=2)
            self.assertIn(words, stderr)


if __name__ == "__main__":
    harness.main()
