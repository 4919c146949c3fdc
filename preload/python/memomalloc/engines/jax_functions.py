"""JAX: a call of what `jax.jit` returned is a pass, with the function's name as its key. So is a call of a function that was compiled
ahead of time. Functions that JAX has compiled for itself, as those of `jax.numpy`, are none: they were made before this.

The call of a compiled function runs in C++, where nothing can be wrapped on every Python. So `jax.jit` returns a stand-in, which
looks like the function in all else.
"""
import functools
import types

from .. import wrapping
from ..wrapping import mark_calls


def mark(jax):
    for file in (__file__, wrapping.__file__):
        _leave_out_of_tracebacks(jax, file)
    jax.jit = _marking(jax.jit)
    mark_calls(jax.stages.Compiled, "__call__")


def _leave_out_of_tracebacks(jax, file):
    """JAX names the line of the program that called it, in errors and in what it compiles. It must not name one of these files."""
    for who in (jax._src.traceback_util, jax._src.source_info_util):
        who.register_exclusion(file)


def _marking(original):
    @functools.wraps(original)
    def jit(*args, **kwargs):
        made = original(*args, **kwargs)
        if args or "fun" in kwargs:
            return Jitted(made)
        return lambda fun: Jitted(made(fun))  # options alone give a decorator

    return jit


class Jitted:
    __slots__ = ("_original", "_name", "__weakref__")

    def __init__(self, original):
        object.__setattr__(self, "_original", original)
        object.__setattr__(self, "_name", f"{original.__module__}.{getattr(original, '__qualname__', '')}")

    def __call__(self, /, *args, **kwargs):
        return self._original(*args, **kwargs)

    def __get__(self, instance, owner=None):
        return self if instance is None else types.MethodType(self, instance)

    def __getattr__(self, name):
        return getattr(self._original, name)

    def __setattr__(self, name, value):
        setattr(self._original, name, value)

    def __delattr__(self, name):
        delattr(self._original, name)

    def __dir__(self):
        return dir(self._original)

    def __repr__(self):
        return repr(self._original)

    def __reduce_ex__(self, protocol):
        return self._original.__reduce_ex__(protocol)

    __class__ = property(lambda self: type(self._original))
    __doc__ = property(lambda self: self._original.__doc__)
    __module__ = property(lambda self: self._original.__module__)


mark_calls(Jitted, "__call__", lambda jitted, *_, **__: jitted._name)
