"""What assembly says of mechanisms that cannot be closed, and of files and values that cannot be meant."""

import json
import math
import unittest

from models import arm
from program import ProgramTest, raak

HEAD = """format = "raak/1"
space = "spatial"
gravity = [0.0, 0.0, -9.81]
[ground.points]
A = [0.0, 0.0, 0.0]
B = [2.0, 0.0, 0.0]
"""


def bar(name, length, axes=""):
    return f"""[bodies.{name}]
mass = 1.0
inertia = [0.01, 0.1, 0.1]
com = [{length / 2}, 0.0, 0.0]
points = {{ O = [0.0, 0.0, 0.0], P = [{length}, 0.0, 0.0] }}
{axes}"""


def spatial_four_bar(*lengths):
    return HEAD + "".join(bar(name, length) for name, length in zip("abc", lengths)) + """[joints]
A = { type = "revolute", pins = ["ground.A", "a.O"], axes = ["ground.y", "a.y"] }
B = { type = "revolute", pins = ["ground.B", "c.O"], axes = ["ground.y", "c.y"] }
C = { type = "revolute", pins = ["a.P", "b.O"], axes = ["a.y", "b.y"] }
D = { type = "revolute", pins = ["b.P", "c.P"], axes = ["b.y", "c.y"] }
"""


ARM = """format = "raak/1"
gravity = [0.0, -9.81]
[parameters]
m = 1.0
k = 100.0
[ground.points]
O = [0.0, 0.0]
C = [0.0, 1.0]
[bodies.arm]
mass = "m"
inertia = 0.1
points = { O = [0.0, 0.0], P = [1.0, 0.0] }
[joints]
hinge = { type = "revolute", pins = ["ground.O", "arm.O"] }
[forces]
s = { type = "spring", between = ["ground.C", "arm.P"], stiffness = "k", length = 0.5 }
[runs.default]
until = 1.0
"""

DRIVEN = '[drivers]\ncrank = { coordinate = "arm.angle", motion = "t" }\n'

TWO_DRIVERS = arm("""[drivers]
d1 = { coordinate = "arm.angle", motion = "t" }
d2 = { coordinate = "arm.angle", motion = "t+10*max(0,t-0.5)^3" }""", start="")


class Searches(ProgramTest):
    def test_the_crank_of_andrews_may_be_put_at_any_angle(self):
        for model in ["andrews", "andrews-iftomm"]:
            for tenths in range(-30, 63, 10):
                done = raak("assemble", model, "--trust", f"beta={tenths / 10}", "--json")
                self.assertEqual(done.returncode, 0, f"{model} {tenths}: {done.stderr}")

    def test_the_crank_of_andrews_comes_back_to_its_configuration_after_a_turn(self):
        def rest(beta):
            document = self.json("assemble", "andrews", "--trust", f"beta={beta}")
            return dict(zip(document["names"], document["start"]["q"]))

        once, again = rest(0.5), rest(0.5 + 2.0 * math.pi)
        for name in ("gamma", "phi", "delta", "omega", "eps"):
            self.assertAlmostEqual(once[name], again[name], delta=1e-9)

    def test_drivers_that_part_end_the_run_where_they_do_and_show_in_the_figures(self):
        path = self.scratch / "two.toml"
        path.write_text(TWO_DRIVERS)
        done = json.loads(raak("run", str(path), "--json").stdout)
        # 10 (t - 0.5)^3 = 1e-6
        self.assertAlmostEqual(done["t_end"], 0.5 + 1e-7 ** (1 / 3), delta=1e-4)
        self.assertAlmostEqual(done["quality"]["position_residual"], 1e-6, delta=1e-8)

    def test_files_that_include_the_next_twice_are_read_once(self):
        for i in range(40):
            (self.scratch / f"i{i}.toml").write_text(f'include = ["i{i + 1}.toml", "./i{i + 1}.toml"]\n')
        (self.scratch / "i40.toml").write_text(ARM)
        self.assertEqual(raak("assemble", str(self.scratch / "i0.toml")).returncode, 0)

    def test_a_driver_with_the_name_of_a_joint_is_refused(self):
        path = self.scratch / "m.toml"
        path.write_text(ARM + DRIVEN.replace("crank", "hinge"))
        self.refused("assemble", str(path), code=1, says=['the name "hinge" is taken by a joint'])

    def test_a_type_of_the_plane_is_said_to_be_one_in_space(self):
        path = self.scratch / "m.toml"
        path.write_text(HEAD + bar("a", 1.0) + '[joints]\nr = { type = "rack" }\n')
        self.refused("assemble", str(path), code=1, says=['"rack" exists for planar models only'])

    def test_no_number_is_suggested_for_nan(self):
        self.refused("run", "andrews", "--until", "nan", says=['found "nan"\n'])


class Files(ProgramTest):
    def file(self, text):
        path = self.scratch / "m.toml"
        path.write_text(text)
        return str(path)


class ImpossibleInSpace(Files):
    def open_joint(self, text):
        document = self.json("assemble", self.file(text), code=3)
        self.assertEqual(len(document["open"]), 1, document["message"])
        self.assertIn(f'"{document["open"][0]["name"]}" stays open by', document["message"])
        return document["open"][0]

    def test_rods_almost_in_line_are_called_so(self):
        # Unit vectors at an angle e to each other have singular values of sqrt(2) and e / sqrt(2).
        for angle, poor in ((3e-6, False), (2.1e-6, False), (1.9e-6, True), (1.5e-6, True)):
            path = self.scratch / "rods.toml"
            path.write_text(f"""format = "raak/1"
[ground.points]
A = [0.0, 0.0]
B = [{1 - math.cos(angle)!r}, {math.sin(angle)!r}]
[bodies.p]
mass = 1.0
inertia = 0.1
points = {{ O = [0.0, 0.0] }}
[joints]
one = {{ type = "distance", between = ["ground.A", "p.O"], length = 1.0 }}
two = {{ type = "distance", between = ["ground.B", "p.O"], length = 1.0 }}
[start.guess]
"p.x" = 1.0
[runs.default]
until = 1.0
""")
            values = self.json("assemble", str(path))["singular_values"]
            self.assertAlmostEqual(values[0], math.sqrt(2), delta=1e-6)
            self.assertAlmostEqual(values[1] * math.sqrt(2) / angle, 1, delta=1e-3)
            self.assertEqual("in or near a singular configuration" in raak("assemble", str(path)).stdout, poor, angle)

    def test_two_ball_joints_too_far_apart(self):
        joints = '[joints]\nw1 = { type = "spherical", pins = ["ground.A", "a.O"] }\nw2 = { type = "spherical", pins = ["ground.B", "a.P"] }\n'
        found = self.open_joint(HEAD + bar("a", 1.0) + joints)
        self.assertIn(found["name"], ("w1", "w2"))
        self.assertEqual(found["unit"], "m")
        self.assertAlmostEqual(found["gap"], 1.0, places=6)

    def test_a_loop_of_hinges_that_is_too_short(self):
        found = self.open_joint(spatial_four_bar(0.5, 0.4, 0.5))
        self.assertEqual(found["unit"], "m")
        self.assertAlmostEqual(found["gap"], 0.6, places=5)

    def test_hinges_of_one_body_with_axes_across_each_other(self):
        joints = """[joints]
one = { type = "revolute", pins = ["ground.A", "a.O"], axes = ["ground.y", "a.y"] }
two = { type = "revolute", pins = ["ground.A", "a.O"], axes = ["ground.y", "a.u"] }
"""
        found = self.open_joint(HEAD + bar("a", 1.0, "axes = { u = [0.0, 1.0, 1.0] }\n") + joints)
        self.assertIn(found["name"], ("one", "two"))
        self.assertEqual(found["unit"], "rad")
        self.assertAlmostEqual(found["gap"], math.pi / 4.0, places=5)

    def test_the_gap_of_a_rod_is_what_its_length_lacks(self):
        joints = """[joints]
ball = { type = "spherical", pins = ["ground.A", "a.O"] }
rod = { type = "distance", between = ["ground.B", "a.P"], length = 0.2 }
"""
        found = self.open_joint(HEAD + bar("a", 1.0) + joints)
        self.assertEqual(found["unit"], "m")
        self.assertAlmostEqual(found["gap"], 0.8, places=4)

    def test_a_loop_of_hinges_without_guesses_closes(self):
        document = self.json("assemble", self.file(spatial_four_bar(1.0, 1.5, 1.2)))
        self.assertEqual(document["mobility"], 1)


class StartsInSpace(Files):
    def test_a_blade_is_placed_across_the_normal_of_its_surface(self):
        text = HEAD + """[bodies.s]
mass = 2.0
inertia = [0.1, 0.2, 0.3]
points = { A = [0.0, 0.0, 0.0] }
[joints]
k = { type = "knife-edge", pins = ["ground.A", "s.A"], axes = ["s.x", "ground.z"] }
[start]
trust = { "s.velocity" = [3.0, 0.0, 0.0] }
[runs.default]
until = 1.0
"""
        document = self.json("run", self.file(text))
        final = dict(zip(document["names"], document["final"]["q"]))
        self.assertAlmostEqual(final["s.position.x"], 3.0, places=6)
        self.assertAlmostEqual(final["s.position.y"], 0.0, places=6)
        self.assertAlmostEqual(final["s.position.z"], -0.5 * 9.81, places=6)


class WhatIsGiven(Files):
    def test_a_value_that_the_file_cannot_bear_is_wrong_on_the_command_line(self):
        path = self.file(ARM)
        self.refused("run", path, "--set", "m=-1", code=2, says=["--set m=-1", "m.toml:10:", "expected a positive number of kg"])
        self.refused("assemble", path, "--set", "m=-1", code=2)
        self.refused("run", self.file(ARM.replace("m = 1.0", "m = -1.0")), "--set", "k=1", code=1, says=["m.toml:10:"])

    def test_a_spring_has_a_length_at_rest(self):
        self.refused("run", self.file(ARM.replace("length = 0.5", "length = -0.5")), code=1, says=["m.toml:16:", "not negative"])

    def test_a_stiffness_is_a_constant(self):
        self.refused("run", self.file(ARM.replace('"k"', '"k*(1+t)"')), code=1, says=["expected a constant", '"t"', "pull"])
        self.refused("run", self.file(ARM.replace('"k"', '"k*arm.angle"')), code=1, says=["expected a constant", '"arm.angle"'])

    def test_a_driver_of_an_angle_has_a_moment_and_one_of_a_length_a_force(self):
        text = ARM + DRIVEN + '[outputs]\neffort = "crank.moment"\n'
        self.assertTrue(math.isfinite(self.json("run", self.file(text))["outputs"]["effort"]))
        self.refused("run", self.file(text.replace("crank.moment", "crank.force")), code=1, says=["crank.moment"])
        pulled = text.replace('coordinate = "arm.angle", motion = "t"', 'distance = ["ground.C", "arm.P"], motion = "1.4 - 0.1*t"')
        pulled += '[start.guess]\n"arm.angle" = 0.1\n'
        self.refused("run", self.file(pulled), code=1, says=["crank.force"])
        self.assertTrue(math.isfinite(self.json("run", self.file(pulled.replace("crank.moment", "crank.force")))["outputs"]["effort"]))

    def test_gears_are_two_and_turn_each_other(self):
        second = ARM.replace("[joints]", '[bodies.other]\nmass = 1.0\ninertia = 0.1\n[joints]\nmesh = { type = "gear", bodies = ["arm", "other"], ratio = RATIO }')
        self.refused("run", self.file(second.replace("RATIO", "0.0")), code=1, says=["the ratio of a gear pair is 0"])
        same = second.replace("RATIO", "2.0").replace('"arm", "other"', '"arm", "arm"')
        self.refused("run", self.file(same), code=1, says=["expected two different bodies"])

    def test_one_component_of_a_rotation_holds_about_the_axis_of_a_joint_to_the_ground(self):
        text = HEAD + bar("a", 1.0) + """[joints]
hinge = { type = "revolute", pins = ["ground.A", "a.O"], axes = ["ground.z", "a.z"] }
[start]
trust = { "a.rotation.z" = ANGLE, "a.omega.z" = 1.5 }
"""
        for angle in (0.4, 3.0, -2.0):
            start = self.json("assemble", self.file(text.replace("ANGLE", str(angle))))
            found = dict(zip(start["names"], start["start"]["q"]))
            turned = 2.0 * math.atan2(found["a.quaternion.z"], found["a.quaternion.w"])
            self.assertAlmostEqual(math.remainder(turned - angle, 2.0 * math.pi), 0.0, places=12)
        self.refused("run", self.file(text.replace("rotation.z", "rotation.x").replace("ANGLE", "0.4")), code=1, says=["one component of a rotation"])

    def test_an_angle_in_space_is_that_of_a_hinge(self):
        text = HEAD + bar("a", 1.0) + """[joints]
hinge = { type = "revolute", pins = ["ground.A", "a.O"], axes = ["ground.z", "a.z"] }
[drivers]
motor = { coordinate = "a.angle", motion = "t" }
"""
        self.refused("run", self.file(text), code=1, says=['displacement = "HINGE"'])

    def test_rounding_at_rest_is_not_called_a_wrong_motion(self):
        hanging = """format = "raak/1"
gravity = [0.0, -9.81]
[ground.points]
O = [0.0, 0.0]
[bodies.arm]
mass = 1.0
inertia = 0.1
com = [0.5, 0.0]
points = { O = [0.0, 0.0], P = [1.0, 0.0] }
[bodies.two]
mass = 1.0
inertia = 0.1
com = [0.5, 0.0]
points = { P = [0.0, 0.0] }
[joints]
hinge = { type = "revolute", pins = ["ground.O", "arm.O"] }
knee = { type = "revolute", pins = ["arm.P", "two.P"] }
[start]
trust = { "arm.angle" = "-pi/2", "two.angle" = "-pi/2" }
"""
        done = raak("run", self.file(hanging), "--until", "10", "--method", "dop853")
        self.assertEqual((done.returncode, done.stderr), (0, ""))


if __name__ == "__main__":
    unittest.main()
