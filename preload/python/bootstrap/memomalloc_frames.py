"""Lets recorded call stacks show the functions of Python: tells the library that the interpreter runs, and when it begins to end.

The library reads what the interpreter keeps of a thread. It must not do so any more when the interpreter throws that away.
"""
import atexit
import ctypes


def let_be_read():
    runs = getattr(ctypes.PyDLL(None), "memo_python_runs", None)
    if runs is not None:
        atexit.register(runs, 0)
        runs(1)
