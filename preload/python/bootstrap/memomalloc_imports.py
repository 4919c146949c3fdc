"""Calls back when an engine has been imported, and lets `import memomalloc` find the package beside this folder.

A finder in front of the others asks them for the engines' modules, and adds the callback to what they answer. It costs a look
into a table for each import. Imports nothing itself: most Pythons never import an engine.
"""
import os
import sys

PACKAGE = "memomalloc"
# The modules that are wrapped once they have been imported. `memomalloc.engines` says by whom.
ENGINES = frozenset((
    "torch",
    "torch._dynamo.eval_frame",
    "torch._inductor.package.package",
    "torch.export.pt2_archive._package",
    "transformers.generation.utils",
    "onnxruntime.capi.onnxruntime_inference_collection",
    "openvino._ov_api",
    "ctranslate2._ext",
    "tensorflow.python.eager.polymorphic_function.polymorphic_function",
    "tensorflow.python.eager.polymorphic_function.concrete_function",
    "keras.src.models.model",
    "jax",
))


def _mark(module, say_unmarked):
    """An engine that cannot be marked runs as it is."""
    try:
        from memomalloc import engines
        engines.mark(module)
    except Exception:
        say_unmarked(module.__name__)


def _announce():
    """Before the engine allocates: what it does while it is imported is none of what should be learned. A plan that others have
    learned is fetched meanwhile."""
    try:
        from memomalloc import engines
        engines.announce_passes()
        if os.environ.get("MEMOMALLOC_STORE"):
            from memomalloc.store import beside
            beside.begin()
    except Exception:
        pass  # _mark says what is wrong


def _mark_after(spec, say_unmarked):
    """Has the module marked once it is there. Python notes at the spec when a module begins and when it is done, and this takes
    note of it. A call around the import would do as well, but all that the module does while it is imported would then run one
    call deeper, which costs a page fault for each iteration of a loop whose calls then cross the end of a piece of Python's stack."""
    class Watched(type(spec)):
        @property
        def _initializing(self):
            return self.__dict__.get("_initializing", False)

        @_initializing.setter
        def _initializing(self, is_under_way):
            self.__dict__["_initializing"] = is_under_way
            if not is_under_way:
                self.__class__ = plain
                if self.name in sys.modules:
                    _mark(sys.modules[self.name], say_unmarked)

    plain = type(spec)
    spec.__class__ = Watched


class _Finder:
    def __init__(self, say_unmarked):
        self._say_unmarked = say_unmarked

    def find_spec(self, name, path=None, target=None):
        if name in ENGINES:
            spec = self._ask_others(name, path, target)
            if spec is not None and spec.loader is not None:
                _announce()
                _mark_after(spec, self._say_unmarked)
            return spec
        if name == PACKAGE:
            theirs = self._ask_others(name, path, target)
            is_file = theirs is not None and theirs.origin is not None  # and no folder that happens to have the name
            return theirs if is_file else _own_package()
        return None

    def _ask_others(self, name, path, target):
        for finder in sys.meta_path:
            if finder is not self and hasattr(finder, "find_spec"):
                spec = finder.find_spec(name, path, target)
                if spec is not None:
                    return spec
        return None


def _own_package():
    from importlib.machinery import PathFinder
    return PathFinder.find_spec(PACKAGE, [os.path.dirname(os.path.dirname(os.path.abspath(__file__)))])


def watch(say_unmarked):
    """Begins to watch, and marks what is there already: a .pth file may have imported an engine by now. Calls `say_unmarked` with
    the name of a module that cannot be marked, while the exception is at hand."""
    if any(type(finder).__name__ == _Finder.__name__ and type(finder).__module__ == __name__ for finder in sys.meta_path):
        return
    sys.meta_path.insert(0, _Finder(say_unmarked))
    for name in ENGINES & sys.modules.keys():
        _mark(sys.modules[name], say_unmarked)
