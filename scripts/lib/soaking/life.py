"""A process that answers each line of its input by a line, from its start until it ends or is killed."""

import os
import pathlib
import select
import signal
import subprocess

PATIENCE = 120  # seconds in which a process sleeps and says nothing, until it is taken for one that hangs
KILLED = (-signal.SIGKILL, 128 + signal.SIGKILL)  # the latter is the command's, where its program was killed


def is_asleep(group):
    """Whether all threads of a process group sleep. On a busy machine, those of the lowest priority wait for a processor instead."""
    for stat in pathlib.Path("/proc").glob("[0-9]*/task/*/stat"):
        try:
            state, _, of_group = stat.read_text().rpartition(")")[2].split()[:3]
        except (FileNotFoundError, ProcessLookupError):
            continue  # it has ended
        if int(of_group) == group and state not in "SZ":
            return False
    return True


class DiedError(Exception):
    """It ended where nobody had ended it, or it hung."""


class Life:
    def __init__(self, command, environment, folder):
        self.said = folder / "said"
        self.pid = None  # of the program, which is not always the process that was started
        with self.said.open("w") as said:
            self.process = subprocess.Popen([str(word) for word in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=said, text=True,
                                            cwd=folder, env=environment, start_new_session=True)

    def begin(self):
        """Waits until it can be asked."""
        self.pid = int(self._line())

    def ask(self, number):
        self.send(number)
        return self._line().strip()

    def send(self, number):
        try:
            self.process.stdin.write(f"{number}\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            raise self._died() from None

    def end(self):
        """Ends it in order."""
        self.process.stdin.close()
        self._wait_for_output()  # the end of it
        if self._waited() != 0:
            raise self._died()

    def kill(self, program_alone):
        """Kills the program, or all that was started with it. Raises DiedError where it was dead before."""
        if program_alone and self.pid:
            self._kill_program()
        else:
            os.killpg(self.process.pid, signal.SIGKILL)
        if self._waited() not in KILLED:
            raise self._died()

    def remove(self):
        """Whatever became of it, it is gone now."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        self._waited()

    def _kill_program(self):
        try:
            os.kill(self.pid, signal.SIGKILL)
        except ProcessLookupError:
            raise self._died() from None

    def _waited(self):
        self.process.stdout.close()
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass  # what was to be written to a process that is dead
        return self.process.wait()

    def _line(self):
        self._wait_for_output()
        line = self.process.stdout.readline()
        if not line.endswith("\n"):
            raise self._died()
        return line

    def _wait_for_output(self):
        asleep = 0
        while not select.select([self.process.stdout], [], [], 1)[0]:
            asleep = asleep + 1 if is_asleep(self.process.pid) else 0
            if asleep >= PATIENCE:
                self.remove()
                raise DiedError(f"it slept for {PATIENCE} s and said nothing: {self._last_words()}")

    def _died(self):
        status = self._waited()
        return DiedError(f"it ended with {status}: {self._last_words()}")

    def _last_words(self):
        return " / ".join(self.said.read_text(errors="replace").splitlines()[-3:])
