"""What the command shows on a terminal: one line that says how far it is, and colours that tell a fault from what is fine.

Each command has a pseudo-terminal of a width that the test sets. A failure means a line that is torn, a terminal that is
left with half a line, or control characters in a file."""

import fcntl
import json
import os
import pty
import re
import signal
import struct
import subprocess
import termios
import threading
import time

import harness

ERASE = "\r\x1b[K"
COLUMNS = 70
ECHO = 'echo "{\\"items_per_second\\": 10}"'


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

    def wait_for(self, words, seconds=20):
        until = time.monotonic() + seconds
        while words not in self.text:
            assert time.monotonic() < until, f"{words} never came: {self.text!r}"
            time.sleep(0.02)

    def finish(self):
        """The program's status and all that the terminal got."""
        status = self.program.wait(timeout=60)
        self.reader.join(timeout=60)
        os.close(self.end)
        return status, self.text


def drawings(text):
    """The lines that were drawn, each in the place of the one before."""
    return [line for line in re.split(r"\r\x1b\[K|\r\n", text) if re.search(r"\d+ s\b.*  ", line)]


class Progress(harness.CliTest):
    COMPARE = ("compare", "--allocators", "glibc,off", "--runs", "2", "--", "/bin/sh", "-c", f"sleep 0.6; {ECHO}")

    def test_compare_draws_how_far_it_is(self):
        begin = time.monotonic()
        status, text = Terminal(self.folder, *self.COMPARE).finish()
        seconds = time.monotonic() - begin
        self.assertEqual(status, 0, text)
        lines = drawings(text)
        self.assertIn("round 1 of 2, glibc", lines[0])
        self.assertNotIn("left", lines[0])
        self.assertTrue(any("round 2 of 2" in line for line in lines), lines)
        self.assertRegex(lines[-1], r"^\[#+-+\]  80 %  \d+ s, about \d+ s left  locks of off$")
        self.assertLessEqual(max(map(len, lines)), COLUMNS - 1)
        self.assertLessEqual(len(lines), 10 * seconds + 1)
        self.assertTrue(text.endswith(ERASE), text[-200:])

    def test_a_message_takes_the_place_of_the_line(self):
        _, text = Terminal(self.folder, "compare", "--allocators", "glibc,serve", "--runs", "1", "--", "/bin/sh", "-c",
                           f"sleep 0.3; {ECHO}").finish()
        self.assertIn("profiling one run", "".join(drawings(text)))
        self.assertRegex(text, re.escape(ERASE) + r"memomalloc: [^\r\n]*no pass was seen[^\r\n]*\r\n$")

    def test_ctrl_c_leaves_no_half_line(self):
        terminal = Terminal(self.folder, "compare", "--allocators", "glibc", "--runs", "9", "--", "/bin/sleep", "1")
        terminal.wait_for("round 1 of 9")
        os.killpg(terminal.program.pid, signal.SIGINT)
        status, text = terminal.finish()
        self.assertEqual(status, -signal.SIGINT)
        self.assertTrue(text.endswith(ERASE), text[-200:])

    def hard_instance(self):
        """Long and short lives of many sizes: the search goes on for minutes."""
        rows = [f"{i},{i * 7919 % 997},{i * 7919 % 997 + 1 + i * 104729 % 211},{1 + i * 15485863 % 4093}" for i in range(400)]
        self.write("hard.csv", "id,lower,upper,size\n" + "\n".join(rows) + "\n")

    def test_a_solve_shows_what_is_left_of_its_limit(self):
        self.hard_instance()
        terminal = Terminal(self.folder, "pack", "-i", "hard.csv", "-s", "hill-climb", "-t", "60s", "-o", "solved.csv")
        terminal.wait_for(", at most 5")
        os.killpg(terminal.program.pid, signal.SIGINT)
        status, text = terminal.finish()
        self.assertEqual(status, 0, text)
        self.assertRegex(text, re.escape(ERASE) + r"[^\r\n]*interrupted; this is the best so far")
        self.assertIn("hill-climb", drawings(text)[-1])
        self.assertTrue((self.folder / "solved.csv").exists())

    def assert_no_drawing(self, text):
        self.assertNotIn("\r\x1b", text)
        self.assertEqual(drawings(text), [])

    def test_nothing_is_drawn_where_it_is_not_wanted(self):
        self.assertEqual(Terminal(self.folder, "-q", *self.COMPARE).finish(), (0, ""))
        self.assert_no_drawing(Terminal(self.folder, *self.COMPARE, TERM="dumb").finish()[1])
        self.assert_no_drawing(Terminal(self.folder, "--log-format", "json", *self.COMPARE).finish()[1])
        self.assertEqual(self.run_command(*self.COMPARE)[1], "")

    def test_a_log_says_how_many_passes_were_recorded(self):
        self.write("slow.c", '#include <stdlib.h>\n#include <unistd.h>\n#include "memomalloc/memomalloc.h"\n'
                             "int main(void) { for (int pass = 0; pass < 12000; ++pass) {\n"
                             "  memo_pass_begin(1); free(malloc(100)); memo_pass_end(); usleep(1000); } return 0; }\n")
        self.cc("-O1", "-fno-builtin", "-I", os.environ["MEMO_INCLUDE"], "slow.c", "-o", "slow")
        _, err = self.run_command("profile", "--log-format", "json", "-o", "trace", "--", "./slow")
        messages = [json.loads(line)["message"] for line in err.splitlines() if line.startswith("{")]
        seen = [int(number) for number in re.findall(r"recording, (\d+) passes, \d+ s so far", "\n".join(messages))]
        self.assertTrue(seen and 0 < seen[0] < 12000, err)


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
