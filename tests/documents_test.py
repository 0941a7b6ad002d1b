"""Holds the table of docs/problems.md to the program: every command prints what stands beside it."""

import functools
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

from program import PATIENCE, RAAK, ROOT

HEADING = "## What the documents print, what Raak prints"
COLUMNS = ["document, place", "the document prints", "Raak prints", "command"]
NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"


def table():
    """The rows under the heading, each a list of cells; `\\|` in a cell is a bar."""
    part = (ROOT / "docs/problems.md").read_text().split(HEADING + "\n")[1].split("\n## ")[0]
    lines = [line for line in part.splitlines() if line.startswith("|")]
    rows = [[cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]
    return rows[0], rows[2:]


def quoted(cell):
    return re.findall(r"`([^`]+)`", cell)


def last_digit(number):
    """One unit of the last digit of a number as it is written; 0 of a whole number, which must be met exactly."""
    mantissa, _, exponent = number.lower().partition("e")
    if "." not in mantissa and not exponent:
        return 0.0
    return 10.0 ** (int(exponent or 0) - len(mantissa.partition(".")[2]))


def agrees(wanted, bound, found):
    if bound == "<":
        return float(found) < float(wanted)
    if bound == ">":
        return float(found) > float(wanted)
    # A little more than a unit, for what binary fractions add.
    return abs(float(found) - float(wanted)) <= 1.000001 * last_digit(wanted)


def prints(text, fragment):
    """Whether the text holds the fragment: words as they are, numbers within one unit of the last digit the fragment
    gives, <X and >X a number below and above X, ... anything within a line, a space any white space."""
    pattern, wanted = "", []
    for words, bound, number in re.findall(rf"(.*?)(?:([<>]?)(?<![\w.])({NUMBER})(?![\w.]*\w)|$)", fragment):
        pattern += r"\s+".join(".*?".join(re.escape(part) for part in word.split("...")) for word in re.split(r"\s+", words))
        if number:
            pattern += rf"(?<![\w.])({NUMBER})(?!\w)"
            wanted.append((number, bound))
    # Each place where it may begin is tried: words may occur several times.
    for match in re.finditer(f"(?={pattern})", text):
        if all(agrees(number, bound, found) for (number, bound), found in zip(wanted, match.groups())):
            return True
    return False


class Documents(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory(prefix="raak-documents-")
        cls.addClassCleanup(scratch.cleanup)
        folder = pathlib.Path(scratch.name)
        os.symlink(ROOT / "examples", folder / "examples")
        (folder / "bin").mkdir()
        os.symlink(RAAK, folder / "bin/raak")
        environment = dict(os.environ, PATH=f"{folder / 'bin'}:{os.environ['PATH']}")

        @functools.lru_cache(maxsize=None)
        def run(command):
            return subprocess.run(["bash", "-o", "pipefail", "-c", command], cwd=folder, env=environment, text=True,
                                  capture_output=True, timeout=PATIENCE)

        cls.run_command = staticmethod(run)

    def test_every_command_prints_what_stands_beside_it(self):
        heads, rows = table()
        self.assertEqual(heads, COLUMNS)
        self.assertGreater(len(rows), 5)
        for row in rows:
            with self.subTest(" | ".join(row)):
                self.assertEqual(len(row), len(COLUMNS))
                place, _, printed, cell = row
                self.assertTrue(place)
                self.assertEqual(len(quoted(cell)), 1, "one command in backquotes")
                self.assertTrue(quoted(printed), "at least one piece of output in backquotes")
                code = re.search(r"exit code (\d+)", cell)
                done = self.run_command(quoted(cell)[0])
                self.assertEqual(done.returncode, int(code.group(1)) if code else 0, done.stdout + done.stderr)
                for fragment in quoted(printed):
                    self.assertTrue(prints(done.stdout + done.stderr, fragment), f"{fragment}\n{done.stdout}{done.stderr}")


class Comparison(unittest.TestCase):
    TEXT = "  steps    39 (0 rejected)\n  beta   15.81077119515   1139.92\n  beta   2.5\n  drift -1.3e-12 J\n"

    def test_of_the_digits_that_are_written(self):
        for fragment in ("beta 15.81077119515", "beta 15.8108", "beta 15.81077 1139.9", "beta ... 1139.92", "beta 2.5", "39 (0 rejected)",
                         "drift -1.3e-12 J", "drift -1e-12", "drift <1e-5", "beta >15"):
            self.assertTrue(prints(self.TEXT, fragment), fragment)
        for fragment in ("beta 15.81077119517", "beta 15.8105", "beta 15.81077 1139.5", "beta ... 1139.94", "beta 2.7", "38 (0 rejected)",
                         "drift -1.5e-12 J", "drift -1.2e-13", "drift <-1e-5", "beta >16", "gamma 15.8", "39 (0 accepted)", "beta 5.81077119515"):
            self.assertFalse(prints(self.TEXT, fragment), fragment)

    def test_of_names_that_hold_digits(self):
        self.assertTrue(prints("q1 0.25\nq2 0.50", "q2 0.5"))
        self.assertFalse(prints("q1 0.25\nq2 0.50", "q1 0.5"))


if __name__ == "__main__":
    unittest.main()
