"""PyTorch, for `memomalloc profile --data-flow`: tells the library which allocations each operator of a pass reads and writes.

Sees the operators where PyTorch's dispatcher hands them to Python: below all composite functions, `aten::convolution` and not
`conv2d`; in inference mode above them. The operator's schema says which of its arguments it changes, and which of its answers are
views. Composite functions may copy where theirs says view, or hand back what they got: there the storages of the tensors say it.
Where a tensor lies says which allocation it is: the library finds that of a view.
"""
import ctypes
import itertools
import threading

from .. import library

MOST_TENSORS = 4096  # of one operator; what is beyond is left out


def watching(torch):
    """Makes a function that calls another one and watches its operators."""
    mode = _mode(torch)()

    def watch(function, *args, **kwargs):
        with mode:
            return function(*args, **kwargs)

    return watch


def _mode(torch):
    from torch.utils._python_dispatch import TorchDispatchMode

    tell = _Teller(torch).tell

    class DataFlow(TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            answer = func(*args, **kwargs) if kwargs else func(*args)
            tell(func, args, kwargs, answer)
            return answer

        @classmethod
        def ignore_compile_internals(cls):
            """Lets torch.compile compile as without it, where PyTorch asks. Older versions run such models eagerly under any mode."""
            return True

    return DataFlow


class _Schema:
    """What the library must know of an operator."""

    def __init__(self, torch, func):
        schema = func._schema
        self.name = schema.name.encode()
        self.changed = [i for i, argument in enumerate(schema.arguments) if _is_changed(argument) and not argument.kwarg_only]
        self.changed_by_name = [argument.name for argument in schema.arguments if _is_changed(argument) and argument.kwarg_only]
        self.fresh = [answer.alias_info is None for answer in schema.returns]
        self.is_composite = torch._C._dispatch_has_kernel_for_dispatch_key(func.name(), "CompositeImplicitAutograd")
        self.only_views = bool(self.fresh) and not (any(self.fresh) or self.changed or self.changed_by_name or self.is_composite)


def _is_changed(argument):
    return argument.alias_info is not None and argument.alias_info.is_write


class _Teller(threading.local):
    """Each thread has its own table and list, since another thread may run between any two lines."""

    def __init__(self, torch):
        self._torch = torch
        self._tensor = torch.Tensor
        self._schemas = {}
        self._places = (ctypes.c_uint64 * MOST_TENSORS)()
        self._address = ctypes.addressof(self._places)

    def tell(self, func, args, kwargs, answer):
        """Tensors that lie nowhere, such as sparse ones, raise. Their operators are left out."""
        schema = self._schemas.get(func)
        if schema is None:
            schema = self._schemas[func] = _Schema(self._torch, func)
        if schema.only_views:
            return
        try:
            reads = self._put(0, args)
            if kwargs:
                reads = self._put(reads, kwargs.values())
            end = self._put_changed(reads, schema, args, kwargs)
            end = self._put_made(end, args, kwargs, answer) if schema.is_composite else self._put_fresh(end, schema, answer)
        except (RuntimeError, IndexError):
            return
        if schema.is_composite and end == reads:
            return
        library.data_flow(schema.name, self._address, reads, end - reads)

    def _put(self, at, values):
        places, tensor = self._places, self._tensor
        for value in values:
            if isinstance(value, tensor):
                places[at] = value.data_ptr()
                at += 1
            elif isinstance(value, (list, tuple)):
                at = self._put(at, value)
        return at

    def _put_changed(self, at, schema, args, kwargs):
        if schema.changed:
            at = self._put(at, [args[i] for i in schema.changed if i < len(args)])
        if schema.changed_by_name:
            at = self._put(at, [kwargs[name] for name in schema.changed_by_name if name in kwargs])
        return at

    def _put_fresh(self, at, schema, answer):
        if schema.fresh == [True]:
            return self._put(at, (answer,))
        return self._put(at, itertools.compress(answer, schema.fresh)) if any(schema.fresh) else at

    def _put_made(self, at, args, kwargs, answer):
        """The answers that share no storage with an argument."""
        old = {_storage_of(tensor) for tensor in self._tensors((args, tuple(kwargs.values()) if kwargs else ()))}
        return self._put(at, [tensor for tensor in self._tensors((answer,)) if _storage_of(tensor) not in old])

    def _tensors(self, values):
        for value in values:
            if isinstance(value, self._tensor):
                yield value
            elif isinstance(value, (list, tuple)):
                yield from self._tensors(value)


def _storage_of(tensor):
    storage = tensor.untyped_storage() if hasattr(tensor, "untyped_storage") else tensor.storage()
    return storage.data_ptr()
