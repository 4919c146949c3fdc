"""Programs that run at the same time and yet never at once: each in turn gets a slice of the clock, and the others are stopped meanwhile.
So what else the machine does, minute by minute, meets all of them alike, which it does not where one is started after the other."""

import contextlib
import os
import signal
import threading

from resident import LooksInBackground

SECONDS = 0.05


class Slices(LooksInBackground):
    """To be entered before the programs are started, each in a session of its own."""

    def __init__(self):
        super().__init__()
        self.held = threading.Lock()  # as long as somebody has it, nothing changes
        self._sessions = []

    @contextlib.contextmanager
    def with_one_more(self, session):
        """The program has slices, and stands still before its first."""
        with self.held:
            self._sessions.append(session)
            tell(session, signal.SIGSTOP)
        try:
            yield
        finally:
            with self.held:
                self._sessions.remove(session)
                tell(session, signal.SIGCONT)

    def _keep_looking(self):
        while not self.over.wait(SECONDS):
            with self.held:
                if not self._sessions:
                    continue
                self._sessions.append(self._sessions.pop(0))
                tell(self._sessions[-1], signal.SIGSTOP)
                tell(self._sessions[0], signal.SIGCONT)


def tell(session, word):
    with contextlib.suppress(ProcessLookupError):
        os.killpg(session, word)
