"""Runs model files and assembles starts as a user would."""

import json
import math
import pathlib
import tempfile
import unittest

from program import ROOT, ProgramTest, raak


class ModelFiles(ProgramTest):
    def test_every_example_reaches_its_reference(self):
        done = raak("check", str(ROOT / "examples"), "--json")
        rows = json.loads(done.stdout)
        self.assertEqual([row for row in rows if not row["pass"]], [])
        self.assertGreaterEqual({pathlib.Path(row["model"]).name for row in rows}, {"andrews.toml", "bicycle.toml", "bricard.toml"})
        self.assertEqual(len({row["model"] for row in rows}), len(list((ROOT / "examples").glob("*.toml"))))

    def test_auto_does_not_take_a_fast_top_for_a_stiff_one(self):
        def evaluations(method):
            done = raak("run", str(ROOT / "examples/heavy-top.toml"), "--method", method, "--rtol", "1e-8", "--json")
            return json.loads(done.stdout)["statistics"]["evaluations"]

        self.assertLess(evaluations("auto"), 1.2 * evaluations("gauss"))

    def test_the_work_of_drivers_follows_the_tolerance_where_nothing_else_moves(self):
        for method in ("svd", "svd-dop853", "dop853", "gauss"):
            with self.subTest(method):
                done = raak("run", str(ROOT / "examples/peaucellier.toml"), "--method", method, "--rtol", "1e-8", "--json")
                self.assertLess(json.loads(done.stdout)["quality"]["energy_drift"], 1e-8)

    def test_a_device_is_refused_and_a_byte_order_mark_is_not(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "m.toml"
            path.write_text('format = "raak/1"\ninclude = "/dev/zero"\n')
            done = raak("run", str(path))
            self.assertEqual(done.returncode, 1)
            self.assertIn("m.toml:2:", done.stderr)
            self.assertIn("is a device", done.stderr)
            path.write_bytes(b"\xef\xbb\xbf" + (ROOT / "examples/pendulum.toml").read_bytes())
            self.assertEqual(raak("run", str(path)).returncode, 0)

    ARM = """format = "raak/1"
space = "spatial"
[ground.points]
O = [0.0, 0.0, 0.0]
[bodies.arm]
mass = 2.0
inertia = [0.1, 0.4, 0.4]
points = { O = [0.0, 0.0, 0.0] }
[joints]
hinge = { type = "revolute", pins = ["ground.O", "arm.O"], axes = ["ground.z", "arm.z"] }
"""

    def run_text(self, text, *arguments):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "m.toml"
            path.write_text(text)
            return raak("run", str(path), *arguments)

    def test_a_motor_in_space_turns_on_and_on(self):
        done = self.run_text(self.ARM + '[drivers]\nmotor = { displacement = "hinge", motion = "10*t" }\n', "--until", "3", "--json")
        document = json.loads(done.stdout)
        self.assertEqual(document["status"], "ok", done.stderr)
        w = document["final"]["q"][document["names"].index("arm.quaternion.w")]
        self.assertAlmostEqual(abs(w), abs(math.cos(15.0)), 6)

    def test_keys_without_a_meaning_in_space_are_refused(self):
        done = self.run_text(self.ARM + '[forces]\nb = { type = "bushing", pins = ["ground.O", "arm.O"], stiffness = 1.0, angle = 3.0 }\n')
        self.assertEqual(done.returncode, 1)
        self.assertIn('has no "angle"', done.stderr)

    def test_a_body_that_nothing_holds_is_reported_once(self):
        done = self.run_text(self.ARM + '[bodies.stone]\nmass = 1.0\ninertia = [1.0, 1.0, 1.0]\n', "--until", "0.1")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr.count('"stone" has no joints: it is a free body'), 1)

    def test_a_start_beyond_all_numbers_is_reported(self):
        text = (ROOT / "README.md").read_text().split("```toml\n")[1].split("```")[0].replace('"arm.omega" = 0.0', '"arm.omega" = 1e200')
        done = self.run_text(text)
        self.assertEqual(done.returncode, 3)
        self.assertIn("not finite", done.stderr)

    def test_a_force_that_begins_at_rest_is_passed(self):
        text = self.ARM + '[forces]\nm = { type = "torque", on = "arm", value = [0.0, 0.0, "10*(1 + sign(t - 0.3))/2"] }\n'
        document = json.loads(self.run_text(text, "--until", "1", "--json").stdout)
        self.assertEqual(document["status"], "ok", document["message"])
        omega = document["final"]["v"][document["names_v"].index("arm.omega.z")]
        self.assertAlmostEqual(omega, 10.0 * 0.7 / 0.4, 2)

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
    def test_joints_that_cannot_close_are_data_and_explained_as_such(self):
        path = self.scratch / "far.toml"
        text = (ROOT / "examples/n-four-bar-1.toml").read_text().split("[start.trust]")[0]
        path.write_text(text.replace("A1 = [1.0, 0.0]", "A1 = [5.0, 0.0]") + "[runs.default]\nuntil = 1.0\n")
        document = self.json("assemble", str(path), code=3)
        self.assertIn("cannot be assembled", document["message"])
        self.assertEqual(len(document["open"]), 1)
        self.assertAlmostEqual(document["open"][0]["gap"], 2.0, places=5)
        self.assertEqual(document["open"][0]["unit"], "m")
        self.assertIn(f'"{document["open"][0]["name"]}" stays open by 2 m', document["message"])
        self.assertEqual(self.json("explain", str(path))["cause"], "impossible assembly")

    def test_a_structure_in_a_singularity_does_not_move_either(self):
        path = self.scratch / "in-line.toml"
        bar = "mass = 1.0\ninertia = 0.02\ncom = [0.25, 0.0]\npoints = { A = [0.0, 0.0], B = [0.5, 0.0] }\n"
        path.write_text('format = "raak/1"\ngravity = [0.0, -9.81]\n[ground.points]\nO = [0.0, 0.0]\nQ = [1.0, 0.0]\n'
                        f"[bodies.a]\n{bar}[bodies.b]\n{bar}[joints]\n"
                        'j1 = { type = "revolute", pins = ["ground.O", "a.A"] }\n'
                        'j2 = { type = "revolute", pins = ["a.B", "b.A"] }\n'
                        'j3 = { type = "revolute", pins = ["ground.Q", "b.B"] }\n')
        self.assertEqual(set(self.json("assemble", str(path))["start"]["a"]), {0.0})
        self.refused("run", str(path), "--until", "0.005", code=3, says=["nothing can move"])

    def test_the_reactions_of_a_structure_are_reported(self):
        path = self.scratch / "shelf.toml"
        path.write_text("""format = "raak/1"
gravity = [0.0, -9.81]
[ground.points]
O = [0.0, 0.0]
[bodies.shelf]
mass = 2.0
inertia = 0.1
com = [0.5, 0.0]
points = { O = [0.0, 0.0] }
[joints]
wall = { type = "fixed", pins = ["ground.O", "shelf.O"] }
[outputs]
lift = "wall.force.y"
hold = "wall.moment"
""")
        outputs = self.json("assemble", str(path))["outputs"]
        self.assertAlmostEqual(outputs["lift"], 2.0 * 9.81)
        self.assertAlmostEqual(outputs["hold"], 9.81)
        self.assertIn("lift", raak("assemble", str(path)).stdout)

    def test_the_start_mobility_and_rank_are_reported(self):
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
        for model, setting in (("pendulum", "J=0"), ("car-axis", "M=0"), ("andrews", "I1=-1"), ("slider-crank", "m3=0")):
            self.refused("run", model, "--set", setting, says=[f'parameter "{setting.split("=")[0]}"', "expects"])
        # Each number may be what it is, and yet nothing resists a motion: the crank's centre of mass lies on its axis.
        message = self.refused("run", "andrews", "--set", "I1=0", "--set", "ra=0", "--set", "m2=1e-300", "--set", "I2=0",
                               code=3)
        self.assertIn("mass matrix is not positive definite", message)

    def test_contradictory_trusted_coordinates_are_named(self):
        message = self.refused("assemble", "andrews-iftomm", "--trust", "beta=-0.062", "--trust", "theta=1", code=3)
        self.assertIn("beta, theta", message)
        self.assertRegex(message, r"contradict.*rank \d")

    def test_too_few_trusted_coordinates_are_reported_with_the_rank(self):
        message = self.refused("assemble", "slider-crank", "--trust", "phi1", code=3)
        self.assertIn("phi1", message)
        self.assertRegex(message, r"rank \d")

    def test_a_mechanism_that_cannot_be_assembled_names_the_constraint_and_the_gap(self):
        parameters = {p["name"]: p for m in self.json("list", "models") if m["name"] == "andrews-iftomm" for p in m["parameters"]}
        self.assertIn("d", parameters)
        out = self.scratch / "a"
        for command in (("assemble",), ("run", "--out", str(out))):
            message = self.refused(command[0], "andrews-iftomm", "--set", "d=0.2", *command[1:], code=3)
            self.assertRegex(message, r'"E on [^"]+" stays open by 0\.\d+')
        self.assertFalse(out.exists())

    def test_start_values_that_mean_nothing_are_refused(self):
        self.refused("assemble", "andrews", "--trust", "beta=nan", says=["beta", "finite"])
        self.refused("assemble", "andrews", "--trust", "bata=1", says=['"beta"'])
        self.refused("assemble", "andrews", "--trust", "beta", "--trust", "beta=2", says=["twice"])
        self.refused("assemble", "andrews", "--guess", "gamma", says=["NAME=VALUE"])


if __name__ == "__main__":
    unittest.main()
