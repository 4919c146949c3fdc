"""What goes wrong on the way is said in one line, and the server answers as if nothing had been."""

import os
import signal

from harness import BUILD, SMALL, PassesCase, Server


class Faults(PassesCase):
    def test_a_server_killed_while_it_is_profiled_leaves_a_trace_to_plan_from(self):
        trace = self.folder / "server.trace"
        log = self.folder / "log"
        environment = {"LD_PRELOAD": str(BUILD / "lib" / "libmemomalloc.so"), "MEMOMALLOC_MODE": "profile",
                       "MEMOMALLOC_TRACE": str(trace), "MEMOMALLOC_LOG": str(log)}
        with Server(*SMALL, environment=environment) as server:
            server.load(30)
            server.stop(signal.SIGKILL)
        plan, report = self.plan(trace)
        self.assertGreater(report["variants"][0]["buffers"], 1000)
        self.run_command("check", plan, trace)

    def serve_by_environment(self, plan):
        environment = {"LD_PRELOAD": str(BUILD / "lib" / "libmemomalloc.so"), "MEMOMALLOC_MODE": "serve",
                       "MEMOMALLOC_PLAN": str(plan)}
        with Server(*SMALL, environment=environment) as server:
            checksums = server.load(6)
            self.assertEqual(server.stop(), 0)
            return checksums, server.stderr()

    def test_a_broken_plan_is_one_line_and_right_answers(self):
        trace, checksums = self.profile(*SMALL)
        plan, _ = self.plan(trace)
        whole = plan.read_bytes()
        for name, content in {"truncated": whole[: len(whole) // 2], "flipped": whole[:200] + b"?" + whole[201:],
                                  "later": whole[:12] + b"\x63" + whole[13:],
                              "foreign": b"not a plan at all", "empty": b""}.items():
            with self.subTest(name):
                broken = self.folder / f"{name}.plan"
                broken.write_bytes(content)
                served, errors = self.serve_by_environment(broken)
                self.assertEqual(served, checksums)
                self.assertEqual(errors.count("\n"), 1, errors)
                self.assertIn(broken.name, errors)
                self.run_command("serve", "--plan", broken, "--", "true", status=3)

    def test_the_statuses_of_the_child_come_through(self):
        trace, _ = self.profile(*SMALL)
        plan, _ = self.plan(trace)
        self.run_command("serve", "--plan", plan, "--", "sh", "-c", "exit 7", status=7)
        self.run_command("serve", "--plan", plan, "--", "sh", "-c", "kill -9 $$", status=137)
        self.run_command("serve", "--plan", plan, "--", self.folder / "nowhere", status=127)
        self.run_command("serve", "--plan", plan, "--", self.folder, status=126)

    def test_nothing_is_overwritten_without_force(self):
        trace, _ = self.profile(*SMALL)
        self.plan(trace)
        self.run_command("plan", trace, status=2)
        self.run_command("profile", "-o", trace, "--", "true", status=2)

    def test_no_pass_is_said_with_its_cure(self):
        done = self.run_command("profile", "-o", self.folder / "none.trace", "--", "true")
        self.assertIn("--pass-symbol", done.stderr)
        self.assertFalse(os.path.exists(self.folder / "none.trace"))
