"""eager.py PASSES: a small residual network of eager PyTorch with random weights. Prints a digest of its answers. Knows nothing of
who allocates for it."""
import hashlib
import json
import sys

import torch


class Block(torch.nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.conv1, self.conv2 = (torch.nn.Conv2d(channels, channels, 3, padding=1) for _ in range(2))
        self.norm = torch.nn.BatchNorm2d(channels)

    def forward(self, image):
        return torch.relu(image + self.norm(self.conv2(torch.relu(self.conv1(image)))))


torch.manual_seed(1)
torch.set_num_threads(1)
first, last = torch.nn.Conv2d(3, 16, 3, padding=1), torch.nn.Linear(16, 10)
network = torch.nn.Sequential(first, *(Block(16) for _ in range(6)), torch.nn.AdaptiveAvgPool2d(1), torch.nn.Flatten(), last).eval()
digest = hashlib.sha256()
with torch.inference_mode():
    for _ in range(int(sys.argv[1])):
        digest.update(network(torch.rand(2, 3, 32, 32)).numpy().tobytes())
print(json.dumps({"answer": digest.hexdigest()}))
