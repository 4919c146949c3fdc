import functools


class PjitFunction:
    """What JAX makes in C++: a function to all who look at it, that is called without Python's knowledge."""

    def __init__(self, fun):
        functools.update_wrapper(self, fun)
        self.lowered = 0

    def __call__(self, *args, **kwargs):
        return self.__wrapped__(*args, **kwargs)

    def __get__(self, instance, owner=None):
        return self if instance is None else functools.partial(self, instance)

    def __repr__(self):
        return f"<PjitFunction of {self.__name__}>"

    def __reduce__(self):
        return jit, (self.__wrapped__,)

    def lower(self, *args):
        from jax.stages import Compiled
        self.lowered += 1
        return Compiled(self)


def jit(fun=None, /, *, static_argnames=()):
    if fun is None:
        return lambda fun: PjitFunction(fun)
    if not callable(fun):
        raise TypeError(f"Expected a callable value, got {fun}")
    return PjitFunction(fun)
