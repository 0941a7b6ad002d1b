"""Titles, names, values and file names that a terminal, a browser or a spreadsheet would obey are shown instead."""

import csv
import json
import os
import pathlib
import re
import tempfile
import unittest
import xml.etree.ElementTree

from program import RAAK, ROOT, ProgramTest, raak
from terminal_test import without_colours, written_to_terminal

# Colours, the title of the window, a line that goes backwards, a forged line, markup, a formula, a NUL.
POISON = '=1+1\x1b[31m\x1b]0;owned\x07\x9b5m\u202eexe.\u2066\u200bx<script>window.poisoned=1</script><img src=x onerror="window.poisoned=1">\'&'
TITLE = POISON.replace('"', '\\"') + "\\u0000\\nraak: forged\\tline"
IN_TOML = "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in TITLE)
# Sent by raak itself: colours, and what erases a line of progress.
OWN = re.compile(r"\x1b\[(1|2|0|1;31)m|\r\x1b\[K")
OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]")

MODEL = f"""format = "raak/1"
title = "{IN_TOML}"
gravity = [0.0, -9.81]
[ground.points]
O = [0.0, 0.0]
[bodies.bob]
mass = 1.0
inertia = 0.1
com = [0.5, 0.0]
points = {{ O = [0.0, 0.0] }}
[joints]
pivot = {{ type = "revolute", pins = ["ground.O", "bob.O"] }}
[outputs]
"<b>x&y" = "bob.angle"
[runs.default]
title = "{IN_TOML}"
until = 0.1
"""


class Poisoned(ProgramTest):
    def setUp(self):
        super().setUp()
        self.model = self.scratch / (POISON.replace("/", "") + "\n.toml")
        self.model.write_text(MODEL)

    def shown(self, *arguments, code=0):
        """What the command writes to a terminal and to a pipe has nothing to obey."""
        text, left = written_to_terminal(*map(str, arguments), columns=200)
        self.assertEqual(left, code, text)
        self.assertEqual(OBEYED.findall(OWN.sub("", text).replace("\n", "")), [], repr(text))
        self.assertNotRegex(without_colours(text), r"(?m)^raak: forged", "a line of somebody else")
        done = raak(*map(str, arguments))
        self.assertEqual(OBEYED.findall(done.stderr.replace("\n", "")), [], repr(done.stderr))
        self.assertNotRegex(done.stdout + done.stderr, r"(?m)^raak: forged")
        return text

    def test_every_command_shows_them_on_a_terminal(self):
        for command in ("run", "assemble", "explain"):
            with self.subTest(command):
                self.assertIn("\\x1b[31m", self.shown(command, self.model))
        with self.subTest("check"):
            self.shown("check", self.model, code=2)
        with self.subTest("check of a folder"):
            (self.scratch / "top\x1b[31m.toml").write_text((ROOT / "examples/heavy-top.toml").read_text())
            self.model.unlink()
            self.shown("check", self.scratch)

    def test_bench_shows_them(self):
        self.shown("bench", self.model, "--methods", "gauss", "--rtol", "1e-4", "--out", self.scratch / "bench")

    def test_results_and_what_is_made_of_them_show_them(self):
        out = self.scratch / ("out" + POISON.replace("/", ""))
        self.shown("run", self.model, "--out", out, "--plot", "q")
        self.shown("report", out)
        self.shown("convert", out, "--out", self.scratch / "\x1b[31m.csv")
        document = json.loads((out / "run.json").read_text())
        self.assertIn("\x1b", document["title"], "data is what it is")
        for change in ({"model": "\x1b[31m" + POISON}, {"command": POISON}, {"program": POISON}):
            (out / "run.json").write_text(json.dumps({**document, **change}))
            with self.subTest(change=list(change)):
                self.shown("report", out, code=2)

    def test_errors_that_quote_them_show_them(self):
        for text in (f"{POISON} = 1\n", f'format = "{TITLE}"\n'.replace("\\u0000", "").replace("\x1b", "\\u001b").replace("\x07", ""),
                     'format = "raak/1"\n[bodies."\\u001b[31m\\u202e"]\nmass = 1\n', 'format = "raak/1"\ninclude = "\\u001b[31m\\n"\n',
                     'format = "raak/1"\n[parameters]\na = "\\u001b[31m"\n', 'format = "raak/1"\n"\\u001b[31m\\u202e" = 1\n',
                     'format = "raak/1"\n[references."\\u001b[31m"]\nvalues = { "\\u001b" = 1 }\n', "a\x1b[31m"):
            self.model.write_text(text)
            for command in ("run", "check", "convert"):
                with self.subTest(text=text, command=command):
                    if raak(command, str(self.model), *(["--out", "-"] * (command == "convert"))).returncode == 0:
                        continue  # a file of another kind may be converted all the same
                    self.shown(command, self.model, *(["--out", "-"] * (command == "convert")), code=1)

    def test_words_of_the_command_line_are_shown(self):
        word = POISON + "\n"
        for arguments in ([word], ["run", word], ["run", "andrews", word], ["run", "andrews", "--method", word], ["run", "andrews", "--set", word],
                          ["run", "andrews", "--set", f"{word}=1"], ["run", "andrews", "--rtol", word], ["list", word], ["new", word],
                          ["report", word], ["convert", word], ["run", "andrews", f"--{word}"], ["run", "andrews", "--plot", word],
                          ["check", word], ["help", word], ["completion", word]):
            with self.subTest(arguments):
                self.shown(*arguments, code=2)

    def test_documents_escape_what_a_terminal_obeys_and_read_back(self):
        done = raak("run", str(self.model), "--json")
        self.assertEqual(OBEYED.findall(done.stdout.replace("\n", "")), [])
        self.assertIn("\u202e", json.loads(done.stdout)["title"])
        self.assertIn("\x00\nraak: forged", json.loads(done.stdout)["title"])
        text = raak("convert", str(self.model), "--out", "-").stdout
        self.assertEqual(OBEYED.findall(text.replace("\n", "")), [])
        (self.scratch / "m.json").write_text(text)
        again = raak("convert", str(self.scratch / "m.json"), "--out", "-").stdout
        self.assertEqual(OBEYED.findall(again.replace("\n", "")), [])
        self.assertEqual(json.loads(text)["title"], json.loads(done.stdout)["title"])

    def test_no_cell_of_a_table_is_a_formula(self):
        bench = self.scratch / "bench"
        self.assertEqual(raak("bench", str(self.model), "--methods", "gauss,bdf", "--rtol", "1e-4", "--out", str(bench)).returncode, 0)
        os.chdir(self.scratch)
        self.addCleanup(os.chdir, ROOT)
        raak("bench", self.model.name, "--methods", "gauss", "--rtol", "1e-4", "--out", "other")
        for table in [*bench.glob("*.csv"), *pathlib.Path("other").glob("*.csv")]:
            for row in csv.reader(table.read_text().splitlines()):
                for cell in row:
                    self.assertFalse(cell.startswith(("=", "+", "@")) or re.match("-(?![0-9])", cell), (table, cell))

    def test_files_of_a_bench_stay_in_its_folder_and_are_well_formed(self):
        bench = self.scratch / "bench"
        before = set(self.scratch.iterdir())
        self.assertEqual(raak("bench", str(self.model), "--methods", "gauss", "--rtol", "1e-4", "--out", str(bench)).returncode, 0)
        self.assertEqual(set(self.scratch.iterdir()) - before, {bench}, "nothing beside the model")
        pictures = list(bench.glob("*.svg"))
        self.assertEqual(len(pictures), 2)
        for picture in pictures:
            xml.etree.ElementTree.parse(picture)
            self.assertRegex(picture.name, r"\A[A-Za-z0-9_.-]+\Z")

    def test_plots_are_well_formed(self):
        out = self.scratch / "out"
        self.assertEqual(raak("run", str(self.model), "--plot", "<b>x&y,q", "--out", str(out)).returncode, 0)
        pictures = list(out.glob("*.svg"))
        self.assertTrue(pictures)
        for picture in pictures:
            xml.etree.ElementTree.parse(picture)


if __name__ == "__main__":
    unittest.main()
