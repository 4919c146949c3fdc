"""tensorflow_signature.py PASSES|asked: the signature of a loaded SavedModel, a perceptron with random weights. Prints a
digest of its answers (asked.py)."""
import os
import tempfile

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
import numpy  # noqa: E402
import tensorflow as tf  # noqa: E402
from asked import make_passes  # noqa: E402

tf.config.threading.set_intra_op_parallelism_threads(1)
tf.config.threading.set_inter_op_parallelism_threads(1)
random = numpy.random.default_rng(1)


class Network(tf.Module):
    def __init__(self):
        super().__init__()
        self.weights = [tf.Variable(random.standard_normal((256, 256), numpy.float32) / 16) for _ in range(6)]

    @tf.function(input_signature=[tf.TensorSpec([None, 256], tf.float32)])
    def serve(self, x):
        for weight in self.weights:
            x = tf.nn.gelu(x @ weight)
        return {"answer": tf.nn.softmax(x)}


with tempfile.TemporaryDirectory() as folder:
    network = Network()
    tf.saved_model.save(network, folder, signatures={"serving_default": network.serve})
    signature = tf.saved_model.load(folder).signatures["serving_default"]
make_passes(lambda: [signature(x=tf.constant(random.random((64, 256), numpy.float32)))["answer"].numpy().tobytes()])
