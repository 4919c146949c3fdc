"""tables.py REQUESTS: pandas on tables of random length, as a job that reports: join, group, sort, and write as CSV."""
import sys

import numpy
import pandas
from steady import answer


def respond(number):
    random = numpy.random.default_rng(number)
    count = int(random.integers(20000, 60000))
    sales = pandas.DataFrame({"shop": random.integers(500, size=count), "amount": random.integers(1000, size=count),
                              "text": random.integers(100, size=count).astype(str)})
    shops = pandas.DataFrame({"shop": range(500), "town": [f"town {i % 37}" for i in range(500)]})
    merged = sales.merge(shops, on="shop").groupby(["town", "text"]).amount.agg(["sum", "max"]).sort_values(["sum", "max"])
    return merged.reset_index().to_csv()


answer(int(sys.argv[1]), respond)
