"""Programs that answer each line of their input by a line of JSON about one request (examples/torch_python/measuring.py), asked in
turn. So what else the machine does meets all of them alike, and each is asked the same."""

import contextlib
import json
import os
import subprocess

from rounds import one_round

REQUESTS_OF_A_TURN = 10


class Dialogue(contextlib.AbstractContextManager):
    """A program that runs, what it answered, and what it says on stderr."""

    def __init__(self, command, environment, folder, name):
        self.requests, self.said_in = [], folder / f"{name}.said"
        with open(self.said_in, "w") as said:
            self.process = subprocess.Popen([str(word) for word in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=said,
                                            text=True, cwd=folder, env={**os.environ, **environment})

    def ask(self, count):
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.write("\n" * count)
            self.process.stdin.flush()
        for _ in range(count):
            line = self.process.stdout.readline()
            if not line:
                raise SystemExit(f"a program ended after {len(self.requests)} requests: {self.said()}")
            self.requests.append(json.loads(line))

    def __exit__(self, kind, *_):
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()
        status = self.process.wait()
        self.process.stdout.close()
        if status != 0 and kind is None:
            raise SystemExit(f"a program ended with status {status}: {self.said()}")

    def said(self):
        return self.said_in.read_text()

    def answers(self):
        return [request["answer"] for request in self.requests]

    def total(self, figure, behind=0):
        return sum(request[figure] for request in self.requests[behind:])


def p99_of_seconds(dialogue, behind):
    """Of a request beyond the first ones."""
    seconds = sorted(request["seconds"] for request in dialogue.requests[behind:])
    return seconds[len(seconds) * 99 // 100]


def ask_in_turn(contenders, requests, folder):
    """name -> the dialogue with the program, which has ended. A contender is (command, environment)."""
    with contextlib.ExitStack() as running:
        dialogues = {name: running.enter_context(Dialogue(*contender, folder, name)) for name, contender in contenders.items()}
        for number, begin in enumerate(range(0, requests, REQUESTS_OF_A_TURN)):
            count = min(REQUESTS_OF_A_TURN, requests - begin)
            one_round(number, dialogues, lambda dialogue, count=count: dialogue.ask(count))
    return dialogues


def same_answers(dialogues):
    return len({tuple(dialogue.answers()) for dialogue in dialogues.values()}) == 1
