"""What the web services of this folder do with a request: they parse records, or prepare an image for a network."""
import hashlib
import json

import numpy


def records(body):
    parsed = json.loads(body)
    return f"{len(parsed)} {sum(record['id'] for record in parsed)}"


def image(body, side):
    pixels = numpy.frombuffer(body, numpy.uint8).reshape(side, side, 3)
    prepared = (pixels.astype(numpy.float32) / 255 - 0.5).transpose(2, 0, 1)[:, ::2, ::2]
    return hashlib.sha256(numpy.ascontiguousarray(prepared).tobytes()).hexdigest()
