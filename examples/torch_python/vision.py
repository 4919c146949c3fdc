"""Networks with random weights whose images differ in size: a detector of boxes, and a reader of lines of text."""

from typing import List

import torch

CHARACTERS = 64


def convolution(channels, to_channels, stride=1):
    return torch.nn.Sequential(torch.nn.Conv2d(channels, to_channels, 3, stride, 1), torch.nn.BatchNorm2d(to_channels),
                               torch.nn.ReLU())


class Detector(torch.nn.Module):
    """Convolutions down to a sixteenth of the image, a box and a score for each place, and the best boxes that do not
    overlap. How many there are depends on the image."""

    def __init__(self, width=16, most=200):
        super().__init__()
        self.most: int = most
        self.backbone = torch.nn.Sequential(
            convolution(3, width, 2), convolution(width, 2 * width, 2), convolution(2 * width, 2 * width),
            convolution(2 * width, 4 * width, 2), convolution(4 * width, 4 * width), convolution(4 * width, 4 * width, 2))
        self.score = torch.nn.Conv2d(4 * width, 1, 1)
        self.box = torch.nn.Conv2d(4 * width, 4, 1)

    def overlaps(self, box: torch.Tensor, boxes: torch.Tensor) -> torch.Tensor:
        """The intersection of one box with others, over their union."""
        low = torch.maximum(box[:2], boxes[:, :2])
        high = torch.minimum(box[2:], boxes[:, 2:])
        common = (high - low).clamp(min=0.0).prod(1)
        return common / ((box[2:] - box[:2]).prod() + (boxes[:, 2:] - boxes[:, :2]).prod(1) - common)

    def suppress(self, boxes: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
        """Keeps the best box, drops what overlaps it, and goes on with the rest."""
        order = torch.argsort(scores, descending=True)[:self.most]
        kept: List[torch.Tensor] = []
        while order.numel() > 0:
            kept.append(order[:1])
            rest = order[1:]
            order = rest[self.overlaps(boxes[order[0]], boxes[rest]) < 0.3]
        return torch.cat(kept) if len(kept) != 0 else order

    def forward(self, image: torch.Tensor) -> torch.Tensor:
        state = self.backbone(image)
        scores = self.score(state).flatten()
        height, width = state.shape[2], state.shape[3]
        rows = torch.arange(height).view(height, 1).expand(height, width).flatten()
        columns = torch.arange(width).view(1, width).expand(height, width).flatten()
        centres = torch.stack([columns, rows, columns, rows], 1) * 16.0
        sizes = 24.0 + 16.0 * torch.sigmoid(self.box(state)).flatten(2)[0].transpose(0, 1)
        boxes = centres + sizes * torch.tensor([-1.0, -1.0, 1.0, 1.0])
        good = (scores > scores.mean() + 1.5 * scores.std()).nonzero()[:, 0]
        boxes, scores = boxes[good], scores[good]
        return boxes[self.suppress(boxes, scores)]


class Reader(torch.nn.Module):
    """Convolutions over the image of a line, an LSTM along it, and a character for each column where it is another one
    than before (greedy CTC)."""

    def __init__(self, width=16, hidden=96):
        super().__init__()
        self.convolutions = torch.nn.Sequential(
            convolution(1, width, 2), convolution(width, 2 * width, 2), convolution(2 * width, 4 * width))
        self.lstm = torch.nn.LSTM(4 * width * 8, hidden, 2, bidirectional=True)
        self.head = torch.nn.Linear(2 * hidden, CHARACTERS)

    def forward(self, image: torch.Tensor) -> torch.Tensor:
        state = self.convolutions(image)
        columns = state.flatten(1, 2).permute(2, 0, 1)
        characters = torch.argmax(self.head(self.lstm(columns)[0]), 2)[:, 0]
        characters = torch.unique_consecutive(characters)
        return characters[characters != 0]
