"""ONNX Runtime: sessions without an arena of their own, where the user asked for it by `--ort-arena off`. Each session's arena keeps
the most that the session ever took; without it all sessions share what the library keeps. They also get no memory pattern: for a
shape that comes again a session with one asks for a single block as large as all that the first such run took, and that block has
a place beside those of other shapes in no plan.

The program's options say after each session what they said before.
"""
import contextlib
import functools
import threading


def switch_off(collection):
    session, options = collection.InferenceSession, collection.C.SessionOptions
    session._create_inference_session = _without_arena(session._create_inference_session, options)


def _without_arena(create, options_class):
    arena_off = _ArenaOff().during

    @functools.wraps(create)
    def _create_inference_session(self, *args, **kwargs):
        if self._sess_options is None:  # for which ONNX Runtime takes options of its own, which are as new ones
            self._sess_options = options_class()
        if not isinstance(self._sess_options, options_class):  # the error is ONNX Runtime's to raise
            return create(self, *args, **kwargs)
        with arena_off(self._sess_options):
            return create(self, *args, **kwargs)

    return _create_inference_session


SWITCHED_OFF = ("enable_cpu_mem_arena", "enable_mem_pattern")


class _ArenaOff:
    """Options while sessions are made from them, by several threads at once perhaps: the last one puts the program's choices back."""

    def __init__(self):
        self._lock = threading.Lock()
        self._in_use = {}  # id of the options -> [threads, the program's choices]

    @contextlib.contextmanager
    def during(self, options):
        with self._lock:
            use = self._in_use.setdefault(id(options), [0, {name: getattr(options, name) for name in SWITCHED_OFF}])
            use[0] += 1
            for name in SWITCHED_OFF:
                setattr(options, name, False)
        try:
            yield
        finally:
            with self._lock:
                use[0] -= 1
                if use[0] == 0:
                    for name, choice in use[1].items():
                        setattr(options, name, choice)
                    del self._in_use[id(options)]
