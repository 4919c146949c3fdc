"""A Containerfile as a folder does it. A failure means that scripts/check/image tries another image than an engine would build."""

import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts" / "lib"))

from containerfile import FolderImage, chain_to, stages_of
from places import ROOT

TEXT = """
# Two stages.
FROM debian:12 AS base
COPY a_*.deb b.deb /packages/
RUN install \\
    everything

FROM base AS top
ENV HOME=/srv
USER 65534:65534
CMD ["run", "it"]
"""


class Containerfile(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.context, self.root = (pathlib.Path(scratch.name) / name for name in ("context", "root"))
        self.context.mkdir()
        self.image = FolderImage(self.root, self.context)

    def test_a_stage_has_what_it_builds_upon(self):
        stages = stages_of(TEXT)
        self.assertEqual(chain_to(stages, "base"), [("COPY", "a_*.deb b.deb /packages/"), ("RUN", "install      everything")])
        self.assertEqual([name for name, _ in chain_to(stages, "top")], ["COPY", "RUN", "ENV", "USER", "CMD"])

    def test_copies_what_patterns_match(self):
        for name in ("a_1.deb", "a_2.deb", "b.deb", "c.deb"):
            (self.context / name).write_text(name)
        self.image.build([("COPY", "a_*.deb b.deb /packages/")])
        self.assertEqual(sorted(path.name for path in (self.root / "packages").iterdir()), ["a_1.deb", "a_2.deb", "b.deb"])

    def test_says_what_is_not_there(self):
        with self.assertRaisesRegex(SystemExit, "there is nothing of that name"):
            self.image.build([("COPY", "a.deb /packages/")])

    def test_keeps_how_a_container_is_started(self):
        self.image.build([*stages_of(TEXT)["top"][1], ("ENTRYPOINT", '["memomalloc"]')])
        self.assertEqual((self.image.user, self.image.environment["HOME"]), ("65534:65534", "/srv"))
        self.assertEqual(self.image.entrypoint + self.image.command, ["memomalloc", "run", "it"])

    def test_says_what_only_an_engine_does(self):
        with self.assertRaisesRegex(SystemExit, "it is for a container engine"):
            self.image.build([("HEALTHCHECK", "NONE")])

    def test_knows_all_that_the_example_says(self):
        stages = stages_of((ROOT / "examples/container/Containerfile").read_text())
        for name, rest in chain_to(stages, "example"):
            self.assertTrue(hasattr(self.image, f"do_{name.lower()}"), f"{name} {rest}")


if __name__ == "__main__":
    unittest.main()
