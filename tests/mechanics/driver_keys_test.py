"""Every way to drive a mechanism does what it says: what a driver imposes is compared with the start that is assembled."""

import math
import unittest

from program import raak
from two_bodies import PLANAR, Bodies, StartTest, wheel

DRIVERS = {"coordinate", "distance", "displacement"}


class Drivers(StartTest):
    def test_every_way_to_drive_is_tested_here(self):
        path = self.scratch / "driver.toml"
        path.write_text(Bodies(True).text() + "[drivers]\nd = { wrong = 1 }\n")
        known = set(raak("assemble", str(path)).stderr.split("There are: ")[1].strip().split(", "))
        self.assertEqual(known - {"motion"}, DRIVERS)

    ARM = PLANAR.replace("[0.0, 0.0]\n[ground", "[0.0, -10.0]\n[ground") + """[bodies.w]
mass = 2.0
inertia = 0.5
com = [0.5, 0.0]
points = { C = [0.0, 0.0], P = [1.0, 0.0] }
"""

    def test_a_coordinate_follows_its_motion_and_the_driver_gives_the_moment_for_it(self):
        text = self.ARM + '[joints]\nO = { type = "revolute", pins = ["ground.O", "w.C"] }\n[drivers]\nm = { coordinate = "w.angle", motion = "0.3 + 2*t - 1.5*t^2" }\n[outputs]\nM = "m.moment"\n'
        start, q, v, outputs = self.start(text)
        self.assertAlmostEqual(q["w.angle"], 0.3, delta=1e-13)
        self.assertAlmostEqual(v["w.angle"], 2.0, delta=1e-13)
        self.assertAlmostEqual(start["a"][2], -3.0, delta=1e-12)
        self.assertAlmostEqual(outputs["M"], (0.5 + 2.0 * 0.25) * -3.0 + 2.0 * 10.0 * 0.5 * math.cos(0.3), delta=1e-12)

    def test_a_distance_follows_its_motion_and_the_driver_pushes_it_apart(self):
        """A weight hung from a winch: the rope gets longer by 0.5 m/s and 0.4 m/s^2, and its force is m (a - g) along it."""
        text = PLANAR.replace("[0.0, 0.0]\n[ground", "[0.0, -10.0]\n[ground") + '[bodies.bob]\ntype = "point"\nmass = 3.0\n[joints]\nline = { type = "slot", pins = ["ground.O", "bob"], axes = ["ground.y"] }\n'
        text += '[drivers]\nw = { distance = ["ground.O", "bob"], motion = "2 + 0.5*t + 0.2*t^2" }\n[start.guess]\n"bob.y" = -1.9\n[outputs]\nF = "w.force"\n'
        start, q, v, outputs = self.start(text)
        self.assertAlmostEqual(q["bob.y"], -2.0, delta=1e-12)
        self.assertAlmostEqual(v["bob.y"], -0.5, delta=1e-12)
        self.assertAlmostEqual(start["a"][1], -0.4, delta=1e-12)
        self.assertAlmostEqual(outputs["F"], 3.0 * (0.4 - 10.0), delta=1e-11)

    def test_the_displacement_of_every_joint_that_has_one_is_driven(self):
        """Angles of a hinge are those of the second body in the first, ways those of the second pin along the axis of the first."""
        rail = 'rail = { type = "TYPE", pins = ["ground.Q", "w.C"], axes = ["ground.x"AXIS] }\n'
        for kind, joint, coordinate, expected in (("revolute", 'rail = { type = "revolute", pins = ["ground.Q", "w.C"] }\n', "w.angle", 0.7),
                                                  ("revolute", 'rail = { type = "revolute", pins = ["w.C", "ground.Q"] }\n', "w.angle", -0.7),
                                                  ("prismatic", rail.replace("AXIS", ', "w.x"').replace("TYPE", "prismatic"), "w.x", 2.7),
                                                  ("slot", rail.replace("AXIS", "").replace("TYPE", "slot"), "w.x", 2.7),
                                                  ("rolling", rail.replace("AXIS]", "], radius = 0.2").replace("TYPE", "rolling"), "w.x", 2.7)):
            with self.subTest(kind, joint=joint):
                _, q, v, _ = self.start(PLANAR + wheel("w", 0.5) + "[joints]\n" + joint + '[drivers]\nm = { displacement = "rail", motion = "0.7 + 3*t" }\n')
                self.assertAlmostEqual(q[coordinate], expected, delta=1e-12)
                self.assertAlmostEqual(v[coordinate], 3.0 if expected > 0 else -3.0, delta=1e-12)

    def test_a_driver_names_one_thing_to_drive(self):
        hinge = '[joints]\nO = { type = "revolute", pins = ["ground.O", "w.C"] }\nrod = { type = "distance", between = ["ground.Q", "w.P"], length = 3.0 }\n'
        for keys, says in (('coordinate = "w.angle", displacement = "O", motion = "t"', "d"), ('motion = "t"', "d"), ('displacement = "rod", motion = "t"', "has no displacement to drive"),
                           ('displacement = "nowhere", motion = "t"', "nowhere"), ('coordinate = "w.angle", motion = "w.x"', "expected a formula of t and parameters"),
                           ('coordinate = "w.omega", motion = "t"', "is a rate")):
            with self.subTest(keys):
                self.wrong(self.ARM + hinge + f"[drivers]\nd = {{ {keys} }}\n", "model.toml:", says)


if __name__ == "__main__":
    unittest.main()
