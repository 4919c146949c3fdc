"""The thesis's own figures beside ours, as far as results have them: its numbers in full, and what its text says of its pictures."""

import lock_sweep
import published
import summary
from intervals import ratio_of
from rounds import markdown_table
from summary import MEBIBYTE, has, ratio_cell, times_as_fast
from turns import by

SMALLEST = (1, 128)  # batch and side: the input size of 128 that the thesis speaks of
NETWORKS_OF_5_1 = published.SLOWER_AT_128


def peer_of(results):
    """jemalloc as the thesis set it up, or as it is shipped where that was not measured; None of neither."""
    return next((name for name in ("jemalloc-thesis", "jemalloc") if name in summary.peers_of(results)), None)


def less_time(times):
    return 1 - 1 / times


def percent(share, digits=0):
    return f"{100 * share:.{digits}f} %"


def less_time_cell(ratio):
    interval = f" ({percent(less_time(ratio['low']))} to {percent(less_time(ratio['high']))})" if "low" in ratio else ""
    return percent(less_time(ratio["value"])) + interval


def is_smallest(result):
    made = result["configuration"]
    return (made.batch, made.side) == SMALLEST


def of_network(results, network):
    return [result for result in results if result["configuration"].network == network and is_smallest(result)]


def speed_rows(results):
    if (peer := peer_of(results)) is None:
        return
    values = [times_as_fast(result, peer)["value"] for result in results]
    yield "abstract, 4", f"less time a pass than {peer}, mean", percent(published.LESS_LATENCY_MEAN), less_time_cell(ratio_of(values))
    yield "abstract, 4", "the same, most", percent(published.LESS_LATENCY_MOST), percent(less_time(max(values)))
    yield "5", "configurations that are faster", "almost all of 288", f"{sum(value > 1 for value in values)} of {len(values)}"
    for network in published.SLOWER_AT_128:
        for result in of_network(results, network):
            yield "5, figure 4.1a", f"{result['configuration'].name}, times as fast", "slower", ratio_cell(times_as_fast(result, peer))
    yield from worker_rows(results, peer)


def worker_rows(results, peer):
    groups = by(results, lambda result: result["configuration"].workers)
    for workers, some in groups.items() if len(groups) > 1 else ():
        yield ("figure 4.1", f"workers: {workers}, times as fast, mean", "a picture",
               ratio_cell(ratio_of([times_as_fast(result, peer)["value"] for result in some])))


def intermediate_rows(results):
    for result in results:
        made = result["configuration"]
        if (thesis := published.INTERMEDIATES.get(made.network)) is None or made.workers != 1:
            continue
        most = summary.median(summary.allocators_of(result)["serve"], "resident_peak")
        yield ("1", f"intermediates of {made.model}, of the memory of a run",
               f"{percent(thesis.share)} of {thesis.megabytes:,} MB, inputs not said",
               f"{percent(peak_of(result['buffers']) / most)} of {most / MEBIBYTE:,.0f} MiB")


def peak_of(buffers):
    events = sorted((moment, change) for one in buffers for moment, change in ((one["lower"], one["size"]), (one["upper"], -one["size"])))
    alive = most = 0
    for _, change in events:
        alive += change
        most = max(most, alive)
    return most


def size_rows(results):
    for result in results:
        made, buffers = result["configuration"], result["buffers"]
        below = sum(one["size"] < published.OVERSIZE_THRESHOLD for one in buffers) / len(buffers)
        figures = "figures 2.3, 5.1" if made.network in NETWORKS_OF_5_1 else "figure 2.3"
        yield figures, f"allocations of {made.model} below 1 MB", "most", percent(below, 1)


def captured_rows(results):
    for network, thesis in published.TABLE_3_1.items():
        for result in of_network(results, network):
            total = sum(one["size"] for one in result["buffers"])
            yield ("table 3.1", f"{network}, allocations that the profiler saw", f"{thesis.allocations:,}", f"{len(result['buffers']):,}")
            yield ("table 3.1", f"{network}, MB of them", thesis.megabytes, f"{total / MEBIBYTE:.1f}")


def slab_rows(results):
    for result in of_network(results, "googlenet"):
        height = max(variant["height"] for variant in result["variants"])
        yield ("figure 5.2", "googlenet keeps through a pass, MB", published.GOOGLENET_SLAB_MEGABYTES, f"{height / MEBIBYTE:.2f}")


def strategy_rows(results):
    for result in results:
        model, of = result["configuration"].model, {some: tried["greedy-size"] for some, tried in result["strategies"].items()}
        yield ("figure 3.4", f"greedy by size on {model}, over the bound", "nearly optimal", summary.height_cell(of["pass"]))
        yield ("figure 3.3", f"its planning time on {model}: blocks above 1 KiB, and all", "fast enough before each pass",
               f"{1000 * of['tensors']['seconds']:.1f} ms, {1000 * of['pass']['seconds']:.1f} ms")


def lock_rows(results):
    for result in results:
        for allocator, rows in lock_sweep.rows_by_allocator(result["locks"]).items():
            workers, row = rows[-1]
            yield ("figures 2.1, 2.2", f"{result['configuration'].model}, {workers} workers, {allocator}: waits for locks",
                   f"most passes for long, with {published.THREADS_THAT_WAIT} threads and one arena",
                   f"{percent(lock_sweep.share_waited(row, workers), 2)} of the threads' time")


EVERY_MODEL = ((intermediate_rows, ("turns", "buffers")), (lock_rows, ("locks",)), (size_rows, ("buffers",)),
               (captured_rows, ("buffers",)), (strategy_rows, ("strategies",)), (slab_rows, ("variants",)))


def rows_of(results):
    if has(results, "turns"):
        yield from speed_rows(results)
    models = summary.once_a_model(results)
    for make, findings in EVERY_MODEL:
        if has(results, *findings):
            yield from make(models)


def picture_rows():
    for one in published.PICTURES:
        yield one.number, one.shows, one.words


def report(results):
    parts = ["### The thesis beside this\n",
             f"The thesis measured on {published.MACHINE}: batches {published.BATCHES}, images of {published.SIDES}, threads "
             f"{published.THREADS}; {published.RUNS} runs of {published.PASSES_OF_A_RUN} passes each, under jemalloc after "
             f"{published.WARM_UP_PASSES} more, with {published.ARENAS} arenas.\n",
             markdown_table(["where", "what", "thesis", "here"], rows_of(results)) + "\n",
             "Its figures are pictures without numbers in the text. What the text says of them:\n",
             markdown_table(["figure", "shows", "the text says"], picture_rows()) + "\n"]
    return "\n".join(parts)
