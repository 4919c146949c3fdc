"""The functions of the preloaded library. Those of marks are None where it is not loaded.

They are called without giving up the interpreter's lock: each takes less time than to take the lock again. A pass that waits
for its turn must give it up, since the passes that run need it.
"""
import ctypes
import os

_process, _unlocked_process = ctypes.PyDLL(None), ctypes.CDLL(None)
_passes_take_turns = os.environ.get("MEMOMALLOC_AT_ONCE", "0") != "0"


def _function(name, result, *arguments, process=_process):
    found = getattr(process, name, None)
    if found is not None:
        found.restype, found.argtypes = result, arguments
    return found


pass_begin = _function("memo_pass_begin", ctypes.c_int, ctypes.c_uint64, process=_unlocked_process if _passes_take_turns else _process)
pass_end = _function("memo_pass_end", None)
scope_begin = _function("memo_scope_begin", None, ctypes.c_char_p)
scope_end = _function("memo_scope_end", None)
data_flow = _function("memo_data_flow", None, ctypes.c_char_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t)
stats_json = _function("memo_stats_json", ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t)
release = _function("memo_release", ctypes.c_size_t)
last_pass = _function("memo_last_pass", ctypes.c_int, ctypes.c_void_p)


def see_what_has_ended():
    """Ends a pass that a hook began and whose function has returned. Otherwise the library sees it with what the thread allocates next."""
    scope_begin(b"")
    scope_end()


is_loaded = pass_begin is not None
has_hooks = os.environ.get("MEMOMALLOC_PASSES_BY", "any") == "any"
takes_marks = os.environ.get("MEMOMALLOC_PASSES_BY", "any") not in ("hooks", "period")
leaves_ort_arena = os.environ.get("MEMOMALLOC_ORT_ARENA", "on") != "off"
is_profiling = os.environ.get("MEMOMALLOC_MODE") == "profile"
records_data_flow = is_profiling and data_flow is not None and os.environ.get("MEMOMALLOC_DATA_FLOW", "0") == "1"
is_learning = os.environ.get("MEMOMALLOC_MODE") == "auto"
