"""PyTorch: the outermost call of a module without gradients is a pass. While passes are recorded for `memomalloc profile`, the
calls inside are scopes that are named after the module's place: `[layer1.0.conv2]`. The brackets say that a plan must not wait
for them: served passes have the operators alone, since telling the library of each module would cost too much.

TorchScript is left to the hooks, which see its runs inside PyTorch, too: those of `torch.jit.trace`, where it warms up. Only the end of
a run shows late to them, and is told here.

What traces or compiles a model sees the calls as they were: nothing is marked then, and no argument is looked at, since
tracers record such looks.
"""
import functools
import sys
import weakref

from .. import library
from ..keys import NO_KEY, key_of
from ..mark_switch import switch
from ..marks import thread

marking_code = None  # of the function that marks


def mark(torch):
    global marking_code
    original = torch.nn.Module.__call__
    call = _marked(torch, original)
    marking_code = call.__code__
    switch.mark(torch.nn.Module, "__call__", original, call, is_fixed=_may_be_compiled)


def _may_be_compiled():
    """What torch.compile has compiled may depend on the function that it found, and would be compiled anew for another one."""
    return "torch._dynamo.eval_frame" in sys.modules


def _no():
    return False


def _marked(torch, original):
    """Every module of every pass goes through the function that this returns. So there is one for each way of looking at those that
    lie inside another."""
    is_read_by_dynamo = getattr(getattr(torch, "compiler", None), "is_dynamo_compiling", _no)
    call_outermost = _passes(torch, original)
    if library.records_data_flow:
        call = _with_data_flow(torch, original, is_read_by_dynamo, call_outermost)
    elif library.is_profiling:
        call = _with_scopes(original, is_read_by_dynamo, call_outermost)
    elif _only_chooses(original):
        call = _choosing_too(original, is_read_by_dynamo, call_outermost)
    else:
        call = _going_on(original, is_read_by_dynamo, call_outermost)
    return functools.wraps(original)(call)


def _ended_at_once(original):
    """A thread that sleeps after its call would keep its lane and its turn, and the next pass of another thread would need more."""
    def call(self, *args, **kwargs):
        try:
            return original(self, *args, **kwargs)
        finally:
            library.see_what_has_ended()

    return call


def _passes(torch, original):
    exports = getattr(getattr(torch, "compiler", None), "is_compiling", _no)
    has_gradients, traces = torch.is_grad_enabled, torch._C._get_tracing_state
    begin_pass, end_pass = library.pass_begin, library.pass_end
    look_at = _Models().look_at
    seen_by_hooks = torch.jit.ScriptModule if library.has_hooks else ()
    call_seen_by_hooks = _ended_at_once(original)

    def call_outermost(self, args, kwargs):
        if has_gradients() or traces() is not None or exports():
            return original(self, *args, **kwargs)
        if isinstance(self, seen_by_hooks):
            return call_seen_by_hooks(self, *args, **kwargs)
        if switch.returns and switch.began_unmarked():
            return original(self, *args, **kwargs)
        key, names = look_at(self)
        try:
            thread.depth, thread.names = 1, names
            if not begin_pass(key):
                switch.stands_aside()
            elif switch.row:
                switch.row = 0
            return original(self, *args, **kwargs)
        finally:
            end_pass()
            thread.depth, thread.names = 0, None

    return call_outermost


# torch.compile takes the answer of is_read_by_dynamo() for a constant, and reads nothing of what follows where that is true.

def _with_scopes(original, is_read_by_dynamo, call_outermost):
    begin_scope, end_scope = library.scope_begin, library.scope_end

    def __call__(self, *args, **kwargs):
        if is_read_by_dynamo():
            return original(self, *args, **kwargs)
        if not thread.depth:
            return call_outermost(self, args, kwargs)
        name = None if thread.names is None else thread.names.get(id(self))
        if name is None:
            return original(self, *args, **kwargs)
        try:
            begin_scope(name)
            return original(self, *args, **kwargs)
        finally:
            end_scope()

    return __call__


def _with_data_flow(torch, original, is_read_by_dynamo, call_outermost):
    """Watches from the outermost module of a pass on, which may be one that the program marked around several modules. Leaves most
    passes alone: PyTorch takes longer to hand its operators to Python than the library takes for all else. What it allocates for that
    is then missing in those passes, so that plans are made of them."""
    from . import torch_data_flow  # not read where nothing is watched: every start of a program would wait for it

    watch = torch_data_flow.watching(torch)
    exports = getattr(getattr(torch, "compiler", None), "is_compiling", _no)
    has_gradients, traces = torch.is_grad_enabled, torch._C._get_tracing_state
    with_scopes = _with_scopes(original, is_read_by_dynamo, call_outermost)

    def __call__(self, *args, **kwargs):
        if is_read_by_dynamo() or thread.is_watched or has_gradients() or traces() is not None or exports():
            return with_scopes(self, *args, **kwargs)
        if not thread.depth:
            thread.passes += 1
        if not _is_to_be_watched(thread.passes):
            return with_scopes(self, *args, **kwargs)
        thread.is_watched = True
        try:
            return watch(with_scopes, self, *args, **kwargs)
        finally:
            thread.is_watched = False

    return __call__


WATCHED_ONE_IN = 4


def _is_to_be_watched(number):
    """The first pass, which may be the only one, and the second, after the warm-up; from there on one in so many."""
    return number == 1 or number % WATCHED_ONE_IN == 2


def _going_on(original, is_read_by_dynamo, call_outermost):
    def __call__(self, *args, **kwargs):
        if is_read_by_dynamo() or thread.depth:
            return original(self, *args, **kwargs)
        return call_outermost(self, args, kwargs)

    return __call__


def _only_chooses(original):
    """Returns True for PyTorch's function from 2.1 on, which goes on to one of two others by an attribute of the module."""
    code = getattr(original, "__code__", None)
    return code is not None and code.co_names == ("_compiled_call_impl", "_call_impl")


def _choosing_too(original, is_read_by_dynamo, call_outermost):
    """Makes the choice of the original function here: a call of it would cost more than all else that is done for a module."""
    def __call__(self, *args, **kwargs):
        if is_read_by_dynamo():
            return original(self, *args, **kwargs)
        if not thread.depth:
            return call_outermost(self, args, kwargs)
        if self._compiled_call_impl is None:
            return self._call_impl(*args, **kwargs)
        return self._compiled_call_impl(*args, **kwargs)

    return __call__


class _Models:
    """What tells a model's passes and their parts apart."""

    def __init__(self):
        self._keys = {}  # of classes
        self._names = weakref.WeakKeyDictionary()

    def look_at(self, model):
        """The key and the names of a pass. A model that cannot be looked at has neither."""
        try:
            return self._key_of(model), self._names_in(model) if library.is_profiling else None
        except Exception:
            return NO_KEY, None

    def _names_in(self, model):
        """Made at the first pass. A module that is added later has no name, and is no scope."""
        names = self._names.get(model)
        if names is None:
            names = self._names[model] = {id(part): f"[{name}]".encode() for name, part in model.named_modules() if name}
        return names

    def _key_of(self, model):
        """That of the model's class. Shapes are not in it: passes of all shapes share one plan."""
        kind = type(model)
        key = self._keys.get(kind)
        if key is None:
            key = self._keys[kind] = key_of(f"{kind.__module__}.{kind.__qualname__}")
        return key
