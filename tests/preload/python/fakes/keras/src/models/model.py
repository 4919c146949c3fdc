from keras.src import backend  # noqa: F401


class Layer:
    def __call__(self, *args, **kwargs):
        return self.call(*args, **kwargs)


class Model(Layer):
    def call(self, x, training=False):
        return x
