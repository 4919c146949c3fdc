"""Takes the marks of engines off while serving stands aside for every pass: a call then costs what it costs without the library.
Puts them back for another look.

    marks | on, all passes stand aside for a minute | off for ten minutes, or until there is another plan | on …

While they are off, nothing of ours runs. Only Python's garbage collector calls back, after each of its collections. Where the
program has switched that off for good, the marks stay off.

The functions of the program stay its own: a mark is taken off, and put back, only where nothing else was put in its place
meanwhile. Tracers do that for a while.
"""
import gc
import sys
import time

from . import questions
from .marks import thread

ROW_SECONDS = 60.0  # in which every pass of every thread stood aside
PASSES_BETWEEN_CLOCKS = 64
OFF_SECONDS = 600.0  # as long as the library lets a kind stand aside before it compares it again
LOOK_SECONDS = 10.0  # between two looks for another plan

clock = time.monotonic
_ABSENT = object()


class Mark:
    """A function that marks, in the place of a class's or module's own. It stays as it is while `is_fixed()`."""

    def __init__(self, owner, name, marking, is_fixed):
        self._owner, self._name, self._marking, self._is_fixed = owner, name, marking, is_fixed
        self._before = vars(owner).get(name, _ABSENT)  # absent where the owner inherits it
        setattr(owner, name, marking)

    def take_off(self):
        self._exchange(self._marking, self._before)

    def put_back(self):
        """Returns whether it is on, or never will be again."""
        return self._exchange(self._before, self._marking) or self._is_fixed() or self._present() is self._marking

    def _present(self):
        return vars(self._owner).get(self._name, _ABSENT)

    def _exchange(self, old, new):
        if self._present() is not old or self._is_fixed():
            return False
        try:
            setattr(self._owner, self._name, new) if new is not _ABSENT else delattr(self._owner, self._name)
        except AttributeError:
            pass  # another thread has done it
        return True


class MarkSwitch:
    """The marks of this process. Any thread may call; two of them at once may lose a count, and do the same otherwise."""

    def __init__(self):
        self.row = 0  # passes in a row that stood aside
        self.returns = 0  # how often the marks came back
        self._row_began = 0.0
        self._is_off = False
        self._ends_at = self._looks_at = 0.0
        self._plans = None
        self._marks = []
        self._calls = {}  # code of the functions that are marked, by its address

    def mark(self, owner, name, original, marking, is_fixed=lambda: False):
        """Puts `marking` in the place of the owner's function, from now on."""
        self._marks.append(Mark(owner, name, marking, is_fixed))
        code = _code_of(original)
        if code is not None:
            self._calls[id(code)] = code

    def stands_aside(self):
        """Takes note of a pass that serving stands aside for. Whoever begins one that it does not sets `row` to 0."""
        self.row += 1
        if self.row == 1:
            self._row_began = clock()
        elif self.row % PASSES_BETWEEN_CLOCKS == 0 and not self._is_off:
            now = clock()
            if now - self._row_began >= ROW_SECONDS:
                self._begin(now)

    def began_unmarked(self):
        """Whether the thread is inside a call that began while the marks were off: what that calls is no pass of its own. To be asked
        once the marks have come back. Walks up the stack until the thread has been seen outside of such a call."""
        if thread.returns == self.returns:
            return False
        if self._is_inside_call(sys._getframe(1)):
            return True
        thread.returns = self.returns
        return False

    def _is_inside_call(self, frame):
        while frame is not None:
            if id(frame.f_code) in self._calls:
                return True
            frame = frame.f_back
        return False

    def _begin(self, now):
        callbacks = getattr(gc, "callbacks", None)
        if callbacks is None or not self._marks:
            return
        self._ends_at, self._looks_at = now + OFF_SECONDS, now + LOOK_SECONDS
        self._plans = _plans_taken_up()
        if self._look not in callbacks:
            callbacks.append(self._look)
        self._is_off = True
        for mark in self._marks:
            mark.take_off()

    def _look(self, phase, _):
        if not self._is_off or phase != "stop":
            return
        now = clock()
        if now < self._looks_at:
            return
        self._looks_at = now + LOOK_SECONDS
        if now >= self._ends_at or _plans_taken_up() != self._plans:
            self._end()

    def _end(self):
        """Counts the return first: a thread may call a function that is marked again before all are. Tries again later where somebody
        else's function is in a place."""
        self.row = 0
        self.returns += 1
        self._is_off = not all([mark.put_back() for mark in self._marks])


def _code_of(function):
    """Of the function itself: what decorators put around it is shared by all that they decorate."""
    while hasattr(function, "__wrapped__"):
        function = function.__wrapped__
    return getattr(function, "__code__", None)


def _plans_taken_up():
    try:
        return questions.stats().get("plans_loaded")
    except Exception:
        return None


switch = MarkSwitch()
