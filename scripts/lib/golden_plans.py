"""What the planner makes of the traces that are kept in tests/golden, and what would be served of others by it."""

import json
import pathlib
import subprocess

import golden_traces
from commands import output_of
from places import COMMAND, ROOT

FOLDER = ROOT / "tests" / "golden"
FIGURES = FOLDER / "figures.json"
NODES = 20000  # of a search, so that each machine makes the same plan
MOST_LOST = {"share": 0.001, "share_of_bytes": 0.001}
MOST_HIGHER = 0.005
MOST_SEARCHED = 0.02  # more of all allocations that have to be looked for: each takes as long as ten others


def traces_of(name):
    return FOLDER / f"{name}.planned.xz", FOLDER / f"{name}.asked.xz"


def figures_of(name, folder, options=()):
    """Height, variants, and the shares of the other trace that a dry run serves."""
    planned, asked = (pathlib.Path(folder) / f"{path.stem}.trace" for path in traces_of(name))
    for kept, trace in zip(traces_of(name), (planned, asked), strict=True):
        golden_traces.write_trace(golden_traces.load(kept), trace)
    plan = pathlib.Path(folder) / f"{name}.plan"
    made = json.loads(output_of([COMMAND, "plan", "--json", "-q", "--force", "--nodes", NODES, "--threads", 1, *options, "-o", plan, planned]))
    checked = subprocess.run([COMMAND, "check", "--json", "-q", plan, asked], capture_output=True, text=True, check=False)
    (served,) = json.loads(checked.stdout)["traces"]
    searched = served["searched"] / max(1, served["served"] + sum(served["fallback"].values()))
    return {"height": max(variant["height"] for variant in made["variants"]), "variants": len(made["variants"]),
            "share": round(served["share"], 5), "share_of_bytes": round(served["share_of_bytes"], 5), "searched": round(searched, 5)}


def losses(before, now):
    """What is worse than it was, by more than is allowed. A slab that serves more may be higher."""
    for figure, most in MOST_LOST.items():
        if now[figure] < before[figure] - most:
            yield f"{figure.replace('_', ' ')} {before[figure]:.2%} → {now[figure]:.2%}"
    if now["searched"] > before["searched"] + MOST_SEARCHED:
        yield f"searched {before['searched']:.2%} → {now['searched']:.2%}"
    serves_more = now["share_of_bytes"] > before["share_of_bytes"] + MOST_LOST["share_of_bytes"]
    if now["height"] > before["height"] * (1 + MOST_HIGHER) and not serves_more:
        yield f"height {before['height']:,} → {now['height']:,}"


def row_of(name, before, now):
    cells = (f"{before[figure]:,} → {now[figure]:,}" if before.get(figure, now[figure]) != now[figure] else f"{now[figure]:,}" for figure in now)
    return f"| {name} | {' | '.join(cells)} |"
