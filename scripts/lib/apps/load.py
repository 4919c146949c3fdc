"""load.py PORT KIND REQUESTS: waits for the service, asks it so many times, from two clients, and prints a digest of its answers.
KIND is records:COUNT, bodies of JSON with so many records; or image:SIDE, images with a side of up to so many points."""
import concurrent.futures
import functools
import json
import random
import sys
import time
import urllib.error
import urllib.request

from steady import Answers

CLIENTS, PATIENCE = 2, 120  # seconds
port, kind, count = sys.argv[1], sys.argv[2].split(":"), int(sys.argv[3])


def records(number):
    return "/records", json.dumps([{"id": i + number, "name": f"record {i}", "tags": ["a", "b", str(i)], "values": {"x": i / 7}}
                                   for i in range(int(kind[1]))]).encode()


def image(number):
    side = random.Random(number).randrange(32, int(kind[1]), 2)
    return f"/image?side={side}", random.Random(number).randbytes(side * side * 3)


@functools.lru_cache(4)
def request_of(number):
    return {"records": records, "image": image}[kind[0]](number)



def post(number):
    path, body = request_of(number % 4)
    with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", data=body, timeout=PATIENCE) as response:
        return response.read()


def wait():
    end = time.monotonic() + PATIENCE
    while True:
        try:
            return post(0)
        except (urllib.error.URLError, ConnectionError):
            if time.monotonic() > end:
                raise SystemExit("load.py: the service does not answer") from None
            time.sleep(0.1)


wait()
answers = Answers()
with concurrent.futures.ThreadPoolExecutor(CLIENTS) as clients:
    for number, body in enumerate(clients.map(post, range(count))):
        answers.add(number, body)
answers.finish()
