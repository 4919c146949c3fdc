"""Does in a folder with a Debian what a Containerfile says, where no container engine runs: the instructions that the project's own
uses, and no others. The folder is a root that somebody made; commands run in it by chroot."""

import json
import shutil

from bare_roots import PATH_OF_ROOT, into_root
from commands import output_of


def instructions_of(text):
    """(name, rest) of each, in lines joined where one ends in a backslash."""
    lines = (line for line in text.splitlines() if not line.lstrip().startswith("#"))
    for line in "\n".join(lines).replace("\\\n", " ").splitlines():
        if line.strip():
            name, rest = line.split(maxsplit=1)
            yield name.upper(), rest.strip()


def stages_of(text):
    """stage -> (what it begins with, its instructions), in the order of the file."""
    stages = {}
    for name, rest in instructions_of(text):
        if name == "FROM":
            base, _, stage = rest.partition(" AS ")
            instructions = []
            stages[stage or base] = (base, instructions)
        else:
            instructions.append((name, rest))
    return stages


def chain_to(stages, stage):
    """All instructions that lead to a stage, those of the stages that it builds upon first."""
    base, own = stages[stage]
    return (chain_to(stages, base) if base in stages else []) + own


class FolderImage:
    """A root, and how a container of it would be started."""

    def __init__(self, root, context):
        self.root = root
        self.context = context
        self.environment = {"PATH": PATH_OF_ROOT, "HOME": "/"}
        self.user = "0:0"
        self.entrypoint = []
        self.command = []

    def build(self, instructions):
        for name, rest in instructions:
            does = getattr(self, f"do_{name.lower()}", None)
            if does is None:
                raise SystemExit(f"{name} {rest}: a folder cannot do this; it is for a container engine")
            does(rest)

    def run(self, command):
        """What a command in the root prints."""
        return output_of([*into_root(self.root, self.user), *command], env=self.environment)

    def start(self):
        """What a container prints that is started without further words."""
        return self.run([*self.entrypoint, *self.command])

    def do_copy(self, rest):
        *sources, destination = rest.split()
        folder = self.root / destination.lstrip("/")
        folder.mkdir(parents=True, exist_ok=True)
        found = [path for source in sources for path in self.context.glob(source)]
        if not found:
            raise SystemExit(f"COPY {rest}: there is nothing of that name in {self.context}")
        for path in found:
            shutil.copy(path, folder)

    def do_run(self, rest):
        self.run(["sh", "-c", rest])

    def do_env(self, rest):
        name, value = rest.split("=", 1)
        self.environment[name] = value

    def do_volume(self, rest):
        (self.root / rest.lstrip("/")).mkdir(parents=True, exist_ok=True)

    def do_user(self, rest):
        self.user = rest

    def do_entrypoint(self, rest):
        self.entrypoint = json.loads(rest)

    def do_cmd(self, rest):
        self.command = json.loads(rest)
