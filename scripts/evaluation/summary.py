"""From the files of all configurations to tables. Computes nothing that was not measured."""

import lock_sweep
from intervals import is_told_from_one, ratio_of
from rounds import markdown_table

MEBIBYTE = 1 << 20


def table(header, rows):
    return markdown_table(header, rows) + "\n"


def allocators_of(result, how="compare"):
    return {row["name"]: row for row in result[how]["allocators"]}


def times_as_fast(result, peer):
    """Asked in turn, where the peer was."""
    rows = next(rows for how in ("turns", "in_turn", "compare") if how in result and peer in (rows := allocators_of(result, how)))
    return rows[peer]["times_as_fast"]


def comparison_of(result):
    """Name of the finding that has all allocators."""
    return "compare" if "compare" in result else "turns"


def has_speeds(results):
    return has(results, "turns") or has(results, "compare", "in_turn")


def median(row, figure):
    return row["figures"][figure]["median"]


def ratio_cell(ratio):
    if "low" not in ratio:
        return f"{ratio['value']:.3f}"
    return f"{ratio['value']:.3f} ({ratio['low']:.3f}–{ratio['high']:.3f})"


def mean_cell(values):
    """The geometric mean with its interval over the configurations, in bold where that excludes 1."""
    ratio = ratio_of(values)
    return f"**{ratio_cell(ratio)}**" if is_told_from_one(ratio) else ratio_cell(ratio)


def share_cell(counted):
    return f"{100 * counted['share']:.2f} %"


def peers_of(results):
    return [name for name in allocators_of(results[0], comparison_of(results[0])) if name != "serve"]


def speed(results):
    """Thesis, figure 4.1: how many times as fast a pass is from the plan."""
    peers = peers_of(results)
    rows = [[result["configuration"].name, *(ratio_cell(times_as_fast(result, peer)) for peer in peers)]
            for result in results]
    values = {peer: [times_as_fast(result, peer)["value"] for result in results] for peer in peers}
    rows.append(["most", *(f"{max(values[peer]):.3f}" for peer in peers)])
    rows.append(["least", *(f"{min(values[peer]):.3f}" for peer in peers)])
    return table(["served, times as fast as", *peers], rows)


GROUPS = (("network", lambda made: made.network), ("workers", lambda made: made.workers),
          ("input", lambda made: made.input))


def groups(results):
    """All configurations, and those that share a network, a number of workers or an input, where there is more than one such group."""
    yield "all", results
    for title, key in GROUPS:
        values = dict.fromkeys(key(result["configuration"]) for result in results)
        for value in values if len(values) > 1 else ():
            yield f"{title}: {value}", [result for result in results if key(result["configuration"]) == value]


def means(results):
    """Of every group the geometric mean over its configurations. One interval says how sure the mean is; it is not their spread."""
    peers = peers_of(results)
    rows = [[name, len(some), *(mean_cell([times_as_fast(result, peer)["value"] for result in some]) for peer in peers)]
            for name, some in groups(results)]
    return table(["geometric mean (95 %)", "configurations", *peers], rows) + "\nBold: the interval excludes 1.\n"


def memory(results):
    rows = []
    for result in results:
        rows_of = allocators_of(result)
        serve = rows_of.pop("serve")
        cells = [result["configuration"].name]
        for figure in ("resident_steady", "resident_high", "resident_peak"):
            leanest = min(rows_of, key=lambda name: median(rows_of[name], figure))
            ours, theirs = median(serve, figure), median(rows_of[leanest], figure)
            cells += [f"{ours / MEBIBYTE:.1f}", f"{theirs / MEBIBYTE:.1f} ({leanest})", f"{ours / theirs:.3f}"]
        rows.append(cells)
    return table(["MiB", *(word for what in ("median while steady", "most while steady", "peak")
                           for word in (f"{what}, served", "leanest peer", "ratio"))], rows)


def serving(results):
    rows = []
    for result in results:
        variant = max(result["variants"], key=lambda one: one["runs"])
        p50, p99 = (result["latency"]["latency_ms"][name] for name in ("p50", "p99"))
        same = all(result[how]["same_answers"] for how in ("compare", "in_turn", "eager"))
        rows.append([result["configuration"].name, variant["buffers"], share_cell(result["steady"]), share_cell(result["eager"]),
                     f"{variant['height'] / MEBIBYTE:.2f}", f"{100 * (variant['height'] / variant['lower_bound'] - 1):.2f} %",
                     f"{p50:.2f}", f"{p99 / p50:.2f}", "yes" if same else "**no**"])
    return table(["", "buffers", "served while steady", "the same, eager", "slab MiB", "over its bound", "p50 ms", "p99 / p50",
                  "same answers"], rows)


def sizes(results):
    """Thesis, figure 2.3: how many allocations of which size."""
    limits = [64, 1024, 16 << 10, 256 << 10, 4 << 20, None]
    names = ["≤ 64 B", "≤ 1 KiB", "≤ 16 KiB", "≤ 256 KiB", "≤ 4 MiB", "more"]
    rows = []
    for result in results:
        counts = [0] * len(limits)
        for buffer in result["buffers"]:
            counts[next(i for i, limit in enumerate(limits) if limit is None or buffer["size"] <= limit)] += 1
        rows.append([result["configuration"].model, *counts])
    return table(["allocations in a pass", *names], rows)


def has_a_plan(tried):
    return tried.get("height") is not None


def seconds_cell(tried):
    return f"{tried['seconds']:.4f}" if "seconds" in tried else "–"


def height_cell(tried):
    """How far the plan is over the bound, and whether it is proved least where it is; or that there is none."""
    if not has_a_plan(tried):
        return "refused" if tried["status"] == "refused" else f"no plan within {tried['seconds']:.0f} s"
    over = f"{100 * (tried['height'] / tried['lower_bound'] - 1):.2f} %"
    return f"{over}, not proved" if tried["strategy"] == "mip" and tried["status"] != "optimal" else over


def refusals(results, of):
    for result in results:
        for name, tried in result["strategies"][of].items():
            if tried["status"] == "refused":
                yield f"`{name}` refuses {result['configuration'].model}: {tried['why']}."


def tried_tables(results, of, what):
    names = list(results[0]["strategies"][of])
    for title, cell in (("seconds", seconds_cell), ("over the bound", height_cell)):
        yield table([f"{title}, {what}", *names], [[result["configuration"].model,
                                                    *(cell(result["strategies"][of][name]) for name in names)] for result in results])
    yield from (f"{line}\n" for line in refusals(results, of))


def strategies(results):
    """Thesis, figures 3.3 and 3.4: what each strategy takes, and what it comes to."""
    return "\n".join([*tried_tables(results, "tensors", "blocks above 1 KiB"), *tried_tables(results, "pass", "all blocks"),
                      "`mip` begins with a plan of `hill-climb`, and has a solver look for a lower one.\n"])


def once_a_model(results):
    seen = {}
    for result in results:
        seen.setdefault(result["configuration"].model, result)
    return list(seen.values())


def has(results, *findings):
    return all(finding in results[0] for finding in findings)


SECTIONS = (("Speed", speed, ("compare", "in_turn")), ("Means", means, ("compare", "in_turn")), ("Memory", memory, ("compare",)),
            ("Serving", serving, ("variants", "steady")), ("Sizes", sizes, ("buffers",)), ("Strategies", strategies, ("strategies",)),
            ("Locks of jemalloc", lock_sweep.table, ("locks",)))
ONCE_A_MODEL = (sizes, strategies, lock_sweep.table)


def report(results):
    models = once_a_model(results)
    parts = [f"### {title}\n\n{make(models if make in ONCE_A_MODEL else results)}"
             for title, make, findings in SECTIONS if has(results, *findings)]
    if has_speeds(results):
        machine = results[0][comparison_of(results[0])]["machine"]
        parts.insert(0, "Machine: " + "; ".join(f"{name} {value}" for name, value in machine.items()) + ".\n")
    return "\n".join(parts)
