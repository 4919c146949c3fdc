"""The tables of the zoo: a row for each program, and a row for each promise that it breaks."""

from harmless.promises import PROMISES, SHORT_WALL, broken_by, ratio_in
from rounds import markdown_table, print_table

COLUMNS = tuple(promise for promise in PROMISES if promise is not SHORT_WALL)
HEAD = ["program", "2nd time", "asked", "faults", "most", "1st time", "+ plan", "rounds", "broken"]
BROKEN = ["program", "breaks"]
BEGIN, END = "<!-- scripts/check/apps writes from here -->\n", "<!-- to here -->\n"


def ratio_cell(ratio):
    if ratio is None:
        return "-"
    return f"{ratio['value']:.2f}" if "low" not in ratio else f"{ratio['value']:.2f} ±{(ratio['high'] - ratio['low']) / 2:.2f}"


def row_of(name, rounds, broken):
    return [name, *(ratio_cell(ratio_in(rounds, promise)) for promise in COLUMNS), str(len(rounds)), str(len(broken) or "-")]


def rows_of(found, broken):
    return [row_of(name, rounds, broken[name]) for name, rounds in found.items() if rounds]


def all_broken(found, programs):
    """name -> a sentence for each promise that is broken."""
    return {name: broken_by(rounds, programs[name].short) for name, rounds in found.items()}


def print_found(found, broken):
    print_table(HEAD, rows_of(found, broken), False)
    for name, sentences in broken.items():
        for sentence in sentences:
            print(f"{name}: {sentence}")


def markdown_of(found, broken):
    rows = [[name, sentence.replace("|", "\\|")] for name, sentences in broken.items() for sentence in sentences]
    return "\n\n".join([markdown_table(HEAD, rows_of(found, broken)), *([markdown_table(BROKEN, rows)] if rows else [])]) + "\n"


def put_into(page, markdown):
    """Writes between the two marks of a page that has them; else the page is this and no more."""
    text = page.read_text() if page.exists() else ""
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    page.write_text(f"{before}{BEGIN}\n{markdown}\n{END}{after}" if begin and end else markdown)
