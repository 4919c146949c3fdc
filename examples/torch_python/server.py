#!/usr/bin/python3
"""server.py [NETWORK] [--port N] [--side N]: a traced network with random weights behind HTTP.

GET /?seed=N answers with a digest of what the network says to the image that N stands for. Runs some passes before it
listens, as servers do, and ends in good order on SIGTERM. Knows nothing of who allocates for it.
"""

import argparse
import hashlib
import http.server
import json
import signal
import sys
import urllib.parse
import warnings

warnings.simplefilter("ignore")

import networks  # noqa: E402
import torch  # noqa: E402

WARM_UP = 4


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("network", nargs="?", default="squeezenet1_0")
    parser.add_argument("--port", type=int, default=8080)
    parser.add_argument("--side", type=int, default=128)
    return parser.parse_args()


def image(seed, side):
    return torch.rand(1, 3, side, side, generator=torch.Generator().manual_seed(seed))


def handler(network, side):
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            query = urllib.parse.parse_qs(urllib.parse.urlsplit(self.path).query)
            seed = int(query.get("seed", ["0"])[0])
            with torch.no_grad():
                answer = hashlib.sha256(network(image(seed, side)).numpy().tobytes()).hexdigest()
            body = (json.dumps({"seed": seed, "answer": answer}) + "\n").encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    return Handler


def main():
    options = arguments()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    torch.set_num_threads(1)
    network = networks.traced(networks.make(options.network, options.side), image(0, options.side))
    with torch.no_grad():
        for seed in range(WARM_UP):
            network(image(seed, options.side))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", options.port), handler(network, options.side))
    print(f"listening on http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()


main()
