"""How far a script is, on stderr: on a terminal one line that is drawn again and again, elsewhere a line now and then.

    results = [check(case) for case in progress.over("check/aside", cases)]

The time left comes from the cases that were done, so there is none before the first."""

import atexit
import contextlib
import os
import sys
import threading
import time

ERASE = "\r\x1b[K"
BETWEEN_DRAWINGS = 0.5  # seconds
BETWEEN_LINES = 10


def duration(seconds):
    seconds = round(max(0, seconds))
    if seconds < 60:
        return f"{seconds} s"
    if seconds < 3600:
        return f"{seconds // 60} min {seconds % 60} s"
    return f"{seconds // 3600} h {seconds % 3600 // 60} min"


def columns_of(stream):
    """The width of the terminal, or 80 where it does not say."""
    try:
        return os.get_terminal_size(stream.fileno()).columns or 80
    except OSError:
        return 80


class Pace:
    """How long the cases took that were done, and so how long the others take. Cases that were there before cost nothing, and
    count for neither."""

    def __init__(self, to_do, now):
        self.to_do, self.done = to_do, 0
        self.began = self.case_began = now
        self.spent = 0.0

    def case_ended(self, now, was_there):
        if not was_there:
            self.done += 1
            self.spent += now - self.case_began
        self.case_began = now

    def left(self, now):
        """Seconds, or None where nobody knows. A case that takes longer than the others leaves the time of those after it."""
        if self.done == 0:
            return None
        mean = self.spent / self.done
        return mean * (self.to_do - self.done) - min(mean, now - self.case_began)


def sentence(title, number, count, name, elapsed, left):
    """`number` counts from 0."""
    rest = "" if left is None else f", about {duration(left)} left"
    return f"{title}: {number + 1} of {count}, {name}: after {duration(elapsed)}{rest}"


class Erasing:
    """A stream that removes the drawn line before anything is written to it."""

    def __init__(self, stream, line):
        self.stream, self.line = stream, line

    def write(self, text):
        with self.line.lock:
            self.line.erase()
            return self.stream.write(text)

    def __getattr__(self, name):
        return getattr(self.stream, name)


class Line:
    def __init__(self, stream, clock):
        self.stream, self.clock = stream, clock
        self.on_terminal = stream.isatty()
        self.lock = threading.RLock()
        self.over = threading.Event()
        self.is_drawn = False
        self.said = clock()

    def erase(self):
        if self.is_drawn:
            self.stream.write(ERASE)
            self.stream.flush()
        self.is_drawn = False

    def show(self, text):
        with self.lock:
            if self.over.is_set():
                return
            if self.on_terminal:
                self.stream.write(ERASE + text[:columns_of(self.stream) - 1])
                self.stream.flush()
                self.is_drawn = True
            elif self.clock() - self.said >= BETWEEN_LINES:
                print(text, file=self.stream, flush=True)
                self.said = self.clock()

    def keep_drawing(self, text_now):
        while not self.over.wait(BETWEEN_DRAWINGS):
            self.show(text_now())

    @contextlib.contextmanager
    def drawn(self, text_now):
        """Draws what `text_now` says until the end. Elsewhere than on a terminal nothing goes on between two cases."""
        if not self.on_terminal:
            yield
            return
        outputs = sys.stdout, sys.stderr
        sys.stdout, sys.stderr = (Erasing(output, self) for output in outputs)
        drawing = threading.Thread(target=self.keep_drawing, args=(text_now,), daemon=True)
        drawing.start()
        atexit.register(self.end)  # a script that fails may keep what would end the line until then
        try:
            yield
        finally:
            atexit.unregister(self.end)
            self.end()
            drawing.join()
            sys.stdout, sys.stderr = outputs

    def end(self):
        with self.lock:
            self.over.set()
            self.erase()


def over(title, cases, *, name=str, was_there=lambda case: False, stream=None, clock=time.monotonic):
    """Yields the cases, and says how far they are. `was_there` says of which nothing is left to do."""
    cases = list(cases)
    there = [was_there(case) for case in cases]
    pace = Pace(there.count(False), clock())
    line = Line(stream or sys.stderr, clock)
    number = 0

    def text_now():
        now = clock()
        return sentence(title, number, len(cases), name(cases[number]), now - pace.began, pace.left(now))

    if not cases:
        return
    with line.drawn(text_now):
        for number, case in enumerate(cases):
            line.show(text_now())
            yield case
            pace.case_ended(clock(), there[number])
