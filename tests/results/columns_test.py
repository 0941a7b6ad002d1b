"""The columns of tables: violations of the constraints over time, --columns, and the eight columns of the IFToMM benchmark."""

import json
import math
import re
import signal
import unittest
import zipfile

from program import ROOT, ProgramTest, raak, rows_of

EIGHT = ["F.x", "F.y", "energy.kinetic", "energy.potential", "energy.input", "violation.position", "violation.velocity"]


def header(path):
    return path.read_text().splitlines()[0].split(",")


class ColumnsTest(ProgramTest):
    def run_into(self, name, *arguments, code=0):
        out = self.scratch / name
        done = raak("run", *arguments, "--quiet", "--out", str(out))
        self.assertEqual(done.returncode, code, done.stderr)
        return out


class Violations(ColumnsTest):
    def rows_are_right(self, out, at_least):
        """The pendulum has g = (x - l sin phi, y - l cos phi) with l = 0.75."""
        largest = 0.0
        rows = rows_of(out / "result.csv")
        for row in rows:
            x, y, phi, vx, vy, omega = (float(row[kind + name]) for kind in ("q.", "v.") for name in ("x", "y", "phi"))
            g = math.hypot(x - 0.75 * math.sin(phi), y - 0.75 * math.cos(phi))
            rate = math.hypot(vx - 0.75 * math.cos(phi) * omega, vy + 0.75 * math.sin(phi) * omega)
            self.assertAlmostEqual(float(row["violation.position"]), g, delta=3e-16)
            self.assertAlmostEqual(float(row["violation.velocity"]), rate, delta=3e-15)
            largest = max(largest, g)
        self.assertGreater(largest, at_least)
        return rows

    def test_are_those_of_each_row_at_steps_and_between(self):
        drifting = ("pendulum", "--form", "index2", "--method", "radau5", "--rtol", "1e-4", "--until", "5")
        rows = self.rows_are_right(self.run_into("steps", *drifting), 1e-8)
        self.assertGreater(len({row["violation.position"] for row in rows}), 5, "not the largest so far")
        self.rows_are_right(self.run_into("every", *drifting, "--every", "0.01"), 1e-8)
        self.rows_are_right(self.run_into("between", "pendulum", "--method", "dopri5", "--rtol", "1e-4", "--every", "0.01"), 1e-8)

    def test_end_the_table_and_the_outputs_of_the_document(self):
        out = self.run_into("out", "andrews-iftomm")
        self.assertEqual(header(out / "result.csv")[-7:], ["energy.kinetic", "energy.potential", "energy.input", "energy.dissipation", "energy.balance",
                                                           "violation.position", "violation.velocity"])
        document = json.loads((out / "run.json").read_text())
        last = rows_of(out / "result.csv")[-1]
        for name in EIGHT:
            self.assertEqual(document["outputs"][name], float(last[name]))
        self.assertLessEqual(document["outputs"]["violation.position"], document["quality"]["position_residual"])

    def test_cannot_be_outputs_of_a_model(self):
        path = self.scratch / "m.toml"
        for name in ("violation.position", "violation", "violation.mine"):
            path.write_text(f'format = "raak/1"\n[bodies.b]\nmass = 1.0\ninertia = 1.0\n[outputs]\n"{name}" = "b.x"\n')
            self.refused("run", str(path), code=1, says=[name, "is a result of every run"])

    def test_have_a_unit_where_the_constraints_have_one(self):
        out = self.run_into("out", "pendulum")
        units = (out / "result.csv").read_text().splitlines()[1].split(",")
        self.assertEqual(units[-2:], ["m", "m/s"])

    def test_can_be_plotted(self):
        out = self.run_into("out", "andrews-iftomm", "--plot", "violation.position,violation")
        for name in ("violation.position.svg", "violation.svg"):
            self.assertIn("<svg", (out / name).read_text())


class Chosen(ColumnsTest):
    def test_the_eight_columns_of_the_benchmark(self):
        page = (ROOT / "docs/problems.md").read_text()
        [command] = {line.strip() for line in page.splitlines() if line.startswith("    raak run andrews-iftomm --every 1e-3 --columns")}
        self.assertEqual(command.split("--columns ")[1].split()[0].split(","), EIGHT)
        words = command.split()[2:-2]
        out = self.run_into("iftomm", *words)
        self.assertEqual(header(out / "result.csv"), ["t", *EIGHT])
        rows = [{name: float(value) for name, value in row.items()} for row in rows_of(out / "result.csv")]
        self.assertEqual([row["t"] for row in rows], [float(f"{i}e-3") for i in range(51)])
        whole = self.run_into("whole", "andrews-iftomm", "--every", "1e-3")
        for row, full in zip(rows, rows_of(whole / "result.csv")):
            self.assertEqual(row, {name: float(full[name]) for name in ["t", *EIGHT]})
            # The document: F on the crank of 7 mm, E - E0 = tau (beta - beta0).
            self.assertAlmostEqual(math.hypot(row["F.x"], row["F.y"]), 0.007, delta=1e-12)
            self.assertAlmostEqual(row["energy.input"], 0.033 * (float(full["q.beta"]) + 0.062), delta=1e-6)
            self.assertAlmostEqual(row["energy.kinetic"] + row["energy.potential"] - rows[0]["energy.potential"], row["energy.input"], delta=1e-5)
            self.assertLess(row["violation.position"], 1e-6)

    def test_all_tables_have_them_in_their_order(self):
        out = self.run_into("out", "andrews", "--columns", "t,energy.input,gamma,lambda", "--at", "0.01,0.02")
        names = ["t", "energy.input", "q.gamma", *(f"lambda.{k}" for k in range(1, 7))]
        self.assertEqual(header(out / "result.csv"), names)
        self.assertEqual((out / "result.csv").read_text().splitlines()[1].split(",")[:3], ["# units: s", "J", "rad"])
        with zipfile.ZipFile(out / "result.npz") as archive:
            arrays = [name[:-4] for name in archive.namelist() if name.endswith(".npy")]
            self.assertEqual(arrays[: len(names)], names)
            self.assertEqual([name for name in arrays[len(names) :] if re.match(r"[qva]\.", name)], [])
        again = self.scratch / "again.csv"
        self.assertEqual(raak("convert", str(out), "--out", str(again)).returncode, 0)
        self.assertEqual(again.read_text(), (out / "result.csv").read_text())
        h5 = raak("convert", str(out), "--out", str(self.scratch / "out.h5"))
        self.assertTrue(h5.returncode == 0 or "libhdf5" in h5.stderr, h5.stderr)

    def test_the_report_has_everything_and_is_written_again(self):
        out = self.run_into("out", "andrews", "--columns", "beta", "--plot", "gamma")
        self.assertTrue((out / "gamma.svg").exists())
        before = (out / "report.html").read_text()
        data = json.loads(re.search(r'id="data">(.*?)</script>', before, re.DOTALL).group(1))
        self.assertIn("violation.velocity", data["about"]["columns"])
        self.assertEqual(raak("report", str(out)).returncode, 0)
        self.assertEqual((out / "report.html").read_text(), before)

    def test_a_run_that_ends_early_shows_its_last_moment(self):
        out = self.run_into("out", "slider-crank", "--run", "buckling", "--columns", "q3,q4", code=3)
        last = float(rows_of(out / "result.csv")[-1]["t"])
        data = json.loads(re.search(r'id="data">(.*?)</script>', (out / "report.html").read_text(), re.DOTALL).group(1))
        self.assertEqual(data["run"]["t_end"], last)
        self.assertGreater(data["frames"]["count"], 100)

    def test_a_run_that_is_resumed_has_them_too(self):
        arguments = ("andrews", "--until", "0.06", "--columns", "violation.position,beta", "--every", "1e-5")
        whole = self.run_into("whole", *arguments)
        out = self.scratch / "stopped"
        self.signalled(signal.SIGKILL, lambda _: (out / "run.checkpoint").exists(), "run", *arguments, "--out", str(out), "--checkpoint", "1e-6", "--quiet")
        done = raak("run", "--resume", str(out), "--quiet")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual((out / "result.csv").read_bytes(), (whole / "result.csv").read_bytes())

    def test_what_is_wrong_is_said_before_the_run(self):
        out = str(self.scratch / "out")
        self.refused("run", "andrews-iftomm", "--columns", "F.x", says=["--columns", "--out"])
        self.refused("run", "andrews-iftomm", "--columns", "F.z", "--out", out, says=["--columns: no quantity", '"F.z"', '"F.x"'])
        self.refused("run", "andrews-iftomm", "--columns", "violation.positon", "--out", out, says=['"violation.position"'])
        self.refused("run", "andrews-iftomm", "--columns", "q,beta", "--out", out, says=["q.beta a second time"])
        self.refused("run", "andrews-iftomm", "--columns", "F.x,t", "--out", out, says=["t is the first column"])
        self.refused("run", "andrews-iftomm", "--columns", "F.x,F.x", "--out", out, says=["twice"])
        self.refused("run", "andrews-iftomm", "--columns", ",F.x", "--out", out, says=["--columns expects names between commas"])
        self.assertFalse((self.scratch / "out").exists())


if __name__ == "__main__":
    unittest.main()
