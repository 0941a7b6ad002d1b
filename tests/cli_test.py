"""Runs `raak` as a user would and looks at exit codes, both outputs and files."""

import ast
import csv
import json
import math
import os
import pathlib
import re
import shutil
import signal
import struct
import subprocess
import tempfile
import time
import unittest
import xml.etree.ElementTree
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
RAAK = os.environ.get("RAAK", str(ROOT / "build/release/raak"))

FILES = ["report.html", "result.csv", "result.npz", "run.json"]


def raak(*arguments):
    return subprocess.run([RAAK, *arguments], capture_output=True, text=True, timeout=120)


class ProgramTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="raak-cli-")
        self.addCleanup(scratch.cleanup)
        self.scratch = pathlib.Path(scratch.name)

    def refused(self, *arguments, code=2, says=()):
        """The command fails with this code, says these words on one line of standard error, and nothing else."""
        done = raak(*arguments)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertRegex(done.stderr, r"\Araak: [^\n]+\n\Z")
        for words in says:
            self.assertIn(words, done.stderr)
        for jargon in ("std::", "terminate", "Eigen", "0x", "[with"):
            self.assertNotIn(jargon, done.stderr)
        return done.stderr

    def json(self, *arguments, code=0):
        """The command prints one JSON document and nothing else."""
        done = raak(*arguments, "--json")
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        self.assertEqual(done.stderr, "")
        return json.loads(done.stdout, parse_constant=self.fail)


class Help(ProgramTest):
    def test_without_arguments_the_help_is_shown(self):
        done = raak()
        self.assertEqual(done.returncode, 0)
        self.assertIn("raak run andrews", done.stdout)

    def test_every_command_has_help_with_an_example(self):
        for command in ("list", "run", "report", "check", "bench", "assemble", "explain", "completion", "man"):
            done = raak(command, "--help")
            self.assertEqual(done.returncode, 0)
            self.assertIn("Example", done.stdout)
            self.assertIn("--json", done.stdout)

    def test_the_version_is_told(self):
        self.assertRegex(raak("--version").stdout, r"\Araak \d+\.\d+\.\d+\n\Z")

    def test_an_unknown_command_or_option_brings_the_nearest(self):
        self.refused("rnu", "andrews", says=['"rnu"', '"run"'])
        self.refused("run", "andrews", "--metod", "svd", says=['"--metod"', '"--method"'])
        self.refused("run", "andrews", "pendulum", says=['"pendulum"', "too many"])
        self.refused("run", "andrews", "--rtol", says=["--rtol", "needs a value"])
        self.refused("run", "andrews", "--rtol", "1e-6", "--rtol", "1e-7", says=["--rtol", "more than once"])
        self.refused("--jason", says=['"--jason"'])


class List(ProgramTest):
    def test_everything_is_listed(self):
        text = raak("list").stdout
        for word in ("andrews", "slider-crank", "dop853", "svd", "csv", "json", "joints", "forces"):
            self.assertIn(word, text)

    def test_models_tell_their_coordinates_parameters_and_runs(self):
        models = {model["name"]: model for model in self.json("list", "models")}
        self.assertEqual(set(models), {"pendulum", "andrews", "andrews-iftomm", "car-axis", "slider-crank"})
        self.assertEqual(models["andrews"]["coordinates"], ["beta", "theta", "gamma", "phi", "delta", "omega", "eps"])
        beam = next(p for p in models["slider-crank"]["parameters"] if p["name"] == "beam")
        self.assertEqual(beam["choices"], ["linear", "nonlinear"])
        for model in models.values():
            self.assertTrue(model["title"])
            self.assertTrue(model["runs"])
            for parameter in model["parameters"]:
                self.assertTrue(parameter["meaning"], (model["name"], parameter["name"]))
        self.assertIn("beta", raak("list", "models").stdout)

    def test_every_topic_is_valid_json(self):
        everything = self.json("list")
        for topic in ("models", "methods", "joints", "forces", "formats"):
            self.assertEqual(self.json("list", topic), everything[topic])
        self.assertIn("revolute", [joint["name"] for joint in everything["joints"]])
        self.assertIn("spring", [force["name"] for force in everything["forces"]])

    def test_an_unknown_topic_brings_the_nearest(self):
        self.refused("list", "model", says=['"models"'])

    def test_a_reader_that_leaves_early_is_no_crash(self):
        done = subprocess.run(f"'{RAAK}' list models | head -n 1", shell=True, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0)
        self.assertEqual(done.stderr, "")

    def test_a_full_disk_is_noticed(self):
        with open("/dev/full", "w") as full:
            done = subprocess.run([RAAK, "list"], stdout=full, stderr=subprocess.PIPE, text=True)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("standard output", done.stderr)


class Run(ProgramTest):
    def test_the_summary_is_short_and_ends_with_the_path(self):
        out = self.scratch / "new/folder"
        done = raak("run", "andrews", "--out", str(out))
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = done.stdout.splitlines()
        self.assertLessEqual(len(lines), 25)
        self.assertEqual(lines[-1], str(out / "report.html"))
        for word in ("beta", "rtol", "steps", "evaluations", "scd", "energy", "constraints"):
            self.assertIn(word, done.stdout)
        self.assertEqual(sorted(os.listdir(out)), FILES)

    def test_quiet_says_nothing(self):
        done = raak("run", "pendulum", "--until", "0.1", "--quiet", "--out", str(self.scratch / "a"))
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def test_json_has_every_field_of_the_contract(self):
        document = self.json("run", "andrews", "--rtol", "1e-10")
        for key in ("model run method formulation rtol atol status message t_start t_end statistics quality names names_v "
                    "final outputs").split():
            self.assertIn(key, document)
        self.assertEqual((document["model"], document["run"], document["method"]), ("andrews", "default", "auto"))
        self.assertEqual((document["status"], document["message"]), ("ok", ""))
        self.assertEqual((document["rtol"], document["atol"]), (1e-10, 1e-10))
        self.assertEqual((document["t_start"], document["t_end"]), (0.0, 0.03))
        work = document["statistics"]
        self.assertEqual(work["steps"], work["accepted"] + work["rejected"])
        for key in "evaluations jacobians factorizations cpu_seconds".split():
            self.assertIn(key, work)
        quality = document["quality"]
        for key in "position_residual velocity_residual energy_drift scd mescd scd_published mescd_published".split():
            self.assertIsInstance(quality[key], float, key)
        self.assertGreaterEqual(quality["scd"], 9)
        self.assertEqual([len(document["final"][key]) for key in ("q", "v", "a", "lambda")], [7, 7, 7, 6])
        self.assertAlmostEqual(document["final"]["q"][0], 15.8107711951537071, places=8)
        self.assertIn("energy.kinetic", document["outputs"])

    def test_the_files_hold_the_run(self):
        out = self.scratch / "a"
        document = self.json("run", "car-axis", "--until", "0.5", "--out", str(out))
        self.assertEqual(json.loads((out / "run.json").read_text()), document)
        with open(out / "result.csv") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(float(rows[0]["t"]), 0.0)
        self.assertEqual(float(rows[-1]["t"]), 0.5)
        self.assertEqual(len(rows), document["statistics"]["accepted"] + 1)
        for name, value in zip(document["names"], document["final"]["q"]):
            self.assertEqual(float(rows[-1]["q." + name]), value)
        self.assertEqual(float(rows[-1]["lambda.2"]), document["final"]["lambda"][1])
        for output, value in document["outputs"].items():
            self.assertEqual(float(rows[-1][output]), value)

    def test_a_number_without_meaning_is_null(self):
        document = self.json("run", "andrews", "--until", "0.01234")
        self.assertIsNone(document["quality"]["scd_published"])

    def test_rows_come_at_the_times_asked_for(self):
        def times(*arguments):
            out = self.scratch / "rows"
            self.assertEqual(raak("run", "pendulum", *arguments, "--out", str(out), "--quiet").returncode, 0)
            with open(out / "result.csv") as file:
                return [float(row["t"]) for row in csv.DictReader(file)]

        self.assertEqual(times("--until", "0.3", "--every", "0.1"), [0.0, 0.1, 0.2, 0.3])
        self.assertEqual(times("--until", "0.25", "--every", "0.1"), [0.0, 0.1, 0.2, 0.25])
        self.assertEqual(times("--until", "1", "--at", "0.7,0.2"), [0.2, 0.7])
        self.assertEqual(times("--until", "-0.2", "--every", "0.1"), [0.0, -0.1, -0.2])

    def test_until_before_the_start_integrates_backwards(self):
        document = self.json("run", "pendulum", "--until", "-0.5")
        self.assertEqual((document["status"], document["t_end"]), ("ok", -0.5))

    def test_an_earlier_run_is_replaced_and_its_stale_files_go(self):
        out = self.scratch / "a"
        self.assertEqual(raak("run", "pendulum", "--until", "1", "--method", "svd", "--trace", "--out", str(out)).returncode, 0)
        with open(out / "trace.csv") as file:
            rows = list(csv.DictReader(file))
        for name in ("t", "z.1", "zd.1", "zdd.1", "V.1.1", "V.1.3"):
            self.assertIn(name, rows[0])
        for row in rows:
            self.assertAlmostEqual(math.hypot(*(float(row[f"V.1.{j}"]) for j in (1, 2, 3))), 1.0, places=12)
        self.assertEqual(raak("run", "andrews", "--out", str(out)).returncode, 0)
        self.assertEqual(sorted(os.listdir(out)), FILES)
        self.assertEqual(json.loads((out / "run.json").read_text())["model"], "andrews")

    def test_tolerances_can_differ_by_kind_of_variable(self):
        document = self.json("run", "pendulum", "--until", "0.5", "--rtol", "q=1e-9,v=1e-7",
                             "--atol", "v=1e-5,lambda=inf")
        self.assertEqual(document["tolerances"]["q"], {"rtol": 1e-9, "atol": 1e-9})
        self.assertEqual(document["tolerances"]["v"], {"rtol": 1e-7, "atol": 1e-5})
        self.assertIsNone(document["tolerances"]["lambda"]["atol"])

    def test_a_parameter_changes_the_result(self):
        plain = self.json("run", "slider-crank")
        stiff = self.json("run", "slider-crank", "--set", "beam=nonlinear")
        self.assertNotEqual(plain["final"]["q"], stiff["final"]["q"])


class BadInput(ProgramTest):
    def test_unknown_names_bring_the_nearest(self):
        self.refused("run", "andrew", says=['"andrew"', '"andrews"', "car-axis"])
        self.refused("run", "andrews", "--method", "dop835", says=['"dop835"', '"dop853"'])
        self.refused("run", "slider-crank", "--set", "bean=linear", says=['"bean"', '"beam"'])
        self.refused("run", "slider-crank", "--set", "beam=lineer", says=['"lineer"', '"linear"'])
        self.refused("run", "andrews", "--run", "defalt", says=['"defalt"', '"default"'])
        self.refused("run", "andrews", "--form", "index4", says=['"index4"', "ggl"])
        self.refused("check", "pendulm", says=['"pendulum"'])
        self.refused("check", "--method", "svdd", says=['"svd"'])
        self.refused("assemble", "pendulm", says=['"pendulum"'])
        self.refused("run", says=["andrews"])

    def test_a_wrong_model_file_is_told_with_its_place(self):
        file = self.scratch / "my.toml"
        file.write_text('format = "raak/1"\ntitel = "x"\n')
        self.refused("run", str(file), says=["my.toml:2:1", '"title"'], code=1)
        file.write_bytes(bytes(range(256)))
        self.refused("check", str(file), says=["my.toml:1:1"], code=1)
        self.refused("check", "missing.toml", says=["missing.toml"])
        self.refused("run", str(self.scratch), says=["folder"], code=1)

    def test_tolerances_that_mean_nothing_are_refused(self):
        for rtol in ("0", "-1", "nan", "inf", "1e-20", "1e-400", "tight", "", "1e-6x", "2"):
            self.refused("run", "andrews", f"--rtol={rtol}" if rtol else "--rtol=", says=["--rtol"])
        for rtol in ("0", "nan", "1e-20"):
            self.refused("run", "andrews", "--rtol", rtol, says=["1e-15"])
            self.refused("check", "andrews", "--rtol", rtol, says=["1e-15"])
        for atol in ("0", "-1e-6", "nan", "inf"):
            self.refused("run", "andrews", "--atol", atol, says=["--atol"])
        self.refused("run", "andrews", "--rtol", "p=1e-6", says=['"p"', "lambda"])

    def test_a_tolerance_beyond_double_is_a_warning(self):
        done = raak("run", "pendulum", "--until", "0.1", "--rtol", "2e-15")
        self.assertEqual(done.returncode, 0)
        self.assertIn("warning", done.stderr)
        self.assertTrue(self.json("run", "pendulum", "--until", "0.1", "--rtol", "2e-15")["warnings"])

    def test_a_multistep_method_refuses_a_tolerance_beyond_double(self):
        for method in ("svd", "adams"):
            done = raak("run", "pendulum", "--until", "1", "--rtol", "1e-15", "--method", method)
            self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
            self.assertRegex(done.stderr, r"e-1[0-9]")

    def test_a_fixed_step_is_kept(self):
        work = self.json("run", "andrews", "--method", "generalized-alpha", "--step", "1e-4")["statistics"]
        self.assertEqual((work["accepted"], work["rejected"]), (300, 0))

    def test_a_method_of_low_order_says_so_when_asked_for_too_much(self):
        warnings = self.json("run", "pendulum", "--until", "0.01", "--method", "generalized-alpha", "--rtol", "1e-10")[
            "warnings"]
        self.assertIn("generalized-alpha", warnings[0])

    def test_a_method_on_a_form_it_does_not_have_is_refused(self):
        self.refused("run", "andrews", "--method", "bdf", "--form", "index3", says=["bdf", "ggl"])

    def test_numbers_that_are_none_are_refused(self):
        self.refused("run", "andrews", "--until", "soon", says=["--until", '"soon"'])
        self.refused("run", "andrews", "--until", "nan", says=["--until"])
        self.refused("run", "andrews", "--until", "inf", says=["--until"])
        self.refused("run", "andrews", "--h0", "-1", says=["--h0"])
        for step in ("0", "-1e-4", "nan", "inf", "short"):
            self.refused("run", "andrews", f"--step={step}", says=["--step"])
        self.refused("run", "andrews", "--step", "1e-4", "--h0", "1e-4", says=["not both"])
        self.refused("run", "andrews", "--every", "0", says=["--every"])
        self.refused("run", "andrews", "--every", "1e-30", says=["samples"])
        self.refused("run", "andrews", "--at", "0.01,1", says=["outside", "0.03"])
        self.refused("run", "andrews", "--at", "0.01", "--every", "0.01", says=["not both"])
        self.refused("run", "andrews", "--set", "beam", says=["NAME=VALUE"])
        self.refused("run", "pendulum", "--set", "=1", says=["NAME=VALUE"])

    def test_a_parameter_needs_a_finite_number(self):
        parameter = next(p for m in self.json("list", "models") for p in m["parameters"] if not p["choices"])
        model = next(m["name"] for m in self.json("list", "models") if parameter in m["parameters"])
        for value in ("nan", "inf", "heavy", "1e999"):
            self.refused("run", model, "--set", f"{parameter['name']}={value}", says=[parameter["name"], "finite"])

    def test_errors_are_json_when_json_is_asked_for(self):
        for arguments, code in ((("run", "andrew"), 2), (("run", "andrews", "--rtol", "0"), 2), (("rnu",), 2),
                                (("run", "andrews", "--nonsense"), 2), (("assemble", "andrews", "--trust", "x"), 2)):
            document = self.json(*arguments, code=code)
            self.assertEqual((document["status"], document["exit_code"]), ("error", code))
            self.assertTrue(document["message"])

    def test_an_output_folder_with_other_things_is_left_alone(self):
        (self.scratch / "thesis.tex").write_text("x")
        self.refused("run", "pendulum", "--out", str(self.scratch), says=["not empty"])
        self.assertEqual(os.listdir(self.scratch), ["thesis.tex"])

    def test_an_output_folder_that_cannot_be_is_refused(self):
        file = self.scratch / "file"
        file.write_text("x")
        self.refused("run", "pendulum", "--out", str(file), says=["not a folder"])
        self.refused("run", "pendulum", "--out", str(file / "inside"), says=["cannot write"])
        self.refused("run", "pendulum", "--out", "/proc/raak", says=["cannot write"])
        self.refused("run", "pendulum", "--out", "", says=["empty"])
        self.assertEqual(os.listdir(self.scratch), ["file"])
        if os.geteuid() != 0:
            locked = self.scratch / "locked"
            locked.mkdir(mode=0o500)
            self.refused("run", "pendulum", "--out", str(locked), says=["cannot write"])

    def test_a_refused_run_leaves_nothing_behind(self):
        out = self.scratch / "a/b"
        self.refused("run", "pendulum", "--form", "index2", "--method", "svd", "--out", str(out), says=["index2"])
        self.refused("run", "pendulum", "--trace", "--out", str(out), says=["--trace", "svd"])
        self.refused("run", "pendulum", "--method", "svd", "--trace", says=["--out"])
        self.assertEqual(os.listdir(self.scratch), [])


class ModelFiles(ProgramTest):
    def test_every_example_reaches_its_reference(self):
        done = raak("check", str(ROOT / "examples"), "--json")
        rows = json.loads(done.stdout)
        self.assertEqual([row for row in rows if not row["pass"]], [])
        self.assertGreaterEqual({pathlib.Path(row["model"]).name for row in rows}, {"andrews.toml", "bicycle.toml", "bricard.toml"})
        self.assertEqual(len({row["model"] for row in rows}), len(list((ROOT / "examples").glob("*.toml"))))

    def test_a_file_without_end_is_refused_and_a_byte_order_mark_is_not(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "m.toml"
            path.write_text('format = "raak/1"\ninclude = "/dev/zero"\n')
            done = raak("run", str(path))
            self.assertEqual(done.returncode, 1)
            self.assertIn("m.toml:2:", done.stderr)
            self.assertIn("does not end", done.stderr)
            path.write_bytes(b"\xef\xbb\xbf" + (ROOT / "examples/pendulum.toml").read_bytes())
            self.assertEqual(raak("run", str(path)).returncode, 0)

    def test_every_example_can_be_explained(self):
        for path in sorted((ROOT / "examples").glob("*.toml")):
            done = raak("explain", str(path), "--until", "0.05", "--json")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(json.loads(done.stdout)["status"], "ok", path.name)

    def test_the_file_of_the_readme_runs(self):
        text = (ROOT / "README.md").read_text().split("```toml\n")[1].split("```")[0]
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "arm.toml"
            path.write_text(text)
            document = json.loads(raak("run", str(path), "--until", "2", "--json").stdout)
        self.assertEqual(document["status"], "ok")
        self.assertEqual(document["names"], ["arm.x", "arm.y", "arm.angle"])
        self.assertLess(document["quality"]["energy_drift"], 1e-4)
        self.assertIn("pull", document["outputs"])


class Assembly(ProgramTest):
    def test_the_start_mobility_and_rank_are_told(self):
        document = self.json("assemble", "andrews-iftomm")
        self.assertEqual((document["coordinates"], document["position_rows"], document["velocity_rows"]), (7, 6, 0))
        self.assertEqual((document["rank"], document["mobility"]), (6, 1))
        self.assertEqual(len(document["singular_values"]), 6)
        start = dict(zip(document["names"], document["start"]["q"]))
        self.assertEqual(start["beta"], -0.0620)
        self.assertAlmostEqual(start["gamma"], 0.455279812100370224, places=14)
        self.assertEqual([len(document["start"][key]) for key in ("q", "v", "a", "lambda")], [7, 7, 7, 6])
        text = raak("assemble", "andrews-iftomm").stdout
        for word in ("beta", "rank", "multipliers", "singular values"):
            self.assertIn(word, text)

    def test_a_trusted_value_replaces_the_models(self):
        document = self.json("assemble", "andrews-iftomm", "--trust", "beta=-0.05", "--trust", "v.beta=3")
        index = document["names"].index("beta")
        self.assertEqual(document["start"]["q"][index], -0.05)
        self.assertEqual(document["start"]["v"][index], 3.0)
        self.assertEqual(document["trusted"]["q"], ["beta"])

    def test_a_guess_selects_the_branch(self):
        for side in (1, -1):  # the same height on the right and on the left
            x, y, phi = self.json("assemble", "pendulum", "--trust", "y=0.6", "--guess", f"x={0.4 * side}", "--guess",
                                  f"phi={0.5 * side}")["start"]["q"]
            self.assertAlmostEqual(x, 0.45 * side, places=12)
            self.assertAlmostEqual(y, 0.6, places=12)
            self.assertGreater(phi * side, 0)

    def test_another_start_has_no_reference(self):
        self.assertIsNone(self.json("run", "andrews", "--trust", "beta=-0.0620")["quality"]["scd"])
        self.assertIsNotNone(self.json("run", "andrews", "--trust", "beta")["quality"]["scd"])

    def test_a_mass_that_is_none_is_named(self):
        for model, setting, coordinate in (("pendulum", "J=0", "phi"), ("car-axis", "M=0", "xl"),
                                           ("andrews", "I1=-1", "beta"), ("slider-crank", "m3=0", "x3")):
            message = self.refused("run", model, "--set", setting, code=3)
            self.assertIn(f'the mass that moves with "{coordinate}" is', message)

    def test_contradictory_trusted_coordinates_are_named(self):
        message = self.refused("assemble", "andrews-iftomm", "--trust", "beta=-0.062", "--trust", "theta=1", code=3)
        self.assertIn("beta, theta", message)
        self.assertRegex(message, r"contradict.*rank \d")

    def test_too_few_trusted_coordinates_are_told_with_the_rank(self):
        message = self.refused("assemble", "slider-crank", "--trust", "phi1", code=3)
        self.assertIn("phi1", message)
        self.assertRegex(message, r"rank \d")

    def test_a_mechanism_that_cannot_be_assembled_names_the_constraint_and_the_gap(self):
        parameters = {p["name"]: p for m in self.json("list", "models") if m["name"] == "andrews-iftomm" for p in m["parameters"]}
        self.assertIn("d", parameters)
        out = self.scratch / "a"
        for command in (("assemble",), ("run", "--out", str(out))):
            message = self.refused(command[0], "andrews-iftomm", "--set", "d=0.2", *command[1:], code=3)
            self.assertRegex(message, r'constraint "E on [^"]+" stays open by 0\.\d+')
        self.assertFalse(out.exists())

    def test_start_values_that_mean_nothing_are_refused(self):
        self.refused("assemble", "andrews", "--trust", "beta=nan", says=["beta", "finite"])
        self.refused("assemble", "andrews", "--trust", "bata=1", says=['"beta"'])
        self.refused("assemble", "andrews", "--trust", "beta", "--trust", "beta=2", says=["twice"])
        self.refused("assemble", "andrews", "--guess", "gamma", says=["NAME=VALUE"])


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
        with open(out / "result.csv") as file:
            rows = list(csv.DictReader(file))
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
        plain = {name: (out / name).read_bytes() for name in ("result.csv", "result.npz")}
        for name in ("de_DE.UTF-8", "nl_NL.UTF-8"):
            subprocess.run([RAAK, "run", "pendulum", "--quiet", "--out", str(out)], env={**os.environ, "LC_ALL": name}, check=True)
            for file, data in plain.items():
                self.assertEqual((out / file).read_bytes(), data)


class Explain(ProgramTest):
    def test_a_sound_model_is_told_so(self):
        text = raak("explain", "pendulum").stdout
        self.assertIn("nothing is wrong", text)
        self.assertIn("it can move in 1 way", text)

    def test_a_failure_has_a_cause_a_place_and_an_advice(self):
        document = self.json("explain", "car-axis", "--set", "h=1.2")
        self.assertEqual(document["status"], "failed")
        self.assertEqual(document["cause"], "blow-up")
        self.assertIn("t = 0.098", document["message"])
        self.assertTrue(document["advice"])
        self.assertTrue(document["conditioning"]["worst"]["constraints"])

    def test_what_cannot_be_assembled_is_explained_too(self):
        document = self.json("explain", "andrews", "--set", "xb=5")
        self.assertEqual(document["cause"], "impossible assembly")
        self.assertIsNone(document["t_end"])

    def test_an_unknown_model_is_refused(self):
        self.refused("explain", "androws", says=['"andrews"'])


class Plots(ProgramTest):
    def test_each_quantity_is_an_svg_and_a_png(self):
        out = self.scratch / "a"
        done = raak("run", "andrews-iftomm", "--plot", "F.x,energy.balance,q,beta", "--quiet", "--out", str(out))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for name in ("F.x", "energy.balance", "q", "beta"):
            xml.etree.ElementTree.parse(out / (name + ".svg"))
            self.assertTrue((out / (name + ".png")).read_bytes().startswith(b"\x89PNG"))

    def test_a_wrong_name_brings_the_nearest_before_anything_runs(self):
        out = self.scratch / "a"
        self.refused("run", "andrews-iftomm", "--plot", "F.z", "--out", str(out), says=['"F.z"', '"F.x"'])
        self.refused("run", "andrews-iftomm", "--plot", "energy.balence", "--out", str(out), says=['"energy.balance"'])
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


class Failure(ProgramTest):
    def test_a_run_that_fails_on_the_way_keeps_and_marks_what_there_is(self):
        out = self.scratch / "a"
        # Bumps higher than the axle is long: its right end has nowhere to go beyond asin(1/1.2)/10 = 0.0985 s.
        document = self.json("run", "car-axis", "--set", "h=1.2", "--out", str(out), code=3)
        self.assertEqual(document["status"], "failed")
        self.assertIn("t = 0.098", document["message"])
        self.assertLess(document["t_end"], 0.16)
        self.assertIsNone(document["quality"]["scd"])
        self.assertEqual(json.loads((out / "run.json").read_text())["status"], "failed")
        self.assertTrue((out / "result.csv").read_text().splitlines()[-1].startswith("# partial: failed"))
        done = raak("run", "car-axis", "--set", "h=1.2")
        self.assertEqual(done.returncode, 3)
        self.assertIn("FAILED", done.stdout)
        self.assertRegex(done.stderr, r"\Araak: no acceptable step[^\n]+\n\Z")


class Interrupt(ProgramTest):
    def test_ctrl_c_keeps_and_marks_what_there_is(self):
        for sent in (signal.SIGINT, signal.SIGTERM):
            out = self.scratch / sent.name
            arguments = [RAAK, "run", "pendulum", "--until", "1e7", "--out", str(out), "--json"]
            with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
                time.sleep(1.0)
                process.send_signal(sent)
                stdout, stderr = process.communicate(timeout=30)
            self.assertEqual(process.returncode, 130, stderr)
            document = json.loads((out / "run.json").read_text())
            self.assertEqual(json.loads(stdout), document)
            self.assertEqual(document["status"], "interrupted")
            self.assertTrue(document["message"])
            self.assertEqual(sorted(os.listdir(out)), FILES)
            lines = (out / "result.csv").read_text().splitlines()
            self.assertTrue(lines[-1].startswith("# partial: "))
            last = dict(zip(lines[0].split(","), lines[-2].split(",")))
            self.assertEqual(float(last["t"]), document["t_end"])
            self.assertGreater(document["t_end"], 0.0)

    def test_ctrl_c_keeps_and_marks_the_rows_of_a_bench(self):
        out = self.scratch / "b"
        arguments = [RAAK, "bench", "slider-crank", "--rtol", "1e-4:1e-12:8", "--out", str(out), "--json"]
        with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            time.sleep(2.0)
            process.send_signal(signal.SIGINT)
            stdout, stderr = process.communicate(timeout=30)
        self.assertEqual(process.returncode, 130, stderr)
        document = json.loads((out / "bench.json").read_text())
        self.assertEqual(document["status"], "interrupted")
        self.assertEqual(json.loads(stdout), document["rows"])
        self.assertTrue(document["rows"])
        self.assertIn("Stopped by the user", (out / "bench.html").read_text())


if __name__ == "__main__":
    unittest.main()
