"""Runs `raak` as a user would and looks at exit codes, both outputs and files."""

import json
import math
import os
import signal
import subprocess
import unittest

from program import FILES, RAAK, ProgramTest, cpu_seconds, raak, rows_of


class Help(ProgramTest):
    def test_without_arguments_the_help_is_shown(self):
        done = raak()
        self.assertEqual(done.returncode, 0)
        self.assertIn("raak run andrews", done.stdout)

    def test_every_command_has_help_with_an_example(self):
        for command in ("list", "run", "report", "check", "bench", "assemble", "explain", "new", "convert", "completion", "man"):
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

    def test_the_tolerance_that_was_used_is_told_beside_the_one_asked_for(self):
        document = self.json("run", "pendulum", "--rtol", "2e-15")
        self.assertEqual(document["rtol"], 2e-15)
        self.assertEqual({kind["rtol"] for kind in document["tolerances_used"].values()}, {1e-14})
        self.assertIn("rtol 1e-14, atol 1e-14 (rtol 2e-15 was asked for)", raak("run", "pendulum", "--rtol", "2e-15").stdout)
        self.assertNotIn("asked for", raak("run", "pendulum", "--rtol", "1e-9").stdout)

    def test_a_parameter_without_physical_meaning_is_refused(self):
        self.refused("run", "pendulum", "--set", "m=0", says=['"m"', "mass", "above 0", '"0"'])
        self.refused("run", "andrews", "--set", "m3=-0.02", says=['"m3"', "above 0"])
        self.refused("run", "andrews", "--set", "c0=-1", says=['"c0"', "stiffness", "from 0 up"])
        self.refused("check", "slider-crank", "--set", "E=-2e11", says=['"E"', "above 0"])
        self.refused("bench", "car-axis", "--set", "M=0", says=['"M"', "above 0"])
        self.assertEqual(raak("run", "andrews", "--set", "c0=0", "--quiet").returncode, 0)

    def test_a_multistep_method_refuses_a_tolerance_beyond_double(self):
        for method in ("svd", "adams"):
            done = raak("run", "pendulum", "--until", "1", "--rtol", "1e-15", "--method", method)
            self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
            self.assertRegex(done.stderr, r"e-1[0-9]")

    def test_a_fixed_step_is_kept(self):
        work = self.json("run", "andrews", "--method", "generalized-alpha", "--step", "1e-4")["statistics"]
        self.assertEqual((work["accepted"], work["rejected"]), (300, 0))

    def test_a_multistep_method_shows_its_order_with_fixed_steps(self):
        for method, order in (("adams", 5.0), ("svd", 5.0), ("bdf", 3.8)):
            errors = []
            for step in ("4e-2", "2e-2"):
                end = self.json("run", "pendulum", "--method", method, "--rtol", "1e-9", "--step", step)["quality"]["scd"]
                errors.append(end)
            self.assertGreater((errors[1] - errors[0]) / 0.30103, order, method)

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

    def test_a_decimal_comma_is_told_how_to_be_written(self):
        self.refused("run", "pendulum", "--until", "0,5", says=['found "0,5"; write 0.5'])

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
            partial = out / "result.csv.partial"
            process, stdout, stderr = self.signalled(sent, lambda _: partial.exists() and partial.stat().st_size > 0,
                                                     "run", "pendulum", "--until", "1e7", "--out", str(out), "--json")
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
        # A row of auto takes a fifth of a second, whatever the machine: runs are repeated that long.
        process, stdout, stderr = self.signalled(signal.SIGINT, lambda started: cpu_seconds(started) > 2.0, "bench",
                                                 "slider-crank", "--rtol", "1e-4:1e-12:8", "--out", str(out), "--json")
        self.assertEqual(process.returncode, 130, stderr)
        document = json.loads((out / "bench.json").read_text())
        self.assertEqual(document["status"], "interrupted")
        self.assertEqual(json.loads(stdout), document["rows"])
        self.assertTrue(document["rows"])
        self.assertIn("Stopped by the user", (out / "bench.html").read_text())


if __name__ == "__main__":
    unittest.main()
