"""The gallery of heap maps: it has every strategy, those without a plan with their reason, and its pictures show the places of the
buffers. Where the command is built, the page is made of a real instance."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts" / "lib"))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts" / "evaluation"))

import heap_map
from loading import load_script

GALLERY = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "evaluation" / "gallery"
gallery = load_script("evaluation/gallery")

COMMAND = os.environ.get("MEMOMALLOC_COMMAND", "")
INSTANCE = "id,lower,upper,size\na,0,4,4096\nb,1,3,8192\nc,3,6,8192\n"


def pixels_of(png):
    """Rows of numbers of colours."""
    begin = png.index(b"IDAT") + 4
    data = zlib.decompress(png[begin:])
    return [data[row * (heap_map.WIDE + 1) + 1:(row + 1) * (heap_map.WIDE + 1)] for row in range(heap_map.HIGH)]


class Map(unittest.TestCase):
    def test_a_buffer_lies_where_its_place_and_its_life_say(self):
        buffers = [{"begin": 0, "end": 10, "size": 50}, {"begin": 5, "end": 10, "size": 50}]
        rows = pixels_of(heap_map.draw(buffers, [0, 50], 100, 100))
        first, second = heap_map.FIRST_COLOUR, heap_map.FIRST_COLOUR + 1
        self.assertEqual((rows[-1][0], rows[-1][-1]), (first, first))
        self.assertEqual((rows[10][0], rows[10][-1]), (heap_map.WHITE, second))

    def test_the_smallest_buffer_is_seen(self):
        buffers = [{"begin": 0, "end": 1, "size": 1}, {"begin": 0, "end": 10**6, "size": 10**6}]
        self.assertIn(heap_map.FIRST_COLOUR, pixels_of(heap_map.draw(buffers, [10**6, 0], 10**6 + 1, 1))[0])

    def test_the_bound_is_a_dashed_line(self):
        rows = pixels_of(heap_map.draw([{"begin": 0, "end": 1, "size": 10}], [90], 100, 50))
        self.assertIn(heap_map.LINE, rows[heap_map.HIGH // 2 - 1])


class Page(unittest.TestCase):
    def test_a_strategy_without_a_plan_has_its_reason(self):
        picture = {"buffers": {"begin": [0], "end": [1], "size": [8]}, "lower_bound": 8,
                   "layouts": [{"name": "bump", "kind": "plan", "offset": [0], "height": 8, "seconds": 0.1}]}
        bump, mip = gallery.maps_of(picture, ["bump", "mip"], ["mip does not take this instance: too many pairs"], "x.html")
        self.assertIn("data:image/png", bump)
        self.assertIn("too many pairs", mip)

    def test_instances_of_one_configuration_have_names_of_their_own(self):
        names = [gallery.name_of(pathlib.Path("net-1x128-w1", f"{stem}.csv")) for stem in ("pass", "tensors", "other")]
        self.assertEqual(names, ["net-1x128-w1", "net-1x128-w1-tensors", "other"])

    @unittest.skipUnless(COMMAND, "the command is not built")
    def test_has_every_strategy_and_a_report_behind_them(self):
        with tempfile.TemporaryDirectory() as folder:
            instance, page = pathlib.Path(folder, "tiny.csv"), pathlib.Path(folder, "gallery")
            instance.write_text(INSTANCE)
            subprocess.run([sys.executable, "-B", GALLERY, "--timeout", "1s", page, instance], check=True)
            index = (page / "index.html").read_text()
            for strategy in gallery.all_strategies():
                self.assertIn(f"<b>{strategy}</b>", index)
            self.assertIn("href='tiny.html'", index)
            self.assertTrue((page / "tiny.html").exists())
            again = subprocess.run([sys.executable, "-B", GALLERY, page, instance], capture_output=True, text=True, check=False)
            self.assertEqual((again.returncode, "--force" in again.stderr), (2, True))


if __name__ == "__main__":
    unittest.main()
