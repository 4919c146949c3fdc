"""Keeps a store that hangs from holding a start up."""
import threading

from .errors import StoreError


def within(seconds, work):
    """Does the work on a thread. After so long it goes on without it; the thread ends with the process."""
    failures = []

    def do():
        try:
            work()
        except Exception as error:
            failures.append(error)

    thread = threading.Thread(target=do, daemon=True)
    thread.start()
    thread.join(seconds)
    if thread.is_alive():
        raise StoreError("the store has not answered in {:g} s".format(seconds))
    if failures:
        raise failures[0]
