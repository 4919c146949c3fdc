"""pictures.py REQUESTS KIND: pictures of random size are decoded, turned, scaled and encoded. KIND is pillow or opencv."""
import io
import random
import sys

import numpy
from steady import answer


def pixels(number):
    dice = random.Random(number)
    rows = numpy.random.default_rng(number).integers(256, size=(dice.randrange(64, 160), dice.randrange(64, 160), 3), dtype=numpy.uint8)
    return numpy.ascontiguousarray(rows.repeat(6, axis=0).repeat(6, axis=1))


def by_pillow(number):
    from PIL import Image, ImageFilter
    file = io.BytesIO()
    Image.fromarray(pixels(number)).save(file, "JPEG")
    image = Image.open(file).rotate(90, expand=True).resize((224, 224)).filter(ImageFilter.GaussianBlur(2)).convert("L")
    return image.tobytes()


def by_opencv(number):
    import cv2
    cv2.setNumThreads(1)
    image = cv2.imdecode(cv2.imencode(".jpg", pixels(number))[1], cv2.IMREAD_COLOR)
    image = cv2.GaussianBlur(cv2.resize(cv2.rotate(image, cv2.ROTATE_90_CLOCKWISE), (224, 224)), (5, 5), 0)
    return cv2.Canny(image, 50, 150).tobytes()


answer(int(sys.argv[1]), {"pillow": by_pillow, "opencv": by_opencv}[sys.argv[2]])
