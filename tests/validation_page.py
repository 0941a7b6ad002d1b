"""Writes docs/validation.md from what `raak check examples/validation --json` finds: python3 tests/validation_page.py."""

import json
import pathlib
import subprocess
import tempfile

from program import PATIENCE, RAAK, ROOT, raak

MODELS = ROOT / "examples/validation"
PAGE = ROOT / "docs/validation.md"

HEAD = """# Beside other programs and closed forms

{models} models whose results somebody else computed: {values} values, printed below as they were found, beside ours. The models are in `examples/validation`, each with its
references and where they come from. To repeat the comparison:

    raak check examples/validation

The difference is |ours - theirs| / max(1, |theirs|), and `tolerance` is what the check accepts. It says how far *their* value can be trusted: ADAMS' results are
stored with six digits and the integration errors of ADAMS, those of Dymola and Exudyn have the tolerance or the fixed step of these programs. Closed forms, and equations of
motion that were derived apart and integrated by SciPy or NumPy, agree to {closed}.

**Universal joint, cases 1 to 3 of ADAMS.** At t = 5 s ADAMS is itself off by 2e-3. Case 1 swings about one axis only, so that it is a plain physical pendulum, and an
integration of that one equation agrees with Raak to 12 digits (`pendulum-to-5s`).

`tests/validation_page.py` writes this page; `tests/validation_test.py` runs the models and compares the page with what it finds.
"""

GROUPS = (("ADAMS", "ADAMS"), ("Modelica", "Modelica's library (Dymola)"), ("Exudyn", "Exudyn"), ("", "Closed forms, and equations integrated apart"))


def checked(*arguments):
    """The rows of `raak check` over the models of the folder."""
    done = raak("check", str(MODELS), *arguments, "--json")
    if done.returncode not in (0, 4):
        raise SystemExit(done.stderr)
    return json.loads(done.stdout)


def outputs_of(path):
    """The formulas of the outputs of a model file, by name."""
    with tempfile.TemporaryDirectory() as scratch:
        made = pathlib.Path(scratch) / "model.json"
        subprocess.run([RAAK, "convert", path, "--out", str(made)], check=True, capture_output=True, timeout=PATIENCE)
        return json.loads(made.read_text()).get("outputs", {})


def group_of(row):
    return next(title for start, title in GROUPS if row["source"].startswith(start))


def link(row):
    path = pathlib.Path(row["model"])
    return f"[{path.stem}](../examples/validation/{path.name})"


def small(value):
    """A difference; what rounding leaves is not the same on every machine."""
    return "< 1e-12" if value < 1e-12 else f"{value:.0e}"


def lines_of(row, formulas):
    """One line of the table for each value of a row of the check."""
    for one in row["compared"]:
        formula = formulas.get(one["name"], "")
        quantity = f"`{one['name']}`" + (f" = `{formula}`" if formula and len(formula) <= 24 and formula != one["name"] else "")
        yield (f"| {link(row)} | {row['run']} | {quantity} | {one['reference']!r} | {round(one['value'], 12) + 0.0:.10g} | {small(one['difference'])} "
               f"| {row['tolerance']:.0e} |")


def summary(rows):
    text = "\n| model | source | runs | values | largest difference | tolerance |\n|---|---|---|---|---|---|\n"
    for model, source in dict.fromkeys((row["model"], row["source"]) for row in rows):
        mine = [row for row in rows if (row["model"], row["source"]) == (model, source)]
        text += (f"| {link(mine[0])} | {source} | {len(mine)} | {sum(len(row['compared']) for row in mine)} | {small(max(row['deviation'] for row in mine))} "
                 f"| {mine[0]['tolerance']:.0e} |\n")
    return text


def page(rows):
    formulas = {path: outputs_of(path) for path in {row["model"] for row in rows}}
    others = [row["deviation"] for row in rows if group_of(row) == GROUPS[-1][1]]
    text = HEAD.format(models=len(formulas), values=sum(len(row["compared"]) for row in rows), closed=f"{max(others):.0e} or better")
    text += summary(rows) + "\nEvery value:\n"
    for _, title in GROUPS:
        text += f"\n## {title}\n"
        mine = [row for row in rows if group_of(row) == title]
        for source in dict.fromkeys(row["source"] for row in mine):
            text += f"\n**{source[0].upper()}{source[1:]}**\n\n| model | run | quantity | theirs | ours | difference | tolerance |\n|---|---|---|---|---|---|---|\n"
            for row in mine:
                if row["source"] == source:
                    text += "\n".join(lines_of(row, formulas[row["model"]])) + "\n"
    return text


if __name__ == "__main__":
    PAGE.write_text(page(checked()))
