"""Looks at what `raak` makes of results: reports, plots, checks and benches."""

import ast
import csv
import json
import math
import os
import pathlib
import re
import shutil
import struct
import subprocess
import unittest
import xml.etree.ElementTree
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

    def test_files_of_two_runs_are_told_apart(self):
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
        self.assertIn("result.csv\" is not the file that run.json tells of", done.stderr)
        (out / "result.csv").write_bytes(csv_file)
        self.assertEqual(raak("report", str(out)).stderr, "")

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
            told = subprocess.run([RAAK, "run", str(model), "--rtol", "1.5e-7", "--json", "--plot", "q", "--out", str(out)],
                                  env=environment, capture_output=True, text=True, check=True).stdout
            files = {name: (out / name).read_bytes() for name in ("result.csv", "result.npz", "q.svg")}
            document = json.loads(told)
            return {**files, "outputs": document["outputs"], "final": document["final"]}

        plain = everything(LC_ALL="C")
        for name in ("de_DE", "fr_FR", "nl_NL"):
            if not shutil.which("localedef") or not os.path.exists(f"/usr/share/i18n/locales/{name}"):
                self.skipTest("no locales to be made here")
            subprocess.run(["localedef", "-i", name, "-f", "UTF-8", str(self.scratch / f"{name}.UTF-8")], capture_output=True)
            with_commas = {"LC_ALL": f"{name}.UTF-8", "LOCPATH": str(self.scratch)}
            shown = subprocess.run(["bash", "-c", "printf %.1f 1,5"], env={**os.environ, **with_commas}, capture_output=True, text=True)
            self.assertEqual(shown.stdout, "1,5", "the locale is there")
            self.assertEqual(everything(**with_commas), plain, name)


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
        self.assertIn("lambda (N or N m)", picture)
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
        for words in ("F.x", "spring C-D", "torque on O-F", "kept within", "integrator"):
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
        self.assertRegex(done.stdout, r"put in \S+ J, dissipated \S+ J")
        self.assertRegex(done.stdout, r"\n    put in +motor ")
        self.assertRegex(done.stdout, r"\n    dissipated +brake ")
        self.assertRegex(done.stdout, r"balance +kept within \S+ J at the ends of steps, \S+ J inside")
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

    def test_an_output_without_a_value_is_told(self):
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


class Plots(ProgramTest):
    def test_each_quantity_is_an_svg_and_a_png(self):
        out = self.scratch / "a"
        done = raak("run", "andrews-iftomm", "--plot", "F.x,energy.balance,q,beta", "--quiet", "--out", str(out))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for name in ("F.x", "energy.balance", "q", "beta"):
            xml.etree.ElementTree.parse(out / (name + ".svg"))
            self.assertTrue((out / (name + ".png")).read_bytes().startswith(b"\x89PNG"))

    def test_a_plot_without_any_value_says_why(self):
        out = self.scratch / "a"
        done = raak("run", str(ROOT / "examples/bricard.toml"), "--plot", "lambda,lambda.2,q", "--quiet", "--out", str(out))
        self.assertEqual(done.returncode, 0, done.stderr)
        said = "nothing to plot of lambda, lambda.2 in J1, J2, J3, J4, J5, J6: these joints constrain the same motion"
        self.assertEqual(done.stderr.count("warning: "), 1)
        self.assertIn("warning: " + said, done.stderr)
        (warning,) = json.loads((out / "run.json").read_text())["warnings"]
        self.assertTrue(warning.startswith(said), warning)
        done = raak("run", str(ROOT / "examples/door.toml"), "--plot", "pull", "--quiet", "--out", str(out))
        self.assertEqual(done.stderr.count("warning: "), 1)
        self.assertIn('output "pull" has no value', done.stderr)

    def test_a_wrong_name_brings_the_nearest_before_anything_runs(self):
        out = self.scratch / "a"
        self.refused("run", "andrews-iftomm", "--plot", "F.z", "--out", str(out), says=['"F.z"', '"F.x"'])
        self.refused("run", "andrews-iftomm", "--plot", "energy.balence", "--out", str(out), says=['"energy.balance"'])
        self.refused("run", "andrews-iftomm", "--plot", "bta", "--out", str(out), says=['did you mean "beta"?'])
        self.refused("run", "andrews-iftomm", "--plot", "beta", says=["--out"])
        self.assertFalse(out.exists())


class Check(ProgramTest):
    FIELDS = ("model run method formulation rtol scd mescd scd_published mescd_published position_residual "
              "velocity_residual energy_drift required pass").split()

    def test_a_model_that_delivers_passes(self):
        rows = self.json("check", "andrews", "pendulum")
        self.assertEqual({row["model"] for row in rows}, {"andrews", "pendulum"})
        for row in rows:
            self.assertLessEqual(set(self.FIELDS), set(row))
            self.assertIs(row["pass"], True)
            self.assertGreaterEqual(row["scd"], row["required"])
        self.assertIn("pass", raak("check", "andrews").stdout)

    def test_digits_that_are_missing_are_exit_code_4(self):
        rows = self.json("check", "andrews", "--atol", "1e-2", code=4)
        self.assertIs(rows[0]["pass"], False)
        done = raak("check", "andrews", "--atol", "1e-2")
        self.assertEqual(done.returncode, 4)
        self.assertIn("FAIL", done.stdout)

    def test_a_setting_that_a_model_lacks_is_refused(self):
        self.refused("check", "--set", "beam=linear", says=["beam"])


class Bench(ProgramTest):
    FIELDS = ("model method formulation rtol atol status message scd mescd energy_drift steps accepted rejected evaluations "
              "jacobians factorizations cpu_us cpu_us_min").split()

    def test_every_row_has_the_fields_of_the_contract(self):
        rows = self.json("bench", "pendulum", "--methods", "dop853,svd", "--rtol", "1e-5:1e-7:1")
        self.assertEqual([row["rtol"] for row in rows if row["method"] == "svd"], [1e-5, 1e-6, 1e-7])
        self.assertEqual(len(rows), 6)
        for row in rows:
            self.assertLessEqual(set(self.FIELDS), set(row))
            self.assertEqual((row["model"], row["status"], row["message"]), ("pendulum", "ok", ""))
            self.assertEqual(row["steps"], row["accepted"] + row["rejected"])
            self.assertGreater(row["scd"], 4)
            self.assertGreater(row["cpu_us_min"], 0)
            self.assertLessEqual(row["cpu_us_min"], row["cpu_us"])
            self.assertAlmostEqual(row["shortfall"], -math.log10(row["rtol"]) - row["digits"], places=9)

    def test_the_table_tells_the_cost_of_an_accuracy_and_the_shortfall(self):
        done = raak("bench", "pendulum", "--methods", "dop853", "--rtol", "1e-6:1e-7:1")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for words in ("cost at scd >=", "shortfall", "dop853", "CPU/us"):
            self.assertIn(words, done.stdout)

    def test_a_model_without_a_reference_is_measured_against_itself_and_labelled(self):
        model = self.scratch / "m.toml"
        model.write_text((ROOT / "examples/pendulum.toml").read_text().split("[references")[0])
        rows = self.json("bench", str(model), "--methods", "dop853", "--rtol", "1e-5:1e-6:1")
        self.assertEqual([row["reference"] for row in rows], ["its own run with auto at rtol 1e-08"] * 2)
        self.assertGreater(rows[0]["scd"], 3)
        self.assertIn("no reference", raak("bench", str(model), "--methods", "dop853", "--rtol", "1e-6").stdout)
        self.assertEqual(self.json("bench", "pendulum", "--methods", "dop853", "--rtol", "1e-6")[0]["reference"], "")

    def test_every_method_of_the_catalogue_is_measured(self):
        methods = [method["name"] for method in self.json("list", "methods")]
        rows = self.json("bench", "pendulum", "--rtol", "1e-6")
        self.assertEqual([row["method"] for row in rows], methods)

    def test_what_cannot_run_is_a_row_with_its_reason(self):
        rows = self.json("bench", "pendulum", "--methods", "svd", "--forms", "index1,index2", "--rtol", "1e-6")
        self.assertEqual([row["status"] for row in rows], ["ok", "refused"])
        self.assertIn("index2", rows[1]["message"])
        self.assertIsNone(rows[1]["cpu_us"])
        forms = {row["formulation"] for row in self.json("bench", "pendulum", "--methods", "svd", "--forms", "all", "--rtol", "1e-6")}
        self.assertEqual(forms, {"index1", "index3", "ggl"})
        rows = self.json("bench", "car-axis", "--set", "h=1.2", "--methods", "dop853", "--rtol", "1e-6")
        self.assertEqual(rows[0]["status"], "failed")
        self.assertIn("t = 0.098", rows[0]["message"])

    def test_the_folder_holds_tables_diagrams_and_one_page(self):
        out = self.scratch / "b"
        for _ in range(2):
            done = raak("bench", "andrews", "--methods", "dop853", "--rtol", "1e-4:1e-7:1", "--out", str(out))
            self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.splitlines()[-1], str(out / "bench.html"))
        self.assertEqual(sorted(os.listdir(out)), ["andrews-characteristics.csv", "andrews-mescd.svg", "andrews-scd.svg",
                                                   "bench.csv", "bench.html", "bench.json", "failures.csv"])
        with open(out / "andrews-characteristics.csv") as file:
            rows = list(csv.DictReader(file))
        printed = [row for row in rows if row["source"] == "printed"]
        self.assertEqual(len(printed), 10)
        self.assertEqual((printed[0]["solver"], printed[0]["scd"], printed[0]["#f"]), ("BIMD", "3.05", "1034"))
        self.assertEqual(len([row for row in rows if row["source"] == "measured"]), 4)
        page = (out / "bench.html").read_text()
        for words in ("Table II.13.3", "BIMD", "dop853", "<svg", "Map of failures", "2008", "prefers-color-scheme:dark"):
            self.assertIn(words, page)
        for link in ("http://", "https://", "<script", "<link"):
            self.assertNotIn(link, page)
        for name in ("andrews-scd.svg", "andrews-mescd.svg"):
            self.assertTrue(xml.etree.ElementTree.parse(out / name).getroot().tag.endswith("svg"))
        self.refused("run", "pendulum", "--out", str(out), says=["not empty"])

    def test_a_grid_that_means_nothing_is_refused(self):
        for grid, says in (("1e-10:1e-4", "1e-4:1e-10"), ("1e-4:1e-10:0", "from 1"), ("1e-4:1e-10:1.5", "whole"),
                           ("1e-4:1e-10:-2", "from 1"), ("1e-4:1e-10:1e9", "from 1"), ("1e-4:1e-10:2:3", "A:B:N"),
                           ("1e-4:", "--rtol"), (":", "--rtol"), ("1e-4:1e-20", "1e-15"), ("0:1e-4", "1e-15"), ("x", "--rtol"),
                           ("1e-4:1e-10:x", "whole")):
            self.refused("bench", "pendulum", "--rtol", grid, says=[says])

    def test_unknown_names_are_refused_with_the_nearest(self):
        self.refused("bench", "pendulm", says=['"pendulum"'])
        self.refused("bench", "pendulum", "--methods", "dop853,dop835", says=['"dop835"', '"dop853"'])
        self.refused("bench", "pendulum", "--methods", "svd,,adams", says=["--methods", "commas"])
        self.refused("bench", "pendulum", "--methods", "svd,svd", says=["twice"])
        self.refused("bench", "pendulum", "--forms", "index4", says=['"index4"', "ggl"])
        self.refused("bench", "pendulum", "--h0", "0", says=["--h0"])
        self.refused("bench", "pendulum", "--set", "beam=linear", says=["pendulum", "beam"])
        self.refused("bench", "pendulum", "--out", "", says=["empty"])

    def test_the_peers_are_run_or_it_is_told_how_to_get_them(self):
        alone = self.scratch / "raak"
        shutil.copy(RAAK, alone)
        done = subprocess.run([alone, "bench", "pendulum", "--peers"], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("./dev bench --peers", done.stderr)
        if (pathlib.Path(RAAK).parent / "raak_peers").exists():
            rows = self.json("bench", "pendulum", "--methods", "dop853", "--rtol", "1e-5:1e-6:1", "--peers")
            self.assertEqual({row["method"] for row in rows}, {"dop853", "ida", "arkode-5", "arkode-8"})
            self.assertEqual({row["status"] for row in rows}, {"ok"})

    def test_the_peers_keep_to_methods_forms_and_first_step(self):
        self.refused("bench", "pendulum", "--methods", "ida", says=["ida", "--peers"])
        if not (pathlib.Path(RAAK).parent / "raak_peers").exists():
            return
        rows = self.json("bench", "pendulum", "--methods", "ida", "--rtol", "1e-5", "--h0", "1e-7", "--peers")
        self.assertEqual([row["method"] for row in rows], ["ida"])
        usual = self.json("bench", "pendulum", "--methods", "ida", "--rtol", "1e-5", "--peers")
        self.assertNotEqual(rows[0]["steps"], usual[0]["steps"])
        rows = self.json("bench", "pendulum", "--methods", "arkode-5", "--forms", "index1,ggl", "--rtol", "1e-5", "--peers")
        self.assertEqual({row["formulation"]: row["status"] for row in rows}, {"index1": "ok", "ggl": "refused"})
        self.assertIn("index1", [row["message"] for row in rows if row["status"] == "refused"][0])


if __name__ == "__main__":
    unittest.main()
