"""What a command line asks for that cannot be meant: refused before anything is computed, with what was expected."""

import os
import unittest

from program import ProgramTest, raak


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

    def test_a_file_that_there_is_not_brings_what_may_be_meant(self):
        (self.scratch / "swing.toml").write_text("")
        self.refused("run", str(self.scratch / "swnig.toml"), says=[f'did you mean "{self.scratch}/swing.toml"?'])
        self.refused("run", "andrews.toml", says=['a built-in model is called "andrews"'])
        self.refused("run", str(self.scratch / "robot-arm.toml"), says=["raak new robot-arm writes one"])
        self.refused("run", says=["a file (*.toml)", "andrews"])

    def test_a_wrong_model_file_is_reported_with_its_place(self):
        file = self.scratch / "my.toml"
        file.write_text('format = "raak/1"\ntitel = "x"\n')
        self.refused("run", str(file), says=["my.toml:2:1", '"title"'], code=1)
        file.write_bytes(bytes(range(256)))
        self.refused("check", str(file), says=["my.toml:1:1"], code=1)
        self.refused("check", "missing.toml", says=["missing.toml"])
        self.refused("run", str(self.scratch), says=["folder"], code=1)

    def test_tolerances_that_mean_nothing_are_refused(self):
        for rtol in ("0", "-1", "nan", "inf", "1e-400", "tight", "", "1e-6x", "2"):
            self.refused("run", "andrews", f"--rtol={rtol}" if rtol else "--rtol=", says=["--rtol"])
        for rtol in ("0", "nan"):
            self.refused("run", "andrews", "--rtol", rtol, says=["above 0"])
            self.refused("check", "andrews", "--rtol", rtol, says=["above 0"])
        for atol in ("0", "-1e-6", "nan", "inf"):
            self.refused("run", "andrews", "--atol", atol, says=["--atol"])
        self.refused("run", "andrews", "--rtol", "p=1e-6", says=['"p"', "lambda"])

    def test_a_tolerance_beyond_double_is_a_warning(self):
        done = raak("run", "pendulum", "--until", "0.1", "--rtol", "2e-15")
        self.assertEqual(done.returncode, 0)
        self.assertIn("warning", done.stderr)
        for rtol in ("2e-15", "1e-16", "1e-300"):
            document = self.json("run", "pendulum", "--until", "0.1", "--rtol", rtol)
            self.assertIn("below what double precision can hold", document["warnings"][0])
            self.assertEqual({kind["rtol"] for kind in document["tolerances_used"].values()}, {1e-14})

    def test_the_tolerance_that_was_used_is_reported_beside_the_one_asked_for(self):
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
            for rtol in ("1e-15", "1e-300"):
                done = raak("run", "pendulum", "--until", "1", "--rtol", rtol, "--method", method)
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

    def test_a_far_end_is_out_of_reach_and_no_jump(self):
        for until in ("1e30", "1e100"):
            self.refused("run", "pendulum", "--until", until, "--quiet", code=3, says=["cannot reach"])

    def test_advice_on_fixed_steps_speaks_of_steps(self):
        done = raak("run", "andrews", "--method", "half-explicit", "--step", "0.01", "--quiet")
        self.assertIn("Try: a smaller --step", done.stderr)
        done = raak("run", "andrews", "--method", "dop853", "--step", "0.01", "--quiet")
        self.assertIn("Compare with a smaller --step", done.stderr)

    def test_an_end_where_little_moves_is_no_reason_to_doubt_the_energy(self):
        done = raak("run", "pendulum", "--until", "200", "--method", "bdf", "--quiet")  # ends near a turning point
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_a_decimal_comma_is_shown_how_to_be_written(self):
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


if __name__ == "__main__":
    unittest.main()
