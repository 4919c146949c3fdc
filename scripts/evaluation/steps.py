"""The steps for one configuration. Each leaves a file and is skipped where the file is there, so a run that was
interrupted goes on where it stopped."""

import csv
import functools
import json
import os
import subprocess
import sys
import time

import heap_curve
import published
import served
from comparison import compare_words
from peers import environment_of
from places import BIN, COMMAND, PYTHON, ROOT

INFER = ROOT / "examples" / "torch_python" / "infer.py"
STRATEGIES_OF_THE_THESIS = ["bump", "mip", "gergov", "greedy-size", "mincost-flow"]
STRATEGIES = [*STRATEGIES_OF_THE_THESIS, "reuse", "greedy-order", "shared-size", "greedy-breadth", "hill-climb", "auto"]
SECONDS_OF_A_STRATEGY = 10
SMALLEST_TENSOR = 1025  # bytes. Smaller blocks are those of kernels and of the interpreter: too many for an integer program
REFUSED, NO_PLAN = 3, 4  # what `memomalloc pack` ends with where a strategy takes no such problem, or found nothing
PASSES_PROFILED = 25
PASSES_TRIED = 5
PASSES_EAGER = 16
PASSES_OF_THE_WORST_CASE = published.PASSES_OF_THE_WORST_CASE  # of each worker, without a warm-up
LOCK_WORKERS = [1, 2, 4, 8, 16, 32]
LOCK_ALLOCATORS = ["jemalloc-bare", "jemalloc", "serve"]
HEAPS = ["jemalloc", "jemalloc-thesis"]  # whose bytes through one pass are drawn
WARM_UP_PASSES = 20  # of each worker of torch_server
LEAST_TURNS, MOST_TURNS = 4, 20  # each is one pass of each worker, and ten servers wait for theirs
SECONDS_OF_LATENCY = 30  # of a hundred passes the p99 is the second slowest, whatever made it slow
MOST_PASSES_OF_LATENCY = 1000

# What can be measured alone, and what of it the tables need.
PARTS = {"turns": ("turns",), "serving": ("turns", "variants", "steady", "eager", "latency"), "sizes": ("buffers",),
         "strategies": ("strategies",), "locks": ("locks",), "heap": ("variants", "heaps")}

# A worker is one thread: OpenBLAS would start as many as there are cores beside each.
ENVIRONMENT = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}


def run(command, log, *further_ends, environment=None):
    """Runs it; what it says goes to the log, and its last words to the user if it fails. `further_ends` are no failures."""
    with open(log, "ab") as words:
        done = subprocess.run([str(word) for word in command], env={**ENVIRONMENT, **(environment or {})},
                              stdout=subprocess.PIPE, stderr=words, check=False)
    if done.returncode not in (0, *further_ends):
        raise SystemExit(f"reproduce-thesis: {command[0]} exited with {done.returncode}; see {log}\n"
                         + "".join(open(log, encoding="utf-8", errors="replace").readlines()[-5:]))
    return done.stdout.decode()


def last_line(log):
    return log.read_text(errors="replace").rstrip().splitlines()[-1]


def why_refused(words):
    """Of \"memomalloc: the strategy mip does not take this problem: REASON; see …\" the reason."""
    return words.split("this problem: ")[-1].split("; see")[0]


def figures_over_time(command, statistics, log):
    """What a served program wrote into its statistics while it ran, and at its end."""
    seen = []
    with open(log, "ab") as words:
        program = subprocess.Popen([str(word) for word in command], env=ENVIRONMENT, stdout=subprocess.DEVNULL, stderr=words)
        ended = False
        while not ended:
            ended = program.poll() is not None
            if statistics.exists():
                now = json.loads(statistics.read_text())
                seen += [now] if not seen or now["passes"] != seen[-1]["passes"] else []
            time.sleep(0.1)
    if program.returncode != 0 or not seen:
        raise SystemExit(f"reproduce-thesis: {command[0]} exited with {program.returncode}, {len(seen)} statistics; see {log}")
    return seen


def served_between(before, after):
    """What was served of the allocations in the passes between two statistics."""
    steady = served.beyond(before, after)
    return {"passes": steady.passes, "served": steady.served, "missed": steady.made - steady.served, "share": steady.share}


class Steps:
    def __init__(self, configuration, results, runs, allocators, seconds):
        self.configuration = configuration
        self.folder = results / configuration.name
        self.folder.mkdir(parents=True, exist_ok=True)
        self.models = results / "models"
        self.models.mkdir(exist_ok=True)
        self.runs, self.allocators, self.seconds = runs, allocators, seconds

    def step(self, title, path, make):
        if path.exists():
            return path
        print(f"{self.configuration.name}: {title}", file=sys.stderr)
        partial = path.with_name(path.name + ".part")
        path.parent.mkdir(parents=True, exist_ok=True)
        partial.unlink(missing_ok=True)
        make(partial)
        partial.rename(path)
        return path

    @property
    def log(self):
        return self.folder / "log"

    def model(self):
        made = self.configuration
        return self.step("tracing the network", self.models / f"{made.model}.pt", lambda path: run(
            [PYTHON, INFER, made.network, "--batch", made.batch, "--side", made.side, "--save", path], self.log))

    def server(self, passes, workers=None):
        made = self.configuration
        return [BIN / "torch_server", self.model(), "--batch", made.batch, "--side", made.side,
                "--workers", workers or made.workers, "--passes", passes]

    def trace(self):
        return self.step("profiling", self.folder / "trace", lambda path: run(
            [COMMAND, "profile", "-o", path, "--", *self.server(PASSES_PROFILED)], self.log))

    def plan(self):
        return self.step("planning", self.folder / "plan", lambda path: self.plan_report().write_text(run(
            [COMMAND, "plan", "-q", "--json", "-o", path, self.trace()], self.log)))

    def plan_report(self):
        return self.folder / "plan.json"

    def variants(self):
        self.plan()
        return json.loads(self.plan_report().read_text())["variants"]

    @functools.cached_property
    def passes_per_second(self):
        return json.loads(run(self.server(PASSES_TRIED), self.log))["passes_per_second"]

    def passes_of_a_run(self):
        """As many passes as take the seconds wanted, found by running a few."""
        return max(20, int(self.seconds * self.passes_per_second / self.configuration.workers))

    def compared(self, server, *options, allocators, runs):
        """The report of `memomalloc compare`."""
        return run(compare_words(server, "--plan", self.plan(), *options, allocators=allocators, runs=runs), self.log)

    def all_in_turn(self):
        """Speed and memory of every allocator in one run: all servers are there together from the first pass on, and each worker is
        asked for one pass in a turn. The turns of the warm-up, more than half as many, let a JIT compile and a heap settle."""
        def make(path):
            asks = self.configuration.workers
            turns = min(MOST_TURNS, max(LEAST_TURNS, int(self.seconds * self.passes_per_second / asks)))
            warm_up = asks * max(LEAST_TURNS, 3 * turns // 5)
            server = [*self.server(0), "--warmup", 0, "--asked"]
            path.write_text(self.compared(server, "--in-turn", asks, "--turns", turns, "--warmup", warm_up, allocators=self.allocators,
                                          runs=self.runs))
        return self.step("asking all in turn", self.folder / "turns.json", make)

    def serve(self, *options):
        return [COMMAND, "serve", "-q", "--plan", self.plan(), *options, "--"]

    def steady_share(self):
        """What is served of the allocations in passes once warm-up is over: the statistics of a server at its end, less
        those it wrote when every worker had warmed up."""
        def make(path):
            statistics = self.folder / "stats.json"
            statistics.unlink(missing_ok=True)
            passes = WARM_UP_PASSES + 3 * self.passes_of_a_run()
            command = [*self.serve("--stats", statistics, "--stats-every", 1), *self.server(passes)]
            seen = figures_over_time(command, statistics, self.log)
            warm = next(one for one in seen if one["passes"] > 2 * WARM_UP_PASSES * self.configuration.workers)
            path.write_text(json.dumps(served_between(warm, seen[-1])))
        return self.step("counting what is served in steady state", self.folder / "steady.json", make)

    def latency(self):
        """p50 and p99 under the plan, at half as many requests as the server can take."""
        def make(path):
            rate = self.passes_per_second / 2
            passes = min(MOST_PASSES_OF_LATENCY, max(100, int(SECONDS_OF_LATENCY * rate / self.configuration.workers)))
            path.write_text(run([*self.serve(), *self.server(passes), "--rate", rate], self.log))
        return self.step("measuring latency at a steady rate", self.folder / "latency.json", make)

    def eager_program(self, passes):
        made = self.configuration
        return [PYTHON, INFER, made.network, "--eager", "--batch", made.batch, "--side", made.side, "--passes", passes]

    def eager_plan(self):
        trace, plan = self.folder / "eager.trace", self.folder / "eager.plan"
        run([COMMAND, "profile", "-q", "--force", "--passes-by", "period", "-o", trace, "--",
             *self.eager_program(PASSES_EAGER)], self.log)
        run([COMMAND, "plan", "-q", "--force", "-o", plan, trace], self.log)
        return plan

    def eager_statistics(self, plan, passes):
        statistics = self.folder / "eager.stats.json"
        program = self.eager_program(passes)
        printed = run([COMMAND, "serve", "-q", "--plan", plan, "--stats", statistics, "--", *program],
                     self.log)
        same = json.loads(printed)["answer"] == json.loads(run(program, self.log))["answer"]
        return {**json.loads(statistics.read_text()), "same_answers": same}

    def eager(self):
        """The same of the network as it stands, in Python: a run of twice as many passes has so many steady ones more."""
        def make(path):
            plan = self.eager_plan()
            short, long = (self.eager_statistics(plan, passes) for passes in (PASSES_EAGER, 2 * PASSES_EAGER))
            same = short["same_answers"] and long["same_answers"]
            path.write_text(json.dumps({**served_between(short, long), "same_answers": same}))
        return self.step("counting what is served in eager mode", self.models / f"{self.configuration.model}.eager.json", make)

    def instance(self):
        """The last pass of the trace, as an instance for the planner alone."""
        def make(path):
            folder = self.folder / "passes"
            run([COMMAND, "inspect", "--force", "--csv", folder, self.trace()], self.log)
            last = max(folder.glob("*.csv"), key=lambda file: int(file.stem.split("-")[-1]))
            path.write_bytes(last.read_bytes())
            for file in folder.glob("*.csv"):
                file.unlink()
            folder.rmdir()
        return self.step("writing the pass as an instance", self.folder / "pass.csv", make)

    def tensors(self):
        """The same without the small blocks, which are nine in ten and make less than a hundredth of the bytes."""
        def make(path):
            header, *rows = self.instance().read_text().splitlines(keepends=True)
            size = header.rstrip().split(",").index("size")
            path.write_text(header + "".join(row for row in rows if int(row.rstrip().split(",")[size]) >= SMALLEST_TENSOR))
        return self.step("writing its tensors as an instance", self.folder / "tensors.csv", make)

    def tried(self, instance, strategy):
        """What `pack` says of it, or why it takes no such problem."""
        def make(path):
            said = run([COMMAND, "pack", "--json", "-q", "--input", instance, "--strategy", strategy,
                        "--timeout", f"{SECONDS_OF_A_STRATEGY}s"], self.log, REFUSED, NO_PLAN)
            path.write_text(said or json.dumps({"status": "refused", "why": why_refused(last_line(self.log))}))
        return json.loads(self.step(f"trying {strategy}", self.strategy_file(instance.stem, strategy), make).read_text())

    def strategy_file(self, instance, strategy):
        return self.folder / "strategies" / f"{instance}-{strategy}.json"

    def strategies(self):
        """Of the whole pass; and of its tensors alone, which an integer program can be made of."""
        return {"pass": {strategy: self.tried(self.instance(), strategy) for strategy in STRATEGIES},
                "tensors": {strategy: self.tried(self.tensors(), strategy) for strategy in STRATEGIES_OF_THE_THESIS}}

    def locks_of(self, workers):
        """The worst case of the thesis: few passes, and so many threads that wait for the locks of one heap."""
        def make(path):
            server = [*self.server(PASSES_OF_THE_WORST_CASE, workers), "--warmup", 0]
            path.write_text(self.compared(server, allocators=LOCK_ALLOCATORS, runs=1))
        return self.step(f"counting locks with {workers} workers", self.locks_file(workers), make)

    def locks_file(self, workers):
        """One for all configurations of a model: the sweep has its own numbers of workers."""
        return self.models / f"{self.configuration.model}.locks-{workers}.json"

    def locks(self):
        return {workers: json.loads(self.locks_of(workers).read_text())["allocators"] for workers in LOCK_WORKERS}

    def heap_of(self, allocator):
        """What the allocator's heap holds after each call of one pass, when it has seen that pass before."""
        return self.step(f"watching the heap of {allocator}", self.heap_file(allocator), lambda path: path.write_text(run(
            [BIN / "heap_curve", self.instance()], self.log, environment=environment_of(allocator))))

    def heap_file(self, allocator):
        return self.folder / f"heap-{allocator}.csv"

    def heaps(self):
        return {allocator: heap_curve.read(self.heap_of(allocator)) for allocator in HEAPS}

    def buffers(self):
        with open(self.instance(), encoding="ascii") as file:
            return [{key: int(value) for key, value in row.items() if key in ("lower", "upper", "size")}
                    for row in csv.DictReader(file)]

    def last_file_of(self, part):
        return {"turns": self.folder / "turns.json", "serving": self.folder / "latency.json", "sizes": self.folder / "pass.csv",
                "strategies": self.strategy_file("tensors", STRATEGIES_OF_THE_THESIS[-1]), "locks": self.locks_file(LOCK_WORKERS[-1]),
                "heap": self.heap_file(HEAPS[-1])}[part]

    def are_done(self, parts):
        """Whether an earlier run has come to the last step of all these parts."""
        return all(self.last_file_of(part).exists() for part in parts)

    def finding(self, name):
        read = {"turns": self.all_in_turn, "steady": self.steady_share, "eager": self.eager, "latency": self.latency}
        if name in read:
            return json.loads(read[name]().read_text())
        return {"variants": self.variants, "buffers": self.buffers, "strategies": self.strategies, "locks": self.locks,
                "heaps": self.heaps}[name]()

    def found(self, parts):
        """What the parts found, each by its name in the tables."""
        names = dict.fromkeys(name for part in parts for name in PARTS[part])
        return {"configuration": self.configuration, **{name: self.finding(name) for name in names}}
