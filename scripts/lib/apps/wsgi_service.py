"""For gunicorn: a plain service that is sent records or images."""
import urllib.parse

import preparing


def application(environ, start_response):
    body = environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"]))
    query = urllib.parse.parse_qs(environ["QUERY_STRING"])
    answer = preparing.image(body, int(query["side"][0])) if environ["PATH_INFO"] == "/image" else preparing.records(body)
    start_response("200 OK", [("Content-Type", "text/plain"), ("Content-Length", str(len(answer)))])
    return [answer.encode()]
