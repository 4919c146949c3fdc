"""Programs whose calls the library hands on to the next allocator in line: one of a checker, or one that stands in front.

The program does what it does without the library, and one line says why nothing is served. Failure: another output or status,
no line, or a checker that no longer sees every block.
"""

import unittest

from guest import LIBRARY, program, run
from unaffected import Unaffected


class NextAllocator(Unaffected):
    def test_an_allocator_in_front(self):
        """Every call goes there: the line says which it is and what to do. Behind the library it is nobody's business."""
        front = program("libfront_allocator.so")
        for name in ("unaffected", "unaffected_fixed"):
            for mode in ("off", "profile", "serve", "auto"):
                result = run([program(name)], LD_PRELOAD=f"{front}:{LIBRARY}", MEMOMALLOC_MODE=mode)
                self.assert_unaffected(result)
                self.assert_one_line(result, f"{front} stands before this library", f"put {LIBRARY} first in LD_PRELOAD")
            result = run([program(name)], LD_PRELOAD=f"{LIBRARY}:{front}")
            self.assert_unaffected(result)
            self.assertEqual(result.stderr, "")

    def test_address_sanitizer_as_a_library(self):
        """It insists on being the first library unless told otherwise; that is its own message, not ours. Told so, it
        still sees every block: it finds the read past the end."""
        options = {"ASAN_OPTIONS": "verify_asan_link_order=0:detect_leaks=0"}
        result = run([program("unaffected_asan")], **options)
        self.assert_unaffected(result)
        self.assert_one_line(result, "AddressSanitizer")
        result = run([program("unaffected_asan"), "overrun"], **options)
        self.assertIn("heap-buffer-overflow", result.stderr)


if __name__ == "__main__":
    unittest.main()
