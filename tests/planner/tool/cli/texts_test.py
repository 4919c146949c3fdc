"""Option table, `--help`, man pages, completions, variables and documentation say the same.

Each is read in its own way: the tables as text, the help and the man pages as printed, the completions by running them in
their shells, the variables by a library that listens to getenv. A failure means that somebody reads of an option that is
not there, or does not read of one that is."""

import os
import pathlib
import re
import shutil
import subprocess
import unittest
import unittest.mock

import harness

ROOT = pathlib.Path(os.environ["MEMO_SOURCE"])
LIBRARY = os.environ["MEMO_LIBRARY"]
COMMON = {"-h", "--help", "-q", "--quiet", "--log-format"}

SPY = r"""
#define _GNU_SOURCE
#include <string.h>
#include <unistd.h>
extern char** environ;
static char* look(const char* name) {
  char line[256] = "asked for ";
  strncat(line, name, 200);
  strcat(line, "\n");
  if (write(2, line, strlen(line)) < 0) return 0;
  for (char** at = environ; at && *at; ++at)
    if (!strncmp(*at, name, strlen(name)) && (*at)[strlen(name)] == '=') return *at + strlen(name) + 1;
  return 0;
}
char* getenv(const char* name) { return look(name); }
char* secure_getenv(const char* name) { return look(name); }
"""


def output(*words):
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


def help_of(*verb):
    return output(harness.command(), *verb, "--help")


def verbs():
    _, listed = help_of().split("Subcommands:\n")
    return [line.split()[0] for line in listed.splitlines() if line.startswith("  ") and line[2] != " "]


def options_in_help(verb):
    """{name: value} of what begins a line of the help with a dash."""
    rows = re.findall(r"^  (-[-a-z,]+)(?: (\S+))?", help_of(verb) if verb else help_of(), re.MULTILINE)
    return {name: value for names, value in rows for name in names.split(",")}


def section(page, title):
    found = re.search(rf"^\.SH {title}\n(.*?)(?=^\.SH )", page, re.MULTILINE | re.DOTALL)
    return found.group(1) if found else ""


def plain(roff):
    return re.sub(r"\\f[BIR]", "", roff).replace("\\-", "-").replace("\\&", "").replace("\\e", "\\")


def terms(text):
    return [plain(line) for line in re.findall(r"^\.TP\n(.*)", text, re.MULTILINE)]


def options_in_page(page):
    found = {}
    for term in terms(section(page, "OPTIONS")):
        if not term.startswith("-"):
            continue
        names, _, value = term.replace(", ", ",").partition(" ")
        found.update({name: value for name in names.split(",")})
    return found


def rows_of_tool_table():
    """(verb, names, value) of each row in the source."""
    text = (ROOT / "planner/tool/cli/option_table.h").read_text()
    return re.findall(r'^    \{"(\w+)", "([^"]+)", "([^"]*)"', text, re.MULTILINE)


def rows_of_guest_table():
    """(variable, option, value) of each row in the source."""
    text = (ROOT / "runtime/formats/guest_options.h").read_text()
    return re.findall(r'X\(k\w+, "(\w+)", "([-\w]+)", "([^"]*)"', text)


class Texts(harness.CliTest):
    @classmethod
    def setUpClass(cls):
        cls.verbs = verbs()

    def setUp(self):
        super().setUp()
        self.run_command("--write-texts", "share")

    def page(self, verb=""):
        return self.read(f"share/man/man1/memomalloc{'-' if verb else ''}{verb}.1")

    def test_the_path_for_the_preload(self):
        printed, _ = self.run_command("--print-preload")
        self.assertEqual(pathlib.Path(printed.rstrip("\n")).resolve(), pathlib.Path(LIBRARY).resolve())

    def test_the_library_is_preloaded_under_the_name_that_it_is_given(self):
        """What Python starts with lies beside the file, wherever the link lies."""
        link = self.folder / "libtcmalloc-memomalloc.so"
        link.symlink_to(LIBRARY)
        with unittest.mock.patch.dict(os.environ, MEMOMALLOC_LIBRARY=link.name, LD_PRELOAD="", PYTHONPATH=""):
            printed, _ = self.run_command("run", "-q", "--no-cache", "--", "printenv", "LD_PRELOAD", "PYTHONPATH")
        bootstrap = pathlib.Path(LIBRARY).resolve().parent / "memomalloc/python/bootstrap"
        self.assertEqual(printed.splitlines(), [str(link), str(bootstrap)])

    def test_every_verb_has_a_page_and_an_explanation(self):
        pages = {path.name for path in (self.folder / "share/man/man1").iterdir()}
        self.assertEqual(pages, {"memomalloc.1"} | {f"memomalloc-{verb}.1" for verb in self.verbs})
        listed = {re.match(r"memomalloc-(\S+)\(1\)", term).group(1) for term in terms(section(self.page(), "VERBS"))}
        self.assertEqual(listed, set(self.verbs))
        for verb in self.verbs:
            self.assertIn(f"memomalloc {verb} ", plain(section(self.page(verb), "EXAMPLES")), "planner/tool/cli/manual.h has no row")

    def test_table_help_and_page_have_the_same_options(self):
        for verb in self.verbs:
            in_help = options_in_help(verb)
            self.assertEqual(in_help, options_in_page(self.page(verb)), verb)
            for row_verb, names, value in rows_of_tool_table():
                if row_verb == verb and names.startswith("-"):
                    for name in names.split(","):
                        self.assertEqual(in_help.get(name), value, f"{verb} {name}")
        self.assertEqual(options_in_help(""), options_in_page(self.page()))

    def test_every_option_in_the_help_has_a_row(self):
        rows = {(verb, name) for verb, names, _ in rows_of_tool_table() for name in names.split(",")}
        of_library = {f"--{option}" for _, option, _ in rows_of_guest_table()} | {"-o"}
        for verb in self.verbs:
            for name in options_in_help(verb).keys() - COMMON - of_library:
                self.assertIn((verb, name), rows)

    def test_options_name_their_variables(self):
        variables = {f"--{option}": variable for variable, option, _ in rows_of_guest_table()}
        for verb in self.verbs:
            for name, variable in re.findall(r"^  (?:-\w,)?(--[-a-z]+)\b.*\(\$(\w+)\)$", help_of(verb), re.MULTILINE):
                self.assertEqual(variables[name], variable)

    def test_the_pages_are_well_formed(self):
        for path in sorted((self.folder / "share/man/man1").iterdir()):
            done = subprocess.run(["groff", "-man", "-Tutf8", "-ww", path], capture_output=True, text=True, check=True)
            self.assertEqual(done.stderr, "")

    # ---- variables

    def asked_for(self, command, **variables):
        self.write("spy.c", SPY)
        subprocess.run(["cc", "-shared", "-fPIC", "-fno-builtin", "spy.c", "-o", "spy.so"], cwd=self.folder, check=True)
        preload = ":".join([f"{self.folder}/spy.so", *variables.pop("also", [])])
        done = subprocess.run(command, cwd=self.folder, env={"PATH": os.environ["PATH"], "LD_PRELOAD": preload, **variables},
                              capture_output=True, text=True, check=False)
        return {name for name in re.findall(r"asked for (\w+)", done.stderr)
                if name.startswith(("MEMOMALLOC_", "MALLOC_", "NO_COLOR"))}

    def variables_in_page(self):
        """Those of the library, of the command, and of the store of plans."""
        return [{term.partition("=")[0] for term in terms(part)} for part in section(self.page(), "ENVIRONMENT").split(".PP\n")]

    def test_the_library_reads_what_the_page_says(self):
        asked = set()
        for mode in ("off", "profile", "serve"):
            asked |= self.asked_for(["/bin/true"], also=[LIBRARY], MEMOMALLOC_MODE=mode)
        asked.remove("MEMOMALLOC_SPEAKER")  # what the command says to the library; nobody else sets it
        self.assertEqual(asked, self.variables_in_page()[0])
        self.assertEqual(asked - {"MALLOC_CONF"}, {variable for variable, _, _ in rows_of_guest_table()})

    def test_the_command_reads_what_the_page_says(self):
        self.assertEqual(self.asked_for([harness.command(), "doctor"]), self.variables_in_page()[1] - {"XDG_CACHE_HOME"})

    def test_the_command_asks_for_no_other_variable_anywhere(self):
        system = {"PATH", "LD_PRELOAD", "HOME", "TMPDIR", "TERM"}
        asked = {name for path in (ROOT / "planner").rglob("*.cpp") for name in re.findall(r'getenv\("(\w+)"\)', path.read_text())}
        self.assertEqual(asked - system, self.variables_in_page()[1])

    def test_the_store_reads_what_the_page_says(self):
        sources = (ROOT / "preload/python/memomalloc/store").glob("*.py")
        named = {name for path in sources for name in re.findall(r'^\w*VARIABLE = "(\w+)"', path.read_text(), re.MULTILINE)}
        self.assertEqual(named, self.variables_in_page()[2])

    # ---- completions

    def bash(self, *words):
        """What bash offers for the last of these words."""
        script = ('source share/bash-completion/completions/memomalloc; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); '
                  '_memomalloc; printf "%s\\n" "${COMPREPLY[@]}"')
        done = subprocess.run(["bash", "--norc", "-c", script, "bash", "memomalloc", *words], cwd=self.folder, capture_output=True,
                              text=True, check=True)
        self.assertEqual(done.stderr, "")
        return set(done.stdout.split())

    def test_bash_offers_verbs_and_options(self):
        self.assertEqual(self.bash(""), set(self.verbs))
        self.assertEqual(self.bash("pro"), {"profile"})
        for verb in self.verbs:
            offered = self.bash(verb, "--")
            self.assertEqual(offered, {name for name in options_in_help(verb) if name.startswith("--")}, verb)

    def test_bash_offers_values(self):
        self.write("a.plan", "")
        self.assertEqual(self.bash("profile", "--tag", ""), {"software", "hardware", "alias"})
        self.assertEqual(self.bash("profile", "--tag", "=", "h"), {"hardware"})
        self.assertIn("canonical", self.bash("plan", "--strategy", "c"))
        self.assertEqual(self.bash("serve", "--plan", "a"), {"a.plan"})
        self.assertEqual(self.bash("serve", "--lanes", ""), set())
        self.assertEqual(self.bash("check", "a"), {"a.plan"})
        self.assertEqual(self.bash("cache", ""), {"list", "show", "clear", "limit"})
        self.assertIn("true", self.bash("serve", "--plan", "a.plan", "--", "tru"))

    @unittest.skipUnless(shutil.which("zsh"), "zsh is not installed")
    def test_zsh_offers_the_same(self):
        """`_arguments` is replaced by one that shows what it is told; it stands where the user is behind a verb."""
        script = ('_arguments() { if [[ $1 == -C ]]; then state=argument; line=($verb); else print -rl -- "$@"; fi }; '
                  '_describe() { print -rl -- $verbs }; verb=$1; set --; source share/zsh/site-functions/_memomalloc')
        for verb in self.verbs:
            done = subprocess.run(["zsh", "-f", "-c", script, "zsh", verb], cwd=self.folder, capture_output=True, text=True, check=True)
            offered = set(re.findall(r"^(?:\([^)]*\)|\*)(-[-a-z]+)\[", done.stdout, re.MULTILINE))
            self.assertEqual(offered, set(options_in_help(verb)), done.stdout + done.stderr)

    # ---- documentation

    def test_documents_use_options_that_exist(self):
        pages = [ROOT / "README.md", ROOT / "examples/README.md", *sorted((ROOT / "docs").glob("*.md"))]
        known = {verb: set(options_in_help(verb)) for verb in self.verbs}
        for path in pages:
            for verb, rest in re.findall(rf"memomalloc ({'|'.join(self.verbs)})\b([^`\n]*)", path.read_text()):
                words = re.sub(r"'[^']*'", "", rest).partition(" -- ")[0].partition("&&")[0].partition("#")[0]
                for name in re.findall(r"(?<!\S)-(?:[a-z]\b|-[a-z][-a-z]*)", words):
                    self.assertIn(name, known[verb], f"{path.name}: memomalloc {verb}{rest}")

    def test_documents_name_variables_that_exist(self):
        of_build = set(re.findall(r"(?:option|set)\((MEMOMALLOC_\w+)", (ROOT / "CMakeLists.txt").read_text()))
        of_package = {name for path in (ROOT / "preload/python").rglob("*.py")
                      for name in re.findall(r'"(MEMOMALLOC_\w+)"', path.read_text())}
        of_page = set().union(*self.variables_in_page())
        for path in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]:
            for name in re.findall(r"MEMOMALLOC_[A-Z_]*[A-Z]", path.read_text()):
                self.assertIn(name, of_page | of_build | of_package, path.name)


if __name__ == "__main__":
    harness.main()
