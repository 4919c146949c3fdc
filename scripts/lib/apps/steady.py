"""What the programs of this folder share: one digest of all answers on standard output, and nothing else there; and the report of
what they measured themselves (engines/reporting.py). A service idles at its end for as many seconds as MEMO_APP_IDLE says."""
import hashlib
import os
import threading
import time

from reporting import Report


class Answers:
    """Digests of answers, put together in the order of their numbers, whichever thread gives them."""

    def __init__(self):
        self.digests = {}
        self.report = Report()

    def add(self, number, *parts):
        digest = hashlib.sha256()
        for part in parts:
            digest.update(part if isinstance(part, bytes) else str(part).encode())
        self.digests[number] = digest.digest()
        self.report.note_answer()

    def finish(self, is_service=False):
        """Prints the digest. A service idles then."""
        whole = hashlib.sha256(b"".join(self.digests[number] for number in sorted(self.digests)))
        print(len(self.digests), whole.hexdigest(), flush=True)
        self.report.write()
        if is_service:
            time.sleep(float(os.environ.get("MEMO_APP_IDLE", "0")))


def answer(count, respond):
    """Answers so many requests one after the other. `respond` takes a number, and returns text or bytes."""
    answers = Answers()
    for number in range(count):
        answers.add(number, respond(number))
    answers.finish()


def answer_from_threads(threads, count, respond, is_service=True):
    """The same from several threads, each with so many requests of its own."""
    answers = Answers()

    def work(thread):
        for number in range(count):
            answers.add((thread, number), respond(thread, number))

    workers = [threading.Thread(target=work, args=(thread,)) for thread in range(threads)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    answers.finish(is_service)
