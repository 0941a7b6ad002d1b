"""Holds README.md and docs/ to the program: commands run, names exist, fields and methods are documented."""

import os
import re
import shlex
import subprocess
import unittest

from program import PATIENCE, RAAK, ROOT, ProgramTest, raak

README = (ROOT / "README.md").read_text()
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
# What takes long, made short; all of it is the work of other tests.
SHORTER = {"raak check": "raak check pendulum", "raak check examples": "raak check examples/pendulum.toml",
           "raak bench andrews --rtol 1e-4:1e-12:2": "raak bench andrews --methods auto,svd --rtol 1e-4",
           "raak bench andrews-iftomm --drift 1e-5": "raak bench andrews-iftomm --drift 1e-5 --methods auto --rtol 1e-4",
           "raak bench andrews --as-printed --out bench": "raak bench andrews --as-printed --methods auto --rtol 1e-4 --out bench"}


def commands(text):
    """The lines of a page that are commands, without their comments."""
    return [line.split("  #")[0].strip() for line in text.splitlines() if re.match(r"    raak [a-z]+", line) and "[MODEL" not in line]


def fields(document):
    """The names of all fields of a document, but for those that are names of a model's own."""
    if isinstance(document, list):
        return set().union(*(fields(entry) for entry in document)) if document else set()
    if not isinstance(document, dict):
        return set()
    found = set(document)
    for name, value in document.items():
        if name not in ("outputs", "energy", "settings", "files", "reasons", "shape", "quadrature", "configuration"):
            found |= fields(value)
    return found


class Readme(ProgramTest):
    def test_every_command_runs(self):
        os.symlink(ROOT / "examples", self.scratch / "examples")
        (self.scratch / "arm.toml").write_text(README.split("```toml\n")[1].split("```")[0])
        lines = commands(README)
        self.assertGreater(len(lines), 15)
        for line in lines:
            with self.subTest(line):
                done = subprocess.run([RAAK, *shlex.split(SHORTER.get(line, line))[1:]], cwd=self.scratch, capture_output=True,
                                      text=True, timeout=PATIENCE)
                if "libhdf5" in done.stderr:
                    continue  # no HDF5 library here
                self.assertEqual(done.returncode, 0, done.stderr)

    def test_the_printed_run_is_that_of_the_program(self):
        command, *printed = README.split("```\n$ ")[1].split("\n```")[0].splitlines()
        printed = raak(*command.split()[1:]).stdout.splitlines()
        labels = [line[:14] for line in printed]
        for line in printed:
            numbers = re.findall(r"-?\d+\.\d{8,}", line)
            if line.strip() == "...":
                continue
            if not numbers:
                self.assertIn(line[:14], labels, line)
                continue
            [same] = [other for other in printed if other.split()[0] == line.split()[0]]
            for number, now in zip(numbers, re.findall(r"-?\d+\.\d+", same)):
                self.assertLess(abs(float(number) / float(now) - 1.0), 1e-6, line)

    def test_the_number_of_examples_is_right(self):
        count = int(re.search(r"raak check examples +# (\d+) mechanisms", README).group(1))
        self.assertEqual(count, len(list((ROOT / "examples").glob("*.toml"))))


class Pages(ProgramTest):
    def test_files_that_are_named_exist(self):
        names = {path.name for folder in ("src", "include", "cli", "tests", "benchmarks") for path in (ROOT / folder).rglob("*")}
        for page in PAGES:
            text = page.read_text()
            for link in re.findall(r"\]\(([^)#:]+)\)", text):
                self.assertTrue((page.parent / link).exists(), f"{page.name}: {link}")
            for name in re.findall(r"`(?:[\w/]*/)?(\w+\.(?:h|cpp|py))`", text):
                self.assertIn(name, names, page.name)

    def test_options_that_are_named_exist(self):
        known = raak("--help").stdout + "".join((ROOT / name).read_text() for name in ("dev", "tests/campaign/campaign.py", "tests/faults/faults.py"))
        for command in re.findall(r"^  ([a-z]+) ", raak("--help").stdout, re.M):
            known += raak(command, "--help").stdout
        for page in PAGES:
            for option in re.findall(r"`(?:raak [^`]*)?(--[a-z0-9]+)", page.read_text()) + re.findall(r"^    raak .*?(--[a-z0-9]+)", page.read_text(), re.M):
                self.assertIn(option, known, page.name)

    def test_every_key_of_a_model_file_is_documented(self):
        page = (ROOT / "docs/model-file.md").read_text()
        path = self.scratch / "m.toml"
        body = "[bodies.b]\nmass = 1.0\ninertia = 1.0\n"
        for wrong in ("", "[ground]\n", body, body + "[start]\n", body + "[runs.r]\n", body + "[references.r]\n", body + "[drivers.d]\n",
                      body + "[events.e]\n", body + "[constraints.c]\n"):
            path.write_text('format = "raak/1"\n' + wrong + "wrong = 1\n")
            keys = raak("assemble", str(path)).stderr.split("There are: ")[1].strip().split(", ")
            self.assertEqual([key for key in keys if not re.search(rf"`[^`|]*\b{key}\b[^`|]*`", page)], [], wrong)

    def test_every_method_is_documented(self):
        methods = (ROOT / "docs/methods.md").read_text()
        for method in self.json("list", "methods"):
            self.assertIn(f"`{method['name']}`", methods)
            self.assertIn(f"`{method['name']}`", README)

    def test_every_field_of_the_json_documents_is_documented_where_it_belongs(self):
        page = (ROOT / "docs/json.md").read_text()
        parts = dict(re.findall(r"^## (.*)\n((?:(?!## ).*\n)*)", page, re.M))
        failed = page.split("## ")[0]
        for part, *arguments in (
                ("`raak run`, and `run.json`", "run", "andrews-iftomm", "--out", str(self.scratch / "out")),
                ("`raak run`, and `run.json`", "run", str(ROOT / "examples/n-four-bar-1.toml")),
                ("`raak run`, and `run.json`", "run", str(ROOT / "examples/door.toml")),
                ("`raak run`, and `run.json`", "run", "pendulum", "--run", "printed", "--method", "svd"),
                ("`raak explain`", "explain", str(ROOT / "examples/flyball-governor.toml"), "--until", "0.2"),
                ("`raak assemble`", "assemble", str(ROOT / "examples/door.toml")), ("Lists", "check", "pendulum"),
                ("Lists", "bench", "pendulum", "--methods", "gauss", "--rtol", "1e-6"), ("Lists", "list"), ("The others", "man"),
                ("The others", "completion", "bash"), ("The others", "new", "chain", "--out", str(self.scratch / "c.toml")),
                ("The others", "convert", str(ROOT / "examples/door.toml"), "--out", str(self.scratch / "d.json")),
                ("`raak modes`, and `modes.json`", "modes", str(ROOT / "examples/flyball-governor.toml")),
                ("The others", "report", str(self.scratch / "out"))):
            documented = parts[part] + (parts["`raak run`, and `run.json`"] if part == "Lists" else "")
            for name in fields(self.json(*arguments)):
                self.assertIn(f"`{name}`", documented, arguments)
        for arguments, code in ((("run", "andrews", "--set", "xb=5"), 3), (("run", "nothing"), 2)):
            for name in set(self.json(*arguments, code=code)):
                self.assertIn(f"`{name}`", failed, arguments)

    def test_every_variable_of_the_environment_is_in_the_manual(self):
        sources = [path.read_text() for folder in ("src", "cli") for path in (ROOT / folder).rglob("*.[ch]*")]
        names = set(re.findall(r'getenv\("(\w+)"\)', "".join(sources)))
        self.assertIn("NO_COLOR", names)
        page = raak("man").stdout.split(".SH ENVIRONMENT")[1]
        self.assertEqual([name for name in sorted(names) if name not in page], [])

    def test_every_cause_of_trouble_is_documented(self):
        names = (ROOT / "src/run/diagnosis/diagnosis.cpp").read_text().split("cause_name(")[1].split("};")[0]
        causes = re.findall(r'"([a-z -]+)"', names)
        self.assertGreater(len(causes), 8)
        page = (ROOT / "docs/explain.md").read_text()
        for cause in causes:
            if cause != "none":
                self.assertIn(f"| `{cause}` |", page)


if __name__ == "__main__":
    unittest.main()
