"""process_pool.py TASKS METHOD: a pool of two processes that parse and sort. METHOD is fork, spawn or forkserver."""
import json
import multiprocessing
import sys

from steady import answer


def work(number):
    records = [{"key": (i * 7919 + number) % 10007, "text": "x" * (i % 50)} for i in range(20000)]
    parsed = json.loads(json.dumps(records))
    return str(sorted(record["key"] for record in parsed)[::1000])


def main():
    tasks = int(sys.argv[1])
    with multiprocessing.get_context(sys.argv[2]).Pool(2) as pool:
        done = pool.imap(work, range(tasks))
        answer(tasks, lambda _: next(done))
        pool.close()
        pool.join()


if __name__ == "__main__":
    main()
