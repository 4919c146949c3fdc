"""A Python server that closes every descriptor it does not know (os.closerange), then writes a database and files, and checks
each byte of them. What is between forward() is a pass where the library is loaded.

    closing_script.py FOLDER LIMIT [until_served]

With the last word it goes on making passes until a plan serves some of them, and then does all that once more.
"""

import contextlib
import ctypes
import json
import os
import sqlite3
import sys
import time

ROUNDS, FILES, PASSES = 2, 100, 25
PATIENCE = 60  # seconds for a plan to come on a busy machine
BEGIN, END = (getattr(ctypes.CDLL(None), f"memo_pass_{name}", lambda *_: None) for name in ("begin", "end"))
passes = 0


@contextlib.contextmanager
def forward():
    global passes
    passes += 1
    BEGIN(ctypes.c_uint64(0))
    try:
        yield
    finally:
        END()


def answer(number):
    with forward():
        return bytes((number * 7 + i) % 256 for i in range(2000)).hex()


def write_rows(database, start):
    with database:
        for number in range(start, start + PASSES):
            database.execute("INSERT INTO answers VALUES (?, ?)", (number, answer(number)))


def check_rows(database, rows):
    assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    found = database.execute("SELECT number, text FROM answers ORDER BY number").fetchall()
    assert found == [(number, plain(number)) for number in range(rows)], f"{len(found)} rows of {rows}"


def plain(number):
    return bytes((number * 7 + i) % 256 for i in range(2000)).hex()


def write_files(folder, number):
    files = [open(os.path.join(folder, f"file.{number}.{i}"), "wb") for i in range(FILES)]
    for turn in range(2):
        for i, file in enumerate(files):
            file.write(plain(i + turn).encode())
            file.flush()
        answer(turn)
    for file in files:
        file.close()


def check_files(folder, number):
    for i in range(FILES):
        with open(os.path.join(folder, f"file.{number}.{i}"), "rb") as file:
            assert file.read() == (plain(i) + plain(i + 1)).encode(), file.name


def some_is_served():
    text = ctypes.create_string_buffer(1 << 14)
    ctypes.CDLL(None).memo_stats_json(text, ctypes.c_size_t(len(text)))
    return json.loads(text.value)["served"] > 0


def answer_until_served():
    end = time.monotonic() + PATIENCE
    while not some_is_served():
        assert time.monotonic() < end, "nothing is served"
        for turn in range(PASSES):
            answer(turn)


def one_round(folder, limit, number):
    os.closerange(3, limit)
    database = sqlite3.connect(os.path.join(folder, "answers.db"))
    database.execute("PRAGMA synchronous = OFF")  # the disk is not on trial
    database.execute("CREATE TABLE IF NOT EXISTS answers (number INTEGER, text TEXT)")
    write_rows(database, number * PASSES)
    write_files(folder, number)
    check_rows(database, (number + 1) * PASSES)
    database.close()


def main(folder, limit, until_served=None):
    answer(0)  # a recorder opens its trace, and the database gets the number
    rounds = ROUNDS
    for number in range(rounds):
        one_round(folder, limit, number)
    if until_served:
        answer_until_served()
        one_round(folder, limit, rounds)
        rounds += 1
    for number in range(rounds):
        check_files(folder, number)
    with open(os.path.join(folder, "passes"), "w", encoding="ascii") as file:
        file.write(str(passes))


main(sys.argv[1], int(sys.argv[2]), *sys.argv[3:])
