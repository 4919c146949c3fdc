"""Stands for a PyTorch server as people write it: eager, without a mark, and knowing nothing of who allocates for it. Prints a digest
of all answers."""

import hashlib

import torch

REQUESTS = 400
SIDES = (64, 96)  # of the images, in turn


def make_network():
    torch.manual_seed(1)
    layers = [torch.nn.Conv2d(3, 16, 3, padding=1), torch.nn.ReLU(), torch.nn.Conv2d(16, 32, 3, stride=2), torch.nn.ReLU(),
              torch.nn.AdaptiveAvgPool2d(4), torch.nn.Flatten(), torch.nn.Linear(512, 10), torch.nn.Softmax(dim=1)]
    return torch.nn.Sequential(*layers).eval()


def main():
    torch.set_num_threads(1)
    network = make_network()
    images = [torch.rand(2, 3, side, side) for side in SIDES]
    digest = hashlib.sha256()
    with torch.no_grad():
        for number in range(REQUESTS):
            digest.update(bytes(str(network(images[number % len(images)]).tolist()), "ascii"))
    print(digest.hexdigest())


if __name__ == "__main__":
    main()
