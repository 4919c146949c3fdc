"""Starts the watch beside a program that imports an engine, where MEMOMALLOC_STORE names a store. The watch is no child of the
program, so that no wait of the program sees it, and it has none of the program's files."""
import os
import subprocess
import sys

from .. import speaker
from .messages import Messages
from .opening import VARIABLE

LONGEST_WAIT = 5  # seconds for the first answer; the program imports an engine meanwhile, which takes as long
_PACKAGES = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
_begun_in = None  # the process that has started a watch; one forked from it shares the plan, and the watch


def begin():
    """Returns once the plan has been pulled, or cannot be for now."""
    global _begun_in
    if _begun_in is not None or not os.environ.get(VARIABLE) or os.environ.get("MEMOMALLOC_MODE") != "auto" or not sys.executable:
        return
    _begun_in = os.getpid()
    command = [sys.executable, "-m", "memomalloc.store", "watch", "--detach", "--pid", str(_begun_in)]
    try:
        subprocess.run(command, env=_environment(), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                       stderr=None if speaker.may_speak() else subprocess.DEVNULL, check=True, timeout=2 * LONGEST_WAIT)
    except (OSError, subprocess.SubprocessError) as error:
        Messages(os.environ, says_all=False, on_stderr=speaker.say).trouble("the watch cannot be started: {}; the program learns by itself".format(error))


def _environment():
    """Without the library: the watch is nothing to learn."""
    environment = {name: value for name, value in os.environ.items() if name not in ("LD_PRELOAD", "MEMOMALLOC_MODE")}
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, (_PACKAGES, os.environ.get("PYTHONPATH"))))
    return environment
