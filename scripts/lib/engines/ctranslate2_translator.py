"""ctranslate2_translator.py PASSES|asked [LENGTHS]: a Translator of CTranslate2 with random weights, 2 and 2 layers of 128; batches of 4
sentences of 12 words each, or of 4 to 24 where LENGTHS is "random". Prints a digest of its answers (asked.py)."""
import json
import random
import sys
import tempfile

import ctranslate2
import numpy
from asked import make_passes
from ctranslate2.specs import TransformerSpec
from ctranslate2.specs.attention_spec import MultiHeadAttentionSpec
from ctranslate2.specs.common_spec import EmbeddingsSpec, LayerNormSpec
from ctranslate2.specs.model_spec import LayerSpec
from ctranslate2.specs.transformer_spec import FeedForwardSpec

WIDTH, WORDS = 128, [f"w{i}" for i in range(1000)]
generator = numpy.random.default_rng(1)


def weights(*shape):
    return (generator.standard_normal(shape) / WIDTH**0.5).astype(numpy.float32)


def fill(linear, outputs, inputs):
    linear.weight, linear.bias = weights(outputs, inputs), weights(outputs)


def fill_layers(layer):
    if isinstance(layer, LayerNormSpec):
        layer.gamma, layer.beta = numpy.ones(WIDTH, numpy.float32), numpy.zeros(WIDTH, numpy.float32)
    elif isinstance(layer, EmbeddingsSpec):
        layer.weight = weights(len(WORDS) + 3, WIDTH)
    elif isinstance(layer, FeedForwardSpec):
        fill(layer.linear_0, 4 * WIDTH, WIDTH)
        fill(layer.linear_1, WIDTH, 4 * WIDTH)
    elif isinstance(layer, MultiHeadAttentionSpec):
        for linear, part in zip(layer.linear, {2: (3, 1), 3: (1, 2, 1)}[len(layer.linear)], strict=True):
            fill(linear, part * WIDTH, WIDTH)
    for value in vars(layer).values():
        for part in value if isinstance(value, list) else [value]:
            if isinstance(part, LayerSpec):
                fill_layers(part)


def make_model(folder):
    spec = TransformerSpec.from_config(num_layers=(2, 2), num_heads=4)
    fill_layers(spec)
    fill(spec.decoder.projection, len(WORDS) + 3, WIDTH)
    for register in (spec.register_source_vocabulary, spec.register_target_vocabulary):
        register(["<unk>", "<s>", "</s>", *WORDS])
    spec.validate()
    spec.save(folder)


def main():
    with tempfile.TemporaryDirectory() as folder:
        make_model(folder)
        translator = ctranslate2.Translator(folder, inter_threads=1, intra_threads=1)
    random.seed(1)

    def translate():
        lengths = [random.randint(4, 24) for _ in range(4)] if "random" in sys.argv else [12] * 4
        batch = [random.choices(WORDS, k=length) for length in lengths]
        answers = translator.translate_batch(batch, beam_size=2, max_decoding_length=24, min_decoding_length=24)
        return [json.dumps([answer.hypotheses for answer in answers]).encode()]

    make_passes(translate)


if __name__ == "__main__":
    main()
