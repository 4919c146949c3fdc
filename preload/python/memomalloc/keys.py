"""Keys of passes: numbers that are the same for the same model in every process of a program.

Python's hash of a text differs from process to process, that of numbers and of tuples of numbers does not.
"""
import functools
import zlib

NO_KEY = 0  # there is nothing to tell passes apart by
MASK = (1 << 64) - 1


def key_of(value):
    """The key that a program gave: numbers are taken as they are."""
    if value is None:
        return NO_KEY
    return value & MASK if isinstance(value, int) else hash(_in_numbers(value)) & MASK or 1


@functools.lru_cache(maxsize=1024)
def key_of_text(text):
    """Does the same for a text, by a table: an engine runs the same few models again and again."""
    return key_of(text)


def _number_of_text(text):
    return zlib.crc32(text.encode(errors="replace"))


def _in_numbers(value):
    if isinstance(value, str):
        return _number_of_text(value)
    if isinstance(value, (tuple, list)):
        return tuple(map(_in_numbers, value))
    return value if isinstance(value, (int, float)) else _number_of_text(type(value).__qualname__)
