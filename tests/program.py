"""The program under test, and what its tests share."""

import csv
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[1]
RAAK = os.environ.get("RAAK", str(ROOT / "build/release/raak"))

FILES = ["report.html", "result.csv", "result.npz", "run.json"]


def rows_of(path):
    """The rows of a table of results by column, comments left out."""
    with open(path) as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def raak(*arguments):
    return subprocess.run([RAAK, *arguments], capture_output=True, text=True, timeout=120)


class ProgramTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="raak-cli-")
        self.addCleanup(scratch.cleanup)
        self.scratch = pathlib.Path(scratch.name)

    def refused(self, *arguments, code=2, says=()):
        """The command fails with this code, says these words on one line of standard error, and nothing else."""
        done = raak(*arguments)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertRegex(done.stderr, r"\Araak: [^\n]+\n\Z")
        for words in says:
            self.assertIn(words, done.stderr)
        for jargon in ("std::", "terminate", "Eigen", "[with"):
            self.assertNotIn(jargon, done.stderr)
        self.assertNotRegex(done.stderr, r"\b0x[0-9a-f]{4}", "an address")  # not the name of a scratch folder
        return done.stderr

    def json(self, *arguments, code=0):
        """The command prints one JSON document and nothing else."""
        done = raak(*arguments, "--json")
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        self.assertEqual(done.stderr, "")
        return json.loads(done.stdout, parse_constant=self.fail)
