"""The diet of the injected library, on the built file.

It lives in somebody else's process, so it brings nothing along: no library beyond libc, libm and the loader (libunwind or
libstdc++ would take over the host's exceptions), no symbol beyond the golden list (any other could shadow one of the
host's), little thread-local storage (the loader has some 1.6 KiB to spare for all late libraries together), and no call
that a guest must not make.
"""

import os
import re
import subprocess
import unittest

from guest import LIBRARY

JEMALLOC_TLS_BYTES = 2632
OWN_TLS_BYTES = 264

FORBIDDEN_CALLS = {
    "printf", "puts", "putchar", "__printf_chk",  # stdout is the host's
    "exit", "quick_exit", "raise", "kill", "system",
    "signal", "sigaction", "setenv", "putenv", "getenv",  # secure_getenv only
    "malloc", "calloc", "realloc", "free",  # from another library
}


def tool_output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def symbols(*options):
    lines = tool_output("nm", "-D", *options, LIBRARY).splitlines()
    return {line.split()[-1].split("@")[0] for line in lines if line.strip()}


class Diet(unittest.TestCase):
    def test_needs_the_c_library_only(self):
        needed = set(re.findall(r"\(NEEDED\).*\[(.*)\]", tool_output("readelf", "-dW", LIBRARY)))
        loaders = {"ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}
        self.assertLessEqual(needed, {"libc.so.6", "libm.so.6"} | loaders)

    def test_exports_the_golden_list(self):
        golden = os.path.join(os.path.dirname(__file__), "exports.golden")
        with open(golden, encoding="ascii") as lines:
            expected = {line.strip() for line in lines if line.strip() and not line.startswith("#")}
        self.assertEqual(symbols("--defined-only"), expected)

    def test_thread_local_storage_is_small(self):
        segment = re.search(r"^\s*TLS\s.*", tool_output("readelf", "-lW", LIBRARY), re.MULTILINE).group()
        size = int(segment.split()[5], 16)
        self.assertLess(size, JEMALLOC_TLS_BYTES + OWN_TLS_BYTES)

    def test_the_heaps_thread_local_storage_begins_where_it_was_measured_to_be_fast(self):
        """preload/heap/tsd_placement.S: 48 bytes into a cache line, whatever else is thread-local."""
        segment = re.search(r"^\s*TLS\s.*", tool_output("readelf", "-lW", LIBRARY), re.MULTILINE).group()
        self.assertEqual(int(segment.split()[-1], 16), 64)
        state = re.search(r"([0-9a-f]{16}) \w je_tsd_tls$", tool_output("nm", LIBRARY), re.MULTILINE).group(1)
        self.assertEqual(int(state, 16) % 64, 48)

    def test_thread_local_storage_needs_no_calls(self):
        self.assertNotIn("__tls_get_addr", symbols("--undefined-only"))

    def test_wants_nothing_of_a_cxx_runtime(self):
        wanted = tool_output("nm", "-D", "--undefined-only", LIBRARY)
        self.assertNotRegex(wanted, r"GLIBCXX_|CXXABI_|GCC_|_Unwind_|__cxa_(throw|begin_catch|guard)|\b_Z")

    def test_registers_no_destructor_of_an_object(self):
        """__cxa_atexit is called by jemalloc's figures at exit alone: never with an object of ours."""
        constructors = tool_output("nm", "--defined-only", LIBRARY)
        self.assertNotRegex(constructors, r"_GLOBAL__sub_I")

    def test_makes_no_forbidden_call(self):
        self.assertEqual(symbols("--undefined-only") & FORBIDDEN_CALLS, set())

    def test_is_bound_at_once_and_stays(self):
        dynamic = tool_output("readelf", "-dW", LIBRARY)
        for flag in ("NOW", "NODELETE"):
            self.assertRegex(dynamic, rf"FLAGS.*\b{flag}\b")
        self.assertIn("GNU_RELRO", tool_output("readelf", "-lW", LIBRARY))

    def test_the_hot_entries_fit_into_a_cache_line(self):
        """Two questions and two jumps are all there is. Each begins a line of 64 bytes (preload/symbols/hot_entries.S)."""
        for name in ("malloc", "free", "_Znwm", "_ZdlPv"):
            place, size = re.search(rf"^(\w+) (\w+) T {name}$", tool_output("nm", "-SD", LIBRARY), re.MULTILINE).groups()
            self.assertEqual(int(place, 16) % 64, 0, name)
            self.assertLessEqual(int(size, 16), 64, name)

    def test_has_no_path_of_its_own(self):
        self.assertNotRegex(tool_output("readelf", "-dW", LIBRARY), r"\((RPATH|RUNPATH|TEXTREL)\)")


if __name__ == "__main__":
    unittest.main()
