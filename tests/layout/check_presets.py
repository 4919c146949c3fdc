"""Proves that every CMake preset is really used: a script builds or configures each visible one."""

import json
import pathlib
import re
import sys


def used_presets(scripts: pathlib.Path) -> set:
    text = "\n".join(p.read_text() for p in scripts.rglob("*") if p.is_file() and p.suffix != ".pyc")
    return set(re.findall(r"(?:scripts/build|run_preset|cmake --preset)(?: +|\", \")([a-z0-9-]+)", text))


def main() -> int:
    root = pathlib.Path(sys.argv[1])
    presets = json.loads((root / "CMakePresets.json").read_text())["configurePresets"]
    visible = {p["name"] for p in presets if not p.get("hidden")}
    unused = visible - used_presets(root / "scripts")
    if unused:
        print(f"presets that no script uses: {', '.join(sorted(unused))}")
        return 1
    print(f"{len(visible)} presets, each used by a script")
    return 0


if __name__ == "__main__":
    sys.exit(main())
