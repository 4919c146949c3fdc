#!/usr/bin/python3
"""translate.py [--cache] [--requests N] [--seed N] [--prompts FROM-TO] [--tokens FROM-TO] [--eager] [--behind N] [--asked]

An encoder-decoder with random weights on PyTorch: Transformer layers read a prompt, others write a greedy answer to it,
token by token. Each request has a length of the prompt and a number of tokens of its own, both drawn from the seed. The
decoder looks at all tokens again for each one, or with --cache keeps the keys and values of what it has written. Scripted,
or with --eager as it stands. Prints one JSON object (measuring.py). Knows nothing of who allocates for it.
"""

import random
import sys
import warnings
from typing import List, Tuple

warnings.simplefilter("ignore")

import torch  # noqa: E402

sys.dont_write_bytecode = True
import measuring  # noqa: E402
import text_encoder  # noqa: E402
from attention import AttentionLayer  # noqa: E402


class Block(AttentionLayer):
    """Attention over what was written, attention over the prompt, and two linear layers."""

    def __init__(self, width, heads):
        super().__init__(width, heads)
        self.across = torch.nn.LayerNorm(width)
        self.ask = torch.nn.Linear(width, width)
        self.offer = torch.nn.Linear(width, 2 * width)
        self.take = torch.nn.Linear(width, width)

    def split(self, state: torch.Tensor, parts: int) -> List[torch.Tensor]:
        """By what each part is for, and by heads."""
        width = state.shape[1] // parts
        halves = state.view(state.shape[0], parts, self.heads, width // self.heads)
        return [part.transpose(0, 1) for part in halves.unbind(1)]

    def attend(self, query: torch.Tensor, keys: torch.Tensor, values: torch.Tensor, future: torch.Tensor) -> torch.Tensor:
        weights = torch.softmax(torch.matmul(query, keys.transpose(1, 2)) * self.scale + future, -1)
        return torch.matmul(weights, values).transpose(0, 1).reshape(query.shape[1], -1)

    def offered(self, prompt: torch.Tensor) -> List[torch.Tensor]:
        return self.split(self.offer(prompt), 2)

    def forward(self, state: torch.Tensor, cache: List[torch.Tensor], offered: List[torch.Tensor],
                future: torch.Tensor) -> Tuple[torch.Tensor, List[torch.Tensor]]:
        query, keys, values = self.split(self.project(self.before(state)), 3)
        if len(cache) != 0:
            keys = torch.cat([cache[0], keys], 1)
            values = torch.cat([cache[1], values], 1)
        state = state + self.out(self.attend(query, keys, values, future))
        asked = self.split(self.ask(self.across(state)), 1)[0]
        nothing = torch.zeros(1)
        state = state + self.take(self.attend(asked, offered[0], offered[1], nothing))
        return state + self.narrow(torch.relu(self.widen(self.between(state)))), [keys, values]


class Translator(torch.nn.Module):
    def __init__(self, width, layers, heads, cached):
        super().__init__()
        self.cached: bool = cached
        self.embedding = torch.nn.Embedding(text_encoder.TOKENS, width)
        self.layers = torch.nn.ModuleList([text_encoder.Layer(width, heads) for _ in range(layers)])
        self.blocks = torch.nn.ModuleList([Block(width, heads) for _ in range(layers)])
        self.head = torch.nn.Linear(width, text_encoder.TOKENS)

    def read(self, prompt: torch.Tensor) -> torch.Tensor:
        state = self.embedding(prompt)
        for layer in self.layers:
            state = layer(state)
        return state[0]

    def forward(self, prompt: torch.Tensor, tokens: int) -> torch.Tensor:
        read = self.read(prompt)
        caches: List[List[torch.Tensor]] = []
        offered: List[List[torch.Tensor]] = []
        for asked in self.blocks:
            nothing: List[torch.Tensor] = []
            caches.append(nothing)
            offered.append(asked.offered(read))
        written = torch.zeros(1, dtype=torch.long)
        for _ in range(tokens):
            state = self.embedding(written[-1:] if self.cached else written)
            length = state.shape[0]
            future = torch.full([length, length], float("-inf")).triu(1)
            for number, block in enumerate(self.blocks):
                state, kept = block(state, caches[number], offered[number], future)
                if self.cached:
                    caches[number] = kept
            written = torch.cat([written, torch.argmax(self.head(state[-1:]), 1)])
        return written


def arguments():
    parser = measuring.torch_parser(__doc__)
    parser.add_argument("--prompts", type=measuring.span, default=(5, 100))
    parser.add_argument("--tokens", type=measuring.span, default=(5, 60))
    parser.add_argument("--width", type=int, default=128)
    parser.add_argument("--layers", type=int, default=2)
    parser.add_argument("--heads", type=int, default=4)
    parser.add_argument("--cache", action="store_true")
    return parser.parse_args()


def requests(options):
    dice = random.Random(options.seed)
    for _ in range(options.requests):
        yield text_encoder.text(dice, 1, dice.randint(*options.prompts)), dice.randint(*options.tokens)


def main():
    options = arguments()
    torch.manual_seed(1)
    torch.set_num_threads(1)
    network = Translator(options.width, options.layers, options.heads, options.cache).eval()
    if not options.eager:
        network = torch.jit.script(network)
    with torch.no_grad():
        measuring.measure(network, requests(options), options)


main()
