"""Programs the library must stay out of, or cannot enter at all.

A program with an allocator or a checker of its own gets one line and mode off, and so does one with another allocator in
front. Under valgrind, with AddressSanitizer, in a static executable, against musl and with raised privileges programs do what
they do without the library. Failure: another
output or status, or no line where there must be one.
"""

import os
import shutil
import subprocess
import tempfile
import unittest

from guest import LIBRARY, SOURCES, lines_of_ours, program, run
from unaffected import Unaffected


class KeepOut(Unaffected):
    def test_program_with_its_own_malloc(self):
        result = run([program("wrapped_malloc")])
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assert_one_line(result, "defines malloc itself")

    def test_a_process_tree_hears_of_an_allocator_in_front_once(self):
        front = program("libfront_allocator.so")
        script = f"for i in 1 2 3; do {program('unaffected')}; done; env X=1 {program('unaffected')}"
        result = run(["sh", "-c", script], LD_PRELOAD=f"{front}:{LIBRARY}")
        self.assertEqual((result.returncode, result.stdout), (0, 4 * "42\n"))
        self.assert_one_line(result, "stands before this library")
        turned = run(["sh", "-c", f"LD_PRELOAD={front}:{LIBRARY} {program('unaffected')}"])
        self.assert_one_line(turned, program("unaffected"), "stands before this library")

    def preload_of_a_child(self, preload, **variables):
        result = run(["sh", "-c", "printenv LD_PRELOAD"], LD_PRELOAD=preload, **variables)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout.removesuffix("\n")

    def test_what_a_program_behind_an_allocator_starts(self):
        """It gets the library first, and so do its own children. All others keep their order."""
        front, tracer = program("libfront_allocator.so"), program("libfront_tracer.so")
        for preload, order in (
            (f"{front}:{LIBRARY}", f"{LIBRARY}:{front}"),
            (f"{front}:{tracer}:{LIBRARY}", f"{LIBRARY}:{front}:{tracer}"),
            (f"{front} {LIBRARY} {tracer}", f"{LIBRARY} {front} {tracer}"),
            (f"{front}::{LIBRARY}:", f"{LIBRARY}:{front}::"),
        ):
            self.assertEqual(self.preload_of_a_child(preload), order)

    def test_a_library_that_the_loader_finds_by_its_name(self):
        front = program("libfront_allocator.so")
        folder, name = os.path.split(LIBRARY)
        self.assertEqual(self.preload_of_a_child(f"{front}:{name}", LD_LIBRARY_PATH=folder), f"{name}:{front}")

    def test_a_grandchild_is_served(self):
        front = program("libfront_allocator.so")
        with tempfile.TemporaryDirectory() as folder:
            script = f"sh -c '{program('unaffected')}; true'; true"
            log = os.path.join(folder, "log")
            result = run(["sh", "-c", script], LD_PRELOAD=f"{front}:{LIBRARY}", MEMOMALLOC_MODE="serve", MEMOMALLOC_LOG=log,
                         MEMOMALLOC_PLAN=os.path.join(folder, "absent"))
            with open(log, encoding="utf-8") as lines:
                said = lines.read()
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "42\n", ""))
        self.assertEqual(said.count("keeping out of"), 1, said)
        self.assertIn(f"mode serve in {program('unaffected')}", said)

    def test_the_order_stays_where_no_allocator_is_in_front(self):
        tracer = program("libfront_tracer.so")
        for preload in (f"{tracer}:{LIBRARY}", f"{LIBRARY}:{tracer}"):
            self.assertEqual(self.preload_of_a_child(preload), preload)

    def test_a_link_under_another_name(self):
        """A launcher that looks for the name of its allocator finds it, and the link is the library all the same."""
        with tempfile.TemporaryDirectory() as folder:
            link = os.path.join(folder, "libtcmalloc-memomalloc.so")
            os.symlink(LIBRARY, link)
            result = run([program("unaffected")], LD_PRELOAD=link, MEMOMALLOC_LOG="stderr")
            self.assert_unaffected(result)
            self.assertIn("mode off in", result.stderr)
            front = program("libfront_allocator.so")
            self.assertEqual(self.preload_of_a_child(f"{front}:{link}"), f"{link}:{front}")

    def test_a_tracer_in_front(self):
        """It hands each call on to the library, which works as if it were first."""
        result = run([program("unaffected")], LD_PRELOAD=f"{program('libfront_tracer.so')}:{LIBRARY}", MEMOMALLOC_LOG="stderr")
        self.assert_unaffected(result)
        self.assertNotIn("keeping out", result.stderr)
        self.assertIn("mode off in", result.stderr)

    def build(self, folder, *compiler):
        binary = os.path.join(folder, "unaffected")
        subprocess.run([*compiler, SOURCES / "unaffected.c", "-o", binary], check=True)
        return binary

    @unittest.skipUnless(shutil.which("clang"), "clang is not installed")
    def test_address_sanitizer_inside_the_program(self):
        with tempfile.TemporaryDirectory() as folder:
            result = run([self.build(folder, "clang", "-fsanitize=address")])
        self.assert_unaffected(result)
        self.assert_one_line(result, "AddressSanitizer")

    def test_hidden_address_sanitizer_inside_the_program(self):
        """gcc hides the runtime it puts into the program; the runtime's malloc shows."""
        result = run([program("unaffected_asan_static")])
        self.assert_unaffected(result)
        self.assert_one_line(result, "defines malloc itself")

    @unittest.skipUnless(shutil.which("valgrind"), "valgrind is not installed")
    def test_valgrind(self):
        """Memcheck still sees every block: it finds the read past the end."""
        command = ["valgrind", "--error-exitcode=9", program("unaffected")]
        result = run(command)
        self.assert_unaffected(result)
        self.assert_one_line(result, "valgrind")
        result = run([*command, "overrun"])
        self.assertEqual(result.returncode, 9, result.stderr)
        self.assertIn("Invalid read", result.stderr)

    @unittest.skipUnless(shutil.which("valgrind"), "valgrind is not installed")
    def test_valgrind_that_only_counts(self):
        """Callgrind leaves malloc alone, so it can count what the library's own takes."""
        with tempfile.TemporaryDirectory() as folder:
            result = run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out", program("unaffected")])
        self.assert_unaffected(result)
        self.assertEqual(lines_of_ours(result.stderr), [])

    def test_static_executable(self):
        result = run([program("unaffected_static")], MEMOMALLOC_LOG="stderr")
        self.assert_unaffected(result)
        self.assertEqual(result.stderr, "")

    @unittest.skipUnless(os.geteuid() == 0, "needs root to make a set-user-id program")
    def test_raised_privileges(self):
        """The loader ignores the preload there. Where an administrator lists the library in ld.so.preload it is loaded
        all the same, and must not obey the environment: secure_getenv sees to that."""
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o755)
            copy = shutil.copy(program("unaffected"), folder)
            os.chown(copy, 65534, 65534)
            os.chmod(copy, 0o6755)
            self.assert_unaffected(run([copy], MEMOMALLOC_LOG="stderr", MEMOMALLOC_MODE="sevre"))

    @unittest.skipUnless(shutil.which("musl-gcc"), "musl-gcc is not installed")
    def test_musl(self):
        """A static musl program ignores the preload."""
        with tempfile.TemporaryDirectory() as folder:
            self.assert_unaffected(run([self.build(folder, "musl-gcc", "-static")]))


if __name__ == "__main__":
    unittest.main()
