"""What the command shows on a terminal: colours that tell a fault from what is fine.

Each command has a pseudo-terminal. A failure means colours that mislead, or control characters in a file."""

import fcntl
import os
import pty
import re
import struct
import subprocess
import termios
import threading

import harness

COLUMNS = 70


class Terminal:
    """A program whose stderr, and stdout if asked for, is a terminal."""

    def __init__(self, folder, *words, stdout=False, **variables):
        self.end, program_end = pty.openpty()
        fcntl.ioctl(program_end, termios.TIOCSWINSZ, struct.pack("HHHH", 24, COLUMNS, 0, 0))
        environment = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
        self.program = subprocess.Popen([harness.command(), *words], cwd=folder, stderr=program_end, start_new_session=True,
                                        env={**environment, "TERM": "xterm", **variables},
                                        stdout=program_end if stdout else subprocess.DEVNULL)
        os.close(program_end)
        self.pieces = []
        self.reader = threading.Thread(target=self.read)
        self.reader.start()

    def read(self):
        while True:
            try:
                piece = os.read(self.end, 4096)
            except OSError:  # nobody has the other end any more
                return
            if not piece:
                return
            self.pieces.append(piece)

    @property
    def text(self):
        return b"".join(self.pieces).decode()

    def finish(self):
        """The program's status and all that the terminal got."""
        status = self.program.wait(timeout=60)
        self.reader.join(timeout=60)
        os.close(self.end)
        return status, self.text


class Colours(harness.CliTest):
    def levels(self, **variables):
        """How doctor writes a fault and what is fine."""
        _, text = Terminal(self.folder, "doctor", "--trial", "0", "--", "./missing", stdout=True, **variables).finish()
        return {word: re.search(rf"(\x1b\[[0-9;]*m)?{word} ", text).group(1) for word in ("FAULT", "fine")}

    def test_a_fault_and_what_is_fine_differ(self):
        colours = self.levels()
        self.assertTrue(all(colours.values()), colours)
        self.assertNotEqual(colours["FAULT"], colours["fine"])

    def test_no_colours_where_they_are_not_wanted(self):
        self.assertEqual(set(self.levels(NO_COLOR="1").values()), {None})
        self.assertEqual(set(self.levels(NO_COLOR="").values()), set(self.levels().values()))
        self.assertNotIn("\x1b", self.run_command("doctor", "--trial", "0", "--", "./missing", status=5)[0])


if __name__ == "__main__":
    harness.main()
