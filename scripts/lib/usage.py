"""What a program took that ran to its end, as the kernel counts it."""

import dataclasses
import os
import resource
import subprocess
import time


@dataclasses.dataclass
class Ended:
    printed: str
    seconds: float  # by the clock
    usage: resource.struct_rusage  # of the program and of all that it waited for


def run_to_end(command, environment, errors=None):
    """Runs the command in this environment alone. Ends the script where the command fails."""
    words = [str(word) for word in command]
    begin = time.perf_counter()
    with subprocess.Popen(words, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors, text=True) as process:
        printed = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - begin
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"{' '.join(words)} ended with {process.returncode}")
    return Ended(printed, seconds, usage)
