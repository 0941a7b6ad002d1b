"""What is wrong in a model file is reported by every command, before anything is computed."""

import os
import subprocess
import unittest

from models import HINGE, LOOSE_ARM, TWO_RODS
from program import PATIENCE, RAAK, ROOT, ProgramTest, raak

# A coupler lighter than the links beside it by LIGHT.
FOUR_BAR = """format = "raak/1"
gravity = [0.0, -9.81]
[ground.points]
O = [0.0, 0.0]
D = [2.0, 0.0]
[bodies.crank]
mass = 1.0
inertia = 0.1
com = [0.25, 0.0]
points = { A = [0.0, 0.0], B = [0.5, 0.0] }
[bodies.coupler]
mass = LIGHT
inertia = LIGHT
com = [1.0, 0.0]
points = { B = [0.0, 0.0], C = [2.0, 0.0] }
[bodies.rocker]
mass = 1.0
inertia = 0.2
com = [0.5, 0.0]
points = { D = [0.0, 0.0], C = [1.0, 0.0] }
[joints]
O = { type = "revolute", pins = ["ground.O", "crank.A"] }
B = { type = "revolute", pins = ["crank.B", "coupler.B"] }
C = { type = "revolute", pins = ["coupler.C", "rocker.C"] }
D = { type = "revolute", pins = ["ground.D", "rocker.D"] }
[start]
trust = { "crank.angle" = 0.5, "crank.omega" = 1.0 }
guess = { "rocker.angle" = 1.5 }
"""
# Crank and rod of one length, which lie upon each other where the crank stands up.
EQUAL_SLIDER_CRANK = """format = "raak/1"
[ground.points]
O = [0.0, 0.0]
[bodies.crank]
mass = 1.0
inertia = 0.1
com = [0.5, 0.0]
points = { O = [0.0, 0.0], A = [1.0, 0.0] }
[bodies.rod]
mass = 1.0
inertia = 0.1
com = [0.5, 0.0]
points = { A = [0.0, 0.0], B = [1.0, 0.0] }
[bodies.slider]
mass = 1.0
inertia = 0.1
points = { B = [0.0, 0.0] }
[joints]
O = { type = "revolute", pins = ["ground.O", "crank.O"] }
A = { type = "revolute", pins = ["crank.A", "rod.A"] }
B = { type = "revolute", pins = ["rod.B", "slider.B"] }
rail = { type = "prismatic", pins = ["ground.O", "slider.B"], axes = ["ground.x", "slider.x"] }
[start]
trust = { "crank.angle" = 1.0, "crank.omega" = 3.0 }
guess = { "rod.angle" = -1.0 }
"""


class FileTest(ProgramTest):
    def write(self, text):
        path = self.scratch / "m.toml"
        path.write_text(text)
        return str(path)


class EarlyNames(FileTest):
    def test_outputs_and_events_are_looked_at_by_every_command(self):
        for text in ('[outputs]\nturn = "arm.angel"\n', '[events]\nturn = { when = "arm.angel" }\n'):
            path = self.write(LOOSE_ARM + HINGE + text)
            for command in ("check", "run", "assemble", "explain"):
                with self.subTest(text=text, command=command):
                    self.refused(command, path, code=1, says=["m.toml:13:", 'did you mean "arm.angle"?'])

    def test_a_list_is_no_angle(self):
        path = self.write(LOOSE_ARM + HINGE + '[start]\ntrust = { "arm.angle" = [0.5] }\n')
        self.refused("assemble", path, code=1, says=["m.toml:13:", "expects a number, found a list"])

    def test_of_many_names_some_are_reported(self):
        bodies = "".join(f"[bodies.b{i}]\nmass = 1.0\ninertia = 1.0\n" for i in range(200))
        done = raak("assemble", self.write(LOOSE_ARM + HINGE + bodies + '[outputs]\nturn = "zzzzzzzzzzzz"\n'))
        self.assertEqual(done.returncode, 1)
        self.assertLess(len(done.stderr), 2000)
        self.assertIn("more", done.stderr)

    def test_a_pipe_is_read_and_one_that_nobody_writes_to_is_refused(self):
        reading, writing = os.pipe()  # as the shell makes of <(cat pendulum.toml), but filled beforehand
        os.write(writing, (ROOT / "examples/pendulum.toml").read_bytes())
        os.close(writing)
        done = subprocess.run([RAAK, "assemble", f"/dev/fd/{reading}"], capture_output=True, text=True, timeout=PATIENCE,
                              pass_fds=[reading])
        os.close(reading)
        self.assertEqual(done.returncode, 0, done.stderr)
        pipe, out = self.scratch / "pipe.toml", self.scratch / "out"
        os.mkfifo(pipe)
        with subprocess.Popen(["cp", ROOT / "examples/pendulum.toml", pipe]) as writer:
            self.assertEqual(raak("run", str(pipe), "--quiet", "--out", str(out)).returncode, 0)
            writer.wait(PATIENCE)
        self.assertIn("[bodies.", (out / "report.html").read_text(), "the text of the model, which can be read once only")
        self.refused("assemble", str(pipe), code=1, says=["is a pipe into which nobody has written"])


class LightBodies(FileTest):
    def test_ranks_do_not_depend_on_how_light_a_body_is(self):
        for light in ("1e-6", "1e-9", "1e-12"):
            with self.subTest(light):
                done = raak("assemble", self.write(FOUR_BAR.replace("LIGHT", light)))
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertIn("mobility     1 (Gruebler formula: 1)", done.stdout)

    def test_masses_too_unequal_for_double_precision_are_named(self):
        path = self.write(FOUR_BAR.replace("LIGHT", "1e-15"))
        self.refused("run", path, code=1, says=["m.toml:12:", 'the mass of "coupler" is 1e-15 kg, and that of "rocker" 1 kg'])


class Starts(FileTest):
    def test_contradicting_rods_of_any_length_are_both_named(self):
        for length in ("1.5", "10.0", "100.0"):
            with self.subTest(length):
                self.refused("run", self.write(TWO_RODS.replace("LENGTH", length)), code=3, says=['take one of "two", "one" away'])

    def test_rates_that_only_rounding_parts_are_said_to_be_those_of_a_singularity(self):
        path = self.write(EQUAL_SLIDER_CRANK)
        self.refused("assemble", path, "--trust", "crank.angle=1.5707963267948966", code=3, says=["the start is a singular configuration"])


class OtherMethods(ProgramTest):
    def test_tangent_is_replaced_where_rates_are_constrained(self):
        done = raak("run", str(ROOT / "examples/knife-edge-incline.toml"), "--method", "tangent", "--until", "0.1")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn('"gauss" was used in its place', done.stderr)

    def test_tangent_is_replaced_where_there_are_too_many_coordinates_to_choose_from(self):
        chain = str(self.scratch / "chain.toml")
        raak("new", "chain", "--count", "1000", "--out", chain)
        done = raak("run", chain, "--method", "tangent", "--until", "0.01")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn('"gauss" was used in its place', done.stderr)


if __name__ == "__main__":
    unittest.main()
