"""Networks with random weights that write a given number of tokens, one after the other: an LSTM, which hands its state from step
to step, and a decoder, whose cache of keys and values grows by a row with each token."""

from typing import List

import torch
from attention import AttentionLayer

TOKENS = 256


class Lstm(torch.nn.Module):
    def __init__(self, width, layers):
        super().__init__()
        self.width = width
        self.embedding = torch.nn.Embedding(TOKENS, width)
        self.cells = torch.nn.ModuleList([torch.nn.LSTMCell(width, width) for _ in range(layers)])
        self.head = torch.nn.Linear(width, TOKENS)

    def forward(self, token: torch.Tensor, steps: int) -> torch.Tensor:
        hidden = [torch.zeros(1, self.width) for _ in self.cells]
        memory = [torch.zeros(1, self.width) for _ in self.cells]
        answer: List[torch.Tensor] = []
        for _ in range(steps):
            state = self.embedding(token)
            for layer, cell in enumerate(self.cells):
                hidden[layer], memory[layer] = cell(state, (hidden[layer], memory[layer]))
                state = hidden[layer]
            token = torch.argmax(self.head(state), 1)
            answer.append(token)
        return torch.cat(answer)


class Block(AttentionLayer):
    """Attention over everything so far, and two linear layers."""

    def forward(self, state: torch.Tensor, keys: torch.Tensor, values: torch.Tensor):
        query, key, value = self.project(self.before(state)).view(3, self.heads, 1, -1).unbind(0)
        keys = torch.cat([keys, key], 1)
        values = torch.cat([values, value], 1)
        weights = torch.softmax(torch.matmul(query, keys.transpose(1, 2)) * self.scale, -1)
        state = state + self.out(torch.matmul(weights, values).view(1, -1))
        return state + self.narrow(torch.relu(self.widen(self.between(state)))), keys, values


class Decoder(torch.nn.Module):
    def __init__(self, width, layers, heads=4):
        super().__init__()
        self.empty = (heads, 0, width // heads)
        self.embedding = torch.nn.Embedding(TOKENS, width)
        self.blocks = torch.nn.ModuleList([Block(width, heads) for _ in range(layers)])
        self.head = torch.nn.Linear(width, TOKENS)

    def forward(self, token: torch.Tensor, steps: int) -> torch.Tensor:
        keys = [torch.zeros(self.empty) for _ in self.blocks]
        values = [torch.zeros(self.empty) for _ in self.blocks]
        answer: List[torch.Tensor] = []
        for _ in range(steps):
            state = self.embedding(token)
            for layer, block in enumerate(self.blocks):
                state, keys[layer], values[layer] = block(state, keys[layer], values[layer])
            token = torch.argmax(self.head(state), 1)
            answer.append(token)
        return torch.cat(answer)


NETWORKS = {"lstm": Lstm, "decoder": Decoder}
