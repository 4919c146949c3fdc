class Tensor:
    def __init__(self, *shape, at=0):
        self.shape = shape
        self.at = at

    def untyped_storage(self):
        return Tensor(at=self.at & ~0xf)

    def data_ptr(self):
        if self.at is None:
            raise RuntimeError("lies nowhere")
        return self.at


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
