"""Runs `raak` as a user would and looks at exit codes, both outputs and files."""

import json
import math
import os
import subprocess
import unittest

from program import FILES, RAAK, ProgramTest, raak, rows_of


class Help(ProgramTest):
    def test_without_arguments_the_help_is_shown(self):
        done = raak()
        self.assertEqual(done.returncode, 0)
        self.assertIn("raak run andrews", done.stdout)

    def test_help_may_be_asked_for_as_a_command(self):
        self.assertEqual(raak("help").stdout, raak("--help").stdout)
        self.assertEqual(raak("help", "run").stdout, raak("run", "--help").stdout)
        self.refused("help", "rnu", says=['"rnu"', '"run"'])

    def test_every_command_has_help_with_an_example(self):
        for command in ("list", "run", "report", "check", "bench", "assemble", "explain", "modes", "new", "convert", "completion", "man"):
            done = raak(command, "--help")
            self.assertEqual(done.returncode, 0)
            self.assertRegex(done.stdout, rf"Examples?:\n(?:  raak .*\n)*?  (?:source <\()?raak {command}\b")
            self.assertIn("--json", done.stdout)

    def test_folders_and_files_may_have_the_name_of_a_command(self):
        for words, said in ((("run", "pendulum", "--quiet", "--out", "list"), ""), (("report", "list"), "list/report.html\n")):
            done = subprocess.run([RAAK, *words], cwd=self.scratch, capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stdout), (0, said), words)
        self.refused("run", "check", says=['no model', '"check"'])
        self.refused("run", "andrews", "list", says=['"list"', "too many"])

    def test_the_version_is_reported(self):
        self.assertRegex(raak("--version").stdout, r"\Araak \d+\.\d+\.\d+\n\Z")

    def test_an_unknown_command_or_option_brings_the_nearest(self):
        self.refused("rnu", "andrews", says=['"rnu"', '"run"'])
        self.refused("run", "andrews", "--metod", "svd", says=['"--metod"', '"--method"'])
        self.refused("run", "andrews", "pendulum", says=['"pendulum"', "too many", "raak run --help"])
        self.refused("run", "andrews", "--rtol", says=["--rtol", "needs a value"])
        self.refused("run", "andrews", "--rtol", "1e-6", "--rtol", "1e-7", says=["--rtol", "more than once"])
        self.refused("--jason", says=['"--jason"'])
        for option in ("--json=5", "--quiet=no", "--trace=1"):
            self.refused("run", "pendulum", option, says=[option.split("=")[0], "takes no value"])


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
        for topic in ("models", "methods", "joints", "forces", "formats", "templates"):
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
        rows = rows_of(out / "result.csv")
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
            return [float(row["t"]) for row in rows_of(out / "result.csv")]

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
        rows = rows_of(out / "trace.csv")
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


if __name__ == "__main__":
    unittest.main()
