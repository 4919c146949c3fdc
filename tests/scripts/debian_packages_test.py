"""What is found wrong with the dependencies of a Debian package. A failure means that a package installs where its files do not run,
or does not install on a bare system."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts" / "lib"))

from debian_packages import parsed_dependencies, wrong_dependencies


def faults(depends, least=None):
    return list(wrong_dependencies(parsed_dependencies(depends), ["libours"], least))


class Dependencies(unittest.TestCase):
    def test_reads_names_and_versions(self):
        self.assertEqual(parsed_dependencies("libc6 (>= 2.34), libours (= 0.1.0),zsh\n"),
                         {"libc6": (">=", "2.34"), "libours": ("=", "0.1.0"), "zsh": None})
        self.assertEqual(parsed_dependencies("\n"), {})

    def test_a_package_that_needs_what_its_files_need(self):
        self.assertEqual(faults("libours (= 0.1.0), libc6 (>= 2.34)", (2, 34)), [])
        self.assertEqual(faults("libc6 (>= 2.36)", (2, 4)), [])
        self.assertEqual(faults(""), [])

    def test_other_libraries_are_too_much(self):
        self.assertEqual(faults("libc6 (>= 2.34), libstdc++6 (>= 12)", (2, 34)), ["depends on libstdc++6"])

    def test_an_older_c_library_is_too_little(self):
        self.assertEqual(faults("libc6 (>= 2.4)", (2, 34)), ["depends on >= 2.4 of libc6, and its files need 2.34"])
        self.assertEqual(faults("libours (= 0.1.0)", (2, 34)), ["depends on no version of libc6, and its files need 2.34"])


if __name__ == "__main__":
    unittest.main()
