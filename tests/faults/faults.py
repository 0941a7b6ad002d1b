"""Do the tests notice? ./dev faults [COUNT] [SEED] plants faults at random, runs the tests and lists the faults that survive.

Writes faults.json and faults.md into build/faults. The copy of the sources there is thrown away by the next call; ./dev faults --again
keeps it, takes the tests as they are now, and judges the faults that had not been noticed.
"""

import argparse
import json
import math
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from judge import explore, judge, units_of  # noqa: E402
from plant import Fault, plant, write_planted  # noqa: E402
from sites import Site  # noqa: E402


def quietly(words, folder):
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stdout[-4000:] + done.stderr[-4000:])


def known_files(root):
    """The files that git knows or would take, as they are in the working tree."""
    listing = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=root, capture_output=True, text=True, check=True)
    return [name for name in listing.stdout.splitlines() if (root / name).is_file()]


def copy_changed(root, to, names):
    for name in names:
        if not (to / name).is_file() or (to / name).read_bytes() != (root / name).read_bytes():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(root / name, to / name)


def copy_of_sources(root, to):
    shutil.rmtree(to, ignore_errors=True)
    copy_changed(root, to, known_files(root))


def belongs_to_tests(name):
    return name.startswith(("tests/", "web/test/", "examples/", "docs/")) or re.search(r"_test\.cpp$|/test_\w+\.h$", name) is not None


def configure(source):
    """Configures build/release there, and writes the commands that clang can read beside it."""
    quietly(["cmake", "--preset", "release"], source)
    commands = (source / "build/release/compile_commands.json").read_text()
    folder = source / "build/lint"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "compile_commands.json").write_text(re.sub(r" -(Winvalid-pch|fpch-preprocess|include [^ ]*cmake_pch\.hxx)", "", commands))
    return folder


def refused_by(errors, fault, source):
    """Whether GCC found something wrong in the lines of the fault."""
    lines = re.findall(rf"{re.escape(str(fault.path.relative_to(source)))}:(\d+):\d+: error", errors)
    return any(fault.site.line <= int(line) <= fault.site.line + fault.site.before.count("\n") for line in lines)


def build(root, source, jobs, faults):
    """Builds all. Faults that GCC refuses, though clang took them, are taken out."""
    while True:
        done = subprocess.run(["ninja", "-C", "build/release", "-k", "0", "-j", str(jobs)], cwd=source, capture_output=True, text=True)
        if done.returncode == 0:
            return faults
        refused = [fault for fault in faults if refused_by(done.stdout, fault, source)]
        if not refused:
            sys.exit(done.stdout[-6000:])
        faults = [fault for fault in faults if fault not in refused]
        for path in {fault.path for fault in refused}:
            write_planted(path, (root / path.relative_to(source)).read_bytes(), [fault for fault in faults if fault.path == path])
        print(f"GCC refuses {len(refused)} faults: {len(faults)} are left", flush=True)


def page(rows):
    noticed = sum(row["noticed"] is not None for row in rows)
    lines = ["# Planted faults", "", f"{noticed} of {len(rows)} noticed.", "", "| fault | place | kind | was | became | not noticed by |", "|---|---|---|---|---|---|"]
    for row in rows:
        if row["noticed"] is None:
            cells = [str(row["fault"]), f"{row['file']}:{row['line']}", row["operator"], f"`{row['before'][:80]}`", f"`{row['after'][:80]}`",
                     f"{row['asked']} of {row['reached_by']} tests"]
            lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(lines) + "\n"


def write(folder, rows):
    (folder / "faults.json").write_text(json.dumps(rows, indent=1))
    (folder / "faults.md").write_text(page(rows))


def planted(root, folder, choice):
    """A new copy with faults in it: a row for each."""
    source = folder / "source"
    copy_of_sources(root, source)
    faults = plant(source, configure(source), choice.count, choice.seed, choice.jobs)
    faults = build(root, source, choice.jobs, faults)
    return [{**fault.row(), "file": str(fault.path.relative_to(source)), "noticed": None, "reached_by": 0, "asked": 0} for fault in faults]


def planted_before(root, folder, choice):
    """The rows of the last call; tests that have changed since are built."""
    source = folder / "source"
    copy_changed(root, source, [name for name in known_files(root) if belongs_to_tests(name)])
    quietly(["cmake", "--preset", "release"], source)
    build(root, source, choice.jobs, [])
    return json.loads((folder / "faults.json").read_text())


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", nargs="?", type=int, default=100)
    parser.add_argument("seed", nargs="?", type=int, default=1)
    parser.add_argument("--again", action="store_true", help="judge those of the last call that were not noticed")
    parser.add_argument("--tests", default="", metavar="REGEX", help="only the tests whose names match")
    parser.add_argument("--patience", type=float, default=math.inf, metavar="SECONDS", help="for the tests of one fault [no limit]")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    choice = parser.parse_args()
    root = Path(__file__).resolve().parents[2]
    folder = root / "build/faults"
    rows = (planted_before if choice.again else planted)(root, folder, choice)
    write(folder, rows)
    units = [unit for unit in units_of(folder / "source/build/release") if re.search(choice.tests, unit.name)]
    explore(units, choice.jobs)
    for unit in units:
        if not unit.passes:
            print(f"fails without a fault, and is left out: {unit.name}")
    open_rows = {row["fault"]: row for row in rows if row["noticed"] is None}
    faults = [Fault(folder / "source" / row["file"], Site(row["operator"], 0, 0, "", row["line"], row["before"], row["after"]), row["fault"])
              for row in open_rows.values()]
    for number, verdict in judge(folder / "source", faults, units, choice.jobs, choice.patience):
        open_rows[number].update(verdict)
        write(folder, rows)
    seen = sum(row["noticed"] is not None for row in rows)
    print(f"{seen} of {len(rows)} faults noticed; the others: {folder / 'faults.md'}")


if __name__ == "__main__":
    main()
