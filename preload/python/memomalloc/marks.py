"""Passes and scopes of the calling thread.

A pass inside another is part of it. The library tells the two apart by the stack, where Python's calls do not show. So each
thread counts here.
"""
import contextlib
import threading

from . import library
from .keys import key_of


class Thread(threading.local):
    depth = 0     # passes around the thread; a value of the class, for threads that have begun none
    names = None  # the names of the pass's modules, where an engine has any
    is_watched = False  # an engine tells what its operators read and write
    passes = 0  # begun by marks, or by an engine that watches its operators
    returns = 0  # of the marks, when the thread was last seen outside of the calls that are marked (mark_switch.py)


thread = Thread()


class forward(contextlib.ContextDecorator):
    """A pass: one forward run of this thread, as a `with` or around a function.

    `key` tells shapes apart: a number, a text, or tuples of them, such as a tensor's shape. Passes of one key are expected to
    allocate alike.
    """

    def __init__(self, key=None):
        self._key = key_of(key)

    def __enter__(self):
        thread.depth += 1
        if thread.depth == 1 and library.is_loaded:
            thread.passes += 1
            library.pass_begin(self._key)
        return self

    def __exit__(self, *_):
        thread.depth -= 1
        if thread.depth == 0 and library.is_loaded:
            library.pass_end()


class scope(contextlib.ContextDecorator):
    """A named part of a pass, such as a layer. Scopes nest."""

    def __init__(self, name):
        self._name = name.encode(errors="replace")

    def __enter__(self):
        if library.is_loaded:
            library.scope_begin(self._name)
        return self

    def __exit__(self, *_):
        if library.is_loaded:
            library.scope_end()
