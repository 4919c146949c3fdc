"""answer.py ENGINE: prints its process id, and then answers each number of its input by a digest of what a small network with random
weights computes. The number decides the whole request, its shape included, so any process gives the same answer in any order. Runs
in one thread. Knows nothing of who allocates for it."""

import hashlib
import os
import pathlib
import random
import sys
import tempfile

# Several threads add up in an order that differs from run to run.
os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", MKL_NUM_THREADS="1", TF_CPP_MIN_LOG_LEVEL="2", XLA_FLAGS="--xla_cpu_multi_thread_eigen=false")

import numpy  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.dont_write_bytecode = True
sys.path += [str(ROOT / folder) for folder in ("examples/torch_python", "examples/onnx_models", "scripts/lib/engines")]


def floats(number, *shape):
    return numpy.random.default_rng(number).random(shape, numpy.float32)


def words(number, most, *shape):
    return numpy.random.default_rng(number).integers(1, most, shape)


def torch_in_one_thread():
    import torch
    torch.manual_seed(1)
    torch.set_num_threads(1)
    torch.set_grad_enabled(False)
    return torch


def torch_networks():
    """Returns a text encoder, a detector of boxes, and a reader of lines, each with a maker of its input."""
    torch = torch_in_one_thread()
    import text_encoder
    import vision

    def text(number, dice):
        return torch.from_numpy(words(number, text_encoder.TOKENS, dice.randint(1, 8), dice.randint(8, 128)))

    def image(number, dice):
        return torch.from_numpy(floats(number, 1, 3, dice.randint(64, 256), dice.randint(64, 256)))

    def line(number, dice):
        return torch.from_numpy(floats(number, 1, 1, 32, dice.randint(32, 256)))

    return [(text_encoder.Encoder(128, 2, 4).eval(), text), (vision.Detector().eval(), image), (vision.Reader().eval(), line)]


def torch_of(prepared):
    networks = [(prepared(network), make_input) for network, make_input in torch_networks()]

    def answer(number, dice):
        network, make_input = networks[number % len(networks)]
        return network(make_input(number, dice)).numpy()

    return answer


def torch_script():
    import torch
    return torch_of(torch.jit.script)


def transformers_generate():
    torch = torch_in_one_thread()
    import transformers
    sizes = {"vocab_size": 1000, "n_embd": 128, "n_layer": 2, "n_head": 4, "bos_token_id": 0, "eos_token_id": None, "pad_token_id": 0}
    model = transformers.GPT2LMHeadModel(transformers.GPT2Config(**sizes)).eval()

    def answer(number, dice):
        prompt = torch.from_numpy(words(number, 1000, 1, dice.randint(4, 40)))
        return model.generate(prompt, max_new_tokens=dice.randint(4, 24), do_sample=False).numpy()

    return answer


def onnx_network():
    """A convolutional network for any number of images of any size."""
    import make_onnx
    return make_onnx.model("batch", "side").SerializeToString()


def images(number, dice):
    side = dice.randint(32, 128)
    return floats(number, dice.randint(1, 4), 3, side, side)


def onnxruntime_with(arena):
    import onnxruntime
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.enable_cpu_mem_arena = arena
    session = onnxruntime.InferenceSession(onnx_network(), options, providers=["CPUExecutionProvider"])
    return lambda number, dice: session.run(None, {"image": images(number, dice)})[0]


def openvino_network():
    import openvino
    core = openvino.Core()
    model = core.compile_model(core.read_model(onnx_network()), "CPU", {"INFERENCE_NUM_THREADS": 1, "PERFORMANCE_HINT": "LATENCY"})
    return lambda number, dice: model(images(number, dice))[0]


def ctranslate2_translator():
    import ctranslate2
    from ctranslate2_translator import WORDS, make_model
    with tempfile.TemporaryDirectory() as folder:
        make_model(folder)
        translator = ctranslate2.Translator(folder, inter_threads=1, intra_threads=1)

    def answer(_, dice):
        texts = [dice.choices(WORDS, k=dice.randint(4, 24)) for _ in range(dice.randint(1, 4))]
        found = translator.translate_batch(texts, beam_size=2, max_decoding_length=16, min_decoding_length=16)
        return repr([one.hypotheses for one in found]).encode()

    return answer


def jax_network():
    """Each number of rows is compiled once, so there are few of them."""
    import jax
    weights = [jax.numpy.asarray(floats(layer, 256, 256) / 16) for layer in range(6)]

    @jax.jit
    def network(rows):
        for weight in weights:
            rows = jax.nn.gelu(rows @ weight)
        return jax.nn.softmax(rows)

    return lambda number, dice: numpy.asarray(network(floats(number, dice.choice((1, 7, 16, 40)), 256)))


def tensorflow_function():
    import tensorflow
    tensorflow.config.threading.set_intra_op_parallelism_threads(1)
    tensorflow.config.threading.set_inter_op_parallelism_threads(1)
    kernels = [tensorflow.constant((floats(layer, 3, 3, 16 if layer else 3, 16) - 0.5) / 4) for layer in range(6)]

    @tensorflow.function(input_signature=[tensorflow.TensorSpec([None, None, None, 3], tensorflow.float32)])
    def network(image):
        for kernel in kernels:
            image = tensorflow.nn.relu(tensorflow.nn.conv2d(image, kernel, strides=1, padding="SAME"))
        return tensorflow.reduce_mean(image, axis=[1, 2])

    return lambda number, dice: network(tensorflow.constant(floats(number, dice.randint(1, 4), dice.randint(16, 48), dice.randint(16, 48), 3))).numpy()


ENGINES = {
    "torch-eager": lambda: torch_of(lambda network: network),
    "torch-script": torch_script,
    "transformers": transformers_generate,
    "onnxruntime": lambda: onnxruntime_with(arena=True),
    "onnxruntime-arena-off": lambda: onnxruntime_with(arena=False),
    "openvino": openvino_network,
    "ctranslate2": ctranslate2_translator,
    "jax": jax_network,
    "tensorflow": tensorflow_function,
}


def main():
    answer = ENGINES[sys.argv[1]]()
    print(os.getpid(), flush=True)
    for line in sys.stdin:
        number = int(line)
        found = answer(number, random.Random(number))
        print(hashlib.sha256(numpy.ascontiguousarray(found).tobytes() if isinstance(found, numpy.ndarray) else found).hexdigest(), flush=True)


main()
