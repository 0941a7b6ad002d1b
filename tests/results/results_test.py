"""Looks at what `raak` makes of results: reports, units and ledgers."""

import ast
import json
import os
import re
import shutil
import struct
import subprocess
import unittest
import zipfile

from models import arm
from program import RAAK, ROOT, ProgramTest, raak, rows_of


class Report(ProgramTest):
    def results(self, model="pendulum", *options):
        out = self.scratch / model
        done = raak("run", model, "--quiet", "--out", str(out), *options)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return out

    def test_it_is_written_again_from_the_folder(self):
        out = self.results()
        before = (out / "report.html").read_bytes()
        (out / "report.html").unlink()
        done = raak("report", str(out))
        self.assertEqual((done.returncode, done.stdout.strip()), (0, str(out / "report.html")), done.stderr)
        self.assertEqual((out / "report.html").read_bytes(), before)
        other = self.scratch / "other.html"
        self.assertEqual(self.json("report", str(out), "--out", str(other))["report"], str(other))
        self.assertEqual(other.read_bytes(), before)

    def test_it_needs_nothing_but_itself(self):
        text = (self.results("andrews-iftomm") / "report.html").read_text()
        self.assertLess(len(text), 1_500_000)
        self.assertNotRegex(text, r"(src|href)=[\"']https?:")
        data = json.loads(re.search(r'id="data">(.*?)</script>', text, re.DOTALL).group(1))
        self.assertEqual(data["frames"]["count"], 501)
        self.assertIn("raak run andrews-iftomm", data["run"]["command"])
        self.assertEqual(len(data["about"]["parameters"]), 43)

    def test_pictures_of_the_run_before_do_not_stay(self):
        out = self.results("pendulum", "--plot", "q")
        mine = out / "mine.svg"
        mine.write_text("not of raak")
        self.assertTrue((out / "q.svg").exists())
        done = raak("run", "car-axis", "--quiet", "--out", str(out), "--plot", "xl")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        names = sorted(path.name for path in out.iterdir())
        self.assertNotIn("q.svg", names)
        self.assertNotIn("q.png", names)
        self.assertIn("xl.svg", names)
        self.assertIn("mine.svg", names, "what raak did not write is not its to take away")
        files = json.loads((out / "run.json").read_text())["files"]
        self.assertEqual(sorted(files), sorted(set(names) - {"run.json", "mine.svg"}))
        self.assertEqual(files["result.csv"]["bytes"], (out / "result.csv").stat().st_size)

    def test_files_of_two_runs_are_distinguished(self):
        out = self.results("pendulum", "--rtol", "1e-6")
        other = self.scratch / "other"
        raak("run", "pendulum", "--quiet", "--out", str(other), "--rtol", "1e-9")
        csv_file, arrays = (out / "result.csv").read_bytes(), (out / "result.npz").read_bytes()
        # As a run leaves it that is killed between two files.
        (out / "result.npz").write_bytes((other / "result.npz").read_bytes())
        self.refused("report", str(out), says=["result.npz", "two runs", "raak run pendulum"])
        self.refused("convert", str(out), "--out", str(self.scratch / "a.csv"), says=["result.npz", "two runs"])
        self.assertFalse((self.scratch / "a.csv").exists())
        (out / "result.npz").write_bytes(arrays)
        (out / "result.csv").write_bytes((other / "result.csv").read_bytes())
        done = raak("report", str(out))
        self.assertEqual(done.returncode, 0)
        self.assertIn("result.csv\" is not a file of the run that run.json describes", done.stderr)
        (out / "result.csv").write_bytes(csv_file)
        self.assertEqual(raak("report", str(out)).stderr, "")

    def test_rows_converted_from_the_arrays_are_those_of_the_run(self):
        for options in (("--every", "0.1"), ("--method", "svd"), ("--until", "-0.3")):
            with self.subTest(options):
                out = self.results("pendulum", *options)
                self.assertEqual(raak("convert", str(out), "--out", str(self.scratch / "again.csv")).returncode, 0)
                self.assertEqual((self.scratch / "again.csv").read_text(), (out / "result.csv").read_text())
                shutil.rmtree(out)

    def test_rows_are_converted_from_the_table_where_the_arrays_are_missing(self):
        out = self.results("pendulum", "--every", "0.1")
        table, again = (out / "result.csv").read_text(), self.scratch / "again.csv"
        self.assertEqual(raak("convert", str(out / "result.csv"), "--out", str(again)).returncode, 0)
        self.assertEqual(again.read_text(), table)
        again.unlink()
        (out / "result.npz").unlink()
        self.assertEqual(raak("convert", str(out), "--out", str(again)).returncode, 0)
        self.assertEqual(again.read_text(), table)
        self.refused("convert", str(out), "--out", str(out / "result.csv"), says=["result.csv", "name another file"])
        self.assertEqual((out / "result.csv").read_text(), table)
        self.refused("report", str(out), says=["result.npz", "missing", "the rows are in", "result.csv", f'raak convert "{out}" --out FILE.h5', "run the model again: raak run pendulum"])
        (out / "result.csv").write_text(table + "1,2\n")  # not as the run left it
        self.refused("convert", str(out), "--out", str(again), says=["result.npz", "missing", "run the model again"])

    def test_a_damaged_document_is_not_converted(self):
        out = self.results()
        text = (out / "run.json").read_text()
        (out / "run.json").write_text(text[: len(text) // 2])
        self.refused("convert", str(out), "--out", str(self.scratch / "a.csv"), says=["run.json", "damaged"])
        (out / "run.json").unlink()
        self.refused("convert", str(out), "--out", str(self.scratch / "a.csv"), says=["run.json", "missing"])

    def test_the_number_of_frames_can_be_chosen(self):
        text = (self.results("pendulum", "--frames", "40") / "report.html").read_text()
        self.assertIn('"count":41', text)
        self.refused("run", "pendulum", "--frames", "1.5", "--out", str(self.scratch / "b"), says=["--frames", "1.5"])

    def test_a_folder_without_results_is_refused(self):
        self.refused("report", says=["name the --out folder"])
        self.refused("report", str(self.scratch / "none"), says=["no folder"])
        self.refused("report", str(self.scratch), says=["run.json", "missing"])
        (self.scratch / "run.json").write_text("{]")
        self.refused("report", str(self.scratch), says=["damaged"])
        (self.scratch / "run.json").write_text('{"program": "other"}')
        self.refused("report", str(self.scratch), says=["not written by raak"])

    def test_results_of_two_models_are_not_mixed(self):
        out, other = self.results("pendulum"), self.results("andrews")
        shutil.copy(other / "result.npz", out / "result.npz")
        self.refused("report", str(out), says=["andrews", "pendulum", "mixed"])

    def test_a_damaged_result_is_noticed(self):
        out = self.results()
        whole = (out / "result.npz").read_bytes()
        at = whole.index(b"frames.npy") + 400
        cases = {"cut short": whole[:-1000], "checksum": whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1:], "missing or empty": b""}
        for says, data in cases.items():
            (out / "result.npz").write_bytes(data)
            self.refused("report", str(out), says=["result.npz", says])
        (out / "result.npz").unlink()
        self.refused("report", str(out), says=["run the model again: raak run pendulum"])

    def test_numpy_reads_the_arrays(self):
        out = self.results("andrews", "--every", "0.001")
        rows = rows_of(out / "result.csv")
        with zipfile.ZipFile(out / "result.npz") as archive:
            self.assertIsNone(archive.testzip())
            for column in rows[0]:
                data = archive.read(column + ".npy")
                self.assertTrue(data.startswith(b"\x93NUMPY\x01\x00"))
                start = 10 + int.from_bytes(data[8:10], "little")
                self.assertEqual(start % 64, 0)
                header = ast.literal_eval(data[10:start].decode())
                self.assertEqual(header, {"descr": "<f8", "fortran_order": False, "shape": (len(rows),)})
                values = struct.unpack(f"<{len(rows)}d", data[start:])
                self.assertEqual(list(values), [float(row[column]) for row in rows])
        try:
            import numpy
        except ImportError:
            return
        with numpy.load(out / "result.npz") as arrays:
            self.assertEqual(arrays["q.beta"][-1], float(rows[-1]["q.beta"]))
            self.assertEqual(arrays["frames"].shape[0], 501)

    def test_a_locale_with_decimal_commas_changes_nothing(self):
        out = self.results()
        model = self.scratch / "m.toml"
        model.write_text(arm('[forces]\nmotor = { type = "torque", on = "arm", value = "2.5*sin(1.5*t)" }'))

        def everything(**variables):
            environment = {**os.environ, **variables}
            said = subprocess.run([RAAK, "run", str(model), "--rtol", "1.5e-7", "--json", "--plot", "q", "--out", str(out)],
                                  env=environment, capture_output=True, text=True, check=True).stdout
            files = {name: (out / name).read_bytes() for name in ("result.csv", "result.npz", "q.svg")}
            document = json.loads(said)
            return {**files, "outputs": document["outputs"], "final": document["final"]}

        plain = everything(LC_ALL="C")
        tried = 0
        for name in ("de_DE", "fr_FR", "nl_NL"):
            if not shutil.which("localedef") or not os.path.exists(f"/usr/share/i18n/locales/{name}"):
                continue
            subprocess.run(["localedef", "-i", name, "-f", "UTF-8", str(self.scratch / f"{name}.UTF-8")], capture_output=True)
            with_commas = {"LC_ALL": f"{name}.UTF-8", "LOCPATH": str(self.scratch)}
            shown = subprocess.run(["bash", "-c", "printf %.1f 1,5"], env={**os.environ, **with_commas}, capture_output=True, text=True)
            if shown.stdout != "1,5":
                continue
            tried += 1
            self.assertEqual(everything(**with_commas), plain, name)
        if tried == 0:
            self.skipTest("no locales can be made here")


class Units(ProgramTest):
    def units(self, model):
        out = self.scratch / "units"
        done = raak("run", str(model), "--quiet", "--until", "0.01", "--out", str(out), "--plot", "lambda")
        self.assertEqual(done.returncode, 0, done.stderr)
        names, units = (out / "result.csv").read_text().splitlines()[:2]
        self.assertTrue(units.startswith("# units: "))
        return dict(zip(names.split(","), units[9:].split(","))), (out / "lambda.svg").read_text()

    def test_multipliers_are_forces_and_moments(self):
        units, picture = self.units(ROOT / "examples/flyball-governor.toml")
        # bearing: x, y, z, two axes; sleeve: two across, two axes, twist.
        self.assertEqual([units[f"lambda.{i}"] for i in range(1, 11)], ["N"] * 3 + ["N m"] * 2 + ["N"] * 2 + ["N m"] * 3)
        self.assertIn("lambda / N<", picture)
        self.assertIn("/ N m<", picture)
        self.assertEqual({units[name] for name in units if name.startswith("energy.")}, {"J"})

    def test_outputs_have_the_unit_of_their_formula(self):
        units, _ = self.units(ROOT / "examples/flyball-governor.toml")
        self.assertEqual([units[name] for name in ("s", "s_dot", "arm_angle", "shaft_omega")], ["m", "m/s", "1", "rad/s"])
        self.assertEqual(self.units(ROOT / "examples/door.toml")[0]["pull"], "N")

    def test_drivers_equations_and_formulas_with_parameters_have_units_where_they_can_be_known(self):
        four_bar, _ = self.units(ROOT / "examples/four-bar.toml")
        self.assertEqual((four_bar["lambda.9"], four_bar["torque"]), ("N m", "N m"), "the driver of an angle holds by a moment")
        peaucellier, _ = self.units(ROOT / "examples/peaucellier.toml")
        self.assertEqual([peaucellier[name] for name in ("inversion", "deviation", "lambda.21")], ["", "m", "N m"])
        self.assertEqual(self.units(ROOT / "examples/whitworth.toml")[0]["speed_ratio"], "", "nobody tells the unit of Omega")
        self.assertEqual(self.units("slider-crank")[0]["lambda.3"], "N m")
        for model in ("pendulum", "andrews", "car-axis", ROOT / "examples/bicycle.toml"):
            self.assertNotIn("SI", self.units(model)[0].values())


class Ledger(ProgramTest):
    def test_the_summary_and_the_document_tell_where_the_energy_went(self):
        text = raak("run", "andrews-iftomm").stdout
        for words in ("F.x", "spring C-D", "torque on O-F", "energy error at most", "integration"):
            self.assertIn(words, text)
        ledger = self.json("run", "andrews-iftomm")["ledger"]
        accounts = {a["name"]: a for a in ledger["accounts"]}
        total = ledger["kinetic"]["end"] - ledger["kinetic"]["start"] + accounts["spring C-D"]["change"]
        self.assertAlmostEqual(total - accounts["torque on O-F"]["change"], ledger["balance"], places=12)
        self.assertEqual([accounts[n]["kind"] for n in ("spring C-D", "torque on O-F")], ["potential", "input"])

    def test_dissipation_is_an_account_of_its_own(self):
        model = self.scratch / "damped.toml"
        model.write_text(arm("""[forces]
brake = { type = "torsion-spring", bodies = ["ground", "arm"], stiffness = 0.0, damping = 0.3 }
motor = { type = "torque", on = "arm", value = 2.0 }"""))
        out = self.scratch / "out"
        done = raak("run", str(model), "--out", str(out), "--plot", "energy.dissipation,energy")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, r"work input \S+ J, dissipated \S+ J")
        self.assertRegex(done.stdout, r"\n    work input +motor ")
        self.assertRegex(done.stdout, r"\n    dissipated +brake ")
        self.assertRegex(done.stdout, r"balance +energy error at most \S+ J \(at step ends\), \S+ J between")
        self.assertTrue((out / "energy.dissipation.svg").exists())
        rows = rows_of(out / "result.csv")
        taken = [float(row["energy.dissipation"]) for row in rows]
        self.assertEqual(taken, sorted(taken), "what a damper takes never comes back")
        document = json.loads((out / "run.json").read_text())
        ledger, outputs = document["ledger"], document["outputs"]
        self.assertGreater(ledger["dissipation"], 0.01)
        self.assertEqual((ledger["input"], ledger["dissipation"]), (outputs["energy.input"], outputs["energy.dissipation"]))
        accounts = {account["name"]: account for account in ledger["accounts"]}
        self.assertAlmostEqual(accounts["motor"]["change"], 2.0 * (float(rows[-1]["q.arm.angle"]) - 0.5), 7)
        self.assertAlmostEqual(accounts["brake"]["change"], ledger["dissipation"], 12)
        first, last = rows[0], rows[-1]
        change = sum(float(last[name]) - float(first[name]) for name in ("energy.kinetic", "energy.potential"))
        self.assertAlmostEqual(change - ledger["input"] + ledger["dissipation"], ledger["balance"], 10)
        self.assertGreaterEqual(ledger["balance_between_steps"], 0.0)

    def test_an_output_without_a_value_is_reported(self):
        model = self.scratch / "m.toml"
        model.write_text((ROOT / "examples/pendulum.toml").read_text().replace('x = "bob.C.x"', 'x = "sqrt(-1 - bob.C.x^2)"\nhole = "1/(t - t)"').split("[references")[0])
        done = raak("run", str(model), "--out", str(self.scratch / "out"))
        self.assertEqual(done.returncode, 0)
        self.assertEqual(done.stderr.count("warning"), 1)
        self.assertIn('nor has "hole" at t = 0 s', done.stderr)
        self.assertIn("hole inf", done.stdout)
        self.assertNotIn("-nan", (self.scratch / "out/result.csv").read_text())
        self.assertIn('output "x" has no value', done.stderr)
        self.assertIn("x nan", done.stdout)



if __name__ == "__main__":
    unittest.main()
