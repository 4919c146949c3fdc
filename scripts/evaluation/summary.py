"""From the files of all configurations to tables. Computes nothing that was not measured."""

from rounds import geometric_mean, markdown_table

MEBIBYTE = 1 << 20


def table(header, rows):
    return markdown_table(header, rows) + "\n"


def allocators_of(result, how="compare"):
    return {row["name"]: row for row in result[how]["allocators"]}


def times_as_fast(result, peer):
    """Asked in turn, where the peer was."""
    return allocators_of(result, "in_turn").get(peer, allocators_of(result)[peer])["times_as_fast"]


def median(row, figure):
    return row["figures"][figure]["median"]


def ratio_cell(ratio):
    if "low" not in ratio:
        return f"{ratio['value']:.3f}"
    return f"{ratio['value']:.3f} ({ratio['low']:.3f}–{ratio['high']:.3f})"


def share_cell(counted):
    return f"{100 * counted['share']:.2f} %"


def peers_of(results):
    return [name for name in allocators_of(results[0]) if name != "serve"]


def speed(results):
    """Thesis, figure 4.1: how many times as fast a pass is from the plan."""
    peers = peers_of(results)
    rows = [[result["configuration"].name, *(ratio_cell(times_as_fast(result, peer)) for peer in peers)]
            for result in results]
    values = {peer: [times_as_fast(result, peer)["value"] for result in results] for peer in peers}
    rows.append(["**geometric mean**", *(f"**{geometric_mean(values[peer]):.3f}**" for peer in peers)])
    rows.append(["most", *(f"{max(values[peer]):.3f}" for peer in peers)])
    rows.append(["least", *(f"{min(values[peer]):.3f}" for peer in peers)])
    return table(["served, times as fast as", *peers], rows)


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


def locks(results):
    """Thesis, figures 2.1 and 2.2: a pass on one arena without thread caches, and what is waited for its locks."""
    rows = []
    for result in results:
        for name, row in allocators_of(result).items():
            if "locks" in row:
                rows.append([result["configuration"].name, name, f"{median(row, 'latency_ms.p50'):.2f}",
                             f"{row['locks']['operations']:.0f}", f"{1000 * row['locks']['wait_seconds']:.2f}"])
    return table(["", "", "p50 ms", "lock operations", "waited ms, all threads"], rows)


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


def strategies(results):
    """Thesis, figures 3.3 and 3.4: what each strategy takes, and what it comes to."""
    names = list(results[0]["strategies"])
    times = [["seconds, " + result["configuration"].model,
              *(f"{result['strategies'][name]['seconds']:.4f}" for name in names)] for result in results]
    heights = [["over the bound, " + result["configuration"].model,
                *(f"{100 * (result['strategies'][name]['height'] / result['strategies'][name]['lower_bound'] - 1):.2f} %"
                  for name in names)] for result in results]
    return table(["", *names], times + heights)


def once_a_model(results):
    seen = {}
    for result in results:
        seen.setdefault(result["configuration"].model, result)
    return list(seen.values())


def report(results):
    models = once_a_model(results)
    machine = results[0]["compare"]["machine"]
    parts = ["Machine: " + "; ".join(f"{name} {value}" for name, value in machine.items()) + ".\n",
             "### Speed\n", speed(results), "### Memory\n", memory(results), "### Serving\n", serving(results),
             "### Locks of jemalloc\n", locks(results), "### Sizes\n", sizes(models), "### Strategies\n", strategies(models)]
    return "\n".join(parts)
