"""Compares the runs of scripts/quickstart: the answers must be the same, and the plan must have served them."""

import json
import pathlib
import sys


def main() -> int:
    folder = pathlib.Path(sys.argv[1])
    runs = {name: json.loads((folder / f"{name}.json").read_text()) for name in ("off", "profile", "serve")}
    stats = json.loads((folder / "serve.stats.json").read_text())
    fallback = sum(stats["fallback"].values())
    share = stats["served"] / max(1, stats["served"] + fallback)

    print(f"{'':10}{'requests/s':>12}{'p50 ms':>10}{'p99 ms':>10}")
    for name, run in runs.items():
        latency = run["latency_ms"]
        print(f"{name:10}{run['requests_per_second']:12.1f}{latency['p50']:10.2f}{latency['p99']:10.2f}")
    print(f"{stats['passes']} passes, of which {stats['compared']['passes']} were left to the heap to compare: "
          f"{stats['served']} allocations from the slab, {fallback} from the heap ({100 * share:.2f} % served)")

    wrong = sum(run["wrong"] + run["failed"] for run in runs.values())
    same = len({json.dumps(run["checksums"], sort_keys=True) for run in runs.values()}) == 1
    print("checksums: the same in every run" if same and wrong == 0 else "checksums: DIFFERENT")
    if not same or wrong or share < 0.95:
        print(f"quickstart failed; the details are in {folder}", file=sys.stderr)
        return 1
    print(f"the trace, the plan and the statistics are in {folder}")
    print(f"next: open the report in a browser: {(folder / 'report.html').resolve()}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
