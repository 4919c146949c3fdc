"""Starts a notebook's kernel, runs cells in it, and prints what a notebook shows of them."""
from jupyter_client.manager import start_new_kernel

CELLS = (
    "print('said'); 6 * 7",
    "import sys; print(sys.path[1:], 'sitecustomize' in sys.modules, file=sys.stderr)",
    "!printf 'a shell of the cell'",
    "1 / 0",
)


def show(message):
    content = message["content"]
    if message["msg_type"] == "stream":
        print(content["name"], content["text"])
    elif message["msg_type"] == "execute_result":
        print(content["data"])
    elif message["msg_type"] == "error":
        print(content["ename"], content["evalue"], len(content["traceback"]))


manager, client = start_new_kernel(startup_timeout=300)
try:
    for cell in CELLS:
        print(client.execute_interactive(cell, output_hook=show, timeout=300)["content"]["status"])
finally:
    client.stop_channels()
    manager.shutdown_kernel()
