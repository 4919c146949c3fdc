"""check_trace.py NETWORK FOLDER: is the inspected trace in FOLDER what a network's profile should be? See
scripts/check-frameworks."""
import json
import pathlib
import sys

STEADY = 4


def faults(trace, plain, profiled):
    passes = trace["passes"]
    if plain["sum"] != profiled["sum"]:
        yield f"the result is {profiled['sum']}, without the library {plain['sum']}"
    for count in ("lost", "unmatched_frees", "overruns"):
        if trace[count]:
            yield f"{trace[count]} {count}"
    if len(passes) < STEADY or not all(one["complete"] for one in passes):
        return (yield f"{len(passes)} passes, not all complete")
    if len({one["fingerprint"] for one in passes[-STEADY:]}) != 1:
        yield "the last passes do not allocate alike"
    if not any("convolution" in scope["name"] for scope in trace["scopes"]):
        yield "no operator is named convolution"


def main(network, folder):
    read = lambda name: json.loads((pathlib.Path(folder) / name).read_text())
    trace = read("inspected")
    found = list(faults(trace, read("plain"), read("profiled")))
    passes = trace["passes"]
    last = passes[-1] if passes else {"fingerprint": "", "allocations": 0, "peak_live": 0}
    steady = sum(one["fingerprint"] == last["fingerprint"] for one in passes)
    operators = sum(scope["name"].startswith("aten::") for scope in trace["scopes"])
    print(f"{network:16} {len(passes):8} {steady:8} {last['allocations']:12} {last['peak_live']:12} {operators:10}  "
          f"{'; '.join(found) or 'as it should be'}")
    return 1 if found else 0


sys.exit(main(*sys.argv[1:]))
