"""The inputs that the fuzzing begins with, made of the examples, the templates, the manual and the results of a short run."""

import json
import pathlib
import re
import subprocess
import tempfile
import zipfile

LONGEST = 3000  # bytes of a model: longer ones slow the fuzzer down


def models(root):
    for path in sorted([*(root / "examples").glob("*.toml"), *(root / "src/modelfile/templates").glob("*.toml")]):
        text = path.read_text()
        # Comments are most of some files.
        text = "\n".join(line for line in re.sub(r"(?m)^\s*#.*$|\s+# [^\"']*$", "", text).split("\n") if line.strip()) + "\n"
        for name in re.findall(r'(?m)^(?:include|.*\bfile) = "([^"]+)"', text):
            other = path.parent / name
            if other.exists():
                text += f"#= {name}\n" + "\n".join(other.read_text().split("\n")[:20]) + "\n"
        yield path.stem, text


def formulas(root):
    texts = set()
    for _, model in models(root):
        texts.update(re.findall(r'"([^"\n]*[-+*/^()][^"\n]*)"', model))
    known = ["1", "-2^-3^2", "sin(t)", "1.5e-3*a.b.c", "min(1, max(x, -y))", "atan2(y, x)/2", "pow(x, 3)", "(((1)))", "small-end.force.x - 1"]
    return sorted(texts | set(known))


def commands(root):
    lines = set()
    for page in [root / "README.md", *(root / "docs").glob("*.md"), *(root / "cli").rglob("*.cpp")]:
        lines.update(re.findall(r"\braak ((?:list|run|check|bench|assemble|report|convert|explain|new|completion|man|help)\b[^\n`|\"<>#;]*)", page.read_text()))
    return sorted(lines)


def results(raak):
    """Parts as fuzz/results.cpp reads them, whole archives and arrays; nothing where the program is not built."""
    if not raak.exists():
        return
    for name, arguments in {"pendulum": ["pendulum", "--every", "0.5"], "car": ["car-axis", "--until", "0.01", "--frames", "3"]}.items():
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([raak, "run", *arguments, "--quiet", "--out", folder], check=True, capture_output=True)
            document = json.loads((pathlib.Path(folder) / "run.json").read_text())
            document.pop("files", None)
            archive = zipfile.ZipFile(pathlib.Path(folder) / "result.npz")
            about = json.loads(archive.read("report.json"))
            about.pop("model_text", None)
            about["columns"] = about["columns"][:3]
            about["parameters"] = about.get("parameters", [])[:2]
            frames = bytes(range(3 * 4))
            parts = [json.dumps(document), json.dumps(about)]
            numbers = [frames, bytes(20), b"", bytes(4), bytes(2)]
            yield name, b"P" + b"\n--\n".join([*(part.encode() for part in parts), *numbers])
            yield name + "-npy", b"N" + archive.read("t.npy")
            small = pathlib.Path(folder) / "small.npz"
            with zipfile.ZipFile(small, "w") as other:
                for entry in ("report.json", "t.npy", "frames.npy", "frames.points.npy", "steps.npy"):
                    other.writestr(entry, json.dumps(about) if entry == "report.json" else archive.read(entry)[:400])
            yield name + "-npz", b"Z" + small.read_bytes()


def write(root, out):
    def keep(target, name, content):
        folder = out / target
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())

    raak = root / "build/release/raak"
    for name, text in models(root):
        if len(text) > LONGEST:
            continue
        keep("model", name, text)
        if "#= " not in text and raak.exists():
            with tempfile.TemporaryDirectory() as folder:
                (pathlib.Path(folder) / "m.toml").write_text(text)
                done = subprocess.run([raak, "convert", f"{folder}/m.toml", "--out", "-"], capture_output=True)
                if done.returncode == 0:
                    keep("json", name, json.dumps(json.loads(done.stdout)))
    for i, text in enumerate(formulas(root)):
        keep("expression", str(i), "small-end big-end\n" + text)
    for i, line in enumerate(commands(root)):
        keep("command_line", str(i), "\n".join(line.split()))
    for name, content in results(raak):
        keep("results", name, content)
