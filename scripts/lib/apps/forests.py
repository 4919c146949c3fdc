"""forests.py REQUESTS KIND: models of tables are trained on a little data and asked. KIND is sklearn, a random forest and a linear model;
or lightgbm."""
import sys

import numpy
from steady import answer


def data(seed):
    random = numpy.random.default_rng(seed)
    table = random.standard_normal((1500, 20))
    return table, (table[:, 0] + table[:, 1] * table[:, 2] > 0).astype(int)


def sklearn_models(seed):
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.linear_model import LogisticRegression
    table, labels = data(seed)
    models = RandomForestClassifier(20, random_state=seed, n_jobs=1), LogisticRegression()
    return b"".join(model.fit(table, labels).predict_proba(table).round(6).tobytes() for model in models)


def lightgbm_model(seed):
    import lightgbm
    table, labels = data(seed)
    settings = {"objective": "binary", "num_threads": 1, "verbosity": -1, "deterministic": True, "seed": seed, "force_row_wise": True}
    return lightgbm.train(settings, lightgbm.Dataset(table, labels), 30).predict(table).tobytes()


make = {"sklearn": sklearn_models, "lightgbm": lightgbm_model}[sys.argv[2]]
answer(int(sys.argv[1]), make)
