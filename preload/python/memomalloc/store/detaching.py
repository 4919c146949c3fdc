"""Lets a process go on by itself, once what its starter waits for is done."""
import os
import select
import time


def detach(longest_wait):
    """Returns in a process of its own, which init adopts. The one that called ends when the other calls release(), or after
    so many seconds. What the other writes to stderr until then comes out of this one's."""
    inlet, outlet = os.pipe()
    if os.fork():
        os.close(outlet)
        _hand_on(inlet, longest_wait)
        os._exit(0)
    os.close(inlet)
    os.setsid()
    os.dup2(outlet, 2)
    os.close(outlet)


def release():
    """Gives the last of the starter's files back: a reader of the program's stderr must not wait for this process."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nowhere, number)
    os.close(nowhere)


def _hand_on(inlet, longest_wait):
    end = time.monotonic() + longest_wait
    while select.select([inlet], [], [], max(0.0, end - time.monotonic()))[0]:
        said = os.read(inlet, 4096)
        if not said:
            return
        os.write(2, said)
