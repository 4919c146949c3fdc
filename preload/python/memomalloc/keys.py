"""Keys of passes: numbers that are the same for the same shapes in every process of a program.

Python's hash of a text differs from process to process, that of numbers and of tuples of numbers does not.
"""
import zlib
from collections.abc import Mapping

NO_KEY = 0  # there is nothing to tell passes apart by
MASK = (1 << 64) - 1
DEPTH = 3  # of lists and dictionaries that are searched for shapes


def key_of(value):
    """The key that a program gave: numbers are taken as they are."""
    if value is None:
        return NO_KEY
    return value & MASK if isinstance(value, int) else key_of_numbers(_in_numbers(value))


def key_of_numbers(numbers):
    return hash(numbers) & MASK or 1


def number_of_text(text):
    return zlib.crc32(text.encode(errors="replace"))


def shapes_in(value, depth=DEPTH):
    """The shapes of the arrays and the lengths of the lists in a value, as a tuple of numbers and tuples."""
    shape = getattr(value, "shape", None)
    if isinstance(shape, tuple):
        return tuple(shape)
    if isinstance(value, Mapping):
        value = value.values()
    elif not isinstance(value, (tuple, list)):
        return ()
    return (len(value), *(shapes_in(one, depth - 1) for one in value)) if depth else (len(value),)


def _in_numbers(value):
    if isinstance(value, str):
        return number_of_text(value)
    if isinstance(value, (tuple, list)):
        return tuple(map(_in_numbers, value))
    return value if isinstance(value, (int, float)) else number_of_text(type(value).__qualname__)
