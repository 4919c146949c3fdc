"""As much of TensorFlow as the marks look at."""
from tensorflow.python.eager.context import state  # noqa: F401
from tensorflow.python.eager.polymorphic_function.concrete_function import ConcreteFunction  # noqa: F401
from tensorflow.python.eager.polymorphic_function.polymorphic_function import Function as function  # noqa: F401
