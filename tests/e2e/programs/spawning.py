"""A server whose workers are made by multiprocessing's spawn, as uvicorn's are. Each line of its input is a number of passes for its
one worker, which answers with its statistics."""

import ctypes
import multiprocessing
import sys

BYTES = [1000 + 300 * i for i in range(40)]


def work(requests):
    library = ctypes.CDLL(None)
    library.malloc.restype = ctypes.c_void_p
    library.malloc.argtypes = [ctypes.c_size_t]
    library.free.argtypes = [ctypes.c_void_p]
    text = ctypes.create_string_buffer(8192)
    while (passes := requests.recv()) is not None:
        for _ in range(passes):
            library.memo_pass_begin(0)
            for block in [library.malloc(size) for size in BYTES]:
                library.free(block)
            library.memo_pass_end()
        library.memo_stats_json(text, len(text))
        requests.send(text.value.decode())


if __name__ == "__main__":
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    worker = context.Process(target=work, args=(there,))
    worker.start()
    for line in sys.stdin:
        here.send(int(line))
        print(here.recv(), flush=True)
    here.send(None)
    worker.join()
