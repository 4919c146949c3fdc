"""frames.py: functions that allocate in passes, called in many ways. Prints what they computed."""
import ctypes
import threading

holding, letting_go = ctypes.PyDLL(None), ctypes.CDLL(None)  # whether a call keeps the interpreter's lock
for library in (holding, letting_go):
    library.malloc.restype = ctypes.c_void_p
    library.malloc.argtypes = [ctypes.c_size_t]
    library.free.argtypes = [ctypes.c_void_p]
begin = getattr(holding, "memo_pass_begin", lambda key: None)
end = getattr(holding, "memo_pass_end", lambda: None)


def größe(library, size):
    library.free(library.malloc(size))
    return size


def produce(library, size):
    yield from map(lambda one: größe(library, one), [size])


def add(library, size):
    return sum(produce(library, size))


def with_lock():
    return add(holding, 100_000)


def without_lock():
    return add(letting_go, 100_000)


def recurse(depth):
    return recurse(depth - 1) if depth > 0 else größe(letting_go, 200_000)


def short_lived():
    """Functions that take each other's place in memory."""
    for turn in range(4):
        scope = {"größe": größe, "library": letting_go}
        exec(f"def generated_{turn}(): return größe(library, 300_000)", scope)
        scope[f"generated_{turn}"]()


def run(passes):
    total = 0
    for _ in range(passes):
        begin(ctypes.c_uint64(1))
        total += with_lock() + without_lock() + recurse(200)
        short_lived()
        end()
    print(total, flush=True)


def busy(is_busy):
    """Compiles an expression, which makes many blocks without the interpreter's lock."""
    compiled = ctypes.create_string_buffer(256)
    while True:
        begin(ctypes.c_uint64(2))
        letting_go.regcomp(compiled, b"(a|b|c){1,100}", 1)
        letting_go.regfree(compiled)
        end()
        is_busy.set()


run(3)
thread = threading.Thread(target=run, args=(3,))
thread.start()
thread.join()
is_busy = threading.Event()
threading.Thread(target=busy, args=(is_busy,), daemon=True).start()
is_busy.wait()  # the thread goes on while the interpreter ends
