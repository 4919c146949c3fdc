"""The weights of a Transformer's layer, for those who attend with them in their own way."""

import torch


class AttentionLayer(torch.nn.Module):
    """Attention and two linear layers, each behind a normalisation."""

    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.scale = (width // heads) ** -0.5
        self.before = torch.nn.LayerNorm(width)
        self.project = torch.nn.Linear(width, 3 * width)
        self.out = torch.nn.Linear(width, width)
        self.between = torch.nn.LayerNorm(width)
        self.widen = torch.nn.Linear(width, 4 * width)
        self.narrow = torch.nn.Linear(4 * width, width)
