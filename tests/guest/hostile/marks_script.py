"""A server in Python that marks its passes and does its worst inside them. Every block has a tag of its own, which is looked at
before it goes. Prints its answers; with the word "record", it makes ordinary passes and nothing else."""

import gc
import os
import signal
import sys
import threading

import memomalloc

SIZES = [600 + 97 * number % 5000 for number in range(40)] + [100000, 300000]
answers = []


def make(tag):
    return [bytearray([(tag + number) % 251]) * size for number, size in enumerate(SIZES)]


def look_at(blocks, tag):
    for number, block in enumerate(blocks):
        assert block.count((tag + number) % 251) == len(block) == SIZES[number], "a block that changed"
    return sum(map(len, blocks)) + tag


def ordinary_pass(tag=1):
    with memomalloc.forward("model"):
        with memomalloc.scope("make"):
            blocks = make(tag)
        return look_at(blocks, tag)


def in_thread(function, stack=0):
    threading.stack_size(stack)
    got = []
    thread = threading.Thread(target=lambda: got.append(function()))
    thread.start()
    threading.stack_size(0)
    thread.join()
    return got


def left_by_an_exception():
    try:
        with memomalloc.forward("model"), memomalloc.scope("make"):
            blocks = make(2)
            raise ValueError(look_at(blocks, 2))
    except ValueError as error:
        return error.args[0]


def never_left():
    """The thread ends in its pass."""
    memomalloc.forward("model").__enter__()
    return look_at(make(3), 3)


def left_in_another_thread():
    """A generator that is begun here and ended there."""
    def steps():
        with memomalloc.forward("model"):
            blocks = make(4)
            yield
            answers.append(look_at(blocks, 4))
        yield

    generator = steps()
    next(generator)
    return in_thread(lambda: (next(generator), ordinary_pass()))


def one_inside_the_other(depth=200):
    with memomalloc.forward(depth):
        blocks = make(depth) if depth % 50 == 0 else None
        inner = one_inside_the_other(depth - 1) if depth > 0 else 0
        return inner + (look_at(blocks, depth) if blocks else 0)


def in_a_child():
    with memomalloc.forward("model"):
        blocks = make(5)
        child = os.fork()
        if child == 0:
            look_at(blocks, 5)
            ordinary_pass()
            os._exit(7)
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) + look_at(blocks, 5)


def in_a_handler():
    signal.signal(signal.SIGUSR1, lambda *_: answers.append(ordinary_pass(6)))
    with memomalloc.forward("model"):
        blocks = make(7)
        signal.raise_signal(signal.SIGUSR1)
        return look_at(blocks, 7)


def without_descriptors():
    with memomalloc.forward("model"):
        blocks = make(8)
        os.closerange(3, 1024)
        return look_at(blocks, 8)


def with_names_of_all_kinds():
    for name in ("", "x" * 5000, "ä\udc80", "a\nb", "%s%n"):
        with memomalloc.forward(name), memomalloc.scope(name):
            answers.append(look_at(make(9), 9))


def kept_beyond():
    """What lives on holds its places when the next passes come."""
    with memomalloc.forward("model"):
        blocks = make(10)
        blocks.append(blocks)
    answers.append(ordinary_pass(11))
    kept, _ = blocks[:-1], blocks.clear()
    gc.collect()
    return look_at(kept, 10)


for _ in range(12):
    answers.append(ordinary_pass())
if sys.argv[1:] != ["record"]:
    for worst in (left_by_an_exception, lambda: in_thread(never_left), left_in_another_thread, one_inside_the_other, in_a_child, in_a_handler,
                  kept_beyond, with_names_of_all_kinds, lambda: in_thread(ordinary_pass, 65536), without_descriptors,
                  lambda: bool(memomalloc.release()) * 0, ordinary_pass):
        answers.append(worst())
        answers.append(ordinary_pass(12))
    if sys.argv[1:] != ["again"]:
        print(answers, flush=True)
        answers.append(memomalloc.forward("model").__enter__() and 0)
        os.execv(sys.executable, [sys.executable, __file__, "again"])  # in a pass
print(answers)
