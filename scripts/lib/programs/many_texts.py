"""many_texts.py THREADS SECONDS [EVERY]: threads that encode texts of random shapes (a batch of 1 to 8, 8 to 128 tokens) for so long,
by one scripted network with random weights; all of them at once, every so many seconds, or without a pause. Prints what was resident
before the first text, in MB, and how many texts they encoded."""
import concurrent.futures
import pathlib
import random
import sys
import time
import warnings

warnings.simplefilter("ignore")

import torch  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path += [str(ROOT / "examples" / "torch_python"), str(ROOT / "scripts" / "lib")]
import resident  # noqa: E402
import text_encoder  # noqa: E402

LAYERS, WIDTH, HEADS = 4, 256, 4


def sleep_until_next(every):
    """Until the next moment at which all threads begin a text, or not at all."""
    if every > 0:
        time.sleep(every - time.monotonic() % every)


def encode_for(network, seconds, every, seed):
    dice, count, end = random.Random(seed), 0, time.monotonic() + seconds
    with torch.no_grad():
        while time.monotonic() < end:
            sleep_until_next(every)
            network(text_encoder.text(dice, dice.randint(1, 8), dice.randint(8, 128)))
            count += 1
    return count


def main():
    threads, seconds = int(sys.argv[1]), float(sys.argv[2])
    every = float(sys.argv[3]) if len(sys.argv) > 3 else 0.0
    torch.manual_seed(1)
    torch.set_num_threads(1)
    network = torch.jit.script(text_encoder.Encoder(WIDTH, LAYERS, HEADS).eval())
    before = resident.megabytes_of("self")
    with concurrent.futures.ThreadPoolExecutor(threads) as pool:
        print(before, sum(pool.map(lambda seed: encode_for(network, seconds, every, seed), range(threads))))


main()
