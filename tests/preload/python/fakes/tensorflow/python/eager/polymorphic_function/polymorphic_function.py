from tensorflow.python.eager import context  # noqa: F401


class Function:
    def __init__(self, python_function):
        self._python_function, self._name = python_function, python_function.__name__

    def __call__(self, *args, **kwargs):
        return self._python_function(*args, **kwargs)
