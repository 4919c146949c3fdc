excluded = []


def register_exclusion(path):
    excluded.append(path)
