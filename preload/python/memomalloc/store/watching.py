"""Watches one machine's plan for as long as a program runs. Asks the store only until there is a plan here. From then on it
looks at the plan's file alone, and stores what is learned: a fleet that serves asks its store nothing."""
import random
import time

from . import deadline
from .errors import StoreError

BETWEEN_LOOKS = 0.5     # seconds, at the file of the plan
LONGEST_PAUSE = 600     # between questions to a store that does not answer
FINISH = 35             # seconds for which the planner may finish a plan after its program (docs/run.md)


class Watch:
    def __init__(self, exchange, messages, every, timeout, ends):
        self._exchange, self._messages, self._every, self._timeout, self._ends = exchange, messages, every, timeout, ends
        self._pause = every
        self._due = 0.0
        self._is_down = False

    def first_look(self):
        """Pulls what is there, before the program makes its first pass."""
        self._ask(self._exchange.pull)

    def run(self):
        while not self._ends():
            self._look()
            time.sleep(BETWEEN_LOOKS)
        self._see_the_plan_finished()

    def _look(self):
        """What is learned goes to the store at once, unless that is down."""
        is_due = time.monotonic() >= self._due
        if self._exchange.has_plan():
            if is_due or not self._is_down:
                self._ask(self._exchange.push)
        elif is_due:
            self._ask(self._exchange.pull)
            self._wait(self._pause)

    def _see_the_plan_finished(self):
        end = time.monotonic() + FINISH
        while not self._exchange.has_plan() and time.monotonic() < end:
            time.sleep(BETWEEN_LOOKS)
        if self._exchange.has_plan():
            self._ask(self._exchange.push)

    def _ask(self, question):
        try:
            deadline.within(self._timeout, question)
        except StoreError as error:
            self._note_failure(error)
        else:
            self._note_answer()

    def _note_failure(self, error):
        if not self._is_down:
            self._messages.trouble("{}; the program runs on, and learns by itself what it has no plan for".format(error))
        self._is_down = True
        self._pause = min(2 * self._pause, LONGEST_PAUSE)
        self._wait(self._pause)

    def _note_answer(self):
        if self._is_down:
            self._messages.note("the store answers again")
        self._is_down = False
        self._pause = self._every

    def _wait(self, seconds):
        """By chance somewhat longer or shorter, so that machines that start together do not go on asking together."""
        self._due = time.monotonic() + seconds * random.uniform(0.5, 1.5)


def ended(process):
    """A question: whether the process of this number has ended. A later process with its number is another one."""
    begun = _start_of(process)
    return lambda: begun is None or _start_of(process) != begun


def _start_of(process):
    """None for one that is gone, or that only its parent's wait keeps."""
    try:
        with open("/proc/{}/stat".format(process)) as file:
            fields = file.read().rpartition(")")[2].split()
    except OSError:
        return None
    return None if fields[0] in "ZX" else fields[19]


def never():
    return False
