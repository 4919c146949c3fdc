"""Threads without passes of their own under `memomalloc run`: what they allocate for the passes of another thread is recorded, and the
plan serves it, in the first start as in the next. Failure: another sum than without the library, or fewer than 95 of a hundred of
their allocations served."""

import json
import os
import unittest

from harness import COMMAND, AskedProgram, PassesCase

PASSES = 40


class Pool(AskedProgram):
    """A program that makes passes when it is asked."""

    def __init__(self, *prefix, environment=None):
        super().__init__(os.environ["MEMO_POOL"], prefix=prefix, environment=environment)
        self.run(1)  # starts its threads

    def run(self, passes):
        return self.ask(passes)


class Workers(PassesCase):
    def setUp(self):
        super().setUp()
        with Pool() as program:
            self.expected = program.run(PASSES)

    def started(self):
        return Pool(COMMAND, "run", "--stats", str(self.folder / "stats"), "--",
                    environment={"XDG_CACHE_HOME": str(self.folder)})

    def ask(self, program):
        self.assertEqual(program.run(PASSES), self.expected)

    def statistics(self):
        return json.loads((self.folder / "stats").read_text())

    def test_their_work_is_served_in_the_first_start_and_in_the_next(self):
        with self.started() as program:
            self.wait_until_plans_serve(program, 1, lambda: self.ask(program))
            for _ in range(5):
                self.ask(program)
        self.assertGreater(self.statistics()["worker_served"], 0, self.statistics())
        with self.started() as program:
            for _ in range(10):
                self.ask(program)
        of_workers = self.statistics()
        self.assertGreater(of_workers["worker_served"], 95 * (of_workers["worker_served"] + of_workers["worker_fallback"]) / 100, of_workers)


if __name__ == "__main__":
    unittest.main()
