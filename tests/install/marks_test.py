"""The README's C interface, without the library and with it.

The example is taken from the README as printed and built in C and in C++. A failure means that who followed it has a program
that crashes as soon as the library is taken away, or one whose passes nobody sees."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).parents[2]
LIBRARY = sys.argv.pop(1)

# The code that the example leaves to the reader, and the functions that it does not show.
AROUND = """
#include <stdio.h>
#include <stdlib.h>
%s
static struct { int unused; } request;
int main(void) {
  struct memo_allocation found;
  char text[4096];
  handle(&request);
  memo_try_scope_begin("conv");
  memo_try_scope_end();
  (void)memo_try_identify(text, &found);
  (void)memo_try_stats_json(text, sizeof text);
  if (memo_try_plan_load("/nonexistent/plan") != -1) return 1;
  puts(text);
  return 0;
}
"""


def example():
    (code,) = re.findall(r"```c\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    return code


class Marks(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def build(self, compiler, suffix):
        source = self.folder / f"marked.{suffix}"
        forward = "static void forward(void* what) { free(malloc(100)); (void)what; }\n"
        source.write_text(AROUND % (forward + example()))
        program = self.folder / f"marked-{suffix}"
        subprocess.run([compiler, "-Wall", "-Wextra", "-Werror", "-O2", "-I", ROOT / "runtime/include", source, "-o", program],
                       check=True)
        return program

    def test_without_the_library_nothing_happens(self):
        for compiler, suffix in (("cc", "c"), ("c++", "cpp")):
            done = subprocess.run([self.build(compiler, suffix)], capture_output=True, text=True, check=False)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "\n", ""), compiler)

    def test_with_it_the_pass_is_counted(self):
        environment = {**os.environ, "LD_PRELOAD": LIBRARY, "MEMOMALLOC_MODE": "serve", "MEMOMALLOC_LOG": "off"}
        for compiler, suffix in (("cc", "c"), ("c++", "cpp")):
            done = subprocess.run([self.build(compiler, suffix)], capture_output=True, text=True, env=environment, check=True)
            self.assertIn('"passes"', done.stdout, compiler)


if __name__ == "__main__":
    unittest.main()
