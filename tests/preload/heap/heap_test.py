"""How much memory the heap holds where no plan serves: never much more than jemalloc as shipped holds at its most, however often a
program fills and empties it, and no more after a hundred cycles than after fifty. What lay idle throughout the decay time goes back;
what the program wants again and again stays. Judged by memory and page faults, not by time.
"""

import itertools
import os
import subprocess
import unittest

from guest import LIBRARY, program

JEMALLOC = os.environ["GUEST_PLAIN_JEMALLOC"]
CYCLES = "40"
MOST = 1.3  # times what jemalloc as shipped holds at its most
RISE = 1.05  # of the second half's most over the first half's
MIB = 1 << 20

# bytes, least and most bytes of a block, threads, how they are freed, thousandths that are kept
KINDS = {
    "blocks of one small size": (64 * MIB, 160, 160),
    "blocks of a page": (64 * MIB, 4096, 4096),
    "blocks of all sizes": (64 * MIB, 16, MIB),
    "blocks freed by other threads": (64 * MIB, 16, MIB, 4, "by-others"),
    "blocks of which some live on": (64 * MIB, 64, 65536, 2, "shuffled", 50),
    "large blocks": (192 * MIB, MIB, 16 * MIB, 1, "backwards"),
}


def figures(library, *words, **variables):
    environment = {"PATH": os.environ["PATH"], "LD_PRELOAD": library, **variables}
    result = subprocess.run([program("heap_cycles"), *map(str, words)], env=environment, capture_output=True, text=True, timeout=100)
    assert result.returncode == 0, result.stderr
    return [int(line) for line in result.stdout.split()]


def cycles(library, kind, **variables):
    bytes, least, most, *how = KINDS[kind]
    return figures(library, bytes, least, most, CYCLES, *how, **variables)


class HeapMemory(unittest.TestCase):
    def test_the_heap_holds_no_more_the_longer_it_is_filled_and_emptied(self):
        for kind, mode in itertools.product(KINDS, ("off", "serve")):
            with self.subTest(kind=kind, mode=mode):
                held = cycles(LIBRARY, kind, MEMOMALLOC_MODE=mode, MEMOMALLOC_LOG="off")
                half = len(held) // 2
                self.assertLessEqual(max(held[half:]), RISE * max(held[:half]), held)
                self.assertLessEqual(max(held), MOST * max(cycles(JEMALLOC, kind)), held)

    # 300 ms of decay in the place of ten seconds.
    def test_what_lies_idle_throughout_the_decay_time_goes_back(self):
        kept, _ = figures(LIBRARY, "idle", 2500, MEMOMALLOC_MODE="off", MALLOC_CONF="dirty_decay_ms:300")
        self.assertLess(kept, 32 << 10)

    def test_what_lies_idle_for_less_stays(self):
        kept, _ = figures(LIBRARY, "idle", 500, MEMOMALLOC_MODE="off")
        self.assertGreater(kept, 96 << 10)

    # A cycle touches 16,384 pages, and some hundred cycles pass.
    def test_what_is_wanted_again_and_again_stays(self):
        _, faults = figures(LIBRARY, "breathing", 1500, MEMOMALLOC_MODE="off")
        self.assertLess(faults, 1000)

    def test_the_decay_of_the_user_is_heeded(self):
        for decay, least, most in (("0", 0, 32 << 10), ("-1", 96 << 10, 1 << 30)):
            kept, _ = figures(LIBRARY, "idle", 500, MEMOMALLOC_MODE="off", MALLOC_CONF=f"dirty_decay_ms:{decay}")
            self.assertTrue(least <= kept <= most, (decay, kept))


if __name__ == "__main__":
    unittest.main()
