"""What an entry of a built library reaches by direct calls and jumps, read from its disassembly: which of it names a vector
register, and where it leaves what can be followed.

A finding is a line of text that names the function and its instruction. Calls of the functions in `ways_out` are not followed:
they keep the vector registers themselves.
"""

import re
import subprocess

FUNCTION = re.compile(r"^([0-9a-f]+) <(.*)>:$")
INSTRUCTION = re.compile(r"^\s+([0-9a-f]+):\s+(\S.*)$")
TARGET = re.compile(r"\b([0-9a-f]+) <([^>]*)>")
PREFIXES = re.compile(r"^(?:(?:addr32|bnd|notrack|lock|rep\w*|data16|cs|ds|es|ss|rex\S*)\s+)+")

# x87, MMX, SSE and later; the mask registers of AVX-512; instructions that name none of them and change them all.
X86_VECTOR = re.compile(r"%(?:[xyz]?mm\d+|st\b|k[0-7]\b)")
X86_VECTOR_MNEMONIC = re.compile(r"^(?:f\w+|emms|v(?:zero|stm|ldm)\w*|x(?:save|rstor)\w*|(?:ld|st)mxcsr)$")
AARCH64_VECTOR = re.compile(r"\b(?:[vqdshbzp]\d+|z[a-z]*\d+)\b(?!\s*<)")


class Machine:
    """How instructions of one processor are read."""

    def __init__(self, x86):
        self.x86 = x86

    def is_vector(self, mnemonic, operands):
        if self.x86:
            return bool(X86_VECTOR.search(operands) or X86_VECTOR_MNEMONIC.match(mnemonic))
        return bool(AARCH64_VECTOR.search(operands))

    def is_unread(self, mnemonic, operands):
        """A prefix that is not known stands where the mnemonic should."""
        return self.x86 and bool(re.match(r"^(?:call|j[a-z]+)\b", operands))

    def leaves_indirectly(self, mnemonic, operands):
        if self.x86:
            return bool(re.match(r"^(?:call|jmp)", mnemonic)) and "*" in operands
        return bool(re.match(r"^(?:blr|br)(?:a[ab]z?)?$", mnemonic))

    def target(self, mnemonic, operands):
        branches = r"^(?:call|j)" if self.x86 else r"^(?:bl?|b\.\w+|cbn?z|tbn?z)$"
        found = TARGET.search(operands) if re.match(branches, mnemonic) else None
        return int(found.group(1), 16) if found else None


def disassemble(library, objdump="objdump"):
    """{name: [(address, mnemonic, operands), ...]}, and the name of the function that holds each address."""
    text = subprocess.run([objdump, "-d", "--no-show-raw-insn", library], check=True, capture_output=True, text=True)
    functions, holder, name = {}, {}, None
    for line in text.stdout.splitlines():
        if begin := FUNCTION.match(line):
            name = f"{begin.group(2)}@{begin.group(1)}" if begin.group(2) in functions else begin.group(2)
            functions[name] = []
        elif (found := INSTRUCTION.match(line)) and name:
            address = int(found.group(1), 16)
            words = PREFIXES.sub("", re.split(r"\s(?:#|//)", found.group(2))[0]).split(None, 1)
            functions[name].append((address, words[0], words[1] if len(words) > 1 else ""))
            holder[address] = name
    return functions, holder, Machine("x86-64" in text.stdout[:200])


def findings(library, entry, ways_out=(), last_jump_leaves=True, objdump="objdump"):
    """([finding, ...], {functions reached}). With `last_jump_leaves` the entry's own last instruction may jump anywhere: to the
    function that was meant, with its arguments."""
    functions, holder, machine = disassemble(library, objdump)
    found, reached, left = [], set(), [entry]
    while left:
        name = left.pop()
        if name in reached:
            continue
        reached.add(name)
        body = functions[name]
        end = max((at for at in body if machine.leaves_indirectly(at[1], at[2])), default=None) if name == entry else None
        for at in body:
            address, mnemonic, operands = at
            target = machine.target(mnemonic, operands)
            where = f"{name}+{address - body[0][0]:#x}: {mnemonic} {operands}".rstrip()
            if machine.is_unread(mnemonic, operands):
                found.append(f"cannot be read: {where}")
            elif machine.is_vector(mnemonic, operands):
                found.append(f"vector register in {where}")
            elif machine.leaves_indirectly(mnemonic, operands) and not (last_jump_leaves and at is end):
                found.append(f"leaves by a register in {where}")
            elif target is not None and target not in holder:
                found.append(f"leaves the code in {where}")
            elif target is not None and holder[target].endswith("@plt"):
                found.append(f"leaves the library in {where}")
            elif target is not None and holder[target] not in ways_out:
                left.append(holder[target])
    return found, reached
