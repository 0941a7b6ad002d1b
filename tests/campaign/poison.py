"""Poisoned names: markup, terminal escapes, bidirectional controls, NUL and formulas of spreadsheets in every name, title and value of a model,
in its file name and on the command line. None of it may reach the terminal, run in a page, or begin a cell as a formula."""

import csv
import html.parser
import json
import os
import pathlib
import random
import subprocess
import tempfile

from answers import RAAK

MARK = "zqpoison"
POISONS = [
    f"<script>{MARK}()</script>", f"<img src=x onerror={MARK}()>", f"\"><svg onload={MARK}()>", f"' onmouseover='{MARK}()", f"</script><script>{MARK}()</script>",
    f"</title><b {MARK}=1>", f"--><i {MARK}=1>", f"]]><u {MARK}=1>", f"&lt;{MARK}&gt;&#x3c;b {MARK}&#x3e;", f"{{{{{MARK}}}}}`${{{MARK}}}`", f"<a href=\"javascript:{MARK}()\">x</a>",
    f"\x1b[31m{MARK}\x1b[0m", f"\x1b]0;{MARK}\x07", f"\x9b31m{MARK}", f"{MARK}\r{MARK}", f"{MARK}\b\b\b", f"{MARK}\x7f", f"\u202e{MARK}\u202c", f"\u2066{MARK}\u2069",
    f"{MARK}\u200f\u200e", f"{MARK}\u2028{MARK}\u2029", f"=HYPERLINK(\"{MARK}\")", f"+{MARK}", f"-{MARK}", f"@{MARK}", f"\t={MARK}", f"{MARK}\x00{MARK}", f"{MARK}\nraak: done",
    f"{MARK},\"{MARK}\"\n=1", f"../../{MARK}", f"{MARK}%s%n%p{{}}", "\U000e0041" + MARK, "\ufeff" + MARK,
]
MODEL = """format = "raak/1"
title = {title}
gravity = [0.0, -9.81]
[parameters]
{parameter} = 1.0
[ground.points]
O = [0.0, 0.0]
[bodies.{body}]
mass = 1.0
inertia = 0.1
points = {{ {point} = [0.0, 0.0], Q = [1.0, 0.0] }}
[joints]
{joint} = {{ type = {kind}, pins = ["ground.O", {pin}] }}
[forces]
{force} = {{ type = "torque", on = {on}, value = {formula} }}
[outputs]
{output} = {shown}
[events]
{event} = {{ when = {when}, action = "record" }}
[runs.{run}]
until = 0.1
title = {run_title}
[references.{reference}]
source = {source}
run = {of_run}
at = 0.1
scd = 1.0
values = {{ {value} = 1.0 }}
{extra}
"""
GOOD = {"title": '"A title"', "parameter": "L", "body": "arm", "point": "P", "joint": "hinge", "kind": '"revolute"', "pin": '"arm.P"', "force": "push", "on": '"arm"',
        "formula": '"L*t"', "output": '"reach"', "shown": '"arm.Q.x"', "event": "low", "when": '"arm.angle + 0.01"', "run": "default", "run_title": '"A run"',
        "reference": "book", "source": '"a book"', "of_run": '"default"', "value": '"arm.angle"', "extra": ""}
# Where the same name stands.
TOGETHER = {"run": ["of_run"], "body": [], "parameter": []}


def quoted(text):
    """As a string of TOML."""
    return '"' + "".join(f"\\u{ord(c):04x}" if ord(c) < 0x20 or ord(c) == 0x7f else "\\" + c if c in '"\\' else c for c in text) + '"'


def unsafe_in_terminal(text):
    """The first character that a terminal obeys or that turns the order of others around."""
    for c in text:
        o = ord(c)
        if (o < 0x20 and c not in "\n\t") or 0x7f <= o <= 0x9f or o in (0x200e, 0x200f, 0x061c, 0x2028, 0x2029, 0xfeff) or 0x202a <= o <= 0x202e or 0x2066 <= o <= 0x2069 or 0xe0000 <= o <= 0xe007f:
            return f"U+{o:04X}"
    return None


def may_act(name, value):
    """Whether a browser does more with an attribute than show it. A link to a place of the page itself leads nowhere else."""
    if name == "href" and value.startswith("#"):
        return False
    return name.startswith("on") or name in ("href", "src", "srcdoc", "style", "action", "formaction", "xlink:href") and not value.startswith("data:")


class Page(html.parser.HTMLParser):
    """What a page would run: tags, attributes and scripts with the mark in them."""

    def __init__(self):
        super().__init__()
        self.wrong = []
        self.inside = None

    def handle_starttag(self, tag, attributes):
        self.inside = tag
        for name, value in attributes:
            if MARK in name or MARK in (value or "") and may_act(name, value):
                self.wrong.append(f"<{tag} {name}={value!r}>")

    def handle_endtag(self, tag):
        self.inside = None

    def handle_data(self, data):
        if self.inside == "script":
            if data.lstrip().startswith(MARK):
                self.wrong.append(f"a script that begins with {data[:60]!r}")
        elif MARK in data and (bad := unsafe_in_terminal(data)):
            self.wrong.append(f"{bad} turns the order of what is shown: {data[:60]!r}")


def check_page(path):
    page = Page()
    page.feed(path.read_text(errors="replace"))
    return f"{path.name}: {page.wrong[0]}" if page.wrong else None


def check_table(path):
    """Of the names in the header none begins a formula."""
    with open(path, newline="", errors="replace") as file:
        header = next(csv.reader(file), [])
    for name in header:
        if name[:1] in ("=", "+", "-", "@", "\t", "\r"):
            return f"{path.name}: the column {name!r} begins a formula"
    return None


class Poison:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.scratch = tempfile.TemporaryDirectory(prefix="raak-names-")
        self.folder = pathlib.Path(self.scratch.name)

    def model(self):
        """A model with poison in one to three places, and which they are."""
        places = self.random.sample(sorted(GOOD), self.random.choice([1, 1, 2, 3]))
        words = dict(GOOD)
        for place in places:
            poison = self.random.choice(POISONS)
            words[place] = f"{quoted(poison)} = 1" if place == "extra" else quoted(poison)
            for other in TOGETHER.get(place, []):
                words[other] = quoted(poison)
        return MODEL.format(**words), places

    def commands(self, path, out):
        p = str(path)
        yield ["run", p, "--out", out]
        yield ["run", p, "--json"]
        yield ["report", out]
        yield ["assemble", p]
        yield ["check", p]
        yield ["explain", p]
        yield ["convert", p, "--out", "-"]
        yield ["bench", p, "--methods", "dop853", "--rtol", "1e-4:1e-5:1", "--out", out + "-bench"]
        poison = self.random.choice(POISONS).replace("\x00", "")
        yield self.random.choice([["run", p, "--set", poison + "=1"], ["run", p, "--method", poison], ["run", poison], ["run", p, "--run", poison], ["list", poison], [poison],
                                  ["run", p, "--at", poison], ["new", poison], ["run", p, "--" + poison], ["run", p, "--guess", poison + "=1"], ["explain", poison]])

    def trial(self):
        text, places = self.model()
        name = self.random.choice(POISONS).replace("\x00", "").replace("/", "_")[:80] if self.random.random() < 0.3 else "model"
        path = self.folder / f"{name}.toml"
        path.write_text(text)
        out = self.folder / "out"
        wrong = None
        for arguments in self.commands(path, str(out)):
            done = subprocess.run([RAAK, *arguments], capture_output=True, timeout=600)
            if wrong := self.judge(done, "--json" in arguments or arguments[:1] == ["convert"]):
                wrong = f"raak {arguments[0]}: {wrong}"
                break
        for page in [*self.folder.glob("out*/*.html")]:
            wrong = wrong or check_page(page)
        for table in [*self.folder.glob("out*/*.csv")]:
            wrong = wrong or check_table(table)
        subprocess.run(["rm", "-rf", str(out), str(out) + "-bench", str(path)])
        return {"what": wrong, "places": places, "file": name, "model": text, "command": list(map(str, arguments))} if wrong else None

    @staticmethod
    def judge(done, document):
        if done.returncode < 0 or done.returncode == 70:
            return f"ends with {done.returncode}: {done.stderr[-300:]!r}"
        for stream in (done.stdout, done.stderr):
            shown = stream.decode("utf-8", errors="surrogateescape")
            if document and stream is done.stdout:
                shown = "".join(c for c in shown if ord(c) < 0x20)  # a document is for programs, and must not harm where it is shown
            if bad := unsafe_in_terminal(shown):
                return f"{bad} reaches the terminal"
        if document and done.returncode == 0:
            try:
                json.loads(done.stdout)
            except ValueError as error:
                return f"no JSON: {error}"
        return None


def poison(count, seed, stop=lambda: False):
    """(how many models, findings)"""
    trials = Poison(seed)
    findings = []
    for i in range(count):
        if stop():
            return i, findings
        if wrong := trials.trial():
            findings.append({"kind": "name", "seed": seed, "number": i, **wrong})
    return count, findings
