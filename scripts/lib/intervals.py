"""Geometric means with their 95 % intervals, by Student's t on the logarithms."""

import math
import statistics

# Two-sided 95 % quantiles of Student's t for 1, 2, ... degrees of freedom; beyond them that of the normal distribution serves.
STUDENT = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131,
           2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042)
NORMAL = 1.96


def student_of(freedom):
    return STUDENT[freedom - 1] if freedom <= len(STUDENT) else NORMAL


def ratio_of(values):
    """Returns the geometric mean with its interval, which one value does not have; None without a value."""
    logarithms = [math.log(value) for value in values]
    if not logarithms:
        return None
    mean = statistics.fmean(logarithms)
    if len(logarithms) == 1:
        return {"value": math.exp(mean)}
    margin = student_of(len(logarithms) - 1) * statistics.stdev(logarithms) / math.sqrt(len(logarithms))
    return {"value": math.exp(mean), "low": math.exp(mean - margin), "high": math.exp(mean + margin)}


def overlap(one, other):
    return one["low"] <= other["high"] and other["low"] <= one["high"]


def each_lies_in_the_other(one, other):
    return one["low"] <= other["value"] <= one["high"] and other["low"] <= one["value"] <= other["high"]


def in_percent(ratio):
    """How much more than the whole it is."""
    value, low, high = (f"{100 * (ratio[end] - 1):+.1f}" for end in ("value", "low", "high"))
    return f"{value} % ({low} to {high})"
