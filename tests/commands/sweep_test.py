"""raak sweep: what its rows hold; failed runs as rows; formats; what is refused; single cases again."""

import ast
import json
import pathlib
import struct
import unittest
import zipfile

from program import raak, rows_of
from sweeps import PENDULUM, PLAN, SweepTest


def arrays_of(path):
    """Shape and numbers of each array of an .npz file (NumPy's format 1.0, doubles row by row), without NumPy."""
    arrays = {}
    with zipfile.ZipFile(path) as archive:
        for member in (name for name in archive.namelist() if name.endswith(".npy")):
            data = archive.read(member)
            assert data[:8] == b"\x93NUMPY\x01\x00", data[:8]
            start = 10 + struct.unpack("<H", data[8:10])[0]
            header = ast.literal_eval(data[10:start].decode())
            assert header["descr"] == "<f8" and not header["fortran_order"], header
            count = (len(data) - start) // 8
            arrays[member.removesuffix(".npy")] = (header["shape"], list(struct.unpack(f"<{count}d", data[start:])))
    return arrays


class Sweeps(SweepTest):
    def test_a_row_is_what_a_run_gives(self):
        plan, folder = self.plan(), self.folder("exact")
        self.done(plan, "--out", folder, "--exact")
        rows = rows_of(pathlib.Path(folder, "cases.csv"))
        for i in (0, 17, 299):
            row = rows[i]
            found = self.json("run", str(self.scratch / "pendulum.toml"), "--set", f"m={row['m']}", "--set", f"l={row['l']}",
                              "--trust", f"rod.angle={row['rod.angle']}", "--trust", "rod.omega=0", "--rtol", row["rtol"])
            self.assertEqual(found["outputs"]["x"], float(row["x.end"]))
            again = raak("run", "--case", f"{folder}:{i}", "--out", self.folder(f"case-{i}"))
            self.assertEqual(again.returncode, 0, again.stderr)
            self.assertIn("repeated to the bit", again.stderr)
            steps = [float(each["x"]) for each in rows_of(self.scratch / f"case-{i}" / "result.csv")]
            self.assertEqual((steps[-1], min(steps), max(steps)), tuple(float(row[f"x.{k}"]) for k in ("end", "min", "max")))

    def test_parameters_that_are_set_hold_in_every_case(self):
        rows = {}
        for name, text in [("set", "c = 0.3"), ("else", "c = 0.1")]:
            self.done(self.plan(PLAN.replace("[keep]", f"[set]\n{text}\n[keep]")), "--out", self.folder(name))
            rows[name] = rows_of(pathlib.Path(self.folder(name), "cases.csv"))
        row = rows["set"][7]
        found = self.json("run", str(self.scratch / "pendulum.toml"), "--set", "c=0.3", "--set", f"m={row['m']}", "--set", f"l={row['l']}",
                          "--trust", f"rod.angle={row['rod.angle']}", "--trust", "rod.omega=0", "--rtol", row["rtol"])
        self.assertAlmostEqual(found["outputs"]["x"], float(row["x.end"]), delta=1e-12)
        self.assertEqual(row["m"], rows["else"][7]["m"])
        self.assertNotEqual(row["x.end"], rows["else"][7]["x.end"])
        changed = raak("sweep", self.plan(PLAN.replace("[keep]", "[set]\nc = 0.2\n[keep]")), "--out", self.folder("set"), "--resume")
        self.assertIn("set.c was", changed.stderr)

    def test_in_place_and_anew_agree_to_rounding(self):
        plan, folder, exact = self.plan(), self.folder("fast"), self.folder("exact")
        self.done(plan, "--out", folder)
        self.done(plan, "--out", exact, "--exact")
        for a, b in zip(rows_of(pathlib.Path(folder, "cases.csv")), rows_of(pathlib.Path(exact, "cases.csv"))):
            self.assertAlmostEqual(float(a["x.end"]), float(b["x.end"]), delta=1e-12)
            self.assertAlmostEqual(float(a["t.event:bottom"]), float(b["t.event:bottom"]), delta=1e-12)
        case = raak("run", "--case", f"{folder}:5", "--quiet")
        self.assertEqual(case.returncode, 0, case.stderr)

    def test_means_are_those_of_the_motion(self):
        """Against the mean of many samples of the run itself."""
        plan, folder = self.plan(), self.folder("means")
        self.done(plan, "--out", folder)
        row = rows_of(pathlib.Path(folder, "cases.csv"))[3]
        self.assertEqual(raak("run", "--case", f"{folder}:3", "--every", "1e-4", "--out", self.folder("run")).returncode, 0)
        x = [float(each["x"]) for each in rows_of(self.scratch / "run" / "result.csv")]
        trapezium = (sum(x) - 0.5 * (x[0] + x[-1])) / (len(x) - 1)
        squares = (sum(a * a for a in x) - 0.5 * (x[0] ** 2 + x[-1] ** 2)) / (len(x) - 1)
        self.assertAlmostEqual(float(row["x.mean"]), trapezium, delta=1e-7)
        self.assertAlmostEqual(float(row["x.rms"]), squares ** 0.5, delta=1e-7)
        self.assertAlmostEqual(float(row["x.at:0.3"]), x[3000], delta=1e-12)

    def test_failed_runs_are_rows_with_their_cause(self):
        plan = self.plan(PLAN.replace('{ normal = [1.0, 0.1] }', "{ from = -0.5, to = 1.5 }"))
        found = self.json("sweep", plan, "--out", self.folder("failures"))
        rows = rows_of(self.scratch / "failures" / "cases.csv")
        failed = [row for row in rows if row["status"] == "failed"]
        self.assertEqual(found["failed"], len(failed))
        self.assertTrue(60 < len(failed) < 90, len(failed))
        for row in failed:
            self.assertLess(float(row["m"]), 0.0)
            self.assertEqual(row["x.end"], "nan")
            self.assertNotEqual(row["cause"], "")
        summary = found["summary"]
        self.assertEqual(summary["columns"]["x.end"]["count"], 300 - len(failed))
        self.assertEqual(sum(summary["failures"]["map"]["m"]["failed"]), len(failed))
        self.assertEqual(sum(summary["failures"]["map"]["m"]["failed"][10:]), 0)
        self.done("--merge", self.folder("failures"), "--out", self.folder("all.npz"))
        self.done("--merge", self.folder("failures"), "--out", self.folder("all.json"))
        with zipfile.ZipFile(self.folder("all.npz")) as archive:
            about = json.loads(archive.read("report.json"))
        table = json.loads((self.scratch / "all.json").read_text())
        for causes in (about["causes"], table["causes"]):
            self.assertEqual([each["cause"] for each in causes], [each["cause"] for each in summary["failures"]["causes"]])
        for row, numbers in zip(rows, table["rows"]):
            self.assertEqual(row["cause"], table["causes"][numbers[-1] - 1]["cause"] if numbers[-1] else "")

    def test_units_stand_below_their_columns(self):
        self.done(self.plan(), "--out", self.folder("units"))
        names, units = (self.scratch / "units" / "cases.csv").read_text().splitlines()[:2]
        found = dict(zip(names.split(","), units.removeprefix("# units: ").split(","), strict=True))
        self.assertEqual([found[name] for name in ("case", "m", "x.end", "rod.omega.max", "t.event:bottom", "cause")], ["", "", "m", "rad/s", "s", ""])

    def test_what_has_no_number_is_counted(self):
        """An event that does not happen in each run, and a time that not all reach."""
        text = PLAN.replace("rtol = [1e-6, 1e-7]", "until = [0.1, 1.0]")
        done = self.done(self.plan(text), "--out", self.folder("blanks"))
        rows = rows_of(self.scratch / "blanks" / "cases.csv")
        for name in ("x.at:0.3", "t.event:bottom"):
            blank = sum(row[name] == "nan" for row in rows)
            self.assertGreater(blank, 0)
            self.assertIn(f"{name} has no number in {blank} of 300 cases that came to their end\n", done.stdout)
        self.assertNotIn("x.end has", done.stdout)

    def test_a_case_is_beside_references_of_its_own_start_only(self):
        references = '[references.own]\nsource = "a test"\nrun = "default"\nat = 1.0\nscd = 3.0\n[references.own.values]\n"rod.angle" = -2.0\n'
        (self.scratch / "pendulum.toml").write_text(PENDULUM + references)
        text = 'format = "raak-sweep/1"\nmodel = "pendulum.toml"\n[vary]\n%s\n[keep]\nx = "end"\n'
        for name, vary in (("start", '"rod.angle" = [-0.5, -0.4]'), ("until", "until = [1.0, 0.9]"), ("length", "l = [0.5, 0.6]")):
            with self.subTest(name):
                self.done(self.plan(text % vary), "--out", self.folder(name))
                own, other = (raak("run", "--case", f"{self.folder(name)}:{i}").stdout for i in (0, 1))
                self.assertIn("digits", own)
                self.assertNotIn("digits", other)

    def test_the_passport_has_the_processor_and_a_hash_of_the_plan(self):
        passports = []
        for name, text in (("a", PLAN), ("b", "# a remark\n" + PLAN), ("c", PLAN.replace("0.6 }", "0.7 }"))):
            self.done(self.plan(text), "--out", self.folder(name))
            passports.append(json.loads((self.scratch / name / "sweep.json").read_text()))
        self.assertRegex(passports[0]["processor"], r"^\S+ \d+-\d+:")
        self.assertRegex(passports[0]["plan_hash"], r"^[0-9a-f]{16}$")
        self.assertEqual(passports[0]["plan_hash"], passports[1]["plan_hash"])
        self.assertNotEqual(passports[0]["plan_hash"], passports[2]["plan_hash"])

    def test_a_table_gives_the_cases(self):
        (self.scratch / "cases.csv").write_text("m,l\n1,0.5\n1.1,0.5\n1.2,0.45\n")
        text = 'format = "raak-sweep/1"\nmodel = "pendulum.toml"\ndesign = "table"\ntable = "cases.csv"\n[keep]\nx = "end"\n'
        self.done(self.plan(text), "--out", self.folder("table"))
        rows = rows_of(self.scratch / "table" / "cases.csv")
        self.assertEqual([(float(row["m"]), float(row["l"])) for row in rows], [(1.0, 0.5), (1.1, 0.5), (1.2, 0.45)])
        self.refused("sweep", self.plan(text + '[vary]\nm = "mass"\n'), code=1, says=("plan.toml:8:1", 'no column', '"mass"'))
        (self.scratch / "cases.csv").write_text("m,l\n1,0.5\n1.1,half\n")
        self.refused("sweep", self.plan(text), code=1, says=("cases.csv:3:5", '"half"'))

    def test_formats_hold_the_same_numbers(self):
        folder = self.folder("trajectories")
        self.done(self.plan(PLAN.replace('x = [', 'x = ["trajectory", ').replace("block", "every = 0.25\nblock")), "--out", folder)
        self.done("--merge", folder, "--out", self.folder("all.npz"))
        rows = rows_of(pathlib.Path(folder, "cases.csv"))
        arrays = arrays_of(self.folder("all.npz"))
        for name in ("case", "m", "l", "x.end", "t.count:bottom"):
            self.assertEqual(arrays[name], ((len(rows),), [float(row[name]) for row in rows]), name)
        paths = arrays_of(self.folder("all.trajectories.npz"))
        self.assertEqual(paths["t"], ((5,), [0, 0.25, 0.5, 0.75, 1.0]))
        shape, values = paths["x"]
        self.assertEqual(shape, (300, 5))
        self.assertEqual(values[4::5], arrays["x.end"][1])

    def test_sobol_indices_come_with_their_groups(self):
        text = PLAN.replace("latin-hypercube", "sobol").replace("300", "256").replace("rtol = [1e-6, 1e-7]\n", "") + "[summary]\nsobol-indices = true\n"
        found = self.json("sweep", self.plan(text), "--out", self.folder("indices"))
        self.assertEqual(found["cases"], 256 * 5)
        indices = found["summary"]["columns"]["x.end"]["sobol"]
        self.assertEqual(indices["groups"], 256)
        self.assertAlmostEqual(sum(indices["first"].values()), 1.0, delta=0.1)

    def test_refusals(self):
        for change, says in (
            (('m = {', 'mm = {'), ('plan.toml:7:1', '"mm"', '"m"')),
            (('[1.0, 0.1]', '[1.0, -0.1]'), ('plan.toml:7:5', "not negative", "-0.1")),
            (('from = 0.4', 'from = 0.9'), ('plan.toml:8', "0.9 to 0.6")),
            (('"end", ', '"ends", '), ('plan.toml:12', '"ends"', '"end"')),
            (('at:0.3', 'at:3'), ("plan.toml:12", "outside the run")),
            (('event:bottom', 'event:top'), ('"top"', "bottom")),
            (('x = ["end"', 'y = ["end"'), ("plan.toml:12", '"y"')),
            (('samples = 300\n', ''), ("samples",)),
            (('design = "latin-hypercube"', 'design = "latin"'), ('"latin"', '"latin-hypercube"')),
            (('design = "latin-hypercube"', 'design = "grid"'), ("plan.toml:7:5", "{ from, to, count }", "on a grid")),
            (('[keep]', '[set]\ncc = 0.2\n[keep]'), ("plan.toml:12:1", '"cc"', '"c"')),
            (('[keep]', '[set]\nm = 0.2\n[keep]'), ("plan.toml:12:1", '"m"', "varies as well")),
            (('model = "pendulum.toml"', 'model = "pendulums.toml"'), ("pendulums.toml",)),
            (('samples = 300', 'samples = 2.5'), ("whole number", "2.5")),
            (('raak-sweep/1', 'raak-sweep/2'), ("raak-sweep/1",)),
            (('[keep]', '[kept]'), ("kept", "keep")),
            (('samples', 'method = "rado5"\nsamples'), ("plan.toml:4:10", '"rado5"', '"radau"')),
            (('samples', 'run = "fast"\nsamples'), ("plan.toml:4:7", '"fast"', "default")),
            (('samples = 300', 'samples = 9223372036854775807'), ("plan.toml:4:11", "from 1 to 1000000000000", "9223372036854775807")),
            (('[keep]', '[summary]\nquantiles = [0.5, 1.5]\n[keep]'), ("plan.toml:12:19", "from 0 to 1", "1.5")),
            (('m = {', 'mm = {'), ('rod.x', 'rod.vx', 'rod.omega')),
        ):
            with self.subTest(change=change):
                self.refused("sweep", self.plan(PLAN.replace(*change)), "--out", self.folder("none"), code=1, says=says)
                self.assertFalse((self.scratch / "none").exists())
        plan = self.plan()
        self.refused("sweep", "nothing.toml", says=('"nothing.toml"',))
        self.refused("sweep", plan, "--shard", "3/2", says=("--shard 3/2", "I/N"))
        self.refused("sweep", plan, "--threads", "0", says=("--threads 0",))
        self.refused("sweep", "--merge", self.folder("nowhere"), says=("holds no sweep",))
        (self.scratch / "other").mkdir()
        (self.scratch / "other" / "mine.txt").write_text("x")
        self.refused("sweep", plan, "--out", self.folder("other"), says=("not empty",))
        self.refused("run", "--case", self.folder("nowhere") + ":1", says=("holds no sweep",))
        self.refused("run", "--case", "nothing", says=("DIR:I",))


if __name__ == "__main__":
    unittest.main()
