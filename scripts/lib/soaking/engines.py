"""The third kind of server of a soak: engines from their Python packages, each served from plans that are exchanged, and by `memomalloc run`,
which learns by itself. All of them live at the same time, and are asked in turn. So each has the whole soak to grow in."""

import functools
import json
import os
import pathlib
import random
import subprocess
import time

from commands import output_of
from places import COMMAND, ENGINES_PYTHON
from resident import resident_megabytes
from served import share_of
from soaking.exchanges import Exchanges
from soaking.life import DiedError, Life
from soaking.servers import SECONDS_BETWEEN_LOOKS, Server, Soaked

PROGRAM = pathlib.Path(__file__).with_name("answer.py")
PACKAGES = {  # engine -> the module that it needs
    "torch-eager": "torch",
    "torch-script": "torch",
    "transformers": "transformers",
    "onnxruntime": "onnxruntime",
    "onnxruntime-arena-off": "onnxruntime",
    "openvino": "openvino",
    "ctranslate2": "ctranslate2",
    "jax": "jax",
    "tensorflow": "tensorflow",
}
NUMBERS = range(48)  # requests, of which each has a shape of its own
RECORDED_FEW, RECORDED_MANY = 9, 36  # the others are in no plan
SECONDS_OF_A_TURN = 3
LEAST_ASKED, MOST_ASKED = 40, 120  # requests of a process that is started to be ended or killed
MOST_SECONDS_OF_A_START = 4  # within which a process is killed while it starts
MOST_SECONDS_OF_A_REQUEST = 0.02
SEARCH = ("--timeout", "200ms")  # for each variant of a plan; the best of plans is not what is looked for here


@functools.cache
def is_installed(module):
    """Whether the engines' Python has it. Does not import it."""
    find = f"import importlib.util, sys; sys.exit(importlib.util.find_spec('{module}') is None)"
    return ENGINES_PYTHON.exists() and subprocess.run([ENGINES_PYTHON, "-c", find], check=False).returncode == 0


def installed_engines():
    return [name for name, module in PACKAGES.items() if is_installed(module)]


def has_served(statistics):
    """Whether there was a plan to serve from. On a busy machine, serving may stand aside from the first passes on."""
    return bool(statistics) and (statistics["served"] > 0 or statistics["aside"]["passes"] > 0)


class EngineSoaked(Soaked):
    """What came of an engine: further counts, and the allocations of steady passes."""

    def __init__(self, name, record):
        super().__init__(name, record)
        self.wrong_answers = self.crashes = self.kills = self.restarts = 0
        self.served = self.missed = 0

    def summary(self):
        return (f"{self.passes} requests, {self.wrong_answers} wrong answers, {self.crashes} crashes, {self.kills} kills, "
                f"{self.restarts} restarts, plan exchanged {self.swaps} times, {share_of(self.served, self.missed):.1%} served")

    def died(self, why):
        self.crashes += 1
        self.require(False, f"it died by itself: {why}")

    def count(self, statistics):
        """Counts what a process left that ended in order."""
        for name in ("double_free", "bad_free", "abandoned"):
            self.require(statistics[name] == 0, f"{name} is {statistics[name]}")
        self.served += statistics["steady"]["served"]
        self.missed += statistics["steady"]["missed"]


class Engine:
    """What the two ways to serve an engine have in common."""

    def __init__(self, name, program=(ENGINES_PYTHON, PROGRAM)):
        self.name = name
        self.command = (*program, name)

    def answers(self, *prefix, numbers=NUMBERS):
        """The answers to these numbers by a process of their own, which is not interrupted together with the soak."""
        asked = "".join(f"{number}\n" for number in numbers)
        return output_of([*prefix, *self.command], input=asked, start_new_session=True).splitlines()[1:]

    @functools.cached_property
    def right(self):
        """The answers without MemoMalloc."""
        return self.answers()


class EngineServer(Server):
    """One long life, whose memory is looked at, and many short ones, which end or are killed at a random moment. After a kill the next
    one has to serve."""

    def __init__(self, engine, folder, records, interrupted, cache):
        self.name = f"{engine.name}-{self.way}"
        self.engine = engine
        folder.mkdir()
        super().__init__(folder, records, interrupted)
        self.variables = {**os.environ, "XDG_CACHE_HOME": str(cache)}
        self.dice = random.Random(self.name)
        self.life = self.exchanges = None  # the long life, and the plans that it finds

    def begin(self):
        self.soaked = EngineSoaked(self.name, self.record_of_looks)

    def start(self, name):
        folder = self.folder / name
        folder.mkdir(exist_ok=True)
        (folder / "stats").unlink(missing_ok=True)
        return Life([*self.prefix(folder / "stats"), *self.engine.command], self.variables, folder)

    def ask(self, life):
        number = self.dice.choice(NUMBERS)
        began = time.monotonic()
        answer = life.ask(number)
        if life is self.life:
            self.exchanges.pass_began(began)
        self.soaked.passes += 1
        if answer != self.engine.right[number]:
            self.soaked.wrong_answers += 1
            self.soaked.require(False, f"the answer to {number} is {answer}, and {self.engine.right[number]} without MemoMalloc")

    def take_turn(self):
        self.go_on_with_the_long_life()
        if not self.interrupted.is_set():
            self.live_shortly()

    def go_on_with_the_long_life(self):
        try:
            if not self.life:
                self.exchanges = Exchanges(self.is_whole(self.soaked.swaps))
                self.life = self.start("long")
                self.life.begin()
            self.ask_for_a_turn()
        except DiedError as error:
            self.soaked.died(error)
            self.life.remove()
            self.life = None

    def ask_for_a_turn(self):
        """Exchanges the plan at some moment of it, if there is one to exchange."""
        begin = time.monotonic()
        self.ask_until(begin + self.dice.uniform(0, SECONDS_OF_A_TURN))
        self.exchange()
        self.ask_until(begin + SECONDS_OF_A_TURN)

    def ask_until(self, end):
        """Asks the long life once at least, and looks at its memory now and then, and at the end."""
        looked = time.monotonic()
        while True:
            self.ask(self.life)
            now = time.monotonic()
            if now > end or self.interrupted.is_set():
                break
            if now > looked + SECONDS_BETWEEN_LOOKS:
                looked = now
                self.soaked.look(resident_megabytes(self.life))
        self.soaked.look(resident_megabytes(self.life))

    def live_shortly(self):
        if self.soaked.restarts % 2 == 0:
            self.live(self.kill_at_some_moment)
        self.live(self.end_in_order)

    def live(self, end):
        life = self.start("short")
        try:
            end(life)
        except DiedError as error:
            self.soaked.died(error)
        finally:
            life.remove()

    def kill_at_some_moment(self, life):
        if self.dice.random() < 0.3:
            time.sleep(self.dice.uniform(0, MOST_SECONDS_OF_A_START))
        else:
            life.begin()
            for _ in range(self.dice.randint(0, MOST_ASKED)):
                self.ask(life)
            life.send(self.dice.choice(NUMBERS))
            time.sleep(self.dice.uniform(0, MOST_SECONDS_OF_A_REQUEST))
        life.kill(program_alone=self.dice.random() < 0.5)
        self.soaked.kills += 1

    def end_in_order(self, life):
        life.begin()
        for _ in range(self.dice.randint(LEAST_ASKED, MOST_ASKED)):
            self.ask(life)
        self.judge_served(has_served(self.end(life, "short")))
        self.soaked.restarts += 1

    def end(self, life, name):
        """Ends it in order. Returns its statistics; there are none where `run` has found that nothing can be learned."""
        life.end()
        left = self.folder / name / "stats"
        if not left.exists():
            return {}
        statistics = json.loads(left.read_text())
        self.soaked.count(statistics)
        return statistics

    def finish(self):
        if self.life:
            try:
                self.judge_long_life(self.end(self.life, "long"))
            except DiedError as error:
                self.soaked.died(error)
            finally:
                self.life.remove()


class PlannedEngine(EngineServer):
    """Served from plans that were made before. A file that is none comes in between."""

    way = "serve"

    def prepare(self):
        for plan, count in ((self.plans[0], RECORDED_FEW), (self.plans[2], RECORDED_MANY)):
            self.record(plan, NUMBERS[:count])
        self.exchange_plan(0)

    def record(self, plan, numbers):
        """Plans what is recorded of these requests, which come twice: some passes are found by their coming back."""
        trace = plan.with_suffix(".trace")
        answers = self.engine.answers(COMMAND, "profile", "--force", "-q", "-o", trace, "--", numbers=[*numbers, *numbers])
        if answers != [self.engine.right[number] for number in numbers] * 2:
            raise SystemExit(f"soak: {self.engine.name}: an answer is another one while it is recorded")
        output_of([COMMAND, "plan", "--force", "-q", *SEARCH, "-o", plan, trace], start_new_session=True)

    def prefix(self, statistics):
        """The command refuses to start with a file that is no plan. The library has to bear it, and so is told by itself where the plan is."""
        return (COMMAND, "serve", "--plan", self.plans[0], "--stats", statistics, "--", "env", f"MEMOMALLOC_PLAN={self.plan}")

    def exchange(self):
        """Leaves a plan that no request has had to find yet."""
        if not self.exchanges.had_chance:
            return
        self.soaked.swaps += 1
        self.exchange_plan(self.soaked.swaps)
        self.exchanges.exchanged(self.is_whole(self.soaked.swaps))

    def judge_served(self, served):
        plan = self.plans[self.soaked.swaps % len(self.plans)]
        self.soaked.require(served or not self.is_whole(self.soaked.swaps), f"nothing was served from {plan.name}")

    def judge_long_life(self, statistics):
        self.soaked.require_plans(statistics.get("plans_loaded", 0), self.exchanges.due)


class LearningEngine(EngineServer):
    """Served by `memomalloc run`, whose cache all engines and all their lives share."""

    way = "run"

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.has_served = False

    def prepare(self):
        """It learns while it runs."""

    def prefix(self, statistics):
        return (COMMAND, "run", "--stats", statistics, "--")

    def exchange(self):
        """Nobody but the command itself exchanges its plan."""

    def judge_served(self, served):
        self.soaked.require(served or not self.has_served, "nothing was served, although a start before had a plan")
        self.has_served = self.has_served or served

    def judge_long_life(self, statistics):
        """There are engines of which nothing can be learned."""


class Engines:
    """All of them, or those that are named."""

    name = "engines"
    packages = ()
    targets = ("memomalloc_cli",)

    def __init__(self, folder, records, interrupted, names=None):
        folder = pathlib.Path(folder)
        self.interrupted = interrupted
        self.servers = [way(engine, folder / f"{engine.name}-{way.way}", records, interrupted, folder / "cache")
                        for engine in map(Engine, names or installed_engines()) for way in (PlannedEngine, LearningEngine)]

    def prepare(self):
        """Interrupted, it leaves the others unprepared: they are asked nothing."""
        for server in self.servers:
            if not self.interrupted.is_set():
                server.prepare()

    def soak(self, seconds):
        for server in self.servers:
            server.begin()
        end = time.monotonic() + seconds
        try:
            while time.monotonic() < end and not self.interrupted.is_set():
                self.take_turns(end)
        finally:
            for server in self.servers:
                server.finish()
        return [server.soaked for server in self.servers]

    def take_turns(self, end):
        for server in self.servers:
            if time.monotonic() < end and not self.interrupted.is_set():
                server.take_turn()
