"""Proves that every CMake preset is really used: each visible preset must be built by a script."""

import json
import pathlib
import re
import sys


def used_presets(scripts: pathlib.Path) -> set:
    text = "\n".join(p.read_text() for p in scripts.iterdir() if p.is_file())
    return set(re.findall(r"(?:scripts/build|run_preset) +([a-z0-9-]+)", text))


def main() -> int:
    root = pathlib.Path(sys.argv[1])
    presets = json.loads((root / "CMakePresets.json").read_text())["configurePresets"]
    visible = {p["name"] for p in presets if not p.get("hidden")}
    unused = visible - used_presets(root / "scripts")
    if unused:
        print(f"presets that no script builds: {', '.join(sorted(unused))}")
        return 1
    print(f"{len(visible)} presets, each built by a script")
    return 0


if __name__ == "__main__":
    sys.exit(main())
