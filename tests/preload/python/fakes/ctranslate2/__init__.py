from ctranslate2._ext import Encoder, Generator, Translator  # noqa: F401
