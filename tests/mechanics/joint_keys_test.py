"""Every optional key of every joint does what it says: what a joint imposes is compared with the start that is assembled.

A key that the catalogue has and this file lacks is a failure: add it to JOINTS, and its test.
"""

import math
import unittest

from two_bodies import PLANAR, StartTest, add, cross, dot, optional_keys, times, turned, wheel

JOINTS = {
    ("revolute", "planar", "axes"), ("revolute", "spatial", "axes"), ("fixed", "planar", "angle"), ("fixed", "spatial", "angle"),
    ("rolling", "planar", "offset"), ("rack", "planar", "offset"), ("gear", "planar", "phase"), ("gear", "planar", "carrier"), ("gear", "planar", "axes"),
    ("gear", "spatial", "phase"), ("gear", "spatial", "carrier"), ("gear", "spatial", "axes"),
}


class Joints(StartTest):
    def test_every_optional_key_of_the_catalogue_is_tested_here(self):
        self.assertEqual(optional_keys(self.json("list", "joints")), JOINTS)

    def test_the_hinge_of_the_plane_needs_no_axes_and_that_of_space_does(self):
        self.start(PLANAR + wheel("w", 0.5) + '[joints]\nO = { type = "revolute", pins = ["ground.O", "w.C"] }\n')
        text = ('format = "raak/1"\nspace = "spatial"\n[ground.points]\nO = [0.0, 0.0, 0.0]\n[bodies.w]\nmass = 1.0\ninertia = [0.5, 0.5, 0.5]\n'
                'com = [0.0, 0.0, -1.0]\npoints = { C = [0.0, 0.0, 0.0] }\n[joints]\nO = { type = "revolute", pins = ["ground.O", "w.C"] }\n')
        self.wrong(text, "model.toml:11:", "axes")

    def test_the_axes_of_a_hinge_in_space_are_those_it_turns_about(self):
        """A weight 1 m below a hinge along n = (2, 1, 0): the component of gravity's moment along n turns it, I + m l^2 about n."""
        n = (2.0 / math.sqrt(5.0), 1.0 / math.sqrt(5.0), 0.0)
        text = ('format = "raak/1"\nspace = "spatial"\ngravity = [3.0, 0.0, -9.81]\n[ground.points]\nO = [0.0, 0.0, 0.0]\n[ground.axes]\nn = [2.0, 1.0, 0.0]\n'
                '[bodies.w]\nmass = 1.5\ninertia = [0.5, 0.5, 0.5]\ncom = [0.0, 0.0, -1.0]\npoints = { C = [0.0, 0.0, 0.0] }\naxes = { n = [2.0, 1.0, 0.0] }\n'
                '[joints]\nO = { type = "revolute", pins = ["ground.O", "w.C"], axes = ["ground.n", "w.n"] }\n[start.trust]\n"w.rotation" = [0.0, 0.0, 0.0]\n')
        start, *_ = self.start(text)
        alpha = dot(n, cross((0.0, 0.0, -1.0), (1.5 * 3.0, 0.0, -1.5 * 9.81))) / (0.5 + 1.5)
        for found, expected in zip(start["a"][3:], times(alpha, n), strict=True):
            self.assertAlmostEqual(found, expected, delta=1e-12)

    def test_a_weld_holds_its_angle_in_the_plane(self):
        text = PLANAR + wheel("w", 0.5) + wheel("v", 0.2) + '[joints]\nweld = { type = "fixed", pins = ["w.P", "v.C"], angle = 0.4 }\n[start.trust]\n"w.angle" = 0.3\n"w.omega" = 2.0\n'
        _, q, v, _ = self.start(text)
        self.assertAlmostEqual(q["v.angle"], 0.7, delta=1e-13)
        self.assertAlmostEqual(q["v.x"] - q["w.x"], math.cos(0.3), delta=1e-13)
        self.assertAlmostEqual(v["v.angle"], 2.0, delta=1e-13)
        _, q, _, _ = self.start(text.replace(", angle = 0.4", ""))
        self.assertAlmostEqual(q["v.angle"], 0.3, delta=1e-13)

    def test_a_weld_in_space_keeps_frames_parallel(self):
        bodies = ('format = "raak/1"\nspace = "spatial"\n[bodies.w]\nmass = 1.0\ninertia = [0.5, 0.5, 0.5]\npoints = { C = [0.0, 0.0, 0.0], P = [1.0, 0.0, 0.0] }\n'
                  '[bodies.v]\nmass = 1.0\ninertia = [0.5, 0.5, 0.5]\npoints = { C = [0.0, 0.0, 0.0] }\n[start.trust]\n"w.rotation" = [0.3, -0.4, 0.5]\n"w.position" = [1.0, 2.0, 3.0]\n[joints]\n')
        _, q, _, _ = self.start(bodies + 'weld = { type = "fixed", pins = ["w.P", "v.C"] }\n')
        for part in "wxyz":
            self.assertAlmostEqual(abs(q[f"v.quaternion.{part}"]), abs(q[f"w.quaternion.{part}"]), delta=1e-12)
        for part, expected in zip("xyz", add((1.0, 2.0, 3.0), turned((0.3, -0.4, 0.5), (1.0, 0.0, 0.0)))):
            self.assertAlmostEqual(q[f"v.position.{part}"], expected, delta=1e-12)

    def test_the_offset_of_a_rolling_disc_says_where_it_has_angle_0(self):
        for offset in (0.0, 0.35, -1.2):
            text = PLANAR + wheel("w", 0.5) + f'[joints]\nroad = {{ type = "rolling", pins = ["ground.O", "w.C"], axes = ["ground.x"], radius = 0.25, offset = {offset} }}\n'
            _, q, v, _ = self.start(text + '[start.trust]\n"w.x" = 0.6\n"w.vx" = 1.5\n')
            self.assertAlmostEqual(0.6 + 0.25 * q["w.angle"], offset, delta=1e-12)
            self.assertAlmostEqual(q["w.y"], 0.25, delta=1e-12)
            self.assertAlmostEqual(1.5 + 0.25 * v["w.angle"], 0.0, delta=1e-12)

    def test_the_offset_of_a_rack_is_its_way_where_the_pinion_has_angle_0(self):
        for offset in (0.0, 0.4, -0.3):
            text = (PLANAR + wheel("w", 0.5) + wheel("bar", 0.3) + '[joints]\nO = { type = "revolute", pins = ["ground.O", "w.C"] }\n'
                    'rail = { type = "prismatic", pins = ["ground.O", "bar.C"], axes = ["ground.x", "bar.x"] }\n'
                    f'rack = {{ type = "rack", pins = ["w.C", "bar.C"], axes = ["bar.x"], radius = 0.2, offset = {offset} }}\n[start.trust]\n"w.angle" = 1.5\n"w.omega" = -3.0\n')
            _, q, v, _ = self.start(text)
            self.assertAlmostEqual(q["bar.x"], 0.2 * 1.5 + offset, delta=1e-12)
            self.assertAlmostEqual(v["bar.x"], -0.6, delta=1e-12)

    def test_the_phase_of_gears_is_the_angle_of_the_second_where_the_first_has_none(self):
        for phase in (0.0, 0.7, -2.0):
            text = (PLANAR + wheel("w", 0.5) + wheel("v", 0.2) + '[joints]\nO = { type = "revolute", pins = ["ground.O", "w.C"] }\nQ = { type = "revolute", pins = ["ground.Q", "v.C"] }\n'
                    f'mesh = {{ type = "gear", bodies = ["w", "v"], ratio = -1.5, phase = {phase} }}\n[start.trust]\n"w.angle" = 0.8\n"w.omega" = 2.0\n')
            _, q, v, _ = self.start(text)
            self.assertAlmostEqual(q["v.angle"], -1.5 * 0.8 + phase, delta=1e-12)
            self.assertAlmostEqual(v["v.angle"], -3.0, delta=1e-12)

    PLANETARY = PLANAR + wheel("sun", 0.1) + wheel("arm", 0.6, 2.0) + wheel("planet", 0.05, 0.5) + """[joints]
S = { type = "revolute", pins = ["ground.O", "sun.C"] }
A = { type = "revolute", pins = ["ground.O", "arm.C"] }
P = { type = "revolute", pins = ["arm.P", "planet.C"] }
inner = { type = "gear", bodies = ["sun", "planet"], ratio = -2.0, carrier = "arm", phase = 0.1 }
"""

    def test_gears_turn_as_their_carrier_sees_them(self):
        """Willis: angle_2 - angle_c = ratio (angle_1 - angle_c) + phase."""
        _, q, v, _ = self.start(self.PLANETARY + '[start.trust]\n"sun.angle" = 0.7\n"arm.angle" = 0.4\n"sun.omega" = 3.0\n"arm.omega" = 1.0\n')
        self.assertAlmostEqual(q["planet.angle"], 0.4 - 2.0 * (0.7 - 0.4) + 0.1, delta=1e-12)
        self.assertAlmostEqual(v["planet.angle"], 1.0 - 2.0 * (3.0 - 1.0), delta=1e-12)

    RING = """ring = { type = "gear", bodies = ["planet", "ring"], ratio = 0.5, carrier = "arm" }
R = { type = "revolute", pins = ["ground.O", "ring.C"] }
hold = { type = "fixed", pins = ["ground.O", "ring.C"] }
"""

    def test_a_planetary_gear_with_its_ring_held_turns_its_arm_half_as_fast_and_shares_inertia_so(self):
        """The ring at rest: -w_arm = 0.5 (w_planet - w_arm), w_planet = w_arm - 2 (w_sun - w_arm): w_arm = w_sun / 2, w_planet = -w_sun / 2."""
        text = self.PLANETARY.replace(', phase = 0.1', '').replace("[joints]", wheel("ring", 0.4) + "[joints]") + self.RING.replace("R = { type = \"revolute\", pins = [\"ground.O\", \"ring.C\"] }\n", "")
        text += '[forces]\nmotor = { type = "torque", on = "sun", value = 1.2 }\n[outputs]\ntooth = "inner.moment"\n'
        start, _, _, outputs = self.start(text)
        # Sun 1, arm 1/2 with the planet's mass at 1 m, planet -1/2.
        inertia = 0.1 + 0.25 * (0.6 + 0.5 * 1.0) + 0.25 * 0.05
        alpha = 1.2 / inertia
        for index, factor in ((2, 1.0), (5, 0.5), (8, -0.5), (11, 0.0)):
            self.assertAlmostEqual(start["a"][index], factor * alpha, delta=1e-10)
        # The sun gets -ratio times what the planet gets, so that the mesh does no work: what the motor does not use on it.
        self.assertAlmostEqual(2.0 * outputs["tooth"], 0.1 * alpha - 1.2, delta=1e-10)

    SPATIAL = """format = "raak/1"
space = "spatial"
[ground.points]
O = [0.0, 0.0, 0.0]
[ground.axes]
n = [0.0, 3.0, 4.0]
[bodies.sun]
mass = 1.0
inertia = [0.1, 0.1, 0.1]
points = { C = [0.0, 0.0, 0.0] }
axes = { n = [0.0, 3.0, 4.0] }
[bodies.arm]
mass = 2.0
inertia = [0.6, 0.6, 0.6]
points = { C = [0.0, 0.0, 0.0], P = [1.0, 0.0, 0.0] }
axes = { n = [0.0, 3.0, 4.0] }
[bodies.planet]
mass = 0.5
inertia = [0.05, 0.05, 0.05]
points = { C = [0.0, 0.0, 0.0] }
axes = { n = [0.0, 3.0, 4.0] }
[joints]
S = { type = "revolute", pins = ["ground.O", "sun.C"], axes = ["ground.n", "sun.n"] }
A = { type = "revolute", pins = ["ground.O", "arm.C"], axes = ["ground.n", "arm.n"] }
P = { type = "revolute", pins = ["arm.P", "planet.C"], axes = ["arm.n", "planet.n"] }
inner = { type = "gear", bodies = ["sun", "planet"], ratio = RATIO, carrier = "arm", axes = ["sun.n", "planet.n"] }
[start.trust]
"sun.omega" = [0.0, 1.8, 2.4]
"arm.omega" = [0.0, 0.6, 0.8]
[outputs]
planet = "(planet.omega.y*3 + planet.omega.z*4)/5"
sun = "(sun.omega.y*3 + sun.omega.z*4)/5"
arm = "(arm.omega.y*3 + arm.omega.z*4)/5"
tooth = "inner.moment.z"
"""

    def test_planetary_gears_in_space_turn_as_their_carrier_sees_them(self):
        for text, ratio in (("-2.0", -2.0), ('"-sqrt(2)"', -math.sqrt(2.0)), ("0.75", 0.75)):
            with self.subTest(text):
                *_, outputs = self.start(self.SPATIAL.replace("RATIO", text))
                self.assertAlmostEqual(outputs["sun"], 3.0, delta=1e-12)
                self.assertAlmostEqual(outputs["arm"], 1.0, delta=1e-12)
                self.assertAlmostEqual(outputs["planet"], 1.0 + ratio * (3.0 - 1.0), delta=1e-12)

    def test_gears_in_space_hold_positions_where_teeth_are_whole_and_rates_elsewhere(self):
        for text, rates in (("-2.0", 0), ("0.75", 0), ("-1.37", 0), ('"1/199"', 0), ('"1/211"', 1), ('"-sqrt(2)"', 1)):
            with self.subTest(text):
                path = self.scratch / "model.toml"
                path.write_text(self.SPATIAL.replace("RATIO", text))
                self.assertEqual(self.json("assemble", str(path))["velocity_rows"], rates)

    def test_planetary_gears_in_space_share_inertia_for_many_turns(self):
        """Driven by a torque on the sun while nothing holds the arm: two freedoms, M (sun, arm) with w_planet = w_arm + r (w_sun - w_arm)."""
        for text, r in (("-2.0", -2.0), ('"-sqrt(2)"', -math.sqrt(2.0))):
            with self.subTest(text):
                path = self.scratch / "model.toml"
                path.write_text(self.SPATIAL.replace("RATIO", text) + '[forces]\nmotor = { type = "torque", on = "sun", value = [0.0, 0.3, 0.4] }\n')
                outputs = self.json("run", str(path), "--until", "6", "--rtol", "1e-10")["outputs"]
                a, b, c = 0.1 + r * r * 0.05, r * (1.0 - r) * 0.05, 0.6 + 0.5 + (1.0 - r) ** 2 * 0.05
                sun, arm = 0.5 * c / (a * c - b * b), -0.5 * b / (a * c - b * b)
                self.assertAlmostEqual(outputs["sun"], 3.0 + 6.0 * sun, delta=1e-6)
                self.assertAlmostEqual(outputs["arm"], 1.0 + 6.0 * arm, delta=1e-6)
                self.assertAlmostEqual(outputs["planet"], 1.0 + 6.0 * arm + r * (2.0 + 6.0 * (sun - arm)), delta=1e-6)
                self.assertAlmostEqual(outputs["tooth"], 0.8 * 0.05 * (arm + r * (sun - arm)), delta=1e-6)

    def test_the_axes_of_gears_in_space_say_which_way_they_turn(self):
        text = self.SPATIAL.replace('ratio = RATIO, carrier = "arm", axes = ["sun.n", "planet.n"]', 'ratio = -2.0, carrier = "arm", axes = ["sun.n", "planet.m"]')
        text = text.replace("axes = { n = [0.0, 3.0, 4.0] }\n[joints]", "axes = { n = [0.0, 3.0, 4.0], m = [0.0, -3.0, -4.0] }\n[joints]")
        *_, outputs = self.start(text)
        self.assertAlmostEqual(outputs["planet"], 1.0 + 2.0 * (3.0 - 1.0), delta=1e-12)

    def test_gears_have_the_keys_of_their_space(self):
        self.wrong(self.SPATIAL.replace("RATIO", "-2.0, phase = 0.3"), "has no phase")
        self.wrong(self.SPATIAL.replace("RATIO", "-2.0").replace(', axes = ["sun.n", "planet.n"] }\n[start', " }\n[start"), "model.toml:", "axes")
        self.wrong(self.PLANETARY.replace("-2.0", "0.0"), "the ratio of a gear pair is 0")
        self.wrong(self.SPATIAL.replace("RATIO", "0.0"), "the ratio of a gear pair is 0")


if __name__ == "__main__":
    unittest.main()
