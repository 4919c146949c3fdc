"""The statistics of a served program: written at its end and while it runs, told line by line, and handed to Prometheus.

The text for Prometheus is read by its own rules: HELP and TYPE once, before the samples of a metric; counters end in
_total; no sample twice. A failure means that node_exporter refuses the file, or that a figure is lost on the way."""

import json
import os
import pathlib
import re
import subprocess
import time

import dashboard
import harness

HEAD = re.compile(r"# (HELP|TYPE) (memomalloc_\w+) (.+)")
SAMPLE = re.compile(r'(memomalloc_\w+)\{((?:\w+="(?:[^"\\]|\\.)*",?)+)\} (-?\d+(?:\.\d+)?)')


def parse(text):
    """({metric: type}, {(metric, reason): value}) of a file that keeps the rules."""
    types, helps, samples = {}, set(), {}
    for line in text.splitlines():
        if head := HEAD.fullmatch(line):
            kind, metric, rest = head.groups()
            assert not any(metric == name for name, _ in samples), f"{line} comes behind its samples"
            if kind == "HELP":
                assert metric not in helps, line
                helps.add(metric)
            else:
                assert metric not in types and rest in ("counter", "gauge", "histogram"), line
                types[metric] = rest
            continue
        sample = SAMPLE.fullmatch(line)
        assert sample, f"not a sample: {line}"
        metric, labels, value = sample.groups()
        part = re.sub("_(bucket|sum|count)$", "", metric)
        if types.get(part) == "histogram":
            bound = re.search(r'le="(\d+|\+Inf)"', labels)
            assert bool(bound) == metric.endswith("_bucket") and (metric, bound and bound[1]) not in samples, line
            samples[metric, bound[1] if bound else ""] = float(value)
            continue
        reason = re.search(r'(?:reason|use|bound)="(\w+)"', labels)
        key = (metric, reason.group(1) if reason else "")
        assert metric in types and metric in helps and key not in samples, line
        assert (types[metric] == "counter") == metric.endswith("_total"), line
        samples[key] = float(value)
    assert text.endswith("\n")
    return types, samples


class Statistics(harness.CliTest):
    def plan(self, **definitions):
        program = self.build_program("program", **definitions)
        self.run_command("profile", "-o", "trace", "--", program)
        self.run_command("plan", "-o", "plan", "trace")
        return program

    def serve(self, **definitions):
        program = self.plan(**definitions)
        self.run_command("serve", "--plan", "plan", "--stats", "stats", "--", program)
        return json.loads(self.read("stats"))

    def test_every_figure_reaches_prometheus(self):
        statistics = self.serve()
        self.run_command("inspect", "--prometheus", "out.prom", "stats")
        types, samples = parse(self.read("out.prom"))
        self.assertEqual(samples["memomalloc_passes_total", ""], 20)
        self.assertEqual(samples["memomalloc_served_total", ""], statistics["served"])
        for reason, count in statistics["fallback"].items():
            self.assertEqual(samples["memomalloc_fallback_total", reason], count)
        self.assertEqual(samples["memomalloc_heap_resident_bytes", ""], statistics["heap"]["resident"])
        counted = (value for name, value in statistics.items() if name not in ("worth", "pass_memory"))
        numbers = sum(len(value) if isinstance(value, dict) else isinstance(value, int) for value in counted)
        of_texts = {("memomalloc_state", ""), ("memomalloc_info", "")}
        of_worth = {("memomalloc_request_time_ratio", bound) for bound in ("low", "share", "high")} | {("memomalloc_request_faults", "")}
        of_memory = {key for key in samples if key[0].startswith("memomalloc_pass_memory_")}
        self.assertEqual(len(samples.keys() - of_texts - of_worth - of_memory), numbers, "planner/tool/report/statistics_rows.h lacks a row")
        self.assertLessEqual(of_worth, samples.keys())

    def test_what_passes_take_is_a_histogram(self):
        """All passes ran on a lane but those that were compared. Each bucket has those of the ones before it, and the last one all."""
        statistics = self.serve()
        memory, on_lanes = statistics["pass_memory"], 20 - statistics["compared"]["passes"]
        self.run_command("inspect", "--prometheus", "out.prom", "stats")
        types, samples = parse(self.read("out.prom"))
        self.assertEqual(types["memomalloc_pass_memory_bytes"], "histogram")
        buckets = [value for (metric, _), value in samples.items() if metric == "memomalloc_pass_memory_bytes_bucket"]
        self.assertEqual((len(buckets), buckets, buckets[-1]), (28, sorted(buckets), on_lanes))
        self.assertEqual(samples["memomalloc_pass_memory_bytes_bucket", "+Inf"], samples["memomalloc_pass_memory_bytes_count", ""])
        self.assertEqual(samples["memomalloc_pass_memory_bytes_sum", ""], memory["sum"])
        self.assertEqual(samples["memomalloc_pass_memory_most_bytes", ""], memory["most"])
        self.assertIn("memory        a request takes ", self.run_command("inspect", "stats")[0])

    def test_what_serves_where_reaches_prometheus(self):
        statistics = self.serve()
        self.run_command("inspect", "--prometheus", "out.prom", "stats")
        labels = self.labels_of("out.prom")
        self.assertEqual(labels["memomalloc_state"]["state"], "serving")
        for key in ("version", "mode", "program", "plan_hash"):
            self.assertEqual(labels["memomalloc_info"][key], statistics[key])
        self.assertEqual({each["plan"] for each in labels.values()}, {statistics["plan"]})

    def labels_of(self, name):
        """{metric: {label: value}}, of the last sample of each."""
        samples = (SAMPLE.fullmatch(line) for line in self.read(name).splitlines() if not line.startswith("#"))
        return {sample[1]: dict(re.findall(r'(\w+)="((?:[^"\\]|\\.)*)"', sample[2])) for sample in samples}

    def test_dashboard_and_alerts_ask_for_what_is_there(self):
        """Metrics and labels of every query, and counters by their growth alone: they begin anew with each process."""
        self.serve()
        self.run_command("inspect", "--prometheus", "out.prom", "stats")
        types, _ = parse(self.read("out.prom"))
        labels = self.labels_of("out.prom")
        alerts = dashboard.alert_queries()
        self.assertEqual(len(alerts), len(dashboard.alert_names()))
        for query in dashboard.queries() + alerts:
            metrics = dashboard.metrics_in(query)
            self.assertLessEqual(metrics, types.keys(), query)
            self.assertLessEqual(dashboard.labels_in(query), dashboard.LABELS_OF_SERVERS.union(*(labels[metric] for metric in metrics)), query)
            for metric in metrics:
                self.assertEqual(types[metric] == "counter", dashboard.asks_for_growth(query, metric), query)

    def test_the_dashboard_is_whole(self):
        panels = dashboard.panels()
        self.assertEqual(len({panel["id"] for panel in panels}), len(panels))
        for panel in panels:
            self.assertTrue(panel["title"] and panel["description"], panel)
            self.assertIn("unit", panel["fieldConfig"]["defaults"], panel["title"])
            self.assertTrue(panel["targets"], panel["title"])
        places = [(x, y) for panel in panels for x, y in dashboard.cells_of(panel)]
        self.assertEqual(len(set(places)), len(places), "panels lie on each other")

    def test_the_file_is_replaced_as_a_whole(self):
        """The collector may read at any moment; and it reads whatever ends in .prom."""
        self.serve()
        self.run_command("inspect", "--prometheus", "out.prom", "stats")
        before = os.stat(self.folder / "out.prom").st_ino
        self.run_command("inspect", "--prometheus", "out.prom", "stats", status=2)
        self.run_command("inspect", "--force", "--prometheus", "out.prom", "stats")
        self.assertNotEqual(os.stat(self.folder / "out.prom").st_ino, before)
        self.assertEqual([path.name for path in self.folder.glob("out.prom*")], ["out.prom"])

    def test_earlier_statistics_are_replaced(self):
        """A service that starts again finds those of its last life: no reason not to start, and nothing that may stay."""
        program = self.plan()
        self.write("stats", "of an earlier life")
        self.run_command("serve", "--plan", "plan", "--stats", "stats", "--", program)
        self.assertEqual(json.loads(self.read("stats"))["passes"], 20)
        self.run_command("serve", "--plan", "plan", "--stats", "stats", "--", "true")
        self.assertEqual(json.loads(self.read("stats"))["passes"], 0, "what is not of this run looks as if it were")
        self.write("stats", "of an earlier life")
        self.run_command("run", "--no-cache", "--stats", "stats", "--", "true")
        self.assertFalse((self.folder / "stats").exists())

    def test_a_place_that_cannot_have_them(self):
        program = self.plan()
        for place, why in (("folder", "that is a folder"), ("missing/stats", "there is no folder")):
            (self.folder / "folder").mkdir(exist_ok=True)
            _, err = self.run_command("serve", "--plan", "plan", "--stats", place, "--", program, status=2)
            self.assertIn(why, err)

    def test_labels_are_quoted(self):
        statistics = self.serve()
        statistics["plan"] = 'a "plan"\\of\nmine'
        self.write("odd", json.dumps(statistics))
        self.run_command("inspect", "--prometheus", "out.prom", "odd")
        parse(self.read("out.prom"))
        self.assertIn(r'plan="a \"plan\"\\of\nmine"', self.read("out.prom"))

    def test_the_figures_for_people(self):
        self.serve()
        stdout, _ = self.run_command("inspect", "stats")
        self.assertIn("served        100.00 %", stdout)
        self.assertIn("verdict       the plan fits: 100.00 % of the allocations", stdout)
        self.assertNotIn("what to do", stdout)
        self.assertRegex(stdout, r"20  passes +Passes that have ended")
        self.assertNotIn("double_free", stdout)
        self.assertEqual(json.loads(self.run_command("inspect", "--json", "stats")[0])["passes"], 20)

    def test_what_was_counted_since(self):
        earlier = self.serve()
        later = {**earlier, "passes": 25, "pinned": 3, "fallback": {**earlier["fallback"], "too_big": 7}}
        self.write("later", json.dumps(later))
        since = json.loads(self.run_command("inspect", "--json", "--since", "stats", "later")[0])
        self.assertEqual((since["passes"], since["served"], since["fallback"]["too_big"]), (5, 0, 7))
        self.assertEqual((since["pinned"], since["plan"]), (3, earlier["plan"]))
        self.assertIn("wrong order", self.run_command("inspect", "--since", "later", "stats", status=3)[1])

    def test_a_file_that_is_none(self):
        self.write("stats", "{}")
        self.assertIn("no number called passes", self.run_command("inspect", "stats", status=3)[1])
        self.write("stats", "{\"passes\": 1,")
        self.assertIn("no JSON", self.run_command("inspect", "stats", status=3)[1])
        self.run_command("profile", "-o", "trace", "--", self.build_program("program"))
        self.assertIn("a trace", self.run_command("inspect", "--prometheus", "x", "trace", status=2)[1])

    def test_every_line_is_documented(self):
        keys = set()
        for key, value in self.serve().items():
            keys |= {key, *value} if isinstance(value, dict) else {key}
        text = (pathlib.Path(__file__).parents[4] / "docs/statistics.md").read_text()
        documented = {key for row in re.findall(r"^\| (`.*?) \|", text, re.MULTILINE) for key in re.findall(r"`(\w+)`", row)}
        self.assertEqual(keys - documented, set())

    def test_they_are_written_while_the_server_runs(self):
        """A second between the writes, a hundred passes in ten: the file is there long before the end, and grows."""
        self.plan()
        program = self.build_program("slow", PAUSE=100000, PASSES=100)
        server = subprocess.Popen([harness.command(), "serve", "--plan", "plan", "--stats", "stats", "--stats-every", "1", "--",
                                   program], cwd=self.folder, stderr=subprocess.DEVNULL)
        try:
            seen = []
            while len(seen) < 2:
                self.assertIsNone(server.poll(), f"it ended, and the file was seen {len(seen)} times")
                if (self.folder / "stats").exists():
                    passes = json.loads(self.read("stats"))["passes"]
                    seen += [passes] if passes not in seen else []
                time.sleep(0.05)  # nothing says when the file is replaced
            self.assertLess(seen[0], seen[1])
        finally:
            server.terminate()
            server.wait()

    def test_how_often_needs_where(self):
        self.plan()
        self.assertIn("--stats FILE", self.run_command("serve", "--plan", "plan", "--stats-every", "1", "--", "true", status=2)[1])


if __name__ == "__main__":
    harness.main()
