"""How scripts install, build and run what they need."""

import subprocess

from places import BUILD, COMMAND, INSTALLED_COMMAND, ROOT


def run(command, **options):
    return subprocess.run([str(word) for word in command], check=True, **options)


def output_of(command, **options):
    """What the command prints; what it says on stderr is shown only if it fails."""
    try:
        return run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options).stdout
    except subprocess.CalledProcessError as error:
        raise SystemExit(f"{error}\n{error.stderr}") from error


def setup(*packages):
    run([ROOT / "scripts" / "setup", *packages])


def build(*targets):
    """Builds targets of the release preset, unless an installed command is to be used: then they are there or are not."""
    if not INSTALLED_COMMAND:
        run([ROOT / "scripts" / "build", "release", *targets], stdout=subprocess.DEVNULL)


def build_memomalloc():
    build("memomalloc_cli", "memomalloc_preload")


def build_benchmarks(*targets):
    """Programs of tests/bench, which are built where they are asked for."""
    run(["cmake", "--preset", "release", "-DMEMOMALLOC_BENCHMARKS=ON"], cwd=ROOT, stdout=subprocess.DEVNULL)
    run(["cmake", "--build", BUILD, "--target", *targets], stdout=subprocess.DEVNULL)


def memomalloc(folder, *words):
    return output_of([COMMAND, *words], cwd=folder)


def make_plan(trace, plan):
    run([COMMAND, "plan", "--force", "-q", "-o", plan, trace], capture_output=True)


def record(trace, command, *options, **how):
    output_of([COMMAND, "profile", "--force", "-q", *options, "-o", trace, "--", *command], **how)


def plan_from_run(stem, command, *options, **how):
    """Records a run of the command and plans from it. Returns the plan, which lies beside the trace; both are named by the stem."""
    trace, plan = (stem.with_name(f"{stem.name}.{ending}") for ending in ("trace", "plan"))
    record(trace, command, *options, **how)
    make_plan(trace, plan)
    return plan
