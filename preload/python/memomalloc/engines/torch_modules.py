"""PyTorch: the outermost call of a module without gradients is a pass. While passes are recorded for `memomalloc profile`, the
calls inside are scopes that are named after the module's place: `layer1.0.conv2`. A plan serves as well without them, since
the operators are scopes too.

TorchScript is left to the hooks, which see its runs inside PyTorch, too: those of `torch.jit.trace`, where it warms up.

What traces or compiles a model sees the calls as they were: nothing is marked then, and no shape is looked at, since tracers
record such looks.
"""
import functools
import weakref
from collections.abc import Mapping

from .. import library
from ..keys import DEPTH, NO_KEY, key_of_numbers, number_of_text
from ..marks import thread

marking_code = None  # of the function that marks


def mark(torch):
    global marking_code
    call = _marked(torch, torch.nn.Module.__call__)
    marking_code = call.__code__
    torch.nn.Module.__call__ = call


def _no():
    return False


def _marked(torch, original):
    compiler = getattr(torch, "compiler", None)
    is_read_by_dynamo = getattr(compiler, "is_dynamo_compiling", _no)
    exports = getattr(compiler, "is_compiling", _no)
    has_gradients, traces = torch.is_grad_enabled, torch._C._get_tracing_state
    begin_pass, end_pass, begin_scope, end_scope = library.pass_begin, library.pass_end, library.scope_begin, library.scope_end
    look_at = _Models(torch).look_at
    seen_by_hooks = torch.jit.ScriptModule if library.has_hooks else ()

    @functools.wraps(original)
    def __call__(self, *args, **kwargs):
        if is_read_by_dynamo():  # torch.compile takes the answer for a constant, and reads nothing of what follows
            return original(self, *args, **kwargs)
        if thread.depth:
            name = None if thread.names is None else thread.names.get(id(self))
            if name is None:
                return original(self, *args, **kwargs)
            try:
                begin_scope(name)
                return original(self, *args, **kwargs)
            finally:
                end_scope()
        if has_gradients() or traces() is not None or exports() or isinstance(self, seen_by_hooks):
            return original(self, *args, **kwargs)
        key, names = look_at(self, args, kwargs)
        try:
            thread.depth, thread.names = 1, names
            begin_pass(key)
            return original(self, *args, **kwargs)
        finally:
            end_pass()
            thread.depth, thread.names = 0, None

    return __call__


class _Models:
    """What tells a model's passes and their parts apart."""

    def __init__(self, torch):
        self._tensors = (torch.Tensor, torch.nn.Parameter)
        self._numbers = {}  # of classes
        self._names = weakref.WeakKeyDictionary()

    def look_at(self, model, args, kwargs):
        """The key and the names of a pass. A model that cannot be looked at has neither."""
        try:
            return self._key_of(model, args, kwargs), self._names_in(model) if library.is_profiling else None
        except Exception:
            return NO_KEY, None

    def _names_in(self, model):
        """Made at the first pass. A module that is added later has no name, and is no scope."""
        names = self._names.get(model)
        if names is None:
            names = self._names[model] = {id(part): name.encode() for name, part in model.named_modules() if name}
        return names

    def _key_of(self, model, args, kwargs):
        kind = type(model)
        number = self._numbers.get(kind)
        if number is None:
            number = self._numbers[kind] = number_of_text(f"{kind.__module__}.{kind.__qualname__}")
        shapes = [number]
        self._add_shapes(args, shapes, DEPTH)
        self._add_shapes(kwargs, shapes, DEPTH)
        return key_of_numbers(tuple(shapes))

    def _add_shapes(self, value, shapes, depth):
        """Leaves out tensors of other classes: those of tracers, where a look at a shape has consequences."""
        if type(value) in self._tensors:
            shapes.append(tuple(value.shape))
        elif depth and isinstance(value, (tuple, list)):
            for one in value:
                self._add_shapes(one, shapes, depth - 1)
        elif depth and isinstance(value, Mapping):
            for one in value.values():
                self._add_shapes(one, shapes, depth - 1)
