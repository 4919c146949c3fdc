"""What runs when a hooked function is called touches no vector register, on the built file.

The arguments of the function lie in them, and its hook saves general registers alone: one instruction too many would be a wrong
result in somebody's network, without a sound. So the code behind the hook's entry is compiled without vector registers; here
everything that it reaches by direct calls is read in the disassembled library. What is rare (a thread's first call, a pass that
begins or ends, a recorder) goes through memo_keep_vectors, which saves them: the one way out. A call through a register or out
of the library is counted as an error, since nobody can tell what it touches.
"""

import os
import unittest

from guest import LIBRARY, PROGRAMS
from reached_code import disassemble, findings

ENTRY = "memo_hook_entry"
WAY_OUT = "memo_keep_vectors"
OBJDUMP = os.environ.get("GUEST_OBJDUMP") or "objdump"


class HookRegisters(unittest.TestCase):
    def test_the_way_of_every_operator_touches_none(self):
        found, reached = findings(LIBRARY, ENTRY, {WAY_OUT}, objdump=OBJDUMP)
        self.assertEqual(found, [], "\n".join(found))
        for part in ("memo_hook_entered", "enter_frame", "scope_begin", "scope_end"):
            self.assertTrue(any(part in name for name in reached), f"{part} is not on the way: {sorted(reached)}")

    def test_the_way_out_saves_them(self):
        functions, _, machine = disassemble(LIBRARY, OBJDUMP)
        saves = [at[1] for at in functions[WAY_OUT] if machine.is_vector(at[1], at[2])]
        self.assertTrue({"xsave64", "xrstor64"} <= set(saves) if machine.x86 else len(saves) == 8, saves)


class Planted(unittest.TestCase):
    """Errors of each kind are found, in a library made of them (hostile/planted_registers.c)."""

    def found(self, entry, **options):
        return findings(os.path.join(PROGRAMS, "libplanted_registers.so"), entry, objdump=OBJDUMP, **options)[0]

    def test_clean_code_has_none(self):
        self.assertEqual(self.found("clean"), [])

    def test_a_vector_register(self):
        self.assertRegex("\n".join(self.found("adds_numbers")), r"^vector register in sum_of\b")

    def test_a_vector_register_behind_a_jump(self):
        self.assertRegex("\n".join(self.found("jumps_to_sum")), r"^vector register in sum_of\b")

    def test_a_call_out_of_the_library(self):
        self.assertRegex("\n".join(self.found("calls_out")), r"^leaves (the library|by a register) in calls_out\b")

    def test_a_call_through_a_pointer(self):
        found = self.found("calls_pointer", last_jump_leaves=False)
        self.assertRegex("\n".join(found), r"^leaves by a register in calls_pointer\b")

    def test_the_way_out_is_not_followed(self):
        self.assertEqual(self.found("adds_numbers", ways_out={"sum_of"}), [])


if __name__ == "__main__":
    unittest.main()
