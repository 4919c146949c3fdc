"""The page of `memomalloc report` in a real browser, as a reader meets it.

A failure means that somebody who opens a report sees an error, other buffers than the plan has, or words that are not
the buffer's; or that moving, choosing a layout or the dark theme does nothing. What the browser showed is kept as
pictures in the folder named on the command line. Where there is no Chromium, nothing is proved and the test says so.
"""

import html
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import unittest

import browser

SKIPPED = 77
COMMAND = None
PICTURES = None

LARGE = 60_000
MOST_MILLISECONDS = 6000  # a quiet machine takes a sixth, a busy one a half; what grows with the square of the buffers takes minutes
MOST_BYTES = 15_000_000

SOURCE = pathlib.Path(__file__).parents[4]
REASONS = re.findall(r'X\(k\w+, "(\w+)"', (SOURCE / "runtime/formats/reasons.h").read_text())

# The parts of statistics whose figures are 0 here.
PARTS = {
    "steady": ("passes", "served", "served_bytes", "missed", "missed_bytes", "kept", "kept_bytes", "warm_up"),
    "aside": ("passes", "kinds", "of_kinds"), "compared": ("passes", "blocks", "bytes"),
    "released": ("times", "lane_bytes", "heap_bytes"), "turns": ("waited", "in_vain"), "nodes": ("own", "other", "refused"),
    "own": ("plans", "slab_index", "threads", "hooks", "recorder"),
}
STATISTICS = {
    **{part: dict.fromkeys(figures, 0) for part, figures in PARTS.items()},
    "passes": 1200, "served": 95_000, "served_bytes": 9_000_000_000, "fallback_bytes": 4_000_000, "searched": 0,
    "kept_bytes": 0,
    "fallback": {**dict.fromkeys(REASONS, 0), "no_lane": 4000, "too_big": 1000},
    "slab_bytes": 8 << 20, "lanes": 4, "lanes_used": 3, "pinned": 2, "double_free": 0, "bad_free": 0, "abandoned": 0,
    "worker_passes": 300, "worker_served": 4000, "worker_served_bytes": 40_000_000, "worker_fallback": 10,
    "worker_fallback_bytes": 640, "worker_lanes": 2, "plans_loaded": 1, "plans_refused": 0, "plans_grown": 0, "recordings": 0,
    "plan": "server.plan", "heap": {"allocated": 1 << 20, "resident": 3 << 20},
}


def later(share):
    """The statistics when the server had done a share of its work."""
    scaled = {key: round(value * share) if isinstance(value, int) else value for key, value in STATISTICS.items()}
    return {**scaled, "fallback": {reason: round(count * share ** 2) for reason, count in STATISTICS["fallback"].items()}}


def spread(median):
    return {"median": median, "least": median * 0.9, "greatest": median * 1.1, "values": [median]}


COMPARISON = {
    "command": ["./server"], "runs": 3, "speed_figure": "requests_per_second", "machine": {"cores": "2"},
    "allocators": [{"name": name, "figures": {
        "requests_per_second": spread(speed), "latency_ms.p50": spread(1000 / speed), "latency_ms.p99": spread(3000 / speed),
        "resident_steady": spread(memory), "resident_peak": spread(memory * 1.2), "minor_faults": spread(faults),
    }, "times_as_fast": {"value": 410 / speed, "low": 0.95 * 410 / speed, "high": 1.05 * 410 / speed} if name != "serve" else None,
        "resident_over_time": [[t / 10, memory * min(1, 0.4 + t / 20)] for t in range(30)],
    } for name, speed, memory, faults in (("glibc", 300, 90e6, 12000), ("jemalloc", 340, 120e6, 5000), ("serve", 410, 80e6, 900))],
}

OPERATORS = ["aten::conv2d", "aten::batch_norm", "aten::relu_", "aten::add", "aten::max_pool2d", "aten::linear",
             "aten::softmax", "aten::cat", "aten::mean", ""]


def instance(count, seed=1):
    """A pass as CSV: a few large buffers among many small ones, some of them living long."""
    draw = random.Random(seed)
    rows = ["id,lower,upper,size,alignment,scope,site"]
    for i in range(count):
        life = draw.choice((1, 2, 3, 5, 8, 40)) if draw.random() < 0.97 else draw.randrange(count // 8, count // 2)
        size = 64 * draw.randrange(1, 40) if draw.random() < 0.8 else 4096 * draw.randrange(1, 200)
        operator = OPERATORS[(i // 7) % len(OPERATORS)]
        rows.append(f"{i},{i},{min(i + life, count)},{size},64,{operator},libnet.so+{draw.randrange(1 << 20):#x}")
    return "\n".join(rows) + "\n"


class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(scratch.cleanup)
        cls.folder = pathlib.Path(scratch.name)
        cls.browser = browser.Browser()
        cls.addClassCleanup(cls.browser.close)
        cls.report = cls.page("pass", instance(400), "-s", "greedy-size,greedy-breadth,shared-size,bump")

    @classmethod
    def page(cls, name, text, *options, also=()):
        source = cls.folder / f"{name}.csv"
        source.write_text(text)
        target = cls.folder / f"{name}.html"
        subprocess.run([COMMAND, "report", "-q", "-o", target, *options, source, *also], check=True, timeout=120)
        return target

    def setUp(self):
        self.browser.prefer("light")

    def open(self, page):
        self.browser.open(page)
        self.browser.settle()
        self.assertEqual(self.browser.console, [])

    def drawn(self):
        return int(self.browser.evaluate("document.getElementById('map').dataset.drawn"))

    def text(self, selector):
        return self.browser.evaluate(f"document.querySelector({json.dumps(selector)}).innerText")

    def write(self, name, text):
        (self.folder / name).write_text(text)
        return self.folder / name

    def count(self, selector):
        return self.browser.evaluate(f"document.querySelectorAll({json.dumps(selector)}).length")

    def background(self):
        return self.browser.evaluate("getComputedStyle(document.documentElement).backgroundColor")

    def centre_of_map(self):
        box = self.browser.evaluate("(() => { const box = document.getElementById('map').getBoundingClientRect();"
                                    "return [box.x, box.y, box.width, box.height]; })()")
        return box[0] + box[2] / 2, box[1] + box[3] / 2

    def hover_until_a_buffer(self):
        """Moves along the map until something lies under the mouse."""
        x, y = self.centre_of_map()
        for step in range(60):
            self.browser.mouse("mouseMoved", x + 3 * step, y + 120)
            if not self.browser.evaluate("document.getElementById('tooltip').hidden"):
                return x + 3 * step, y + 120
        self.fail("no buffer anywhere along the map")

    def test_it_shows_every_buffer_without_a_word_in_the_console(self):
        self.open(self.report)
        self.assertEqual(self.drawn(), 400)
        self.assertEqual(self.text("h1"), "pass.csv")
        self.browser.screenshot(PICTURES / "heap-map.png")

    def test_buffers_have_the_colour_of_their_operator(self):
        """Read back from the canvas, where nothing but the buffer is."""
        self.open(self.page("two", "id,lower,upper,size,scope\na,0,10,1000,conv\nb,10,20,1000,relu\nc,0,1,200,relu\n", "-s", "greedy-size"))
        width = self.browser.evaluate("document.getElementById('map').clientWidth")
        pixel = "(() => {{ const c = document.getElementById('map').getContext('2d'); return [...c.getImageData({}, 250, 1, 1).data]; }})()"
        left = self.browser.evaluate(pixel.format(round(width * 0.30)))
        right = self.browser.evaluate(pixel.format(round(width * 0.90)))
        self.assertEqual(sorted([left[:3], right[:3]]), [[0, 114, 178], [230, 159, 0]])

    def test_zoom_by_keys_wheel_and_buttons(self):
        self.open(self.report)
        self.browser.evaluate("document.getElementById('map').focus()")
        for _ in range(4):
            self.browser.press("+")
        self.browser.settle()
        by_keys = self.drawn()
        self.assertLess(by_keys, 400)
        self.assertGreater(by_keys, 0)
        self.browser.mouse("mouseWheel", *self.centre_of_map(), deltaX=0, deltaY=-600)
        self.browser.wait_until(f"document.getElementById('map').dataset.drawn < {by_keys}")
        self.browser.screenshot(PICTURES / "zoomed.png", "#heap-map")
        self.browser.press("0")
        self.browser.wait_until("document.getElementById('map').dataset.drawn == 400")

    def test_dragging_moves(self):
        self.open(self.report)
        self.browser.evaluate("document.getElementById('map').focus()")
        for _ in range(5):
            self.browser.press("+")
        self.browser.settle()
        before = self.browser.evaluate("document.getElementById('map').toDataURL()")
        x, y = self.centre_of_map()
        self.browser.mouse("mousePressed", x, y, button="left", clickCount=1)
        self.browser.mouse("mouseMoved", x - 200, y, button="left", buttons=1)
        self.browser.mouse("mouseReleased", x - 200, y, button="left", clickCount=1)
        self.browser.settle()
        self.assertNotEqual(self.browser.evaluate("document.getElementById('map').toDataURL()"), before)

    def test_hover_says_what_the_buffer_is(self):
        self.open(self.report)
        self.hover_until_a_buffer()
        words = self.text("#tooltip")
        for word in ("site", "size", "lifetime", "offset", "libnet.so+0x"):
            self.assertIn(word, words)
        self.browser.screenshot(PICTURES / "hover.png", "#heap-map")
        self.browser.mouse("mouseMoved", 5, 5)
        self.browser.wait_until("document.getElementById('tooltip').hidden")

    def test_keys_step_through_the_buffers(self):
        self.open(self.report)
        self.browser.evaluate("document.getElementById('map').focus()")
        self.browser.press("n")
        self.assertIn("buffer\n0,", self.text("#tooltip"))
        self.browser.press("n")
        self.assertIn("buffer\n1,", self.text("#tooltip"))
        self.browser.press("Escape")
        self.assertTrue(self.browser.evaluate("document.getElementById('tooltip').hidden"))

    def test_layouts_are_switched_by_the_list_and_by_the_cards(self):
        self.open(self.report)
        slabs = [self.text(".tile b")]
        self.assertEqual(self.browser.evaluate("document.getElementById('map').dataset.layout"), "greedy-size")
        self.browser.evaluate("(() => { const list = document.querySelector('.controls select'); list.value = 3;"
                              "list.dispatchEvent(new Event('change')); })()")
        self.browser.settle()
        self.assertEqual(self.browser.evaluate("document.getElementById('map').dataset.layout"), "bump")
        self.assertEqual(self.drawn(), 400)
        slabs.append(self.text(".tile b"))
        self.browser.screenshot(PICTURES / "another-layout.png", "#heap-map")
        self.browser.evaluate("document.querySelectorAll('.card')[2].click()")
        self.browser.settle()
        self.assertEqual(self.browser.evaluate("document.getElementById('map').dataset.layout"), "shared-size")
        slabs.append(self.text(".tile b"))
        self.assertEqual(len(set(slabs)), 3, slabs)

    def test_variants_are_switched(self):
        other = self.write("other.csv", instance(90, seed=2))
        self.open(self.page("first", instance(60), "-s", "greedy-size", also=(other,)))
        self.assertEqual(self.drawn(), 60)
        self.browser.evaluate("(() => { const list = document.querySelector('.controls select'); list.value = 1;"
                              "list.dispatchEvent(new Event('change')); })()")
        self.browser.settle()
        self.assertEqual(self.drawn(), 90)
        self.assertIn("90", self.text("#variants tr[aria-selected=true]"))
        self.browser.evaluate("document.querySelector('#variants tbody button').click()")
        self.browser.settle()
        self.assertEqual(self.drawn(), 60)

    def test_colours_by_size_and_lifetime(self):
        self.open(self.report)
        pictures = set()
        for mode in ("operator", "size", "lifetime"):
            self.browser.evaluate(f"document.querySelector('[data-value={mode}]').click()")
            self.browser.settle()
            pictures.add(self.browser.evaluate("document.getElementById('map').toDataURL()"))
            self.assertEqual(self.drawn(), 400)
        self.assertEqual(len(pictures), 3)

    def test_dark_by_the_systems_wish_and_by_the_button(self):
        self.open(self.report)
        light = self.background()
        map_in_light = self.browser.evaluate("document.getElementById('map').toDataURL()")
        self.browser.prefer("dark")
        self.browser.settle()
        dark = self.background()
        self.assertNotEqual(dark, light)
        self.assertNotEqual(self.browser.evaluate("document.getElementById('map').toDataURL()"), map_in_light)
        self.browser.screenshot(PICTURES / "dark.png")
        self.browser.evaluate("document.getElementById('theme').click()")
        self.assertEqual(self.background(), light)

    def test_tables_sort(self):
        self.open(self.report)
        first = self.text("#operators tbody tr")
        self.browser.evaluate("document.querySelectorAll('#operators th button')[0].click()")
        self.assertEqual(self.text("#operators tbody td"), "aten::add")
        self.assertNotEqual(self.text("#operators tbody tr"), first)

    def test_a_served_run_and_a_comparison(self):
        self.open(self.page("all", instance(50), "-s", "greedy-size", also=(
            self.write("stats.json", json.dumps(STATISTICS)), self.write("compare.json", json.dumps(COMPARISON)))))
        self.assertIn("95.0 %", self.text("#served-0"))
        self.assertIn("no_lane", self.text("#served-0"))
        self.assertIn("raise --lanes", self.text("#served-0"))
        self.assertNotIn("unknown_site", self.text("#served-0"))
        self.assertIn("requests per second (more is better)", self.text("#measured"))
        self.assertEqual(self.count("#measured figure"), 6)
        self.assertIn("serve against", self.text("#measured-0 table"))
        self.assertEqual(self.count("#measured-0 polyline"), 3)
        self.assertEqual(self.count("#measured-0 circle"), 3)
        self.browser.screenshot(PICTURES / "served-and-compared.png")

    def test_the_answers_come_first(self):
        """Whether it helps, how much is served, what to do: before any picture, and each question once."""
        self.open(self.page("answers", instance(50), "-s", "greedy-size", also=(
            self.write("stats.json", json.dumps(STATISTICS)), self.write("compare.json", json.dumps(COMPARISON)))))
        self.assertEqual(self.browser.evaluate("document.querySelector('main > section').id"), "answers")
        questions = self.browser.evaluate("[...document.querySelectorAll('.answers dt')].map(each => each.innerText)")
        self.assertEqual(questions, ["Does it help?", "How much is served?", "What to do?"])
        helps, served, to_do = self.browser.evaluate("[...document.querySelectorAll('.answers dd')].map(each => each.innerText)")
        self.assertTrue(helps.startswith("Yes: serve is 1.367 times as fast as glibc (1.298 to 1.435)"), helps)
        self.assertTrue(served.startswith("The plan fits most of what runs: 95.00 % of the allocations"), served)
        self.assertTrue(to_do.startswith("no_lane: "), to_do)

    def test_what_changed_between_two_runs(self):
        before, after = self.write("earlier.csv", instance(300)), self.write("earlier.stats.json", json.dumps(later(0.5)))
        self.open(self.page("changed", instance(400), "-s", "greedy-size", "--against", before, "--against", after,
                            also=(self.write("later.stats.json", json.dumps(STATISTICS)),)))
        self.assertEqual(self.text("#changes header p"), "Since earlier.csv, earlier.stats.json.")
        tables = self.browser.evaluate("[...document.querySelectorAll('#changes table')].map(each => each.getAttribute('aria-label'))")
        self.assertEqual(tables, ["Slab and passes", "Slab of each variant", "Bytes that operators ask for",
                                  "Alive at the moment that forces the slab", "Served", "To the heap, of all allocations inside passes"])
        self.assertIn("400", self.text("#changes table[aria-label='Slab and passes']"))
        self.assertRegex(self.text("#changes table[aria-label^='To the heap']"), r"no_lane\s+2\.0\d %\s+4\.00 %\s+\+1\.9\d points")
        self.assertIn("What changed?", self.text("#answers"))
        self.browser.screenshot(PICTURES / "changed.png")

    def test_thumbnails_are_drawn_when_the_page_is_loaded(self):
        """Not in some idle time afterwards, which whoever only takes a picture never gives it."""
        self.browser.open(self.report)
        drawn = self.browser.evaluate("[...document.querySelectorAll('.card canvas')].map(canvas => new Set(canvas.getContext('2d')"
                                      ".getImageData(0, 0, canvas.width, canvas.height).data).size)")
        self.assertEqual(len(drawn), 4)
        self.assertGreater(min(drawn), 2, "a canvas has one colour alone")

    def test_paper_has_whole_tables(self):
        """All rows, though the screen shows the first, and no column beyond the paper's edge."""
        self.browser.open(self.page("rows", instance(400).replace("aten::", "aten::native::a_long_name_of_an_operator::") + "".join(
            f"x{i},{i},{i + 1},64,64,operator {i},libnet.so\n" for i in range(30)), "-s", "greedy-size"))
        rows = "document.querySelectorAll('#operators tbody tr').length"
        self.assertEqual(self.browser.evaluate(rows), 12)
        self.browser.evaluate(f"void addEventListener('beforeprint', () => {{ window.rowsInPrint = {rows}; }})")
        self.browser.pdf(PICTURES / "tables.pdf")
        self.assertEqual(self.browser.evaluate("window.rowsInPrint"), 40)
        self.assertEqual(self.browser.evaluate(rows), 12)
        self.browser.on_paper(width=680)
        self.addCleanup(self.browser.on_screen)
        beyond = self.browser.evaluate("[...document.querySelectorAll('.scroll')].filter(each => each.scrollWidth > each.clientWidth + 1)"
                                       ".map(each => each.innerText.slice(0, 60))")
        self.assertEqual(beyond, [])

    def test_inside_another_page(self):
        """As a notebook shows it: a frame that has no address and may do nothing but run its script."""
        frame = self.folder / "frame.html"
        frame.write_text('<!doctype html><iframe sandbox="allow-scripts" style="width: 900px; height: 600px" srcdoc="'
                         f'{html.escape(self.report.read_text(), quote=True)}"></iframe>')
        self.open(frame)

    def test_a_served_run_over_time(self):
        lines = "\n".join(json.dumps(later((i + 1) / 12)) for i in range(12))
        self.open(self.page("time", instance(50), "-s", "greedy-size", also=(self.write("over-time.json", lines),)))
        self.assertEqual(self.count("#served-0 figure svg"), 4)
        self.assertEqual(self.count("#served-0 rect"), 24)  # two reasons in twelve intervals
        self.browser.screenshot(PICTURES / "served-over-time.png", "#served-0")

    def test_two_runs_and_two_comparisons_side_by_side(self):
        slower = json.loads(json.dumps(COMPARISON))
        slower["allocators"][2]["figures"]["requests_per_second"] = spread(390)
        self.open(self.page("both", instance(50), "-s", "greedy-size", also=(
            self.write("before.json", json.dumps(later(0.5))), self.write("after.json", json.dumps(STATISTICS)),
            self.write("compare-1.json", json.dumps(slower)), self.write("compare-2.json", json.dumps(COMPARISON)))))
        self.assertIn("change", self.text("#served-together"))
        self.assertIn("+100 %", self.text("#served-together"))
        self.assertEqual(self.count("#measured figure:first-of-type rect"), 6)
        self.browser.screenshot(PICTURES / "side-by-side.png")

    def test_a_link_shows_the_same_again(self):
        self.open(self.report)
        self.browser.evaluate("document.querySelectorAll('.card')[2].click(); document.querySelector('[data-value=size]').click()")
        address = self.browser.evaluate("location.hash")
        self.browser.open(f"{self.report}?again{address}")
        self.browser.settle()
        self.assertEqual(self.browser.evaluate("document.getElementById('map').dataset.layout"), "shared-size")
        self.assertEqual(self.browser.evaluate("document.querySelector('[data-value=size]').getAttribute('aria-pressed')"), "true")

    def test_the_profiled_heap_beside_the_slab(self):
        trace = pathlib.Path(os.environ["MEMO_TRACE_CORPUS"]) / "small"
        page = self.folder / "trace.html"
        subprocess.run([COMMAND, "report", "-q", "-s", "bump", "-o", page, trace], check=True, timeout=120)
        self.open(page)
        self.browser.evaluate("[...document.querySelectorAll('.card')].find(card => card.innerText.includes('heap')).click()")
        self.browser.settle()
        self.assertEqual(self.browser.evaluate("document.getElementById('map').dataset.layout"), "the profiled heap")
        self.assertEqual(self.drawn(), 1)
        self.assertIn("Pages touched\n4.00 KiB", self.text(".tile"))
        self.assertIn("outlives its pass", self.text("#left"))
        self.assertEqual(self.browser.console, [])

    def stacks_page(self, *also):
        trace = pathlib.Path(os.environ["MEMO_TRACE_CORPUS"]) / "stacks"
        page = self.folder / "stacks.html"
        subprocess.run([COMMAND, "report", "-q", "--force", "-s", "bump", "-o", page, trace, *also], check=True, timeout=120)
        return page

    def choose_graph(self, name):
        self.browser.evaluate("(() => { const list = document.querySelector('#flames select'); "
                              f"list.value = [...list.options].find(each => each.text === {json.dumps(name)}).value;"
                              "list.dispatchEvent(new Event('change')); })()")

    def click_bar(self, name):
        self.browser.evaluate(f"[...document.querySelectorAll('svg.flame g')].find(bar => bar.dataset.name === {json.dumps(name)})"
                              ".dispatchEvent(new Event('click'))")

    def widths(self):
        """The share of the picture's width that each bar takes."""
        return self.browser.evaluate(
            "(() => { const all = document.querySelector('svg.flame').viewBox.baseVal.width; return Object.fromEntries("
            "[...document.querySelectorAll('svg.flame g')].map(bar => [bar.dataset.name, "
            "Math.round(100 * bar.querySelector('rect').width.baseVal.value / all)])); })()")

    def test_the_flame_graph_is_as_wide_as_the_bytes(self):
        self.open(self.stacks_page())
        self.assertEqual(self.widths(), {"all": 100, "libnet.so+0xa10": 96, "libnet.so+0x910": 64, "libnet.so+0x810": 64,
                                         "libnet.so+0x820": 32, "no call stack": 4})
        self.browser.screenshot(PICTURES / "flame.png", "#flames")
        self.click_bar("libnet.so+0x910")
        self.assertEqual(self.widths(), {"all": 100, "libnet.so+0xa10": 100, "libnet.so+0x910": 100, "libnet.so+0x810": 100})
        self.click_bar("all")
        self.assertEqual(self.browser.evaluate("document.querySelector('svg.flame').dataset.drawn"), "6")

    def test_the_flame_graph_is_searched(self):
        """A path counts once, though two of its functions match."""
        self.open(self.stacks_page())
        self.browser.evaluate("(() => { const field = document.querySelector('#flames input'); field.value = 'LIBNET';"
                              "field.dispatchEvent(new Event('input')); })()")
        self.assertIn("24.00 KiB, 96.0 %", self.text("#flames .controls"))
        self.assertEqual(self.count("svg.flame g.dim"), 2)

    def test_the_flame_graph_by_keys(self):
        self.open(self.stacks_page())
        self.browser.evaluate("document.querySelector('svg.flame').focus()")
        for key in ("ArrowDown", "ArrowDown", "ArrowRight"):
            self.browser.press(key)
        self.assertIn("libnet.so+0x820\nbytes\n8.00 KiB, 32.0 %", self.text("#tooltip"))
        self.browser.press("Enter")
        self.assertEqual(self.widths()["libnet.so+0x820"], 100)
        self.browser.press("Escape")
        self.assertEqual(self.widths()["libnet.so+0x820"], 32)

    def test_the_flame_graph_of_what_a_plan_does_not_serve(self):
        plan = self.folder / "stacks.plan"
        trace = pathlib.Path(os.environ["MEMO_TRACE_CORPUS"]) / "stacks"
        subprocess.run([COMMAND, "plan", "-q", "--force", "-o", plan, trace], check=True, timeout=120)
        self.open(self.stacks_page(plan))
        self.choose_graph("call stacks: bytes sent to the heap")
        self.assertIn("1.00 KiB sent to the heap", self.text("#flames"))
        self.assertEqual(self.widths(), {"all": 100, "no call stack": 100})

    def test_the_flame_graph_of_operators(self):
        """With the share that no operator explains, and each operator as the innermost and as the outermost."""
        self.open(self.stacks_page())
        self.choose_graph("operators: bytes asked for")
        self.assertEqual(self.widths(), {"all": 100, "conv": 64, "outside operators": 36})
        self.assertIn("Outside of all operators: 9.00 KiB, 36.0 %.", self.text("#flames"))
        self.assertIn("as the outermost", self.text("#flames table"))
        self.browser.screenshot(PICTURES / "operators.png", "#flames")

    def test_the_data_flow_is_drawn(self):
        """Operators in levels, the two branches side by side, and a line for each edge."""
        trace = pathlib.Path(os.environ["MEMO_TRACE_CORPUS"]) / "flow"
        page = self.folder / "flow.html"
        subprocess.run([COMMAND, "report", "-q", "--force", "-s", "bump", "-o", page, trace], check=True, timeout=120)
        self.open(page)
        self.assertIn("5 operators of pass 2", self.text("#flow"))
        self.assertEqual((self.count("svg.flow g"), self.count("svg.flow path")), (5, 4))
        places = self.browser.evaluate("[...document.querySelectorAll('svg.flow rect')].map(box => [box.x.baseVal.value, box.y.baseVal.value])")
        self.assertEqual(len({tuple(place) for place in places}), 5)
        self.assertTrue(places[0][1] == places[1][1] < places[2][1] == places[3][1] < places[4][1], places)
        self.browser.screenshot(PICTURES / "flow.png", "#flow")
        self.assertEqual(self.browser.console, [])

    def test_print_is_light(self):
        self.browser.prefer("dark")
        self.open(self.report)
        self.browser.evaluate("void addEventListener('beforeprint', () => { window.inPrint = document.documentElement.dataset.theme; })")
        self.browser.pdf(PICTURES / "printed.pdf")
        self.assertGreater((PICTURES / "printed.pdf").stat().st_size, 10_000)
        self.assertEqual(self.browser.evaluate("window.inPrint"), "light")
        self.assertEqual(self.browser.evaluate("document.documentElement.dataset.theme"), "dark")

    def test_sixty_thousand_buffers_open_at_once(self):
        page = self.page("large", instance(LARGE), "-s", "greedy-size,bump")
        size = page.stat().st_size
        self.open(page)
        self.assertEqual(self.drawn(), LARGE)
        painted = self.browser.evaluate("performance.getEntriesByName('memomalloc: map painted')[0].startTime")
        seen = self.browser.evaluate("performance.getEntriesByType('paint')[0].startTime")
        self.browser.screenshot(PICTURES / "large.png")
        print(f"\n{LARGE} buffers, 2 layouts: file {size / 1e6:.2f} MB, map painted after {painted:.0f} ms, "
              f"on the screen after {seen:.0f} ms", flush=True)
        self.assertLess(size, MOST_BYTES)
        self.assertLess(max(painted, seen), MOST_MILLISECONDS)


def main():
    global COMMAND, PICTURES
    PICTURES = pathlib.Path(sys.argv.pop())
    COMMAND = sys.argv.pop()
    if browser.find_chromium() is None:
        print("SKIPPED: no Chromium on this machine, so nothing of the page was tested; scripts/setup chromium installs it")
        sys.exit(SKIPPED)
    PICTURES.mkdir(parents=True, exist_ok=True)
    unittest.main(verbosity=2)


if __name__ == "__main__":
    main()
