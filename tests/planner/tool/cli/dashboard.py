"""Reads examples/grafana: the panels, the alert rules, and what their queries ask for."""

import itertools
import json
import pathlib
import re

PLACE = pathlib.Path(__file__).parents[4] / "examples/grafana/memomalloc.json"
ALERTS = PLACE.with_name("alerts.yml")
LABELS_OF_SERVERS = {"instance", "job"}  # which Prometheus adds
METRIC = r"memomalloc_\w+"


def read():
    return json.loads(PLACE.read_text())


def panels():
    return read()["panels"]


def queries():
    """Of the panels, and of the variables by which they choose."""
    variables = [variable["query"] for variable in read()["templating"]["list"] if variable["type"] == "query"]
    return [target["expr"] for panel in panels() for target in panel["targets"]] + variables


def alert_names():
    return re.findall(r"- alert: (\w+)", ALERTS.read_text())


def alert_queries():
    """Each stands behind its key, or in the lines that are indented below it."""
    found = re.findall(r"^ +expr: (?:>\n((?: {10}.+\n)+)|(.+)\n)", ALERTS.read_text(), re.MULTILINE)
    return [" ".join((below or beside).split()) for below, beside in found]


def metrics_in(query):
    return set(re.findall(METRIC, query))


def labels_in(query):
    """Those that it selects by, and those that it groups by."""
    selected = re.findall(r"[{,](\w+)=~?", query)
    grouped = re.findall(r"\b(?:by|on|group_left) ?\(([\w, ]*)\)", query)
    return set(selected) | {label for group in grouped for label in group.replace(" ", "").split(",") if label}


def asks_for_growth(query, metric):
    """Whether it asks for the metric's growth wherever it names it. Choosing by a counter's labels counts."""
    named = len(re.findall(rf"\b{metric}\b", query))
    return named == len(re.findall(rf"(?:(?:rate|increase)\(|label_values\(){metric}\b", query))


def cells_of(panel):
    place = panel["gridPos"]
    return itertools.product(range(place["x"], place["x"] + place["w"]), range(place["y"], place["y"] + place["h"]))
