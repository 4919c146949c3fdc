"""tensorflow_function.py PASSES|asked: a tf.function, a small convolutional network with random weights. Prints a digest
of its answers (asked.py)."""
import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
import numpy  # noqa: E402
import tensorflow as tf  # noqa: E402
from asked import make_passes  # noqa: E402

tf.config.threading.set_intra_op_parallelism_threads(1)
tf.config.threading.set_inter_op_parallelism_threads(1)
random = numpy.random.default_rng(1)
kernels = [tf.constant(random.standard_normal((3, 3, 3 if i == 0 else 16, 16), numpy.float32) / 8) for i in range(6)]
last = tf.constant(random.standard_normal((16, 10), numpy.float32))


@tf.function
def network(image):
    for kernel in kernels:
        image = tf.nn.relu(tf.nn.conv2d(image, kernel, strides=1, padding="SAME"))
    return tf.nn.softmax(tf.reduce_mean(image, axis=[1, 2]) @ last)


make_passes(lambda: [network(tf.constant(random.random((2, 32, 32, 3), numpy.float32))).numpy().tobytes()])
