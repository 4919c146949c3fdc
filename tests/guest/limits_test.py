"""What the system refuses by its own limits: address space, file descriptors, folders, disks, memory of a control group.

The program that prints its answers (served/answering.cpp) runs in every mode of the library under each of them. Failure: as
in faults_test.py. What cannot be set up on this machine is skipped with its reason.
"""

import os
import pathlib
import resource
import shutil
import subprocess
import tempfile
import unittest

from fault_runs import MODES, PROGRAM, FaultsCase
from guest import LIBRARY, lines_of_ours, program, run
from planned import recorded_plan

MIB = 1 << 20
NOBODY = 65534


def may_mount():
    unshare = shutil.which("unshare")
    return unshare is not None and subprocess.run([unshare, "-m", "true"], capture_output=True).returncode == 0


def memory_groups():
    """The folder of this process's control group of memory where groups can be made, and the name of its limit; or None."""
    for line in pathlib.Path("/proc/self/cgroup").read_text().splitlines():
        _, controllers, group = line.split(":", 2)
        for folder, limit, wanted in ((f"/sys/fs/cgroup{group}", "memory.max", ""),
                                      (f"/sys/fs/cgroup/memory{group}", "memory.limit_in_bytes", "memory")):
            if controllers == wanted and pathlib.Path(folder, limit).exists() and os.access(folder, os.W_OK):
                return pathlib.Path(folder), limit
    return None


class Limits(FaultsCase):
    def in_every_mode(self, *arguments, **how):
        for mode in MODES:
            with self.subTest(mode=mode.name, **{name: str(value) for name, value in how.items()}):
                done, _, folder = self.start(mode, *arguments, **how)
                self.assert_answers(done)
                yield mode, done, folder

    def test_address_space(self):
        for limit in (2048, 600, 300, 160):
            for _ in self.in_every_mode(limit=(resource.RLIMIT_AS, limit * MIB)):
                pass

    def test_a_program_that_fills_its_address_space_in_mode_auto(self):
        """What lives without the library lives with it, and one line says why nothing is learned."""
        lived = 0
        for limit in (150, 200, 250, 300):
            for threads, share, size in ((1, 0.3, 200), (1, 0.35, 4096), (1, 0.6, 100000), (4, 0.2, 1000)):
                words = [program("tight_memory"), str(threads), str(int(limit * share)), str(size)]
                with self.subTest(limit=limit, words=words[1:]):
                    limited = dict(limit=(resource.RLIMIT_AS, limit * MIB), XDG_CACHE_HOME=str(self.folder))
                    if run(words, LD_PRELOAD="", **limited).returncode != 0:
                        continue  # the C library reserves 64 MiB for each thread
                    lived += 1
                    done = run(words, HOSTILE_INJECTED="1", MEMOMALLOC_MODE="auto", **limited)
                    self.assertEqual(done.returncode, 0, done.stderr)
                    self.assertEqual(len(lines_of_ours(done.stderr)), 1, done.stderr)
                    self.assertIn("the limit of address space (ulimit -v) leaves", done.stderr)
        self.assertGreaterEqual(lived, 12)

    @unittest.skipUnless(memory_groups(), "no control group of memory can be made here")
    def test_a_program_that_fills_its_control_group_in_mode_auto(self):
        folder, limit = memory_groups()
        group = pathlib.Path(tempfile.mkdtemp(prefix="memomalloc.", dir=folder))
        self.addCleanup(group.rmdir)
        (group / limit).write_text(str(48 * MIB))
        holding = f'{program("tight_memory")} 1 26 1000'
        for variables in (dict(LD_PRELOAD=""), dict(HOSTILE_INJECTED="1", MEMOMALLOC_MODE="auto")):
            with self.subTest(**variables):
                # The shell goes into the group; the program inherits it. The library is not to be in the shell.
                words = " ".join(f"{key}={value}" for key, value in {"LD_PRELOAD": LIBRARY, **variables}.items())
                done = subprocess.run(["sh", "-c", f'echo $$ >"{group}/cgroup.procs" && exec env {words} {holding}'],
                                      capture_output=True, text=True, timeout=60,
                                      env={"PATH": os.environ["PATH"], "XDG_CACHE_HOME": str(self.folder)})
                self.assertEqual(done.returncode, 0, done.stderr)
                said = "the control group's limit leaves" in done.stderr
                self.assertEqual(said, "HOSTILE_INJECTED" in variables, done.stderr)

    def log_in(self, folder):
        log = folder / "log"
        return log.read_text() if log.exists() else ""

    def test_file_descriptors(self):
        """None but the three that are open, from the beginning of main on."""
        for mode, done, folder in self.in_every_mode("without-descriptors"):
            if mode.records or mode.serves:
                self.assertRegex(done.stderr + self.log_in(folder), "Too many open files")

    def test_size_of_files(self):
        """A write beyond it would end the program by a signal: the trace ends before, or does not begin."""
        for mode, done, folder in self.in_every_mode(limit=(resource.RLIMIT_FSIZE, 60000)):
            if mode.records:
                self.assertRegex(done.stderr, "ulimit -f")
            if mode.name == "profile":
                self.assertGreater(self.passes_in(folder / "trace"), 0)

    def as_somebody(self, mode, folder):
        """The program, run by who may write nothing."""
        return subprocess.run([PROGRAM], env=self.environment(mode, folder), capture_output=True, text=True, timeout=60,
                              **({"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.geteuid() == 0 else {}))

    def test_a_folder_that_nobody_may_write_to(self):
        folder = self.folder / "closed"
        folder.mkdir()
        folder.chmod(0o555)
        self.folder.chmod(0o755)
        if self.as_somebody(MODES[0], folder).returncode != 0:
            self.skipTest(f"others may not run {PROGRAM}")
        for mode in MODES:
            with self.subTest(mode=mode.name):
                done = self.as_somebody(mode, folder)
                self.assert_answers(done)
                self.assertEqual(list(folder.iterdir()), [])
                if mode.records:
                    self.assertIn("Permission denied", done.stderr)

    @unittest.skipUnless(may_mount(), "needs to be allowed a mount name space")
    def test_a_full_disk(self):
        """A disk of 64 KiB, on which a trace begins and does not end: what is there can be read."""
        disk = self.folder / "disk"
        disk.mkdir()
        script = 'mount -t tmpfs -o size=64k none "$1" && shift && "$@"; status=$?; cp "$COPY_FROM" "$COPY_TO"; exit $status'
        for mode in MODES:
            with self.subTest(mode=mode.name):
                copy = self.folder / f"copy of {mode.name}"
                environment = self.environment(mode, disk)
                inside = ["env", *(f"{name}={value}" for name, value in environment.items()), PROGRAM]
                done = subprocess.run(["unshare", "-m", "sh", "-c", script, "sh", str(disk), *inside], text=True, timeout=60,
                                      env={**os.environ, "COPY_TO": str(copy), "COPY_FROM": str(disk / "trace")},
                                      stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                done.stderr = "".join(line for line in done.stderr.splitlines(True) if not line.startswith("cp: "))
                self.assert_answers(done)
                if mode.records:
                    self.assertIn("trace", done.stderr)
                    self.assertGreater(self.passes_in(copy), 0)

    @unittest.skipUnless(memory_groups(), "no control group of memory can be made here")
    def test_a_control_group_with_little_memory(self):
        """A slab of 256 MiB in a group of 100: refused with one line, not killed half-way."""
        folder, limit = memory_groups()
        group = pathlib.Path(tempfile.mkdtemp(prefix="memomalloc.", dir=folder))
        self.addCleanup(group.rmdir)
        (group / limit).write_text(str(100 * MIB))
        huge = program("served_huge")
        plan = recorded_plan(pathlib.Path(tempfile.mkdtemp(dir=self.folder)), huge)
        done = run(["sh", "-c", f'echo $$ >"{group}/cgroup.procs" && exec {huge}'], HOSTILE_INJECTED="1",
                   MEMOMALLOC_MODE="serve", MEMOMALLOC_PLAN=str(plan))
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = lines_of_ours(done.stderr)
        self.assertEqual(len(lines), 1, done.stderr)
        self.assertIn("the control group's limit leaves", lines[0])


if __name__ == "__main__":
    unittest.main()
