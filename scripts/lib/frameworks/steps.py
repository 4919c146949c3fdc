"""What the scripts that run MemoMalloc on frameworks share: how its commands are run."""
import subprocess

from places import COMMAND, PYTHON, ROOT


def run(command, **options):
    return subprocess.run([str(word) for word in command], check=True, **options)


def output_of(command, **options):
    """What the command prints; what it says on stderr is shown only if it fails."""
    try:
        return run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options).stdout
    except subprocess.CalledProcessError as error:
        raise SystemExit(f"{error}\n{error.stderr}") from error


def setup(*packages):
    run([ROOT / "scripts/setup", *packages])


def build(*targets):
    run([ROOT / "scripts/build", "release", *targets], stdout=subprocess.DEVNULL)


def build_memomalloc():
    build("memomalloc_cli", "memomalloc_preload")


def memomalloc(folder, *words):
    return output_of([COMMAND, *words], cwd=folder)


def setup_torch():
    setup("python3-torch", "python3-torchvision")


def torch_infer(network, passes, threads=1):
    """A traced and frozen network on one image of 128 by 128 pixels, with so many threads for an operator."""
    return [PYTHON, ROOT / "examples/torch_python/infer.py", network, "--passes", passes, "--threads", threads]
