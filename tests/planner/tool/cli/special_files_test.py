"""Commands given a pipe, a device, a socket or a folder where a file belongs: each says so and ends.

To read a pipe that nobody writes into takes for ever, to read /dev/zero takes all memory. So no command may open anything
but a regular file, whatever leads to it, and each names the file and what to do instead. A command that hangs fails its
test by the time limit; `run` must start the program all the same.
"""

import os
import pathlib
import shutil
import socket
import subprocess

import harness

NOT_REGULAR = ("is a pipe and not a regular file", "is a device and not a regular file",
               "is a socket, or a device that is not there", "Is a directory")
SECONDS = 20


def fnv(words):
    """The number in the name of a cached plan, as runtime/formats/plan_name.h computes it."""
    value = 0xCBF29CE484222325
    for word in words:
        for byte in [*word.encode(), 0x100]:
            value = (value ^ byte) * 0x100000001B3 % 2**64
    return value


class SpecialFiles(harness.CliTest):
    def setUp(self):
        super().setUp()
        os.mkfifo(self.folder / "pipe")
        (self.folder / "link").symlink_to("pipe")
        (self.folder / "zero").symlink_to("/dev/zero")
        (self.folder / "folder").mkdir()
        listening = socket.socket(socket.AF_UNIX)
        self.addCleanup(listening.close)
        here = os.getcwd()
        os.chdir(self.folder)  # the name of a socket has to be short
        listening.bind("socket")
        os.chdir(here)
        corpus = pathlib.Path(os.environ["MEMO_TRACE_CORPUS"])
        shutil.copy(corpus / "small", self.folder / "good.trace")

    def refused(self, name, *arguments, status=3):
        done = subprocess.run([harness.command(), *arguments], cwd=self.folder, capture_output=True, text=True,
                              timeout=SECONDS, stdin=subprocess.DEVNULL, check=False)
        self.assertEqual(done.returncode, status, done.stderr)
        said = [line for line in done.stderr.splitlines() if name in line]
        self.assertEqual(len(said), 1, done.stderr)
        self.assertTrue(any(kind in said[0] for kind in NOT_REGULAR), said[0])

    def test_every_reader_refuses_them(self):
        for name in ("pipe", "link", "zero", "socket", "folder"):
            for arguments in (
                    ("check", name), ("check", name, "good.trace"), ("inspect", name),
                    ("plan", "--from-json", name, "-o", "made.plan"), ("pack", "--input", name),
                    ("report", name), ("report", "good.trace", name),
                    ("serve", "--plan", name, "--", "true")):
                with self.subTest(arguments):
                    self.refused(name, *arguments)

    def test_none_is_a_trace(self):
        for name in ("pipe", "link", "zero", "socket"):
            with self.subTest(name):
                self.refused(name, "plan", name, "-o", "made.plan")

    def test_one_beside_a_trace_is_left_out(self):
        """A replica's trace that cannot be read costs a line, not the plan."""
        for name in ("pipe", "link", "zero", "socket"):
            with self.subTest(name):
                self.refused(name, "plan", "good.trace", name, "--force", "-o", "made.plan", status=0)

    def test_a_folder_without_traces_is_no_source(self):
        _, stderr = self.run_command("plan", "folder", status=3)
        self.assertIn("folder", stderr)

    def test_stdin_may_be_anything(self):
        reader, writer = os.pipe()
        os.write(writer, b"id,lower,upper,size\n1,0,2,64\n")
        os.close(writer)
        done = subprocess.run([harness.command(), "pack", "--input", "-"], stdin=reader, capture_output=True, text=True,
                              timeout=SECONDS, cwd=self.folder, check=False)
        os.close(reader)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_program_that_is_a_pipe_is_not_looked_into(self):
        os.chmod(self.folder / "pipe", 0o755)
        for verb in ("doctor", "run"):
            with self.subTest(verb):
                done = subprocess.run([harness.command(), verb, "--", "./pipe"], cwd=self.folder, capture_output=True,
                                      text=True, timeout=SECONDS, check=False,
                                      env={**os.environ, "XDG_CACHE_HOME": str(self.folder)})
                self.assertNotEqual(done.returncode, 0)

    def test_a_cached_plan_that_is_a_pipe_does_not_keep_the_program_from_running(self):
        program = self.folder.resolve() / "server"
        self.write("server.c", '#include <stdio.h>\nint main(void) { return puts("it runs") < 0; }\n')
        self.cc("server.c", "-Wl,--build-id=none", "-o", "server")
        cache = self.folder / "cache" / "memomalloc"
        cache.mkdir(parents=True)
        plan = cache / f"server.{fnv(['', str(program), str(program.parent)]):016x}.plan"
        plan.symlink_to(self.folder / "pipe")
        done = subprocess.run([harness.command(), "run", "--", str(program)], cwd=self.folder, capture_output=True,
                              text=True, timeout=SECONDS, check=False,
                              env={**os.environ, "XDG_CACHE_HOME": str(self.folder / "cache")})
        self.assertEqual((done.returncode, done.stdout), (0, "it runs\n"), done.stderr)
        self.assertIn("is broken or of another build; learning anew", done.stderr)
        self.assertFalse(plan.is_symlink())


harness.main()
