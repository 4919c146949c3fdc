"""Draws cases for edges_test.py: what a stranger may put into the library's variables, its plan and its files.

Each case follows from a seed and its number alone, so that one that fails can be run again by itself. Values are mostly
near-valid: a program that refuses all of its input at the door tests nothing but the door.
"""

import os
import pathlib
import random
import re
import socket
import struct

SOURCE = pathlib.Path(__file__).parents[2]
WORDS = re.compile(r'X\(k\w+,\s*"(MEMOMALLOC_\w+)",\s*"[^"]*",\s*"([^"]*)"')
ROW_OF_OPTION = [match.groups() for match in WORDS.finditer((SOURCE / "runtime/formats/guest_options.h").read_text())]

# The memory that lanes may take unless a case draws another limit, so that no case takes the machine's.
BUDGET = 256 << 20

CHECKSUM_START = 24  # offset of PlanHeader::file_bytes; the checksum lies in the 8 bytes before it
WORD = (1 << 64) - 1

NUMBERS = ["0", "1", "2", "3", "7", "9", "-1", "+1", " 1", "1 ", "0x10", "1e3", "1.5", "00000000000000000001", "", "nan"]
HUGE_NUMBERS = [str(value) for value in (2**31 - 1, 2**31, 2**32, 2**63, 2**64 - 1, 2**64, 10**30)]
SIZES = ["1", "4K", "64M", "512M", "1.5G", "0", "M", "-1M", "16E", "99999999999999999999G", "1MM", "12 M"]
PATTERNS = ["*", "?", "", ",", ",,,,", "*a*b*c*d*e*f*g*", "main", "nobody_has_this_name", "mal*", "_Z*", "*" * 500, "answer*,", "\\*",
            ",".join(f"pass_{i}*" for i in range(2000))]
INTERESTING = [0, 1, 2, 63, 64, 65, 127, 255, 1023, 1024, 1025, 0x7fff, 0xffff, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**40, 2**63, WORD]
LENGTHS = [1, 10, 100, 255, 256, 4095, 4096, 4097, 17000, 40000]


def checksum(data):
    """As plan_checksum() in plan_format.h."""
    total = 0x9e3779b97f4a7c15 ^ len(data)
    padded = data + bytes(-len(data) % 8)
    for (word,) in struct.iter_unpack("<Q", padded):
        total = (total ^ word) * 0xff51afd7ed558ccd & WORD
        total ^= total >> 32
    return total


def sealed(plan):
    """The plan with its size and its checksum put right, so that the loader looks at the rest."""
    if len(plan) < CHECKSUM_START + 8:
        return plan
    counted = struct.pack("<Q", len(plan)) + plan[CHECKSUM_START + 8:]
    return plan[:CHECKSUM_START - 8] + struct.pack("<Q", checksum(counted)) + counted


class Place:
    """The folder of one run, with special files of every kind in it."""

    def __init__(self, folder):
        self.folder = folder
        (folder / "file").write_text("something that was there")
        (folder / "sub").mkdir()
        (folder / "link").symlink_to("file")
        (folder / "dangling").symlink_to("sub/new")
        (folder / "loop").symlink_to("loop")
        (folder / "link-to-sub").symlink_to("sub")
        os.mkfifo(folder / "pipe")
        with socket.socket(socket.AF_UNIX) as endpoint:
            endpoint.bind(os.path.relpath(folder / "socket"))
        with open(folder / "sparse", "wb") as sparse:
            sparse.truncate(1 << 32)
        (folder / "unreadable").write_text("x")
        (folder / "unreadable").chmod(0)

    def names(self):
        names = ["file", "sub", "link", "dangling", "loop", "link-to-sub", "pipe", "socket", "sparse", "unreadable", "new", "sub/new",
                 "missing/new", "file/new", "n" * 255, "n" * 256, "/".join(["sub/.."] * 700), "%c.%p.new", "%s%n%d", "ä\udc80"]
        return [str(self.folder / name) for name in names]

    def special(self):
        return ["/dev/null", "/dev/full", "/dev/zero", "/proc/self/status", "/nonexistent/new", "new", ".", "..", "\x01\x7f"]


class Case:
    """One start of the program: its variables, its plan, and what another process does meanwhile."""

    def __init__(self, seed, number, place, plan, command):
        self.draw = random.Random(f"{seed}.{number}")
        self.place = place
        self.command = command
        self.good_plan = plan
        self.plan_kind, self.plan = self._draw_plan()
        self.variables = self._draw_variables()
        self.disturbance = self.draw.choices(
            ["none", "scribble", "fill", "remove", "replace", "rights", "append", "plan"], [8, 3, 2, 1, 1, 1, 1, 4])[0]

    def _draw_plan(self):
        kind = self.draw.choices(["good", "mutated", "cut", "random", "absent", "special"], [8, 8, 2, 1, 1, 2])[0]
        if kind == "special":
            return kind, self.draw.choice(self.place.names() + self.place.special())
        path = self.place.folder / "plan"
        data = {"good": lambda: self.good_plan, "mutated": self.mutated_plan, "absent": lambda: None,
                "cut": lambda: self.good_plan[:self.draw.randrange(len(self.good_plan))],
                "random": lambda: self.draw.randbytes(self.draw.choice(LENGTHS))}[kind]()
        if data is not None:
            path.write_bytes(data)
        return kind, str(path)

    def mutated_plan(self):
        data = bytearray(self.good_plan)
        for _ in range(self.draw.choice([1, 1, 2, 4, 16])):
            self._mutate(data)
        return sealed(bytes(data))

    def _mutate(self, data):
        at = self.draw.randrange(0, len(data), 4)
        width, form = self.draw.choice([(1, "<B"), (2, "<H"), (4, "<I"), (8, "<Q")])
        if at + width > len(data):
            return
        old = struct.unpack_from(form, data, at)[0]
        new = self.draw.choice([*INTERESTING, old + 1, old - 1, old * 2, old ^ 1 << self.draw.randrange(8 * width)])
        struct.pack_into(form, data, at, new & (1 << 8 * width) - 1)

    def _draw_variables(self):
        variables = self._ordinary()
        for name, kind in self.draw.sample(ROW_OF_OPTION, self.draw.choice([0, 1, 1, 2, 3, 6])):
            if self._may_be_drawn(name):
                variables[name] = self._value(name, kind)
        if self.draw.random() < 0.15:
            variables[self._other_name()] = self.text()
        return variables

    def _ordinary(self):
        folder = self.place.folder
        mode = self.draw.choices(["serve", "profile", "auto", "off"], [12, 3, 1, 1])[0]
        return {"MEMOMALLOC_MODE": mode, "MEMOMALLOC_PLAN": self.plan, "MEMOMALLOC_TRACE": str(folder / "trace"),
                "MEMOMALLOC_MEMORY_BUDGET": str(BUDGET), "MEMOMALLOC_TRACE_LIMIT": "64", "MEMOMALLOC_LIVE": str(folder / "live"),
                "MEMOMALLOC_STATS": str(folder / "stats"), "MEMOMALLOC_STATS_EVERY": "1", "MEMOMALLOC_PLANNER": self.command,
                "TMPDIR": str(folder / "sub"), "HOME": str(folder / "sub"), "XDG_CACHE_HOME": str(folder / "sub")}

    def _may_be_drawn(self, name):
        """A plan that is mutated may be as high as it likes: then the limit of memory stays."""
        return name != "MEMOMALLOC_PLAN" and (name != "MEMOMALLOC_MEMORY_BUDGET" or self.plan_kind == "good")

    def _value(self, name, kind):
        if name == "MEMOMALLOC_LANES":  # all of them have memory from the start
            return self.draw.choice(NUMBERS)
        if self.draw.random() < 0.15:
            return self.text()
        if "|" in kind and kind.islower():
            return self._choice(kind.split("|"))
        if kind == "N":
            return self.draw.choice(NUMBERS + HUGE_NUMBERS)
        if kind == "SIZE":
            return self.draw.choice(SIZES)
        if kind == "":
            return self.draw.choice(["0", "1", "2", "yes", "", "01"])
        if kind.startswith("GLOB"):
            return self.draw.choice(PATTERNS)
        if name == "MEMOMALLOC_PLANNER":
            return self.draw.choice([self.command, "/bin/true", "/bin/false", *self.place.names()])
        return self.draw.choice([*self.place.names(), *self.place.special(), *kind.split("|")[1:]])

    def _choice(self, words):
        word = self.draw.choice(words)
        return self.draw.choice([word, word, "|".join(words), f"{word}|", f"|{word}", "|", word[:-1], word + " ", word.upper(),
                                 "|".join(words[:2]), word * 100])

    def text(self):
        """Any text that names no file outside of the folder."""
        length = self.draw.choice(LENGTHS)
        letters = self.draw.choice(["a", "%s", "ab|,*?", "0123456789", "".join(map(chr, range(1, 127))).replace("/", ""), "äé€\udcff"])
        return "".join(self.draw.choices(letters, k=length)).replace("..", "--")

    def _other_name(self):
        known = self.draw.choice(ROW_OF_OPTION)[0]
        at = self.draw.randrange(len(known))
        return self.draw.choice([known[:at] + known[at + 1:], known + "X", "MEMOMALLOC_", "MEMOMALLOC_" + "A" * 5000, "MEMOMALOC_MODE",
                                 known[:at] + "_" + known[at:]])
