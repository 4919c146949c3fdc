"""Arrays, strings, threads and a child process: the parts of Python that allocate in different ways."""
import ctypes
import hashlib
import subprocess
import sys
import threading

import numpy as np


def digest(array):
    return hashlib.sha256(np.ascontiguousarray(array).tobytes()).hexdigest()[:16]


def churn(seed, results):
    numbers = np.random.default_rng(seed).integers(0, 1000, size=(300, 300))
    for _ in range(50):
        numbers = (numbers @ numbers.T) % 1009
    results[seed] = digest(numbers)


results = {}
threads = [threading.Thread(target=churn, args=(seed, results)) for seed in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(sorted(results.items()))
print(digest(np.sort(np.random.default_rng(1).integers(0, 1 << 40, size=1_000_000))))
words = {str(i) * (i % 7 + 1): i for i in range(200_000)}
print(len(words), sum(len(word) for word in words))
ctypes.CDLL(None).malloc_trim(0)
print(subprocess.run([sys.executable, "-c", "print(sum(range(10**6)))"], capture_output=True, check=True).stdout)
