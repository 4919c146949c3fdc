#!/usr/bin/python3
"""answer.py [--requests N] [--seed N] [--texts FROM-TO] [--prompts FROM-TO] [--tokens FROM-TO] [--eager] [--behind N] [--asked]

A decoder with random weights on PyTorch that answers several texts at once, token by token. The texts have lengths of
their own, so each has keys and values of its own, and attention goes through the texts one by one: a loop in the loop
over tokens. Each request has another number of texts and of tokens, both drawn from the seed. Scripted, or with --eager
as it stands. Prints one JSON object (measuring.py). Knows nothing of who allocates for it.
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
    def attend(self, parts: torch.Tensor, cache: List[torch.Tensor]) -> Tuple[torch.Tensor, List[torch.Tensor]]:
        """One text looks at what is kept of it. Returns what it found, and what is kept from then on."""
        query, keys, values = [part.transpose(0, 1) for part in parts.view(parts.shape[0], 3, self.heads, -1).unbind(1)]
        if len(cache) != 0:
            keys = torch.cat([cache[0], keys], 1)
            values = torch.cat([cache[1], values], 1)
        weights = torch.softmax(torch.matmul(query, keys.transpose(1, 2)) * self.scale, -1)
        return torch.matmul(weights, values).transpose(0, 1).reshape(parts.shape[0], -1), [keys, values]

    def forward(self, states: torch.Tensor, lengths: List[int],
                caches: List[List[torch.Tensor]]) -> Tuple[torch.Tensor, List[List[torch.Tensor]]]:
        found: List[torch.Tensor] = []
        kept: List[List[torch.Tensor]] = []
        for number, parts in enumerate(self.project(self.before(states)).split(lengths)):
            one, cache = self.attend(parts, caches[number])
            found.append(one)
            kept.append(cache)
        states = states + self.out(torch.cat(found))
        return states + self.narrow(torch.relu(self.widen(self.between(states)))), kept


class Answerer(torch.nn.Module):
    def __init__(self, width, layers, heads):
        super().__init__()
        self.embedding = torch.nn.Embedding(text_encoder.TOKENS, width)
        self.blocks = torch.nn.ModuleList([Block(width, heads) for _ in range(layers)])
        self.head = torch.nn.Linear(width, text_encoder.TOKENS)

    def nothing_kept(self, texts: int) -> List[List[torch.Tensor]]:
        kept: List[List[torch.Tensor]] = []
        for _ in range(texts):
            nothing: List[torch.Tensor] = []
            kept.append(nothing)
        return kept

    def forward(self, prompts: torch.Tensor, lengths: List[int], tokens: int) -> torch.Tensor:
        caches: List[List[List[torch.Tensor]]] = []
        for _block in self.blocks:
            caches.append(self.nothing_kept(len(lengths)))
        last = torch.tensor(lengths).cumsum(0) - 1
        written = prompts
        for _ in range(tokens):
            states = self.embedding(written)
            for number, block in enumerate(self.blocks):
                states, kept = block(states, lengths, caches[number])
                caches[number] = kept
            written = torch.argmax(self.head(states[last]), 1)
            lengths = [1 for _ in lengths]
            last = torch.arange(len(lengths))
        return written


def arguments():
    parser = measuring.torch_parser(__doc__)
    parser.add_argument("--texts", type=measuring.span, default=(1, 8))
    parser.add_argument("--prompts", type=measuring.span, default=(5, 100))
    parser.add_argument("--tokens", type=measuring.span, default=(5, 60))
    parser.add_argument("--width", type=int, default=128)
    parser.add_argument("--layers", type=int, default=2)
    parser.add_argument("--heads", type=int, default=4)
    return parser.parse_args()


def requests(options):
    dice = random.Random(options.seed)
    for _ in range(options.requests):
        lengths = [dice.randint(*options.prompts) for _ in range(dice.randint(*options.texts))]
        yield text_encoder.text(dice, 1, sum(lengths))[0], lengths, dice.randint(*options.tokens)


def main():
    options = arguments()
    torch.manual_seed(1)
    torch.set_num_threads(1)
    network = Answerer(options.width, options.layers, options.heads).eval()
    if not options.eager:
        network = torch.jit.script(network)
    with torch.no_grad():
        measuring.measure(network, requests(options), options)


main()
