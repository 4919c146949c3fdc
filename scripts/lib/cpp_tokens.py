"""C++ source as tokens: what is left where neither white space nor comments count."""

import dataclasses
import re

TOKEN = re.compile(r"""
    (?P<blank> \s+ | //[^\n]* | /\*.*?\*/ )
  | "(?:\\.|[^"\\\n])*"       # a string
  | \d[\w'.]*                 # a number, with or without separators
  | '(?:\\.|[^'\\\n])+'       # a character
  | \w+
  | .                         # operators count character by character
""", re.VERBOSE | re.DOTALL)


@dataclasses.dataclass(frozen=True)
class Token:
    text: str
    begin: int
    end: int


def tokens_of(source):
    return [Token(found.group(), found.start(), found.end()) for found in TOKEN.finditer(source) if not found.group("blank")]


def places_of(pattern, tokens):
    """(begin, end) of each place where the tokens of the pattern follow one another."""
    wanted = [token.text for token in tokens_of(pattern)]
    texts = [token.text for token in tokens]
    return [(tokens[at].begin, tokens[at + len(wanted) - 1].end) for at in range(len(texts) - len(wanted) + 1)
            if texts[at] == wanted[0] and texts[at:at + len(wanted)] == wanted]
