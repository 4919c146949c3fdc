"""Full disks, folders that are not there or not to be written, and damaged files: the program runs, answers right, and its exit
status is that of the command. Failure: another status, another answer, a path in a line that is gone by then, or a plan that is
finished for nobody.
"""

import os
import re
import shutil
import subprocess
import unittest

from harness import COMMAND, PATIENCE, PassesCase

PYRAMID = os.environ["MEMO_PYRAMID"]
UNMARKED = os.environ["MEMO_UNMARKED"]
AIMLESS = os.environ["MEMO_AIMLESS"]
PASSES = ("64",) * 40
STATUS = 7
FINISHING = "the program has ended; finishing its plan"


class Disks(PassesCase):
    def mounted(self, options):
        """A file system in memory, as small as the options say."""
        folder = self.folder / f"disk{len(list(self.folder.iterdir()))}"
        folder.mkdir()
        done = subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", folder], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            self.skipTest(f"no file system can be mounted here: {done.stderr.strip()}")
        self.addCleanup(subprocess.run, ["umount", "-l", folder], check=True)
        return folder

    def run_it(self, *command, options=(), **variables):
        """What a program that ends with 7 prints under `run`, and what `run` says. A variable that is None is not set."""
        environment = {**os.environ, "HOME": str(self.folder), **variables}
        for name in ("XDG_CACHE_HOME", *(name for name, value in variables.items() if value is None)):
            environment.pop(name, None)
        script = '"$@"; exit 7'
        done = subprocess.run([COMMAND, "run", *options, "--", "sh", "-c", script, "sh", *command], env=environment,
                              capture_output=True, text=True, timeout=PATIENCE, check=False)
        self.assertEqual(done.returncode, STATUS, done.stderr)
        self.assertEqual(done.stdout, subprocess.run(command, capture_output=True, text=True, check=True).stdout)
        for line in done.stderr.splitlines():
            self.assertLessEqual(len(line), 200 + len(str(self.folder)), line)
        return done.stderr

    # ---- full disks

    def test_a_full_disk_takes_no_status(self):
        """The trace has holes then, and a page of them cannot be had."""
        for size in ("2m", "9m"):
            for command in ((AIMLESS, "3000000"), (UNMARKED, "60000")):
                with self.subTest(size=size, command=command):
                    disk = self.mounted(f"size={size}")
                    self.run_it(*command, HOME=str(disk), TMPDIR=str(disk))

    def test_a_disk_that_is_full_from_the_start(self):
        disk = self.mounted("size=1m,nr_inodes=20")
        with open(disk / "filler", "wb", buffering=0) as filler:
            try:
                while filler.write(bytes(4096)):
                    pass
            except OSError:
                pass
        self.run_it(PYRAMID, *PASSES, HOME=str(disk), TMPDIR=str(disk))
        self.run_it(PYRAMID, *PASSES, options=("--stats", str(disk / "stats")), HOME=str(disk), TMPDIR=str(disk))

    def test_serving_and_profiling_on_a_full_disk(self):
        disk = self.mounted("size=64k")
        (disk / "filler").write_bytes(bytes(60000))
        trace, plan = self.folder / "trace", self.folder / "plan"
        self.run_command("profile", "-o", trace, "--", PYRAMID, *PASSES)
        self.run_command("plan", "-o", plan, trace)
        done = self.run_command("serve", "--plan", plan, "--stats", disk / "stats", "--", "sh", "-c", f"{PYRAMID} 64 64 64; exit 7",
                                status=7)
        self.assertIn("3 passes", done.stderr)
        self.run_command("profile", "-o", disk / "trace", "--", "sh", "-c", f"{PYRAMID} {' '.join(PASSES)}; exit 7", status=7)

    # ---- no folders

    def test_without_a_home_nothing_is_planned_for_later(self):
        said = self.run_it(PYRAMID, *PASSES, HOME=None)
        self.assertIn("neither HOME nor XDG_CACHE_HOME", said)
        self.assertNotIn(FINISHING, said)
        self.assertNotIn("memomalloc.run.", said)
        self.assertNotIn("no pass recurs", said)

    def test_a_home_that_cannot_be_written(self):
        for home in (str(self.mounted("size=64k,ro")), "/proc/none", "/dev/null"):
            with self.subTest(home=home):
                said = self.run_it(PYRAMID, *PASSES, HOME=home)
                self.assertIn("is forgotten at the end", said)
                self.assertNotIn(FINISHING, said)
                self.assertNotIn("memomalloc.run.", said)

    def test_no_folder_at_all(self):
        disk = self.mounted("size=64k,ro")
        for temporary in (str(disk), "/nonexistent"):
            with self.subTest(temporary=temporary):
                said = self.run_it(PYRAMID, *PASSES, HOME=str(disk), TMPDIR=temporary)
                self.assertRegex(said, "nothing is learned|is forgotten at the end")

    # ---- damaged files

    @staticmethod
    def cut_with_holes(path, whole):
        with open(path, "wb") as file:
            file.write(whole[: len(whole) // 3])
            file.truncate(len(whole) + (1 << 20))

    @staticmethod
    def make_folder(path, _):
        path.unlink()
        path.mkdir()

    DAMAGES = {
        "empty": lambda path, _: path.write_bytes(b""),
        "cut": lambda path, whole: path.write_bytes(whole[: len(whole) // 2]),
        "foreign": lambda path, _: path.write_bytes(b"not what it was\n" * 100),
        "holed": cut_with_holes.__func__,
        "a folder": make_folder.__func__,
    }

    def test_whatever_became_of_what_is_kept(self):
        self.run_it(PYRAMID, *PASSES, options=("--finish", "30s"))
        cache, saved = self.folder / ".cache" / "memomalloc", self.folder / "saved"
        shutil.copytree(cache, saved)
        kept = [path.relative_to(saved) for path in saved.rglob("*") if path.is_file()]
        self.assertGreaterEqual(len(kept), 3, kept)  # plan, record and trace
        for name in kept:
            for how, damage in self.DAMAGES.items():
                with self.subTest(file=re.sub(r"\.[0-9a-f]{16}", "", str(name)), how=how):
                    shutil.rmtree(cache)
                    shutil.copytree(saved, cache)
                    damage(cache / name, (cache / name).read_bytes())
                    self.run_it(PYRAMID, *PASSES)


if __name__ == "__main__":
    unittest.main()
