"""`memomalloc plan --emit-c`: a plan as a C header with a static slab.

The example's network is profiled with malloc, and built again with the header of its plan: natively, as C++, and for AArch64
under QEMU where these are installed. Other headers come from plans in JSON, and a program writes into every block and reads
it again before the block is free. A failure means that a header does not compile without warnings, that two blocks share
bytes, that a limit on the slab is not kept, or that a plan without fixed places became a header all the same.
"""

import json
import os
import pathlib
import random
import shutil
import subprocess

import harness

EDGE = pathlib.Path(__file__).parents[4] / "examples" / "edge" / "edge.c"
STRICT = ("-Wall", "-Wextra", "-Werror", "-pedantic")
CROSS = "aarch64-linux-gnu-gcc"

# Fills each block with its number, and looks at it again before the allocation at which it is free.
DRIVER = """
#define PLAN_DEFINE_SLAB
#include "plan.h"
static const size_t free_at[PLAN_BLOCKS] = {%s};
static int spoiled(size_t k) {
  const unsigned char *block = plan_block(k);
  for (size_t i = 0; block && i < plan_blocks[k].bytes; ++i) if (block[i] != (unsigned char)(k * 37 + 1)) return 1;
  return 0;
}
int main(void) {
  plan_pass pass = {0};
  if ((uintptr_t)plan_slab %% PLAN_ALIGNMENT != 0) return 1;
  for (size_t now = 0; now <= PLAN_BLOCKS; ++now) {
    for (size_t k = 0; k < now; ++k) if (free_at[k] == now && spoiled(k)) return 2;
    if (now == PLAN_BLOCKS) break;
    unsigned char *block = plan_take(&pass, plan_blocks[now].bytes);
    if (block != plan_block(now)) return 3;
    for (size_t i = 0; block && i < plan_blocks[now].bytes; ++i) block[i] = (unsigned char)(now * 37 + 1);
  }
  return plan_take(&pass, 1) != NULL || plan_block(PLAN_BLOCKS) != NULL ? 4 : 0;
}
"""


def slot(size, freed_at, place, zone="large", **more):
    return {"size": size, "alignment": 64, "zone": zone, "place": place, "freed_at": freed_at, "scope": 0, "module": 0, "offset": 16} | more


def lowest_place(slots, begin, size):
    """First fit among those alive."""
    place = 0
    for other in sorted((s for s in slots if s["freed_at"] > begin), key=lambda s: s["place"]):
        if place + size <= other["place"]:
            break
        place = max(place, -(-(other["place"] + other["size"]) // 64) * 64)
    return place


def any_slots(seed, count):
    dice, slots = random.Random(seed), []
    for begin in range(count):
        size = dice.randint(1, 3000)
        slots.append(slot(size, min(count, begin + dice.randint(1, 9)), lowest_place(slots, begin, -(-size // 64) * 64)))
    return slots


def plan_of(slots, **more):
    scope = {"name": "conv\\\n*/ ??/ \"layer\"", "parent": None, "first_slot": 0, "end_slot": len(slots)}
    variant = {"key": 1, "fingerprint": 1, "lower_bound": 0, "strategy": "test", "unplanned": 0, "shapes": 1, "scopes": [scope],
               "slots": slots, **more}
    return {"cells": [64, 128], "modules": [{"build_id": "00ff", "path": "/srv/net"}], "variants": [variant], "anchors": []}


def ran(folder, *command):
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60, check=False)


class EmitC(harness.CliTest):
    def emit(self, plan, status=0):
        self.write("plan.json", json.dumps(plan))
        return self.run_command("plan", "--from-json", "plan.json", "-o", "made.plan", "--emit-c", "plan.h", "--force", status=status)[1]

    def ran(self, *command):
        return ran(self.folder, *command)

    def test_blocks_that_live_together_share_no_bytes(self):
        for seed in range(6):
            slots = any_slots(seed, 3 + 11 * seed)
            slots[0] = slot(60, slots[0]["freed_at"], 1, "cell")
            slots[-1] = slot(60, len(slots), 0, "heap")
            self.emit(plan_of(slots))
            self.write("driver.c", DRIVER % ", ".join(str(s["freed_at"]) for s in slots))
            self.cc("-std=c11", *STRICT, "driver.c", "-o", "driver")
            self.assertEqual(self.ran("./driver").returncode, 0, f"seed {seed}")
            self.assertIn("// 0: conv__*/ __/ \"layer\"", self.read("plan.h"))
        self.assertIn("#define PLAN_WITHOUT_PLACE 1 ", self.read("plan.h"))

    def test_a_block_is_named_by_its_operator_and_those_around_it(self):
        plan = plan_of([slot(1000, 1, 0), slot(1000, 2, 0, scope=1), slot(1000, 3, 0, scope=None)])
        plan["variants"][0]["scopes"] = [{"name": "outer", "parent": None, "first_slot": 0, "end_slot": 2},
                                         {"name": "inner", "parent": 0, "first_slot": 1, "end_slot": 2}]
        self.emit(plan)
        header = self.read("plan.h")
        self.assertIn("  // 0: outer, free before allocation 1\n", header)
        self.assertIn("  // 1: outer > inner, free before allocation 2\n", header)
        self.assertIn("  // 2: outside of operators, until the pass ends\n", header)

    def test_the_compiler_keeps_the_limit(self):
        self.emit(plan_of([slot(1000, 1, 0)]))
        self.write("small.c", '#include "plan.h"\nstatic void *const first = PLAN_ADDRESS(0);\n'
                              'int main(void) { return PLAN_BYTES_0 != 1000 || first != plan_block(0); }\n')
        self.assertEqual(self.ran("cc", *STRICT, "-c", "-DPLAN_MOST_BYTES=1216", "small.c").returncode, 0)
        refused = self.ran("cc", *STRICT, "-c", "-DPLAN_MOST_BYTES=1215", "small.c")
        self.assertNotEqual(refused.returncode, 0)
        self.assertIn("the slab of this plan is larger than PLAN_MOST_BYTES", refused.stderr)

    def test_a_plan_without_fixed_places_is_refused(self):
        first, second = slot(1000, 1, 0), slot(1000, 2, 0)
        two = plan_of([first])
        two["variants"].append({**two["variants"][0], "key": 2})
        loop = {"first_slot": 0, "end_slot": 2, "slots": 1, "first_scope": 0, "end_scope": 0, "scopes": 0}
        looping = plan_of([{**s, "scope": None} for s in (first, second)], loops=[loop])
        looping["variants"][0]["scopes"] = []
        for plan, reason in ((two, "the plan has 2 variants"), (looping, "it has a loop"),
                             (plan_of([first], shapes=3), "it joins 3 shapes"),
                             (plan_of([{**first, "formula": {"base": 1000, "factor": 64, "rounding": 0, "powers": [0, 0, 1]}}]), "its blocks grow")):
            said = self.emit(plan, status=4)
            self.assertIn(f"no C header was written: {reason}", said)
            self.assertFalse((self.folder / "plan.h").exists())
            self.assertFalse((self.folder / "made.plan").exists())

    def test_a_header_is_not_overwritten(self):
        self.write("plan.h", "mine")
        self.write("plan.json", json.dumps(plan_of([slot(1000, 1, 0)])))
        self.run_command("plan", "--from-json", "plan.json", "--emit-c", "plan.h", status=2)
        self.assertEqual(self.read("plan.h"), "mine")


class Edge(harness.CliTest):
    """The example, from malloc to a static slab."""

    def setUp(self):
        super().setUp()
        self.cc("-std=c11", "-O1", *STRICT, "-I", os.environ["MEMO_INCLUDE"], str(EDGE), "-o", "edge")
        self.answer = self.ran("./edge").stdout
        self.run_command("profile", "-q", "-o", "edge.trace", "--", "./edge")
        self.run_command("plan", "-q", "--emit-c", "edge_plan.h", "edge.trace")

    def ran(self, *command):
        return ran(self.folder, *command)

    def device(self, compiler, *words):
        self.cc_by(compiler, *words, "-O1", *STRICT, "-I.", "-DEDGE_DEVICE", str(EDGE), "-o", "device")

    def cc_by(self, compiler, *words):
        subprocess.run([compiler, *words], cwd=self.folder, check=True)

    def test_the_slab_gives_the_answer_of_malloc(self):
        self.device("cc", "-std=c11")
        self.assertEqual(self.ran("./device").stdout, self.answer)
        header = self.read("edge_plan.h")
        self.assertIn(": pooling, free before allocation ", header)
        self.assertNotIn("malloc", self.ran("nm", "./device").stdout)

    def test_another_pass_is_told(self):
        text = self.read("edge_plan.h").replace("#define EDGE_PLAN_BYTES_3 ", "#define EDGE_PLAN_BYTES_3 1  // was ")
        self.write("edge_plan.h", text)
        self.device("cc", "-std=c11")
        told = self.ran("./device")
        self.assertEqual((told.returncode, told.stderr), (1, "edge: an allocation is not in the plan\n"))

    def test_the_header_is_cxx_too(self):
        self.write("user.cc", '#define EDGE_PLAN_DEFINE_SLAB\n#include "edge_plan.h"\nint main() { return edge_plan_block(0) == nullptr; }\n')
        self.cc_by("c++", "-std=c++11", *STRICT, "-I.", "user.cc", "-o", "user")
        self.assertEqual(self.ran("./user").returncode, 0)

    def test_the_slab_serves_on_aarch64(self):
        qemu = shutil.which("qemu-aarch64-static") or shutil.which("qemu-aarch64")
        if not qemu or not shutil.which(CROSS):
            self.skipTest(f"{CROSS} or QEMU is not installed: scripts/setup gcc-aarch64-linux-gnu qemu-user-static")
        self.device(CROSS, "-std=c11", "-static")
        self.assertEqual(self.ran(qemu, "./device").stdout, self.answer)


if __name__ == "__main__":
    harness.main()
