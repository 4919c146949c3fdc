"""read_pages.py PAGES: rapidocr, whole, on pages of text that Pillow draws."""
import logging
import random
import sys

import numpy
from PIL import Image, ImageDraw, ImageFont
from rapidocr import RapidOCR
from steady import answer

WORDS = "memory pages rivers carry snow from mountains down to cities again".split()
logging.disable(logging.CRITICAL)
engine = RapidOCR(params={"EngineConfig.onnxruntime.intra_op_num_threads": 1, "EngineConfig.onnxruntime.inter_op_num_threads": 1})
font = ImageFont.load_default(size=24)


def page(number):
    dice = random.Random(number)
    image = Image.new("RGB", (dice.randrange(300, 500), dice.randrange(120, 260)), "white")
    draw = ImageDraw.Draw(image)
    for line in range(dice.randint(1, 4)):
        draw.text((10, 10 + 40 * line), " ".join(dice.choices(WORDS, k=3)), fill="black", font=font)
    return numpy.asarray(image)


answer(int(sys.argv[1]), lambda number: str(engine(page(number)).txts))
