"""ONNX Runtime from npm and the models it runs."""

import os
import shutil

from commands import output_of, run, setup
from places import PYTHON, ROOT

NODE = ROOT / "build" / "onnxruntime_node"


def make_model(path, *options):
    setup("python3-onnx")
    run([PYTHON, ROOT / "examples/onnx_models/make_onnx.py", *options, path])


def install_onnxruntime(release=None):
    """Into a folder of its own, which the next run finds. Without a release the one of the example."""
    if not shutil.which("npm"):
        setup("nodejs", "npm")
    folder = NODE / (release or "as-in-example")
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("package.json", ".npmrc"):
        shutil.copy(ROOT / "examples/onnxruntime_node" / name, folder)
    wanted = [f"onnxruntime-node@{release}"] if release else []
    output_of(["npm", "install", "--no-audit", "--no-fund", *wanted], cwd=folder)
    os.environ["NODE_PATH"] = str(folder / "node_modules")


def onnxruntime_infer(model, passes, *options):
    return ["node", ROOT / "examples/onnxruntime_node/infer.js", "--passes", passes, *options, model]
