"""Proves that the check of the layers can fail: each violation is planted in a small tree, which has none before."""

import pathlib
import tempfile
import unittest

import check_layers

TREE = {
    "runtime/plan/README.md": "# plan\n\nMay include: nothing of ours\n",
    "runtime/plan/plan.h": "#pragma once\n",
    "runtime/pass/README.md": "# pass\n\nMay include: `runtime/plan`\n\nStart reading anywhere.\n",
    "runtime/pass/pass.cpp": '#include "runtime/plan/plan.h"\n',
    "preload/modes/serve/README.md": "# serve\n\nMay include: `runtime`\n",
    "preload/modes/serve/serve.cpp": '#include "runtime/plan/plan.h"\n#include "memomalloc.h"\n',
    "planner/trace/README.md": "# trace\n\nMay include: nothing of ours\n",
    "planner/trace/trace.cpp": "#include <vector>\n#include <thread>\n#include <fmt/format.h>\n#include <sys/types.h>\n",
    "planner/system/README.md": "# system\n\nMay include: nothing of ours\n",
    "planner/system/child.cpp": "#include <sys/wait.h>\n#include <csignal>\n",
    "planner/tool/cli/README.md": "# cli\n\nMay include: nothing of ours\n\nSystem headers: `unistd.h`, to see whether a person reads.\n",
    "planner/tool/cli/main.cpp": "#include <unistd.h>\n",
    "runtime/platform/README.md": "# platform\n\nMay include: nothing of ours\n",
    "runtime/platform/pages.cpp": "#include <sys/mman.h>\n#include <ctime>\n",
    "preload/symbols/README.md": "# symbols\n\nMay include: nothing of ours\n\n"
                                 "System headers: `dlfcn.h`, for this folder defines its functions.\n",
    "preload/symbols/dlopen.cpp": "#include <dlfcn.h>\n#include <stdlib.h>\n#include <cpuid.h>\n",
    "examples/server/server.cpp": '#include "examples/server/server.h"\n#include "memomalloc/memomalloc.h"\n',
}


class Layers(unittest.TestCase):
    def violations(self, **planted):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name, text in {**TREE, **planted}.items():
                if text is None:
                    continue
                path = root / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            return check_layers.violations(root)

    def expect_one(self, text, **planted):
        found = self.violations(**planted)
        self.assertEqual(len(found), 1, found)
        self.assertIn(text, found[0])

    def test_a_tree_that_follows_its_rules(self):
        self.assertEqual(self.violations(), [])

    def test_a_folder_that_is_not_allowed(self):
        self.expect_one("planner/trace/trace.cpp:1: planner/trace may not include runtime/pass/pass.h",
                        **{"planner/trace/trace.cpp": '#include "runtime/pass/pass.h"\n'})

    def test_an_example_that_knows_the_project(self):
        self.expect_one("an example may not include runtime/plan/plan.h",
                        **{"examples/server/server.cpp": '#include "runtime/plan/plan.h"\n'})

    def test_a_folder_without_a_rule(self):
        for readme in (None, "# trace\n\nIncludes what it likes.\n"):
            with self.subTest(readme=readme):
                self.expect_one("planner/trace/README.md states no rule", **{"planner/trace/README.md": readme})

    def test_a_folder_without_tests(self):
        folders = ("runtime/plan", "runtime/pass", "runtime/platform", "preload/modes/serve", "preload/symbols", "planner/system",
                   "planner/tool/cli")
        tests = {f"tests/{folder}/a_test.cpp": "" for folder in folders}
        self.expect_one("tests/planner/trace has no test", **tests)
        self.expect_one("tests/planner/trace has no test", **tests, **{"tests/planner/trace/harness.py": ""})
        self.assertEqual(self.violations(**tests, **{"tests/planner/trace/a_test.py": ""}), [])

    def test_a_rule_about_a_folder_that_is_gone(self):
        self.expect_one("runtime/slab, which is no folder", **{"runtime/pass/README.md": "May include: `runtime/plan` `runtime/slab`\n"})

    def test_a_rule_that_allows_more_than_its_layer_may(self):
        self.expect_one("allows runtime/plan, which is not for planner/",
                        **{"planner/trace/README.md": "May include: `runtime/plan`\n"})

    def test_two_folders_that_include_each_other_though_their_rules_allow_it(self):
        self.expect_one("a circle: runtime/plan -> runtime/pass -> runtime/plan",
                        **{"runtime/plan/README.md": "May include: `runtime/pass`\n",
                           "runtime/plan/plan.h": '#include "runtime/pass/pass.h"\n'})

    def test_a_system_header_outside_of_the_platform(self):
        for header in ("unistd.h", "linux/futex.h", "pthread.h", "ctime"):
            with self.subTest(header=header):
                self.expect_one(f"runtime/plan/plan.h:2: only runtime/platform and preload/platform may include <{header}>",
                                **{"runtime/plan/plan.h": f"#pragma once\n# include <{header}>\n"})

    def test_a_system_header_in_the_planner_outside_of_its_system(self):
        for header in ("unistd.h", "sys/mman.h", "csignal"):
            with self.subTest(header=header):
                self.expect_one(f"planner/trace/trace.cpp:1: only planner/system may include <{header}>",
                                **{"planner/trace/trace.cpp": f"#include <{header}>\n"})

    def test_an_exception_of_the_planner_that_nothing_needs_any_more(self):
        self.expect_one("planner/tool/cli/README.md allows <unistd.h>", **{"planner/tool/cli/main.cpp": "#include <vector>\n"})

    def test_a_system_header_beside_one_that_is_allowed(self):
        self.expect_one("preload/symbols/dlopen.cpp:2: only", **{"preload/symbols/dlopen.cpp": "#include <dlfcn.h>\n#include <link.h>\n"})

    def test_an_exception_that_nothing_needs_any_more(self):
        self.expect_one("allows <dlfcn.h>, which nothing there includes", **{"preload/symbols/dlopen.cpp": "#include <stdlib.h>\n"})

    def test_an_exception_without_a_reason(self):
        self.expect_one("preload/symbols/README.md gives no reason",
                        **{"preload/symbols/README.md": "May include: nothing of ours\n\nSystem headers: `dlfcn.h`.\n"})

    def test_a_drawing_that_shows_other_floors(self):
        drawing = ("runtime/    2  pass\n            1  plan platform\n\npreload/    1  modes/serve symbols\n\n"
                   "planner/    1  trace system tool/cli\n")
        self.assertEqual(self.violations(**{"docs/architecture.md": drawing}), [])
        self.expect_one("draws runtime/platform on floor None; its includes put it on 1",
                        **{"docs/architecture.md": drawing.replace("plan platform", "plan")})
        self.expect_one("draws planner/trace on floor 2; its includes put it on 1",
                        **{"docs/architecture.md": drawing.replace("planner/    1  trace", "planner/    2  trace\n            1 ")})


if __name__ == "__main__":
    unittest.main()
