"""The inside of the SVD method at a user's hand: --print, --trace, --partition-threshold, and the printed table of document DCT 1987.010."""

import csv
import json
import math
import os
import re
import shlex
import subprocess
import unittest

from program import PATIENCE, RAAK, ROOT, ProgramTest, raak, rows_of

PRINTED = ("pendulum", "--run", "printed")


def printed_rows():
    with open(ROOT / "src/problems/references/pendulum-printed.csv") as file:
        return [(float(row["t"]), row["name"], float(row["value"])) for row in csv.DictReader(file)]


def rows_on_screen(*arguments):
    """Names, units and numbers that --print writes."""
    done = raak("run", *arguments, "--quiet")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    return lines[0][1:].split(), lines[1][1:].split(), [[float(word) for word in line.split()] for line in lines[2:]]


class Rows(ProgramTest):
    def test_are_those_of_the_table(self):
        out = self.scratch / "out"
        names, units, rows = rows_on_screen("pendulum", "--every", "0.25", "--until", "1", "--print", "phi,v.phi,energy.kinetic",
                                            "--out", str(out))
        self.assertEqual(names, ["t", "q.phi", "v.phi", "energy.kinetic"])
        with_time = rows_on_screen("pendulum", "--every", "0.25", "--until", "1", "--print", "t,phi,v.phi,energy.kinetic")
        self.assertEqual(with_time, (names, units, rows))
        self.assertEqual(units, ["s", "rad", "rad/s", "J"])
        table = rows_of(out / "result.csv")
        self.assertEqual(len(rows), len(table))
        for row, written in zip(rows, table):
            for name, number in zip(names, row):
                self.assertAlmostEqual(number, float(written[name]), delta=1e-9 * (1 + abs(number)))

    def test_come_before_the_summary_and_need_no_folder(self):
        done = raak("run", "car-axis", "--until", "1", "--at", "0.5,1", "--print", "q")
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = done.stdout.splitlines()
        self.assertEqual([line.split()[0] for line in lines[2:4]], ["0.5", "1"])
        self.assertIn("car-axis:", lines[4])

    def test_every_step_has_one_where_no_times_are_asked_for(self):
        _, _, rows = rows_on_screen("andrews", "--print", "beta")
        self.assertEqual(len(rows), self.json("run", "andrews")["statistics"]["accepted"] + 1)

    def test_of_a_file_and_of_angles_modulo_a_turn(self):
        names, _, rows = rows_on_screen(str(ROOT / "examples/projectile.toml"), "--at", "21.614131245472278", "--print", "ball.x,height")
        self.assertEqual(names, ["t", "q.ball.x", "height"])
        self.assertAlmostEqual(rows[0][2], -1.2459396420, delta=1e-7)
        names, _, rows = rows_on_screen("andrews", "--at", "0.03", "--print", "mod(beta)")
        self.assertEqual(names, ["t", "mod(q.beta)"])
        self.assertAlmostEqual(rows[0][1], 15.810771195 - 6 * math.pi, delta=1e-6)

    def test_show_the_inside_of_svd_as_its_program_did(self):
        # Bijlage III of the document: ZI, ZPPI and VI at T = 0.
        names, _, rows = rows_on_screen(*PRINTED, "--method", "svd", "--at", "0", "--print", "z.1,zdd.1,V.1.1,V.1.2,V.1.3")
        self.assertEqual(names[1:], ["z.1", "zdd.1", "V.1.1", "V.1.2", "V.1.3"])
        for number, printed in zip(rows[0][1:], (0.4189, -3.737, 0.5196, -0.3, 0.8)):
            self.assertAlmostEqual(number, printed, delta=1e-3 if printed < -1 else 5.1e-5)

    def test_refusals(self):
        self.refused("run", "pendulum", "--print", "phii", says=["--print", '"phii"', '"phi"'])
        self.refused("run", "pendulum", "--print", "", says=["--print"])
        self.refused("run", "pendulum", "--print", "phi,t", says=["--print", "t is the first column"])
        self.refused("run", "pendulum", "--print", "z.1", says=["--print", '"z.1"'])  # not of this method
        done = raak("run", "pendulum", "--print", "phi", "--json")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--print", json.loads(done.stdout)["message"])


class Trace(ProgramTest):
    def trace(self, *arguments, matrices=False):
        out = self.scratch / "out"
        done = raak("run", *arguments, "--trace-matrices" if matrices else "--trace", "--out", str(out), "--quiet")
        self.assertEqual(done.returncode, 0, done.stderr)
        numbers = [{name: float(value) for name, value in row.items()} for row in rows_of(out / "trace.csv")]
        return numbers, rows_of(out / "partitions.csv"), json.loads((out / "run.json").read_text())

    def test_has_the_basis_of_the_moment_beside_the_one_in_use(self):
        rows, _, _ = self.trace(*PRINTED, "--method", "svd", "--rtol", "1e-10", "--every", "0.1")
        phis = [row["q.phi"] for row in rows_of(self.scratch / "out/result.csv")]
        self.assertEqual(len(rows), len(phis))
        for row, phi in zip(rows, map(float, phis)):
            tangent = (0.6 * math.cos(phi), -0.6 * math.sin(phi), 0.8)  # (3.24)
            for j, exact in enumerate(tangent, 1):
                self.assertAlmostEqual(row[f"now.1.{j}"], exact, delta=1e-12)
            self.assertAlmostEqual(row["sigma.1"], 1.25, delta=1e-12)  # (3.19), not scaled
            self.assertAlmostEqual(row["sigma.2"], 1.0, delta=1e-12)
            cosine = sum(row[f"V.1.{j}"] * exact for j, exact in enumerate(tangent, 1))
            if row["t"] > 0:
                self.assertAlmostEqual(row["outside"], 1 - cosine**2, delta=1e-9)

    def test_shows_through_a_step_the_basis_that_the_step_was_made_with(self):
        _, log, _ = self.trace(*PRINTED, "--method", "svd")
        renewed = [float(entry["t"]) for entry in log[1:]]
        rows, _, _ = self.trace(*PRINTED, "--method", "svd", "--at", ",".join(f"{t + d:.9f}" for t in renewed for d in (-1e-6, 1e-6)))
        for before, after in zip(rows[::2], rows[1::2]):
            self.assertGreater(before["outside"], 0.05)
            self.assertLess(after["outside"], 1e-9)

    def test_has_the_matrices_on_request(self):
        rows, _, _ = self.trace("pendulum", "--method", "svd", "--until", "0.5")
        self.assertNotIn("U.1.1", rows[0])
        rows, _, _ = self.trace("pendulum", "--method", "svd", "--until", "0.5", matrices=True)
        for row in rows:
            U = [[row[f"U.{i}.{j}"] for j in (1, 2)] for i in (1, 2)]
            D = [[row[f"D.{i}.{j}"] for j in (1, 2, 3)] for i in (1, 2)]
            V = [[row[f"VD.{i}.{j}"] for j in (1, 2, 3)] for i in (1, 2)] + [[row[f"now.1.{j}"] for j in (1, 2, 3)]]
            sine, cosine = row["VD.2.1"], row["VD.2.2"]  # (3.23)
            product = [[sum(U[k][i] * D[k][r] * V[r][j] for k in (0, 1) for r in (0, 1, 2)) for j in (0, 1, 2)] for i in (0, 1)]
            for line, exact in zip(product, ((1, 0, -0.75 * cosine), (0, 1, 0.75 * sine))):  # (3.6)
                for number, wanted in zip(line, exact):
                    self.assertAlmostEqual(number, wanted, delta=1e-12)

    def test_logs_every_basis_with_its_share_and_reason(self):
        counts = []
        for threshold in ("0.01", "0.05", "0.2"):
            _, log, document = self.trace(*PRINTED, "--method", "svd", "--until", "20", "--partition-threshold", threshold)
            self.assertEqual((float(log[0]["t"]), log[0]["reason"]), (0.0, "start"))
            for entry in log[1:]:
                self.assertEqual(float(entry["outside"]) > float(threshold), entry["reason"] == "share outside above the threshold", entry)
            self.assertEqual(document["partitions"]["threshold"], float(threshold))
            self.assertEqual(document["partitions"]["count"], len(log))
            self.assertEqual(sum(document["partitions"]["reasons"].values()), len(log))
            counts.append(len(log))
        self.assertGreater(counts[0], counts[1])
        self.assertGreater(counts[1], counts[2])

    def test_the_log_goes_when_the_folder_is_used_again(self):
        self.trace("pendulum", "--method", "svd", "--until", "0.5")
        out = self.scratch / "out"
        self.assertEqual(raak("run", "pendulum", "--out", str(out), "--quiet").returncode, 0)
        self.assertFalse((out / "partitions.csv").exists() or (out / "trace.csv").exists())

    def test_refusals(self):
        out = str(self.scratch / "out")
        for threshold in ("0", "1", "-0.1", "1.5", "nan", "few"):
            self.refused("run", "pendulum", "--method", "svd", "--partition-threshold", threshold, says=["--partition-threshold", threshold])
        self.refused("run", "pendulum", "--partition-threshold", "0.1", says=["--partition-threshold", "auto", "svd"])
        self.refused("run", "pendulum", "--method", "svd", "--trace-matrices", says=["--trace-matrices", "--out"])
        self.refused("run", "pendulum", "--method", "dop853", "--trace-matrices", "--out", out, says=["--trace-matrices", "svd"])


class PrintedTable(ProgramTest):
    def test_stands_beside_the_run_column_by_column(self):
        document = self.json("run", *PRINTED, "--rtol", "1e-10")["printed"]
        self.assertIn("Bijlage I", document["source"])
        self.assertIn("overwrites the integrator's z", document["remark"])
        columns = {column["name"]: column for column in document["columns"]}
        self.assertEqual(len(columns), 12)
        self.assertEqual(len(document["t"]), 28)
        for t, name, value in printed_rows():
            self.assertEqual(columns[name]["printed"][document["t"].index(t)], value)
        # The trusted solution at the same times.
        with open(ROOT / "src/problems/references/pendulum-0.5236.csv") as file:
            for row in csv.DictReader(file):
                name = row["name"].replace("V.", "now.1.")
                if name in columns and float(row["t"]) in document["t"]:
                    found = columns[name]["found"][document["t"].index(float(row["t"]))]
                    self.assertAlmostEqual(found, float(row["value"]), delta=1e-7, msg=f"{name} at {row['t']}")
        # Up to 4.5e-3 rad (docs/document-003.md).
        self.assertAlmostEqual(columns["q.phi"]["largest_difference"], 4.5e-3, delta=1e-4)

    def test_is_consistent_in_itself(self):
        # Each row has one phi and one phi': what the scan shows otherwise is restored.
        rows = {}
        for t, name, value in printed_rows():
            rows.setdefault(t, {})[name] = value
        for t, row in rows.items():
            sine, cosine, rate = math.sin(row["q.phi"]), math.cos(row["q.phi"]), row["v.phi"]
            turn = -22.05 * sine / 3.6875  # (3.17)
            for name, exact in (("q.x", 0.75 * sine), ("q.y", 0.75 * cosine), ("v.x", 0.75 * cosine * rate), ("v.y", -0.75 * sine * rate),
                                ("a.phi", turn), ("a.x", 0.75 * (cosine * turn - sine * rate**2)),
                                ("a.y", -0.75 * (sine * turn + cosine * rate**2)), ("now.1.1", 0.6 * cosine), ("now.1.2", -0.6 * sine)):
                self.assertAlmostEqual(row[name], exact, delta={"a": 1.5e-3, "v": 6e-4}.get(name[0], 1e-4), msg=f"{name} at {t}")

    def test_is_printed_in_short_and_row_by_row(self):
        done = raak("run", *PRINTED)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"beside Starmans 1987, Bijlage I, 28 times up to t = 2.57 s")
        self.assertRegex(done.stdout, r"(?m)^ +q\.phi +-4\.\de-03 ")
        whole = raak("run", *PRINTED, "--printed", "--quiet")
        self.assertRegex(whole.stdout, r"(?m)^ +2\.57 +0\.3737 +0\.37310")
        self.assertNotIn("steps (", whole.stdout)

    def test_belongs_to_its_own_parameters_only(self):
        self.assertNotIn("printed", self.json("run", "pendulum"))
        self.assertNotIn("printed", self.json("run", *PRINTED, "--set", "l=1"))
        self.refused("run", "andrews", "--printed", says=["--printed", "andrews", "raak run pendulum --run printed"])


class Lesson(ProgramTest):
    def test_every_command_of_the_page_runs(self):
        os.symlink(ROOT / "examples", self.scratch / "examples")
        lines = re.findall(r"(?m)^    raak (.*?)(?:  #.*)?$", (ROOT / "docs/document-003.md").read_text())
        self.assertGreater(len(lines), 8)
        for line in lines:
            with self.subTest(line):
                done = subprocess.run([RAAK, *shlex.split(line)], cwd=self.scratch, capture_output=True, text=True, timeout=PATIENCE)
                self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    unittest.main()
