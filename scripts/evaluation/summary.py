"""From the files of all configurations to tables. Computes nothing that was not measured."""

import lock_sweep
from rounds import markdown_table

MEBIBYTE = 1 << 20


def table(header, rows):
    return markdown_table(header, rows) + "\n"


def allocators_of(result):
    return {row["name"]: row for row in result["turns"]["allocators"]}


def times_as_fast(result, peer):
    return allocators_of(result)[peer]["times_as_fast"]


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


def serving(results):
    rows = []
    for result in results:
        variant = max(result["variants"], key=lambda one: one["runs"])
        p50, p99 = (result["latency"]["latency_ms"][name] for name in ("p50", "p99"))
        same = all(result[how]["same_answers"] for how in ("turns", "eager"))
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


SECTIONS = (("Serving", serving, ("variants", "steady")), ("Sizes", sizes, ("buffers",)), ("Strategies", strategies, ("strategies",)),
            ("Locks of jemalloc", lock_sweep.table, ("locks",)))
ONCE_A_MODEL = (sizes, strategies, lock_sweep.table)


def report(results):
    models = once_a_model(results)
    parts = [f"### {title}\n\n{make(models if make in ONCE_A_MODEL else results)}"
             for title, make, findings in SECTIONS if has(results, *findings)]
    if has(results, "turns"):
        machine = results[0]["turns"]["machine"]
        parts.insert(0, "Machine: " + "; ".join(f"{name} {value}" for name, value in machine.items()) + ".\n")
    return "\n".join(parts)
