"""Makes the calls of an engine's function passes, unless they are part of one. Answers and exceptions stay as they are."""
import functools

from . import library
from .keys import NO_KEY, key_of_text
from .mark_switch import switch
from .marks import thread


def mark_calls(owner, name, model=None, unless=None):
    """Wraps a function of a class or module, where there is one of that name. `model` makes a text from its arguments that tells
    models apart. `unless` says of its arguments whether the call is no pass, and must not raise."""
    original = getattr(owner, name, None)
    if original is not None:
        switch.mark(owner, name, original, marked(original, model, unless))


def marked(original, model, unless=None):
    @functools.wraps(original)
    def call(*args, **kwargs):
        if thread.depth or (unless is not None and unless(*args, **kwargs)) or (switch.returns and switch.began_unmarked()):
            return original(*args, **kwargs)
        key = NO_KEY if model is None else _key(model, args, kwargs)
        try:
            thread.depth = 1
            if not library.pass_begin(key):
                switch.stands_aside()
            elif switch.row:
                switch.row = 0
            return original(*args, **kwargs)
        finally:
            library.pass_end()
            thread.depth = 0

    return call


def _key(model, args, kwargs):
    """Arguments that the engine will refuse are its own business."""
    try:
        return key_of_text(model(*args, **kwargs))
    except Exception:
        return NO_KEY
