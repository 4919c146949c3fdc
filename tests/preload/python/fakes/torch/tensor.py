class Tensor:
    def __init__(self, *shape):
        self.shape = shape


class Parameter(Tensor):
    pass


class Traced(Tensor):
    """A tensor of a tracer, that records who looks at its shape."""

    def __init__(self):
        self.looks = 0

    @property
    def shape(self):
        self.looks += 1
        return (1,)

    @shape.setter
    def shape(self, _):
        pass
