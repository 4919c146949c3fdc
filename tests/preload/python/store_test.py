"""The store of plans: what is pushed comes out whole on another machine, and nothing else does. A failure means that a server of
a fleet takes a plan that it should not trust, loses one that it had, or does not start because of the store."""

import contextlib
import io
import os
import pathlib
import random
import re
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from unittest import mock

from harness import PACKAGE, PythonCase
from plan_bytes import plan_of

sys.path.insert(0, str(PACKAGE))

from memomalloc.store import build_ids, deadline, exchange, folders, here, key, messages, opening, plan_file, sealed, urls, watching
from memomalloc.store.errors import Refused, StoreError

KEY = b"0123456789abcdef0123456789abcdef"
OTHER_KEY = b"fedcba9876543210fedcba9876543210"
NAME = "server.0123456789abcdef.plan"
OWN_BINARY = os.path.realpath(sys.executable)
PATIENCE = 60  # seconds


def fitting_plan(filling=b""):
    """Made from a binary that is here as it was."""
    return plan_of((OWN_BINARY, build_ids.build_id_of(OWN_BINARY)), filling=filling)


class Machine:
    """A machine of the fleet: a folder for its plans, and what was said on it."""

    def __init__(self, folder, store, name=NAME, secret=None):
        folder.mkdir(exist_ok=True)
        self.plan = folder / name
        self.lines = []
        self.exchange = exchange.Exchange(store, secret, here.OnePlan(str(self.plan)), self)

    def note(self, line):
        self.lines.append(line)

    trouble = note

    def learn(self, plan, at=1_000_000_000):
        self.plan.write_bytes(plan)
        os.utime(self.plan, (at, at))

    def push(self):
        self.exchange.push()

    def pull(self):
        self.exchange.pull()

    def has(self):
        return self.plan.read_bytes() if self.plan.exists() else None


class StoreCase(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="memomalloc-store.")
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        self.root = self.folder / "store"
        self.root.mkdir()
        self.store = folders.FolderStore(str(self.root))

    def machine(self, name, secret=None, store=None, plan=NAME):
        return Machine(self.folder / name, store or self.store, plan, secret)

    def stored(self):
        return sorted(self.root.glob("*/*.sealed"))

    def push_one(self, secret=None, plan=None):
        first = self.machine("first", secret)
        first.learn(plan or fitting_plan())
        first.push()
        (path,) = self.stored()
        return path


class Sharing(StoreCase):
    def test_what_one_machine_learned_is_on_the_next(self):
        for secret in (None, KEY):
            with self.subTest(key=secret):
                self.push_one(secret)
                second = self.machine("second", secret)
                second.pull()
                self.assertEqual(second.has(), fitting_plan())
                self.assertEqual(second.plan.stat().st_mtime, 1_000_000_000)
                second.plan.unlink()
                self.stored()[0].unlink()

    def test_nothing_is_done_twice(self):
        path = self.push_one()
        written = path.stat().st_mtime_ns, path.stat().st_ino
        first, second = self.machine("first"), self.machine("second")
        for _ in range(2):
            first.push()
            second.pull()
            second.push()
        self.assertEqual((path.stat().st_mtime_ns, path.stat().st_ino), written)
        self.assertEqual((len(first.lines), len(second.lines)), (0, 1), first.lines + second.lines)

    def test_the_newest_wins(self):
        first, second, third = (self.machine(name) for name in ("first", "second", "third"))
        first.learn(fitting_plan(b"old"), at=1_000)
        second.learn(fitting_plan(b"new"), at=2_000)
        first.push()
        second.push()
        self.assertEqual(len(self.stored()), 1)
        third.pull()
        first.push()
        self.machine("first").push()  # another start, which does not know what was pushed before
        third.pull()
        self.assertEqual(third.has(), fitting_plan(b"new"))
        first.pull()
        self.assertEqual(first.has(), fitting_plan(b"new"))

    def test_a_plan_that_was_learned_here_later_stays_and_is_pushed(self):
        self.push_one()
        second = self.machine("second")
        second.learn(fitting_plan(b"later"), at=2_000_000_000)
        second.pull()
        self.assertEqual(second.has(), fitting_plan(b"later"))
        second.push()
        third = self.machine("third")
        third.pull()
        self.assertEqual(third.has(), fitting_plan(b"later"))

    def test_two_builds_of_a_server_lie_beside_each_other(self):
        """As in a rolling update: each machine takes the plan of the build that it has."""
        self.push_one(plan=plan_of((OWN_BINARY, "aa" * 20)))
        third = self.machine("third")
        third.pull()
        self.assertIsNone(third.has())
        self.assertIn("another build of " + OWN_BINARY, third.lines[0])
        second = self.machine("second")
        second.learn(fitting_plan(), at=500)  # older than the plan of the other build
        second.push()
        self.assertEqual(len(self.stored()), 2)
        third.pull()
        self.assertEqual(third.has(), fitting_plan())

    def test_two_programs_have_nothing_of_each_other(self):
        self.push_one()
        other = self.machine("second", plan="other.plan")
        other.pull()
        self.assertEqual((other.has(), other.lines), (None, []))

    def test_a_cache_is_brought_over_as_a_whole(self):
        for name in ("one.plan", "two.plan"):
            machine = self.machine("first", plan=name)
            machine.learn(fitting_plan(name.encode()))
        (self.folder / "first" / "one.json").write_text("{}")
        say = self.machine("log")
        exchange.Exchange(self.store, None, here.Cache(str(self.folder / "first")), say).push()
        exchange.Exchange(self.store, None, here.Cache(str(self.folder / "new" / "cache")), say).pull()
        self.assertEqual({path.name: path.read_bytes() for path in (self.folder / "new" / "cache").iterdir()},
                         {name: fitting_plan(name.encode()) for name in ("one.plan", "two.plan")})

    def test_readers_find_a_whole_plan_while_writers_write(self):
        plans = [fitting_plan(bytes([number]) * 200_000) for number in (1, 2)]
        self.push_one(plan=plans[0])
        done = threading.Event()

        def write():
            while not done.is_set():
                for plan in plans:
                    place = sealed.place_of(NAME, plan)
                    self.store.write(*place, sealed.seal(NAME, random.random(), plan, KEY))

        writers = [threading.Thread(target=write) for _ in range(2)]
        for writer in writers:
            writer.start()
        try:
            (build,) = self.store.builds(NAME)
            for _ in range(100):
                content = self.store.read(NAME, build, will_verify=True)
                self.assertIn(sealed.unseal(content, None).plan, plans)
        finally:
            done.set()
            for writer in writers:
                writer.join()
        self.assertEqual([path.name for path in (self.root / NAME).iterdir()], [build])


class Trust(StoreCase):
    def assert_refused(self, why, secret=None):
        machine = self.machine("second", secret)
        machine.pull()
        machine.pull()
        self.assertIsNone(machine.has())
        self.assertEqual(len(machine.lines), 1, machine.lines)
        self.assertIn(why, machine.lines[0])
        self.assertTrue(machine.lines[0].startswith(f"the stored plan {NAME}/"), machine.lines)

    def test_unsigned(self):
        self.push_one()
        self.assert_refused("it is not signed, and a key is set here", KEY)

    def test_signed_with_another_key(self):
        self.push_one(OTHER_KEY)
        self.assert_refused("its signature is wrong", KEY)

    def test_each_byte_counts(self):
        path = self.push_one(KEY)
        content = path.read_bytes()
        places = {0, 30, len(content) - 1, *random.Random(1).sample(range(len(content)), 60)}
        for place in places:
            damaged = bytearray(content)
            damaged[place] ^= 1
            with self.assertRaises(Refused, msg=place):
                sealed.unseal(bytes(damaged), KEY)
        for length in (0, 10, 100, len(content) - 1):
            with self.assertRaises(Refused, msg=length):
                sealed.unseal(content[:length], KEY)
        self.assertEqual(sealed.unseal(content, KEY).plan, fitting_plan())

    def test_without_a_key_damage_is_noticed(self):
        path = self.push_one()
        path.write_bytes(path.read_bytes()[:-1] + b"x")
        self.assert_refused("it is damaged")

    def test_under_the_name_of_another_program(self):
        path = self.push_one(KEY)
        other = self.root / "other.plan"
        other.mkdir()
        os.rename(path, other / path.name)
        machine = self.machine("second", KEY, plan="other.plan")
        machine.pull()
        self.assertIsNone(machine.has())
        self.assertIn(f"it was sealed as {NAME}", machine.lines[0])

    def test_others_may_write_to_it(self):
        path = self.push_one()
        for mode in (0o664, 0o646):
            path.chmod(mode)
            self.assert_refused("others may write to it")
        self.push_one(KEY)  # what cannot be trusted is replaced by what is good
        self.stored()[0].chmod(0o666)
        machine = self.machine("third", KEY)
        machine.pull()
        self.assertEqual(machine.has(), fitting_plan())

    @unittest.skipIf(os.geteuid() != 0, "only root gives files away")
    def test_somebody_elses(self):
        path = self.push_one()
        os.chown(path, 4711, 4711)
        self.assert_refused("it belongs to user 4711")

    def test_too_large(self):
        self.push_one()
        with mock.patch.object(sealed, "MOST_SEALED_BYTES", 100), mock.patch.object(folders, "MOST_SEALED_BYTES", 100):
            self.assert_refused("it has more than")

    def test_what_is_no_plan_is_not_pushed(self):
        for content, why in ((b"", "no plan"), (b"x" * 500, "no plan of MemoMalloc"), (fitting_plan()[:-1], "should have"),
                             (plan_of(version=9), "version 9")):
            machine = self.machine("first")
            machine.learn(content)
            machine.push()
            self.assertEqual(self.stored(), [])
            self.assertIn(why, machine.lines[0])

    def test_a_bad_stored_plan_gives_way_to_a_good_one(self):
        self.push_one(OTHER_KEY)
        machine = self.machine("second", KEY)
        machine.learn(fitting_plan(b"older"), at=5)
        machine.push()
        third = self.machine("third", KEY)
        third.pull()
        self.assertEqual(third.has(), fitting_plan(b"older"))


class Keys(StoreCase):
    def key_in(self, content, mode=0o600):
        path = self.folder / "key"
        path.write_bytes(content)
        path.chmod(mode)
        return {"MEMOMALLOC_STORE_KEY_FILE": str(path)}

    def test_from_a_file_or_a_variable(self):
        self.assertEqual(key.read_key(self.key_in(KEY + b"\n")), KEY)
        self.assertEqual(key.read_key({"MEMOMALLOC_STORE_KEY": KEY.decode()}), KEY)
        self.assertIsNone(key.read_key({}))

    def test_of_no_use(self):
        for environment, why in ((self.key_in(b"short"), "has 5 bytes and needs 16"), ({"MEMOMALLOC_STORE_KEY": "x"}, "has 1 bytes"),
                                 ({"MEMOMALLOC_STORE_KEY_FILE": "/nowhere/key"}, "/nowhere/key cannot be read: No such file")):
            with self.assertRaisesRegex(StoreError, why):
                key.read_key(environment)
        with self.assertRaisesRegex(StoreError, "everybody may write to the key"):
            key.read_key(self.key_in(KEY, 0o646))


class Binaries(StoreCase):
    def test_the_build_id_is_the_one_that_readelf_shows(self):
        shown = subprocess.run(["readelf", "-n", OWN_BINARY], capture_output=True, text=True, check=True).stdout
        self.assertRegex(shown, f"Build ID: {build_ids.build_id_of(OWN_BINARY)}\\b")
        self.assertEqual(len(build_ids.build_id_of(OWN_BINARY)), 40)

    def test_what_has_no_build_id(self):
        for content in (b"", b"#!/bin/sh\n", b"\x7fELF\x02\x01" + bytes(20), b"\x7fELF\x02\x01" + bytes([255]) * 60):
            path = self.folder / str(len(content))
            path.write_bytes(content)
            self.assertEqual(build_ids.build_id_of(str(path)), "")
        self.assertEqual(build_ids.build_id_of("/nowhere"), "")

    def test_the_rule_is_that_of_the_cache(self):
        own = (OWN_BINARY, build_ids.build_id_of(OWN_BINARY))
        for modules, why in (([own], ""), ([own, ("/tmp/gone.folder/m.so", "aa")], ""), ([own, ("", "")], ""), ([], ""),
                             ([own, ("/usr/gone.so", "aa")], "another build of /usr/gone.so"),
                             ([("/tmp/gone.folder/m.so", "aa")], "none of its binaries is here")):
            said = plan_file.why_other_build(plan_file.modules_in(plan_of(*modules)))
            self.assertIn(why, said)
            self.assertEqual(bool(said), bool(why), modules)

    def test_builds_differ_by_their_binaries_alone(self):
        builds = [plan_file.builds_of(plan_file.modules_in(plan)) for plan in (
            plan_of(("/a", "aa"), ("/b", "bb")), plan_of(("/b", "bb"), ("/a", "aa"), filling=b"x"), plan_of(("/a", "ab"), ("/b", "bb")))]
        self.assertEqual(builds[0], builds[1])
        self.assertNotEqual(builds[0], builds[2])

    def test_the_version_is_the_one_that_the_library_reads(self):
        text = (PACKAGE.parents[1] / "runtime" / "formats" / "plan_format.h").read_text()
        self.assertEqual(plan_file.VERSION, int(re.search(r"kPlanVersion = (\d+);", text).group(1)))

    def test_tables_that_go_beyond_the_end(self):
        plan = bytearray(fitting_plan())
        plan[48:56] = struct.pack("<Q", 1 << 40)
        with self.assertRaisesRegex(Refused, "beyond its end"):
            plan_file.modules_in(bytes(plan))


class FakeFiles:
    """Stands in for fsspec's file systems, where fsspec is not installed."""

    def __init__(self):
        self.objects = {}

    def invalidate_cache(self):
        pass

    def makedirs(self, path, exist_ok):
        pass

    def ls(self, path, detail):
        found = {path + "/" + name[len(path) + 1:].split("/")[0] for name in self.objects if name.startswith(path + "/")}
        if not found:
            raise FileNotFoundError(path)
        return sorted(found)

    def cat_file(self, path, start, end):
        return self.objects[path][start:end]

    def pipe_file(self, path, content):
        self.objects[path] = content


class Urls(StoreCase):
    def open(self, url, files=None, error=None):
        fsspec = mock.MagicMock()
        fsspec.core.url_to_fs.side_effect = error or (lambda url: (files, url.partition("://")[2]))
        with mock.patch.dict(sys.modules, {"fsspec": fsspec}):
            return opening.open_store(url)

    def assert_shares(self, store):
        first, second = self.machine("first", KEY, store), self.machine("second", KEY, store)
        second.pull()
        self.assertIsNone(second.has())
        first.learn(fitting_plan())
        first.push()
        second.pull()
        self.assertEqual(second.has(), fitting_plan())
        self.assertEqual(store.names(), [NAME])

    def test_any_url_that_fsspec_opens(self):
        self.assert_shares(self.open("s3://bucket/plans", FakeFiles()))

    def test_fsspec_itself(self):
        try:
            import fsspec  # noqa: F401
        except ImportError:
            self.skipTest("fsspec is not installed")
        self.assert_shares(opening.open_store(f"memory://plans-{os.getpid()}-{time.monotonic_ns()}"))

    def test_without_fsspec_a_url_says_what_to_install(self):
        with mock.patch.dict(sys.modules, {"fsspec": None}), self.assertRaisesRegex(StoreError, "needs fsspec; `pip install fsspec`"):
            opening.open_store("s3://bucket/plans")

    def test_a_protocol_that_is_not_installed(self):
        with self.assertRaisesRegex(StoreError, "cannot open the store s3://bucket: Install s3fs"):
            self.open("s3://bucket", error=ImportError("Install s3fs to access S3"))

    def test_a_url_needs_a_key(self):
        store = self.open("s3://bucket/plans", FakeFiles())
        self.machine("first").learn(fitting_plan())
        self.machine("first", None, store).push()
        with self.assertRaisesRegex(StoreError, "needs a key"):
            self.machine("second", None, store).pull()

    def test_a_failure_of_any_kind_is_the_stores(self):
        files = mock.MagicMock(**{"ls.side_effect": RuntimeError("no route to host")})
        with self.assertRaisesRegex(StoreError, "the store s3://bucket cannot be used: RuntimeError: no route to host"):
            self.machine("second", KEY, self.open("s3://bucket", files)).pull()

    def test_files_are_a_folder(self):
        self.assertIsInstance(opening.open_store("file:///plans"), folders.FolderStore)
        self.assertIsInstance(opening.open_store("plans"), folders.FolderStore)
        self.assertIsInstance(self.open("s3://bucket", FakeFiles()), urls.UrlStore)
        with self.assertRaisesRegex(StoreError, "no store is named; give --store, or set MEMOMALLOC_STORE"):
            opening.open_store("")


class Watching(StoreCase):
    def watch(self, machine, ends=watching.never, every=0.01):
        return watching.Watch(machine.exchange, machine, every, timeout=PATIENCE, ends=ends)

    def looks(self, machine, count, between=lambda number: None, every=0.01):
        """Watches for so many looks."""
        numbers = iter(range(count))

        def ends():
            number = next(numbers, None)
            if number is not None:
                between(number)
            return number is None

        with mock.patch.object(watching, "BETWEEN_LOOKS", 0.03), mock.patch.object(watching, "FINISH", 0):
            self.watch(machine, ends, every).run()

    def test_pulls_until_there_is_a_plan_and_asks_nothing_from_then_on(self):
        machine = self.machine("second")
        self.looks(machine, 5, lambda number: number == 2 and self.push_one())
        self.assertEqual(machine.has(), fitting_plan())
        with mock.patch.object(self.store, "builds", side_effect=AssertionError("asked")), \
                mock.patch.object(self.store, "read", side_effect=AssertionError("asked")):
            self.looks(machine, 3)

    def test_pushes_what_is_learned_meanwhile(self):
        machine = self.machine("first")
        self.looks(machine, 4, lambda number: number == 1 and machine.learn(fitting_plan()), every=1000)
        self.assertEqual(len(self.stored()), 1)
        self.looks(machine, 4, lambda number: number == 1 and machine.learn(fitting_plan(b"again"), at=2_000_000_000))
        second = self.machine("second")
        second.pull()
        self.assertEqual(second.has(), fitting_plan(b"again"))

    def test_a_running_server_keeps_the_plan_that_it_has(self):
        first = self.machine("first")
        first.learn(fitting_plan())
        self.looks(first, 2)
        second = self.machine("second")
        second.learn(fitting_plan(b"newer"), at=2_000_000_000)
        second.push()
        self.looks(first, 3)
        self.assertEqual(first.has(), fitting_plan())

    def test_a_store_that_is_down_is_one_line_and_comes_back(self):
        machine = self.machine("second")
        self.root.rmdir()
        self.looks(machine, 4)
        self.assertEqual(len(machine.lines), 1, machine.lines)
        self.assertRegex(machine.lines[0], "the store .* cannot be used: No such file or directory; the program runs on")
        watched = self.watch(machine)
        watched.first_look()
        self.root.mkdir()
        watched.first_look()
        self.assertEqual(machine.lines[-1], "the store answers again")

    def test_what_is_finished_after_the_program_is_pushed(self):
        machine = self.machine("first")
        with mock.patch.object(watching, "BETWEEN_LOOKS", 0.01):
            threading.Timer(0.1, machine.learn, (fitting_plan(),)).start()
            self.watch(machine, ends=lambda: True).run()
        self.assertEqual(len(self.stored()), 1)

    def test_notices_the_end_of_a_process(self):
        with subprocess.Popen(["sleep", "100"]) as process:
            has_ended = watching.ended(process.pid)
            self.assertFalse(has_ended())
            process.kill()
            os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
            self.assertTrue(has_ended())
        self.assertTrue(watching.ended(process.pid)())

    def test_a_store_that_hangs(self):
        released = threading.Event()
        with self.assertRaisesRegex(StoreError, "has not answered in 0.05 s"):
            deadline.within(0.05, released.wait)
        released.set()


class Lines(StoreCase):
    def said(self, environment, says_all=False):
        with contextlib.redirect_stderr(io.StringIO()) as errors:
            said = messages.Messages(environment, says_all)
            said.note("a note")
            said.trouble("trouble")
        return errors.getvalue()

    def test_where_they_go(self):
        log = self.folder / "log"
        own = f"memomalloc[{os.getpid()}]: store: "
        both = f"{own}a note\n{own}trouble\n"
        self.assertEqual(self.said({}), f"{own}trouble\n")
        self.assertEqual(self.said({}, says_all=True), both)
        self.assertEqual(self.said({"MEMOMALLOC_LOG": "stderr"}), both)
        self.assertEqual(self.said({"MEMOMALLOC_LOG": "off"}), "")
        self.assertEqual(self.said({"MEMOMALLOC_LOG": str(log)}), f"{own}trouble\n")
        self.assertEqual(log.read_text(), both)
        self.assertIn("trouble", self.said({"MEMOMALLOC_LOG": "/nowhere/log"}))
        os.mkfifo(self.folder / "pipe")  # that nobody reads
        self.assertIn("trouble", self.said({"MEMOMALLOC_LOG": str(self.folder / "pipe")}))

    def test_how_they_look(self):
        self.assertRegex(self.said({"MEMOMALLOC_LOG_FORMAT": "timed"}), r"^\d{4}-\S+Z memomalloc\[\d+\] warning: store: trouble\n$")
        self.assertRegex(self.said({"MEMOMALLOC_LOG_FORMAT": "json"}), r'^\{"time": "\S+Z", "level": "warning", "pid": \d+, "message": "store: ')


class ByCommand(PythonCase):
    """The commands as users type them, and the watch that the bootstrap starts."""

    def setUp(self):
        super().setUp()
        self.store = self.folder / "store"
        self.store.mkdir()
        self.plan = self.folder / "plans" / NAME
        self.plan.parent.mkdir()

    def command(self, *words, plan=None, **variables):
        return self.python("-m", "memomalloc.store", *words, path=[PACKAGE], library=False, bootstrap=False,
                           **{"MEMOMALLOC_STORE": str(self.store), "MEMOMALLOC_PLAN": str(plan or self.plan), "MEMOMALLOC_LOG": "",
                              **variables})

    def test_push_and_pull(self):
        self.plan.write_bytes(fitting_plan())
        other = self.folder / "others" / NAME
        for variables in ({}, {"MEMOMALLOC_STORE_KEY": KEY.decode()}, {"MEMOMALLOC_STORE": f"file://{self.store}"}):
            done = self.command("push", **variables)
            self.assertEqual(done.returncode, 0, done.stderr)
            done = self.command("pull", plan=other, **variables)
            self.assertEqual((done.returncode, other.read_bytes()), (0, fitting_plan()), done.stderr)
            other.unlink()

    def test_the_cache_is_looked_after_where_no_plan_is_named(self):
        cache = self.folder / "cache" / "memomalloc"
        cache.mkdir(parents=True)
        (cache / NAME).write_bytes(fitting_plan())
        for name, verb in (("cache", "push"), ("new", "pull")):
            done = self.command(verb, MEMOMALLOC_PLAN="", XDG_CACHE_HOME=str(self.folder / name))
            self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual((self.folder / "new" / "memomalloc" / NAME).read_bytes(), fitting_plan())

    def test_a_pull_that_finds_no_store_lets_the_server_start(self):
        for store, why in (("/nowhere", "No such file or directory"), ("", "no store is named"), ("no://such", "the store no://such")):
            done = self.command("pull", MEMOMALLOC_STORE=store)
            self.assertEqual((done.returncode, len(done.stderr.splitlines())), (0, 1), done.stderr)
            self.assertIn(why, done.stderr)
            self.assertIn("the server learns by itself", done.stderr)
            self.plan.write_bytes(fitting_plan())
            self.assertEqual(self.command("push", MEMOMALLOC_STORE=store).returncode, 1)

    def test_a_wrong_command_line(self):
        for words in ((), ("pull", "--timeout", "-1"), ("wach",)):
            done = self.command(*words)
            self.assertEqual(done.returncode, 2, words)
            self.assertNotIn("Traceback", done.stderr)

    def engine(self):
        (self.folder / "torch.py").write_text("")

    def program(self, text, **variables):
        """Imports an engine, and goes on with the text. Whoever reads its stderr is not held up by the watch."""
        self.engine()
        return self.python("-c", f"import os, time, torch\n{text}", MEMOMALLOC_MODE="auto", MEMOMALLOC_STORE=str(self.store),
                           MEMOMALLOC_PLAN=str(self.plan), MEMOMALLOC_LOG="", **variables)

    def wait_for(self, holds):
        end = time.monotonic() + PATIENCE
        while not holds():
            self.assertLess(time.monotonic(), end)
            time.sleep(0.02)

    def watches(self, of):
        found = []
        for line in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
            with contextlib.suppress(OSError):
                if f"memomalloc.store\0watch\0--detach\0--pid\0{of}\0" in line.read_text():
                    found.append(int(line.parent.name))
        return found

    def test_an_imported_engine_has_its_plan(self):
        elsewhere = self.folder / "others" / NAME
        elsewhere.parent.mkdir()
        elsewhere.write_bytes(fitting_plan())
        self.assertEqual(self.command("push", plan=elsewhere).returncode, 0)
        done = self.program("print(os.path.getsize(os.environ['MEMOMALLOC_PLAN']), os.getpid())\n"
                            "try: os.waitpid(-1, 0)\nexcept ChildProcessError: print('no child')")
        size, process = done.stdout.split()[:2]
        self.assertEqual((int(size), done.stdout.splitlines()[1], done.stderr.count("store")), (len(fitting_plan()), "no child", 0), done)
        self.wait_for(lambda: not self.watches(process))

    def test_what_it_learns_is_stored_while_it_runs(self):
        made = self.folder / "made"
        made.write_bytes(fitting_plan())
        done = self.program(f"os.rename({str(made)!r}, os.environ['MEMOMALLOC_PLAN'])\n"
                            f"while not any(files for _, _, files in os.walk({str(self.store)!r})): time.sleep(0.02)\nprint('stored')")
        self.assertEqual(done.stdout, "stored\n", done.stderr)

    def test_a_store_that_is_down_is_one_line_and_no_harm(self):
        self.store.rmdir()
        done = self.program("print(os.getpid())")
        for process in self.watches(done.stdout.strip()):
            os.kill(process, signal.SIGTERM)  # it waits for the planner's last plan
        ours = [line for line in done.stderr.splitlines() if "store" in line]
        self.assertEqual((done.returncode, len(ours)), (0, 1), done.stderr)
        self.assertIn("No such file or directory; the program runs on", ours[0])

    def test_no_watch_where_nothing_is_learned(self):
        self.engine()
        for variables in ({"MEMOMALLOC_MODE": "serve"}, {"MEMOMALLOC_MODE": "auto", "MEMOMALLOC_STORE": ""}):
            done = self.python("-c", "import os, torch; print(os.getpid())",
                               **{"MEMOMALLOC_STORE": "/nowhere", "MEMOMALLOC_LOG": "", **variables})
            self.assertEqual(self.watches(done.stdout.strip()), [])
            self.assertNotIn("store", done.stderr)


if __name__ == "__main__":
    unittest.main()
