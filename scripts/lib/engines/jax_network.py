"""jax_network.py PASSES|asked: a compiled function of JAX, a perceptron of 6 layers with random weights. Prints a digest of its
answers (asked.py)."""
import jax
import jax.numpy as jnp
import numpy
from asked import make_passes

random = numpy.random.default_rng(1)
weights = [jnp.asarray(random.standard_normal((256, 256), numpy.float32) / 16) for _ in range(6)]


@jax.jit
def network(weights, x):
    for weight in weights:
        x = jax.nn.gelu(x @ weight)
    return jax.nn.softmax(x), x.mean(axis=1)


make_passes(lambda: [numpy.asarray(part).tobytes() for part in network(weights, random.standard_normal((64, 256), numpy.float32))])
