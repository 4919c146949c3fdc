"""What is known of a program of the zoo: how it is started, its load, what it needs, and what is made for it once."""

import dataclasses
import functools
import os
import pathlib
import shutil
import subprocess
import sys

from places import BUILD, ENGINES_PYTHON, PYTHON, ROOT

LIB = ROOT / "scripts" / "lib"
APPS = LIB / "apps"
MADE = BUILD.parent / "apps"  # programs and models, made once
INTERPRETERS = ("{python}", "node", "java", "perl")


@dataclasses.dataclass(frozen=True)
class Program:
    """`words` are the command. In them {size} stands for the load, {python} for an interpreter that has what is needed, {port} for a
    free port, {apps} and {lib} for folders of scripts/lib, and {made} for what was made."""
    words: str
    size: int  # of the load of a full check, and of a quick one
    quick: int
    does: str
    needs: tuple = ()  # Python modules, and commands after an exclamation mark
    load: str = ""  # of a service that is asked from outside
    makes: tuple = ()  # (file, command) below {made}
    fresh: tuple = ()  # variables that name a folder which is empty at each start
    variables: tuple = ()
    short: bool = False  # a job whose time on the wall matters
    called: str = ""  # the name by which the application is to be called, if not that of its file

    def size_for(self, options):
        return self.quick if options.quick else self.size

    @property
    def modules(self):
        return tuple(need for need in self.needs if not need.startswith("!"))

    @property
    def names(self):
        """By which a line may call it: for a script the script, for a module the module, and not its interpreter."""
        words = self.words.split()
        is_named = words[0] not in INTERPRETERS or (words[1].startswith("-") and words[1] != "-m")
        named = words[0] if is_named else words[2] if words[1] == "-m" else words[1]
        return tuple(filter(None, (self.called, pathlib.Path(named).name)))

    def filled(self, text, size=0):
        for name, value in (("python", interpreter_for(self.modules)), ("apps", APPS), ("lib", LIB), ("made", MADE), ("size", size)):
            text = text.replace("{" + name + "}", str(value))
        return text

    def command(self, options):
        return [self.filled(word, self.size_for(options)) for word in self.words.split()]

    def environment(self):
        return {"PYTHONPATH": f"{APPS}:{LIB / 'engines'}", **{name: self.filled(value) for name, value in self.variables}}

    def missing(self):
        """What it needs and is not here."""
        commands = [need[1:] for need in self.needs if need.startswith("!") and not shutil.which(need[1:])]
        return commands + ([" and ".join(self.modules)] if self.modules and not interpreter_for(self.modules) else [])

    def make(self):
        """Makes what is not there, or older than its source."""
        MADE.mkdir(parents=True, exist_ok=True)
        for name, command in self.makes:
            made, words = MADE / name, self.filled(command)
            if not made.exists() or any(changed > made.stat().st_mtime for changed in when_sources_changed(words)):
                subprocess.run(words, shell=True, check=True, stdout=subprocess.DEVNULL, env={**os.environ, **self.environment()})


def when_sources_changed(command):
    sources = [pathlib.Path(word) for word in command.split() if word.startswith(str(APPS))]
    return [source.stat().st_mtime for source in sources]


@functools.cache
def has_modules(python, modules):
    finding = "import importlib.util, sys; sys.exit(not all(map(importlib.util.find_spec, sys.argv[1:])))"
    return subprocess.run([python, "-c", finding, *modules], capture_output=True, check=False).returncode == 0


@functools.cache
def interpreter_for(modules):
    """The first interpreter that has the modules: the system's where there are none, that of scripts/setup-engines, or this one."""
    for python in (*((PYTHON,) if not modules else ()), str(ENGINES_PYTHON), PYTHON, sys.executable):
        if pathlib.Path(python).exists() and has_modules(python, modules):
            return python
    return ""
