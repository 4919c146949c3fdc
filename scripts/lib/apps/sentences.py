"""sentences.py REQUESTS: a blank pipeline of spaCy with rules, on texts of random length with words that nobody saw before."""
import random
import sys

import spacy
from steady import answer

pipeline = spacy.blank("en")
pipeline.add_pipe("sentencizer")
pipeline.add_pipe("entity_ruler").add_patterns([{"label": "NUMBER", "pattern": [{"IS_DIGIT": True}]}])


def respond(number):
    dice = random.Random(number)
    words = (dice.choice(("rivers", "carry", "snow.", str(dice.randrange(1000)), f"word{dice.randrange(10**6)}")) for _ in range(dice.randint(50, 600)))
    document = pipeline(" ".join(words))
    return f"{len(document)} {len(list(document.sents))} {[entity.text for entity in document.ents]}"


answer(int(sys.argv[1]), respond)
