"""For gunicorn, which loads it once and forks its workers."""

import urllib.parse

from network import answer


def application(environ, start_response):
    (seed,) = urllib.parse.parse_qs(environ["QUERY_STRING"])["seed"]
    body = answer(int(seed)).encode()
    start_response("200 OK", [("Content-Type", "text/plain"), ("Content-Length", str(len(body)))])
    return [body]
