"""jax_network.py PASSES: a compiled function of JAX, a perceptron of 6 layers with random weights. Prints a digest of its answers."""
import hashlib
import json
import sys

import jax
import jax.numpy as jnp
import numpy

random = numpy.random.default_rng(1)
weights = [jnp.asarray(random.standard_normal((256, 256), numpy.float32) / 16) for _ in range(6)]


@jax.jit
def network(weights, x):
    for weight in weights:
        x = jax.nn.gelu(x @ weight)
    return jax.nn.softmax(x), x.mean(axis=1)


digest = hashlib.sha256()
for _ in range(int(sys.argv[1])):
    for answer in network(weights, random.standard_normal((64, 256), numpy.float32)):
        digest.update(numpy.asarray(answer).tobytes())
print(json.dumps({"answer": digest.hexdigest()}))
