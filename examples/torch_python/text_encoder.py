"""A text encoder with random weights: an embedding and Transformer layers."""

import torch
from attention import AttentionLayer

TOKENS = 1000


class Layer(AttentionLayer):
    """Attention over the whole text, and two linear layers."""

    def forward(self, state: torch.Tensor) -> torch.Tensor:
        batch, length, width = state.shape
        parts = self.project(self.before(state)).view(batch, length, 3, self.heads, width // self.heads)
        query, key, value = parts.permute(2, 0, 3, 1, 4).unbind(0)
        weights = torch.softmax(torch.matmul(query, key.transpose(2, 3)) * self.scale, -1)
        mixed = torch.matmul(weights, value).transpose(1, 2).reshape(batch, length, width)
        state = state + self.out(mixed)
        return state + self.narrow(torch.nn.functional.gelu(self.widen(self.between(state))))


class Encoder(torch.nn.Module):
    def __init__(self, width, layers, heads):
        super().__init__()
        self.embedding = torch.nn.Embedding(TOKENS, width)
        self.layers = torch.nn.ModuleList([Layer(width, heads) for _ in range(layers)])
        self.after = torch.nn.LayerNorm(width)

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        state = self.embedding(tokens)
        for layer in self.layers:
            state = layer(state)
        return self.after(state).mean(1)


def text(dice, batch, length):
    return torch.tensor([[dice.randrange(TOKENS) for _ in range(length)] for _ in range(batch)])
