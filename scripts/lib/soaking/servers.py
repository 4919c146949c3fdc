"""The example servers of a soak: how each is recorded, planned, run under load, and what must hold in the end."""

import collections
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import threading
import time

from commands import make_plan
from peers import mode_serve
from places import BIN, COMMAND, PYTHON, ROOT
from resident import resident_megabytes
from soaking.exchanges import Exchanges

SECONDS_BETWEEN_LOOKS = 0.25
SECONDS_BETWEEN_PLANS = 3
SECONDS_OF_A_LOAD = 20  # how long whoever interrupts a soak waits at the most
SECONDS_OF_A_QUIET_LOAD = 1
SECONDS_FOR_GIVING_BACK = "60s"


class Soaked:
    """What came of one server: looks at its memory, and how often the plan was exchanged. The looks go to a file as they
    are made, so that nothing is lost with an hour that ends badly. Quiet looks are those at a server that had just given back
    what it did not use, and answered one request at a time."""

    def __init__(self, name, record):
        self.name = name
        self.begin = time.monotonic()
        self.record = record.open("w", buffering=1)
        self.record.write("seconds,resident_mb,plans_exchanged,quiet\n")
        self.looks, self.quiet_looks = [], []
        self.lasted = 0
        self.swaps = 0
        self.passes = 0
        self.wrong = []

    def seconds(self):
        return time.monotonic() - self.begin

    def look(self, megabytes, quiet=False):
        (self.quiet_looks if quiet else self.looks).append(megabytes)
        self.lasted = self.seconds()
        self.record.write(f"{self.lasted:.2f},{megabytes},{self.swaps},{quiet:d}\n")

    def summary(self):
        return f"{self.passes} passes, plan exchanged {self.swaps} times"

    def require(self, holds, what):
        if not holds:
            self.wrong.append(what)

    def require_plans(self, loaded, due):
        self.require(loaded >= due, f"{loaded} plans were taken up, and passes began under {due} that were whole")


def passes_until_now(process):
    """How many passes the process has ended, as its live page says; None while it has no page."""
    done = subprocess.run([COMMAND, "status", "--json", "--interval", "100ms", str(process.pid)], capture_output=True, text=True, check=False)
    rows = json.loads(done.stdout)["processes"] if done.stdout else []
    return rows[0]["statistics"]["passes"] if rows and "statistics" in rows[0] else None


class Server:
    """Recorded twice, with fewer and with more shapes, so that there are two plans to exchange for one another; and a file
    that is none comes in between."""

    name = ""
    packages = []
    passes_at_once = 1  # at the most

    def __init__(self, folder, records, interrupted):
        self.folder = pathlib.Path(folder)
        self.record_of_looks = records / f"{self.name}.csv"
        self.interrupted = interrupted
        self.plan = self.folder / "current.plan"
        self.stats = self.folder / "stats.json"
        self.plans = [self.folder / "few.plan", self.folder / "broken.plan", self.folder / "many.plan"]
        self.plans[1].write_bytes(b"no plan at all" * 100)

    def is_whole(self, number):
        """Whether the plan of this exchange is one."""
        return number % len(self.plans) != 1

    def exchange_plan(self, number):
        beside = self.plan.with_suffix(".new")
        shutil.copy(self.plans[number % len(self.plans)], beside)
        os.replace(beside, self.plan)

    def prepare(self):
        for plan, shapes in ((self.plans[0], self.shapes[:1]), (self.plans[2], self.shapes)):
            trace = plan.with_suffix(".trace")
            self.record(trace, shapes)
            make_plan(trace, plan)
        self.exchange_plan(0)

    def environment(self):
        return {**os.environ, **mode_serve(self.plan, 0, self.stats), "MEMOMALLOC_LOG": str(self.folder / "log")}

    def watch(self, process, soaked, over):
        """Looks at the memory and exchanges plans until the process is gone or told to stop. A plan stays until a pass has begun that
        had to find it. Returns how many plans the process must have taken up."""
        exchanges = Exchanges(self.is_whole(soaked.swaps))
        while not over.wait(SECONDS_BETWEEN_LOOKS) and process.poll() is None:
            megabytes = resident_megabytes(process)
            if megabytes is None:
                break
            soaked.look(megabytes)
            if not exchanges.had_chance:
                if (ended := passes_until_now(process)) is not None:
                    exchanges.count_passes(ended, self.passes_at_once)
            elif exchanges.seconds() > SECONDS_BETWEEN_PLANS:
                soaked.swaps += 1
                self.exchange_plan(soaked.swaps)
                exchanges.exchanged(self.is_whole(soaked.swaps))
        return exchanges.due

    def judge(self, soaked, passes, due):
        """The statistics add up, and the plans that were due were taken up."""
        statistics = json.loads(self.stats.read_text())
        for name in ("double_free", "bad_free", "abandoned"):
            soaked.require(statistics[name] == 0, f"{name} is {statistics[name]}")
        soaked.require(statistics["passes"] == passes, f"{statistics['passes']} passes counted, {passes} made")
        soaked.require_plans(statistics["plans_loaded"], due)
        return statistics


class MiniServer(Server):
    """Small shapes, so that there are many passes; one of them is in no plan."""

    name = "mini_server"
    shapes = ["1x32", "2x24", "1x48"]
    asked_shapes = [*shapes, "1x20"]  # the last is in no plan
    targets = ["memomalloc_cli", "mini_server", "mini_load"]
    passes_at_once = 4
    life = ("--threads", str(passes_at_once), "--restart-workers", "200", "--reload-every", "500", "--fork-every", "300")

    def start(self, environment, *prefix):
        process = subprocess.Popen([*map(str, prefix), str(BIN / "mini_server"), "--port", "0", *self.life], env=environment,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
        return process, re.search(r"127\.0\.0\.1:(\d+)", process.stdout.readline()).group(1)

    @staticmethod
    def load(port, shapes, *options, connections=6):
        command = [BIN / "mini_load", "--port", port, "--connections", connections, "--warmup", "0", "--json", *options]
        for shape in shapes:
            command += ["--shape", shape]
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, start_new_session=True)
        return json.loads(done.stdout)

    def checked_load(self, soaked, port, seconds, **options):
        """How many answers each path got."""
        summary = self.load(port, self.asked_shapes, "--seconds", seconds, **options)
        soaked.require(summary["wrong"] == summary["failed"] == 0, f"{summary['wrong']} wrong, {summary['failed']} failed")
        # A short load on a busy machine may end before each shape was asked for.
        soaked.require(summary["checksums"].items() <= self.right.items(), "checksums differ from those without MemoMalloc")
        return summary["answers"]

    def look_quietly(self, process, port, soaked):
        """Looks at what the server needs for one request at a time. What it holds under load depends on how many requests wait for
        each other, and so on the machine's other work. How many answers each path got."""
        answers = collections.Counter()
        with subprocess.Popen([COMMAND, "release", "--wait", SECONDS_FOR_GIVING_BACK, str(process.pid)], stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True) as release:
            while not answers or release.poll() is None:
                answers.update(self.checked_load(soaked, port, SECONDS_OF_A_QUIET_LOAD, connections=1))
            soaked.require(release.returncode == 0, f"it was asked to give back, and did not: {release.stderr.read()}")
        soaked.look(resident_megabytes(process), quiet=True)
        return answers

    def load_for(self, process, port, seconds, soaked):
        """One load after the other until the time is over or somebody interrupts; how many answers each path got."""
        answers = collections.Counter()
        while soaked.seconds() < seconds and not self.interrupted.is_set():
            left = max(1, min(seconds - soaked.seconds(), SECONDS_OF_A_LOAD))
            answers.update(self.checked_load(soaked, port, left))
            answers.update(self.look_quietly(process, port, soaked))
        return answers

    @staticmethod
    def stop(process):
        """(exit status, what it says at the end, how many inferences)"""
        process.terminate()
        out, err = process.communicate(timeout=120)
        return process.returncode, err, int(re.search(r"stopped after (\d+)", out).group(1))

    def record(self, trace, shapes):
        process, port = self.start(os.environ, COMMAND, "profile", "--force", "-q", "-o", trace, "--")
        self.load(port, shapes, "--requests", 60)
        self.stop(process)

    def allocations_of_a_pass(self, shape):
        trace = self.folder / f"{shape}.trace"
        self.record(trace, [shape])
        done = subprocess.run([COMMAND, "inspect", "--json", trace], check=True, capture_output=True, text=True)
        counts = {one["allocations"] for one in json.loads(done.stdout)["passes"]}
        assert len(counts) == 1, f"passes of {shape} do not allocate alike: {counts}"
        return min(counts)

    def judge_allocations(self, soaked, statistics, answers):
        """All that the passes behind the answers made are counted; the paths tell their shapes. A pass that stood aside is taken to
        have made as many as another one, which may have had another shape."""
        of_passes = {path: self.allocations_of_a_pass("{}x{}".format(*re.search(r"batch=(\d+)&image=(\d+)", path).groups()))
                     for path in answers}
        made = sum(count * of_passes[path] for path, count in answers.items())
        counted = statistics["served"] + sum(statistics["fallback"].values()) + statistics["compared"]["blocks"]
        aside = statistics["aside"]["passes"] + statistics["compared"]["passes"]
        unsure = aside * (max(of_passes.values()) - min(of_passes.values()))
        soaked.require(abs(counted - made) <= unsure, f"{counted} allocations counted, {made} made; {aside} passes stood aside")

    def soak(self, seconds):
        process, port = self.start(os.environ)
        self.right = self.load(port, self.asked_shapes, "--requests", 24)["checksums"]
        self.stop(process)
        process, port = self.start(self.environment())
        soaked, over = Soaked(self.name, self.record_of_looks), threading.Event()
        with concurrent.futures.ThreadPoolExecutor() as pool:
            watch = pool.submit(self.watch, process, soaked, over)
            try:
                answers = self.load_for(process, port, seconds, soaked)
            finally:
                over.set()
        status, said, soaked.passes = self.stop(process)
        soaked.require(status == 0, f"it ended with {status}: {said}")
        statistics = self.judge(soaked, soaked.passes, watch.result())
        self.judge_allocations(soaked, statistics, answers)
        return [soaked]


class TorchServer(Server):
    """A TorchScript network; its requests come from inside. OpenBLAS ends its threads at a fork, under whoever of the other
    workers waits for them and then waits for ever: it is to have none."""

    name = "torch_server"
    shapes = ["64", "96", "80"]
    targets = ["memomalloc_cli", "torch_server"]
    packages = ["libtorch-dev", "python3-torch", "python3-torchvision"]
    network = "squeezenet1_0"
    passes_at_once = 2
    forks_safely = {"OPENBLAS_NUM_THREADS": "1"}

    def environment(self):
        return {**super().environment(), **self.forks_safely}

    def command(self, shapes, *options, workers=passes_at_once):
        return [str(word) for word in (BIN / "torch_server", self.folder / "model.pt", "--side", ",".join(shapes), "--workers",
                                       workers, "--warmup", 0, *options)]

    def record(self, trace, shapes):
        model = self.folder / "model.pt"
        if not model.exists():
            subprocess.run([PYTHON, ROOT / "examples" / "torch_python" / "infer.py", self.network, "--side", "64", "--save",
                            model], check=True, capture_output=True)
        subprocess.run([COMMAND, "profile", "--force", "-q", "-o", trace, "--", *self.command(shapes, "--passes", 30)],
                       env={**os.environ, **self.forks_safely}, check=True, capture_output=True)

    def soak(self, seconds):
        plain = subprocess.run(self.command(self.shapes, "--passes", 6), env={**os.environ, **self.forks_safely}, check=True,
                               capture_output=True, text=True)
        command = self.command(self.shapes, "--seconds", seconds, "--restart-workers", 50, "--reload-every", 150,
                               "--fork-every", 100)
        soaked = Soaked(self.name, self.record_of_looks)
        process = subprocess.Popen(command, env=self.environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   start_new_session=True)
        due = self.watch(process, soaked, self.interrupted)
        process.terminate()  # what it has been asked for it answers, and reports
        out, err = self.last_words(process)
        soaked.require(process.returncode == 0, f"it ended with {process.returncode}: {err}")
        summary = json.loads(out) if process.returncode == 0 else {"passes": 0, "checksum": ""}
        soaked.passes = summary["passes"]
        soaked.require(summary["checksum"] == json.loads(plain.stdout)["checksum"],
                       "checksums differ from those without MemoMalloc")
        if process.returncode != 0:
            return [soaked]
        loaded, loaded_again = self.interpreter_runs_of_loading()
        self.judge(soaked, soaked.passes + loaded + summary.get("reloads", 0) * loaded_again, due)
        return [soaked]

    @staticmethod
    def last_words(process):
        """One that hangs is killed: the status says so, and what was seen before is kept."""
        try:
            return process.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            process.kill()
            return process.communicate()

    def interpreter_runs_of_loading(self):
        """How often TorchScript's interpreter runs, which is what counts as a pass, while a network is loaded for the first
        time and again."""
        counted, stats = [], self.folder / "loading.json"
        for options in (("--passes", 0), ("--passes", 1, "--reload-every", 1)):
            command = self.command(self.shapes, *options, workers=1)
            subprocess.run(command, env={**self.environment(), "MEMOMALLOC_STATS": str(stats)}, check=True, capture_output=True)
            counted.append(json.loads(stats.read_text())["passes"])
        return counted[0], counted[1] - 1 - counted[0]
