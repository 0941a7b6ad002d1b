"""What the program prints, word for word: the commands of tests/transcripts/*.txt with the answers that were looked at and found right.

A transcript is a list of blocks:

    @ planar.toml             the model file model.toml is that of tests/transcripts/models ..
    - mass = 2.0              .. with this text ..
    + mass = -1.0             .. replaced by this one (several such pairs may follow; none after + takes it away)
    $ raak assemble model.toml
    the standard output, then
    ! the standard error
    = 1                       the exit code, where it is not 0
    $ cat FILE                what a file has that an earlier command wrote; of a page, the data in it, line by line

Words have to be the same. Numbers have to agree to 1e-6, and what is below 1e-6 counts as rounding; figures of time and of the work of a method are not
compared. After a change of the words: python3 tests/transcripts_test.py --write, and look at the difference that git shows.
"""

import base64
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import unittest

from program import PATIENCE, RAAK, ROOT

FOLDER = ROOT / "tests/transcripts"
NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?![\w])")
# Of another machine, another time or another choice of steps.
HDF5 = "the same columns with their units"
VOLATILE = re.compile(r'^  (?:CPU time|work|steps) |^ +"(?:steps|accepted|rejected|evaluations|jacobians|factorizations|cpu_seconds|preparation_seconds|recording_seconds|'
                      r'cpu_us|cpu_us_min|program|bytes|crc)":|^ +"(?:h|shortest_step)": |^  (?:fastest|violation|digits) |^ +worst  ')
ROUNDING = 1e-6


class Block:
    def __init__(self, model, changes, command):
        self.model, self.changes, self.command, self.answer = model, changes, command, []

    def head(self):
        lines = [f"@ {self.model}"] if self.model else []
        for old, new in self.changes:
            lines += [f"- {line}" for line in old.split("\n")] + [f"+ {line}".rstrip() for line in new.split("\n")]
        return [*lines, f"$ {self.command}"]


def read(path):
    blocks, comments, model, changes, old, new = [], [], None, [], [], []

    def finish_change():
        if old:
            changes.append(("\n".join(old), "\n".join(new)))
        old.clear()
        new.clear()

    for line in path.read_text().splitlines():
        if line.startswith("@ "):
            model = line[2:]
        elif line.startswith("- "):
            if new:
                finish_change()
            old.append(line[2:])
        elif line == "+" or line.startswith("+ "):
            new.append(line[2:])
        elif line.startswith("$ "):
            finish_change()
            blocks.append(Block(model, list(changes), line[2:]))
            model, changes = None, []
        elif blocks:
            blocks[-1].answer.append(line)
        else:
            comments.append(line)
    return comments, blocks


def data_of(page):
    """What a page says of the model, and the points of its frames; the rest is in the documents, or depends on rounding."""
    data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)[1])
    about = {key: value for key, value in data["about"].items() if key not in ("bands", "model_text")}
    times, points = (list(memoryview(base64.b64decode(data["frames"][name])).cast(form)) for name, form in (("t", "d"), ("points", "f")))
    return json.dumps({**about, "t": times, "points": points}, indent=1)


def text_of(path):
    text = path.read_text()
    if path.suffix == ".html":
        return data_of(text)
    return text.replace(",", ", ") if path.suffix == ".csv" else text  # so that numbers stand alone


def answer(block, folder):
    if block.model:
        text = (FOLDER / "models" / block.model).read_text()
        for old, new in block.changes:
            if text.count(old) != 1:
                raise AssertionError(f"{block.model} has {text.count(old)} times: {old}")
            text = text.replace(old, new)
        (folder / "model.toml").write_text(text)
    words = shlex.split(block.command)
    if words[0] == "cat":
        return [line.rstrip() for line in text_of(folder / words[1]).splitlines()]
    environment = {**os.environ, "COLUMNS": "100", "NO_COLOR": "1"}
    done = subprocess.run([RAAK, *words[1:]], cwd=folder, capture_output=True, text=True, timeout=PATIENCE, env=environment)
    lines = done.stdout.splitlines() + ["! " + line for line in done.stderr.splitlines()]
    return [line.rstrip() for line in lines] + ([f"= {done.returncode}"] if done.returncode else [])


def same_number(one, other, rounding):
    a, b = float(one), float(other)
    return abs(a - b) <= 1e-6 * max(abs(a), abs(b)) or max(abs(a), abs(b)) < rounding


def same(one, other):
    """Whether two lines say the same."""
    if one == other or (VOLATILE.match(one) and VOLATILE.match(other)):
        return True
    if HDF5 in one and HDF5 in other:  # the rest depends on whether its library is installed
        return True
    if len(one) - len(one.lstrip()) != len(other) - len(other.lstrip()):
        return False
    words = [re.sub(r"\s+", " ", NUMBER.sub("#", line)).strip() for line in (one, other)]
    numbers = [NUMBER.findall(line) for line in (one, other)]
    rounding = 0.0 if "tol" in one else ROUNDING  # a tolerance is small and means it
    return words[0] == words[1] and all(same_number(a, b, rounding) for a, b in zip(*numbers))


def scratch():
    folder = tempfile.TemporaryDirectory(prefix="raak-transcripts-")
    os.symlink(ROOT / "examples", pathlib.Path(folder.name) / "examples")
    return folder


class Transcripts(unittest.TestCase):
    """One test a file, added below."""

    def compare(self, path):
        with scratch() as folder:
            for block in read(path)[1]:
                with self.subTest(path.name, command=" | ".join(block.head())):
                    found = answer(block, pathlib.Path(folder))
                    wanted = block.answer[:]
                    while wanted and not wanted[-1]:
                        wanted.pop()
                    while found and not found[-1]:
                        found.pop()
                    differing = [f"was: {a}\nis:  {b}" for a, b in zip(wanted, found) if not same(a, b)]
                    self.assertEqual(differing, [])
                    self.assertEqual(len(found), len(wanted), "\n".join(found))


for _path in sorted(FOLDER.glob("*.txt")):
    setattr(Transcripts, f"test_{_path.stem.replace('-', '_')}_are_as_they_were", lambda self, path=_path: self.compare(path))


def write():
    for path in sorted(FOLDER.glob("*.txt")):
        comments, blocks = read(path)
        lines = comments
        with scratch() as folder:
            for block in blocks:
                old = [line for line in block.answer]
                while old and not old[-1]:
                    old.pop()
                found = answer(block, pathlib.Path(folder))
                while found and not found[-1]:
                    found.pop()
                keeps = len(old) == len(found) and all(same(a, b) for a, b in zip(old, found))
                lines += [*block.head(), *(old if keeps else found), ""]
        path.write_text("\n".join(lines).rstrip("\n") + "\n")


if __name__ == "__main__":
    if "--write" in sys.argv:
        write()
    else:
        unittest.main()
