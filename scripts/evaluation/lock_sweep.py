"""What threads wait for the locks of one heap, the more of them there are: figures 2.1 and 2.2 of the thesis.

jemalloc counts for itself how often a lock was taken and how long threads waited. Its sums hold the start of the program, when
there is one thread. Nobody waits then, and the operations of the start are taken off by a run with fewer workers."""

import log_lines
from published import PASSES_OF_THE_WORST_CASE
from rounds import markdown_table

LEAST_MILLISECONDS = 1e-3  # what the picture's axis begins with; less is drawn there


def rows_by_allocator(sweep):
    """allocator -> [(workers, its row)], the fewest workers first."""
    counts = sorted(sweep)
    return {name: [(count, row) for count in counts for row in sweep[count] if row["name"] == name]
            for name in dict.fromkeys(row["name"] for row in sweep[counts[0]])}


def passes_of(workers):
    return workers * PASSES_OF_THE_WORST_CASE


def operations_a_pass(rows):
    """Between the fewest workers and the most; None of one number of workers."""
    (fewest, first), (most, last) = rows[0], rows[-1]
    if fewest == most:
        return None
    return max(0, last["locks"]["operations"] - first["locks"]["operations"]) / (passes_of(most) - passes_of(fewest))


def waited_milliseconds(row, workers):
    """For each pass."""
    return 1000 * row["locks"]["wait_seconds"] / passes_of(workers)


def share_waited(row, workers):
    """Of the time of all threads. The waiting is that of the run in which jemalloc counts, the time that of a run beside it."""
    seconds_of_a_worker = passes_of(workers) / row["figures"]["passes_per_second"]["median"]
    return row["locks"]["wait_seconds"] / (workers * seconds_of_a_worker)


def operations_cell(rows):
    each = operations_a_pass(rows)
    return "–" if each is None else f"{each:,.0f}"


FIGURES = (("waited a pass, ms", lambda row, workers: f"{waited_milliseconds(row, workers):.3f}"),
           ("of the threads' time", lambda row, workers: f"{100 * share_waited(row, workers):.2f} %"),
           ("the longest wait, ms", lambda row, _: f"{1000 * row['locks']['longest_wait_seconds']:.2f}"))


def table_of(results, figure, cell):
    counts = sorted(results[0]["locks"])
    rows = [[result["configuration"].model, allocator, operations_cell(some), *(cell(row, workers) for workers, row in some)]
            for result in results for allocator, some in rows_by_allocator(result["locks"]).items()]
    return markdown_table([figure, "", "lock operations a pass", *(f"{count} workers" for count in counts)], rows) + "\n"


def table(results):
    return "\n".join(table_of(results, figure, cell) for figure, cell in FIGURES)


def picture(results):
    series = {f"{result['configuration'].network}, {allocator}":
              [(workers, max(LEAST_MILLISECONDS, waited_milliseconds(row, workers))) for workers, row in rows]
              for result in results for allocator, rows in rows_by_allocator(result["locks"]).items() if allocator != "serve"}
    return log_lines.draw(series, "workers", "waited for locks of the heap, milliseconds a pass")
