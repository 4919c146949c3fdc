"""The bootstrap under programs that have nothing to do with engines: what they print must be what they print without it. A
failure means that a Python program behaves differently under `memomalloc run`."""

import importlib.util
import json
import os
import re
import unittest

from harness import BOOTSTRAP, FAKES, PythonCase

SHOW = "import sys; print(sys.path, sorted(set(sys.modules) - {'memomalloc_imports'}))"


class Bootstrap(PythonCase):
    def assert_same(self, *words, **options):
        plain = self.python(*words, bootstrap=False, **options)
        ours = self.python(*words, **options)
        self.assertEqual((ours.returncode, ours.stdout, ours.stderr), (plain.returncode, plain.stdout, plain.stderr))
        return ours

    def next_sitecustomize(self, text):
        (self.folder / "theirs").mkdir()
        (self.folder / "theirs" / "sitecustomize.py").write_text(text)
        return {"path": [self.folder / "theirs"]}

    def test_leaves_no_trace_on_the_path(self):
        self.assert_same("-c", SHOW)
        self.assert_same("-c", SHOW, path=[FAKES])

    def test_watches_nevertheless(self):
        done = self.python("-c", "import sys; print('memomalloc_imports' in sys.modules)")
        self.assertEqual(done.stdout, "True\n")

    def test_flags_that_leave_out_site_or_the_environment(self):
        for flag in ("-I", "-E", "-s", "-O"):
            self.assert_same(flag, "-c", SHOW)
        self.assertEqual(self.python("-S", "-c", "print(1)").stdout, "1\n")

    def test_switched_off(self):
        for variables in ({"MEMOMALLOC_PYTHON": "off"}, {"MEMOMALLOC_MODE": "off"}, {"MEMOMALLOC_PASSES_BY": "period"}):
            done = self.python("-c", "import sys; print('memomalloc_imports' in sys.modules)", **variables)
            self.assertEqual(done.stdout, "False\n", variables)

    def test_hands_on_to_the_next_sitecustomize(self):
        options = self.next_sitecustomize("import sys\nprint(__name__, __file__, sys.modules[__name__].__file__)\nmarker = 1\n")
        self.assert_same("-c", "import sitecustomize; print(sitecustomize.marker)", **options)

    def test_errors_of_the_next_sitecustomize_are_its_own(self):
        options = self.next_sitecustomize("raise ValueError('broken')\n")
        self.assertIn("ValueError: broken", self.assert_same("-c", "print(1)", **options).stderr)
        (self.folder / "theirs" / "sitecustomize.py").write_text("import not_there\n")
        self.assertIn("not_there", self.assert_same("-c", "print(1)", **options).stderr)

    def test_a_program_finds_no_sitecustomize_where_there_is_none(self):
        self.assert_same("-c", "import sys\ntry: import sitecustomize\nexcept ImportError as error: print(error.name)")

    def test_quiet_programs(self):
        (self.folder / "test_one.py").write_text("import unittest\nclass T(unittest.TestCase):\n def test(self): self.fail('it')\n")
        self.assert_same("-c", "1/0")
        self.assert_same("-m", "json.tool", "--help")
        self.assert_same("-m", "pip", "--version")
        for bootstrap in (False, True):
            done = self.python("-m", "unittest", bootstrap=bootstrap)
            self.assertIn("AssertionError: it", done.stderr)

    def test_an_engine_that_is_not_there(self):
        self.assert_same("-c", "import torch", path=[self.folder])

    def test_an_engine_that_fails_to_load(self):
        """A second import tries again, as without the bootstrap."""
        (self.folder / "torch.py").write_text("raise OSError('no such library')\n")
        done = self.python("-c", "for _ in range(2):\n  try: import torch\n  except OSError as error: print(error, error.__context__)")
        self.assertEqual((done.stdout, done.stderr), (2 * "no such library None\n", ""))

    def test_an_engine_is_imported_as_deep_as_ever(self):
        """Python's own stack comes in pieces. A loop whose calls cross the end of one pays for a piece in each iteration."""
        (self.folder / "torch.py").write_text("import sys\ndepth, frame = 0, sys._getframe()\n"
                                              "while frame: depth, frame = depth + 1, frame.f_back\n")
        self.assert_same("-c", "import torch; print(torch.depth, type(torch.__spec__))", MEMOMALLOC_LOG="off")

    def test_an_engine_that_is_not_what_it_should_be(self):
        (self.folder / "torch.py").write_text("answer = 42\n")
        done = self.python("-c", "import torch; print(torch.answer)")
        self.assertEqual((done.returncode, done.stdout), (0, "42\n"))
        self.assertIn("passes of torch are not marked", done.stderr)
        for quiet in ("", "off", str(self.folder / "no" / "such" / "folder")):
            done = self.python("-c", "import torch; print(torch.answer)", MEMOMALLOC_LOG=quiet)
            self.assertEqual((done.stdout, done.stderr), ("42\n", ""))

    def test_the_log_has_what_is_not_marked(self):
        """In lines like the library's, so that doctor reads them."""
        (self.folder / "torch.py").write_text("answer = 42\n")
        log = self.folder / "log"
        done = self.python("-c", "import torch; print(torch.answer)", MEMOMALLOC_LOG=str(log))
        self.assertEqual((done.stdout, done.stderr), ("42\n", ""))
        self.assertRegex(log.read_text(), r"(?m)^memomalloc\[\d+\]: passes of torch are not marked: AttributeError")

    def test_a_log_that_nobody_reads_holds_nobody_up(self):
        (self.folder / "torch.py").write_text("answer = 42\n")
        os.mkfifo(self.folder / "pipe")
        done = self.python("-c", "import torch; print(torch.answer)", MEMOMALLOC_LOG=str(self.folder / "pipe"))
        self.assertEqual((done.returncode, done.stdout), (0, "42\n"))

    def test_the_log_has_it_in_the_format_that_is_asked_for(self):
        (self.folder / "torch.py").write_text("answer = 42\n")
        time = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"
        said = {form: self.python("-c", "import torch", MEMOMALLOC_LOG="stderr", MEMOMALLOC_LOG_FORMAT=form).stderr
                for form in ("timed", "json")}
        self.assertRegex(said["timed"], rf"(?m)^{time} memomalloc\[\d+\] info: passes of torch are not marked: AttributeError")
        line = json.loads(next(line for line in said["json"].splitlines() if "of torch" in line))
        self.assertEqual((list(line), line["level"]), (["time", "level", "pid", "message"], "info"))
        self.assertRegex(line["time"], f"^{time}$")

    def test_a_process_that_may_not_write_to_stderr_does_not(self):
        (self.folder / "torch.py").write_text("answer = 42\n")
        for named, is_said in ((None, True), ("1.1.1.1", False)):
            variables = {} if named is None else {"MEMOMALLOC_SPEAKER": named}
            said = self.python("-c", "import torch", MEMOMALLOC_LOG="stderr", **variables).stderr
            self.assertEqual("passes of torch are not marked" in said, is_said, said)

    def test_an_imported_engine_shows_nothing_of_it(self):
        show = "import torch; print(torch.__spec__, torch.__loader__, vars(torch.__spec__.loader), torch.__file__)"
        plain = self.python("-c", show, path=[FAKES], bootstrap=False)
        ours = self.python("-c", show, path=[FAKES])
        addresses = re.compile("0x[0-9a-f]+")
        self.assertEqual(addresses.sub("", ours.stdout), addresses.sub("", plain.stdout))

    def test_twice_on_the_path(self):
        done = self.python("-c", "import sys; print(sum(type(one).__name__ == '_Finder' for one in sys.meta_path), sys.path)",
                           path=[BOOTSTRAP])
        self.assertTrue(done.stdout.startswith("1 "), done.stdout)
        self.assertNotIn(str(BOOTSTRAP), done.stdout)

    def test_virtual_environments(self):
        made = self.python("-m", "venv", "--without-pip", str(self.folder / "venv"))
        self.assertEqual(made.returncode, 0, made.stderr)
        self.assert_same("-c", SHOW, interpreter=str(self.folder / "venv" / "bin" / "python"))

    def test_subinterpreters(self):
        name = next(filter(importlib.util.find_spec, ("_interpreters", "_xxsubinterpreters")), None)
        if name is None:
            self.skipTest("this Python has none")
        program = f"import {name} as them; them.run_string(them.create(), 'import torch; print(torch.nn.Module()._wrapped_call_impl)')"
        done = self.python("-c", program, path=[FAKES], MEMOMALLOC_LOG="")
        self.assertIn("Module", done.stdout, done.stderr)


if __name__ == "__main__":
    unittest.main()
