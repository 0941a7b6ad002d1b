"""Checks the architecture: each folder of src includes only from the folders below it, and cli alone knows CLI11."""

import pathlib
import re
import sys

BELOW = {
    "base": [],
    "system": ["base"],
    "kinematics": ["base", "system"],
    "methods": ["base", "system", "kinematics"],
    "problems": ["base", "system", "kinematics"],
    "mechanism": ["base", "system", "kinematics"],
    "run": ["base", "system", "kinematics", "methods"],
    "modelfile": ["base", "system", "kinematics", "methods", "mechanism", "run"],
    "output": ["base", "system", "kinematics", "methods", "run"],
    "study": ["base", "system", "kinematics", "methods", "problems", "mechanism", "run", "modelfile", "output"],
    "api": ["base", "system", "kinematics", "methods", "problems", "mechanism", "run", "modelfile", "output", "study"],
}
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)
CLI11 = re.compile(r"^\s*#\s*include\s*<CLI/", re.MULTILINE)


def violations(root):
    for file in sorted((root / "src").rglob("*")):
        if file.suffix not in (".h", ".cpp"):
            continue
        relative = file.relative_to(root)
        folder = relative.parts[1]
        if folder not in BELOW:
            yield f"{relative}: folder \"{folder}\" has no place in the architecture yet (tests/check_includes.py)"
            continue
        for name in INCLUDE.findall(file.read_text()):
            target = name.split("/")[0]
            if target == "oracle" and file.name.endswith("_test.cpp"):
                continue
            if target != folder and target not in BELOW[folder]:
                allowed = ", ".join([folder] + BELOW[folder])
                yield f"{relative}: includes \"{name}\"; {folder} may include from: {allowed}"
    users = [file for part in ("src", "cli") for file in sorted((root / part).rglob("*.[ch]*")) if CLI11.search(file.read_text())]
    for file in users:
        if file not in (root / "cli/request/command_line.cpp", root / "cli/request/declare_option.h"):
            yield f"{file.relative_to(root)}: includes CLI11, which belongs to cli/request/command_line.cpp and cli/request/declare_option.h alone"


def main():
    found = list(violations(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()))
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
