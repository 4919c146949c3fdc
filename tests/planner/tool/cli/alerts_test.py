"""The alert rules in examples/grafana, by Prometheus' own promtool: it takes them, each fires for an ill process, and none for a
healthy one. A failure means that somebody is woken for nothing, or not at all. Skipped where there is no promtool."""

import pathlib
import shutil
import subprocess
import unittest

import dashboard
import harness

PROMTOOL = shutil.which("promtool")
CASES = pathlib.Path(__file__).parent / "alerts_test.yml"


@unittest.skipUnless(PROMTOOL, "there is no promtool: scripts/setup prometheus installs it")
class Alerts(harness.CliTest):
    def promtool(self, *words):
        done = subprocess.run([PROMTOOL, *map(str, words)], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_prometheus_takes_them(self):
        self.promtool("check", "rules", dashboard.ALERTS)

    def test_each_fires_when_it_should(self):
        cases = CASES.read_text()
        for name in dashboard.alert_names():
            self.assertGreaterEqual(cases.count(name), 2, f"{name} has no case of a healthy process, or of an ill one")
        self.write("cases.yml", cases.replace("[RULES]", f"[{dashboard.ALERTS}]"))
        self.promtool("test", "rules", self.folder / "cases.yml")


if __name__ == "__main__":
    harness.main()
