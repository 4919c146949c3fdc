"""rows.py REQUESTS: a service on SQLite in memory: rows are written, changed, asked for in groups, and removed."""
import sqlite3
import sys

from steady import answer

database = sqlite3.connect(":memory:")
database.execute("CREATE TABLE item (id INTEGER PRIMARY KEY, label TEXT, weight INTEGER)")
database.execute("CREATE INDEX item_label ON item (label)")


def respond(number):
    rows = [(f"{(i * 2654435761 + number) % 2**32:x}" * (1 + i % 9), i % 977) for i in range(4000)]
    database.executemany("INSERT INTO item (label, weight) VALUES (?, ?)", rows)
    groups = database.execute("SELECT weight % 10, count(*), max(label) FROM item GROUP BY 1 ORDER BY 1").fetchall()
    database.execute("DELETE FROM item WHERE id % 4 <> 0 OR id < ?", (number * 2000,))
    return str(groups)


answer(int(sys.argv[1]), respond)
