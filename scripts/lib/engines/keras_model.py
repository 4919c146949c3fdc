"""keras_model.py PASSES|asked: a Keras model on TensorFlow, called as a function, a small residual network with random weights. Prints
a digest of its answers (asked.py)."""
import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
import keras  # noqa: E402
import numpy  # noqa: E402
import tensorflow as tf  # noqa: E402
from asked import make_passes  # noqa: E402

tf.config.threading.set_intra_op_parallelism_threads(1)
tf.config.threading.set_inter_op_parallelism_threads(1)
keras.utils.set_random_seed(1)
image = keras.Input((32, 32, 3))
x = keras.layers.Conv2D(16, 3, padding="same")(image)
for _ in range(6):
    y = keras.layers.Conv2D(16, 3, padding="same", activation="relu")(x)
    x = keras.layers.Add()([x, keras.layers.Conv2D(16, 3, padding="same", activation="relu")(y)])
model = keras.Model(image, keras.layers.Dense(10, activation="softmax")(keras.layers.GlobalAveragePooling2D()(x)))
random = numpy.random.default_rng(1)
make_passes(lambda: [model(random.random((2, 32, 32, 3), numpy.float32)).numpy().tobytes()])
