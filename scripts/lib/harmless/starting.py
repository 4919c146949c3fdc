"""Starts a program once in one of the ways, and says what it answered, what it took, and what was said meanwhile."""

import contextlib
import functools
import hashlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

from commands import output_of
from example_server import free_port
from harmless.promises import FIRST, JEMALLOC, OFF, PLAIN, SECOND
from harmless.said import Facts, false_lines, ours
from harmless.watching import TreeWatch
from peers import environment_of, mode_off
from places import COMMAND, ROOT

PATIENCE = 300  # seconds, before a program is taken to hang
LOAD = ROOT / "scripts" / "lib" / "apps" / "load.py"
RUN = (FIRST, SECOND)
VARIABLES_OF_OURS = ("LD_PRELOAD", "MEMOMALLOC_")


@functools.cache
def library():
    """The one that the command puts into programs."""
    return output_of([COMMAND, "--print-preload"]).strip()


def environment_for(way, folder):
    """The variables that put an allocator into the program. The command does that itself."""
    if way == PLAIN:
        return {}
    if way == JEMALLOC:
        return environment_of("jemalloc")
    if way == OFF:
        return {**mode_off(), "LD_PRELOAD": library()}
    return {"XDG_CACHE_HOME": str(folder / "cache"), "MEMOMALLOC_STATS": str(folder / "stats")}


def without_ours():
    return {name: value for name, value in os.environ.items() if not name.startswith(VARIABLES_OF_OURS)}


def prefix_for(way):
    return [str(COMMAND), "run", "--"] if way in RUN else []


class Start:
    """One start of a program, in an empty folder that has nothing but what it makes itself."""

    def __init__(self, program, way, words, folder, options):
        self.program, self.way, self.folder, self.options = program, way, folder, options
        self.work = folder / ("run" if way in RUN else way)  # what was learned is found again in the same folder only
        shutil.rmtree(self.work, ignore_errors=True)
        self.work.mkdir(parents=True)
        self.port = free_port()
        self.words = [str(word).replace("{port}", str(self.port)) for word in words]
        self.report, self.out, self.err = (folder / f"{way}.{name}" for name in ("report", "out", "err"))
        for left in folder.glob("stats*"):
            left.unlink()

    def environment(self):
        fresh = {name: str(self.work / name.lower()) for name in self.program.fresh}
        own = {"MEMO_APP_REPORT": str(self.report), "MEMO_APP_IDLE": str(self.options.idle), "PYTHONDONTWRITEBYTECODE": "1",
               "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
        return {**without_ours(), **own, **fresh, **self.program.environment(), **environment_for(self.way, self.folder)}

    @contextlib.contextmanager
    def running(self):
        """The process. Whatever is left of its group is ended."""
        with open(self.out, "wb") as out, open(self.err, "wb") as err:
            process = subprocess.Popen([*prefix_for(self.way), *self.words], stdout=out, stderr=err, stdin=subprocess.DEVNULL, cwd=self.work,
                                       env=self.environment(), start_new_session=True)
        try:
            yield process
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            if process.returncode is None:
                process.wait()

    def load_service(self, process):
        """Returns what the load printed. The service is told to end when it has idled."""
        size = str(self.program.size_for(self.options))
        loading = subprocess.Popen([sys.executable, "-B", LOAD, str(self.port), self.program.load, size], stdout=subprocess.PIPE,
                                   stderr=subprocess.DEVNULL, env={**without_ours(), **self.program.environment()})
        with loading:
            while loading.poll() is None and process.poll() is None:
                time.sleep(0.05)
            loading.terminate()
            printed = loading.communicate()[0]
        time.sleep(self.options.idle)
        process.send_signal(signal.SIGTERM)
        return printed

    def measured(self):
        begin = time.monotonic()
        with self.running() as process, TreeWatch(process.pid, os.path.realpath(COMMAND)) as watch:
            loaded = self.load_service(process) if self.program.load else b""
            status, rusage = wait_for(process, begin + PATIENCE)
            wall = time.monotonic() - begin
        return self.found(watch, status, rusage, wall, self.out.read_bytes() + loaded, self.err.read_text(errors="replace"))

    def found(self, watch, status, rusage, wall, answer, said):
        lines = ours(said)
        facts = Facts(self.program.names, watch.most(), *self.statistics(watch.program), later=self.way == SECOND)
        own = read_json(self.report)
        return {"answer": answer_in_short(answer), "status": status, "processor": watch.processor, "faults": watch.faults,
                "most": watch.most(), "last": watch.last(), "wall": wall, "total": watch.with_the_command(rusage.ru_utime + rusage.ru_stime),
                "requests": own.get("processor"), "own": own, "said": lines, "false": false_lines(lines, facts),
                "error": "" if status == 0 else said[-500:]}

    def statistics(self, program):
        """Those of the processes that run the program, and those of the first of them. Others are not counted in what is said."""
        found = [read for path in self.folder.glob("stats*") if (read := read_json(path))]
        own = next((one for one in found if one["pid"] == program), {})
        return [one for one in found if one["program"] == own.get("program", one["program"])], own


def wait_for(process, end):
    """The exit status, as a shell says it, and what the process and all that it waited for took."""
    while True:
        pid, status, rusage = os.wait4(process.pid, os.WNOHANG)
        if pid:
            break
        if time.monotonic() > end:
            os.killpg(process.pid, signal.SIGKILL)
        time.sleep(0.002)
    process.returncode = os.waitstatus_to_exitcode(status)
    return (process.returncode if process.returncode >= 0 else 128 - process.returncode), rusage


def answer_in_short(answer):
    """Short answers as they are, so that a difference can be read."""
    return answer.decode(errors="replace") if len(answer) <= 200 else hashlib.sha256(answer).hexdigest()


def read_json(path):
    try:
        return json.loads(pathlib.Path(path).read_text())
    except (OSError, ValueError):
        return {}
