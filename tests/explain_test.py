"""Each kind of trouble, provoked by a model file: what raak explain says of it, and in which facts."""

import unittest

from program import ROOT, ProgramTest, raak

LINKS = """
format = "raak/1"
[ground.points]
O = [0.0, 0.0]
W = [3.0, 0.0]
[bodies.crank]
mass = 1.0
inertia = 0.1
com = [0.5, 0.0]
points = { O = [0.0, 0.0], A = [1.0, 0.0] }
[bodies.rocker]
mass = 1.0
inertia = 0.1
com = [0.5, 0.0]
points = { W = [0.0, 0.0], B = [1.0, 0.0] }
[joints]
O = { type = "revolute", pins = ["ground.O", "crank.O"] }
W = { type = "revolute", pins = ["ground.W", "rocker.W"] }
rod = { type = "distance", between = ["crank.A", "rocker.B"], length = LENGTH }
[drivers]
motor = { coordinate = "crank.angle", motion = "0.3 + t" }
[start]
guess = { "rocker.angle" = 2.5 }
[runs.default]
until = 3.0
"""

TWO_RODS = """
format = "raak/1"
gravity = [0.0, -9.81]
[ground.points]
O = [0.0, 0.0]
[bodies.bob]
type = "point"
mass = 1.0
[joints]
one = { type = "distance", between = ["ground.O", "bob"], length = 1.0 }
two = { type = "distance", between = ["ground.O", "bob"], length = LENGTH }
[start]
guess = { "bob.x" = 0.9, "bob.y" = 0.4 }
[runs.default]
until = 1.0
"""

RUBBER = """
format = "raak/1"
gravity = [0.0, -9.81]
[ground.points]
O = [0.0, 0.0]
[bodies.hub]
type = "point"
mass = 0.05
[bodies.arm]
mass = 1.0
inertia = 0.1
com = [0.5, 0.0]
points = { P = [0.0, 0.0] }
[joints]
pin = { type = "revolute", pins = ["hub.hub", "arm.P"] }
[forces]
rubber = { type = "bushing", pins = ["ground.O", "hub.hub"], stiffness = 1e6, damping = DAMPING }
[start]
trust = { "arm.angle" = 0.5, "arm.omega" = 0.0 }
[runs.default]
until = 2.0
"""

THROWN = """
format = "raak/1"
[ground.points]
O = [0.0, 0.0]
[bodies.bead]
mass = 1.0
inertia = 1.0
points = { P = [0.0, 0.0] }
[joints]
wire = { type = "prismatic", pins = ["ground.O", "bead.P"], axes = ["ground.x", "bead.x"] }
[forces]
push = { type = "force", at = "bead.P", value = ["bead.x^3", 0.0], axes = "ground" }
[start]
trust = { "bead.x" = 1.0, "bead.vx" = 1.0 }
[runs.default]
until = 10.0
"""


class Explain(ProgramTest):
    def explained(self, model, *options, cause, residual=True):
        """The document, once it is found to have every fact and the text to tell the same."""
        if "\n" in model:
            path = self.scratch / "m.toml"
            path.write_text(model)
            model = str(path)
        found = self.json("explain", model, *options)
        self.assertEqual(found["cause"], cause, found["message"])
        self.assertTrue(found["message"])
        self.assertTrue(found["advice"])
        why = found["diagnosis"]
        self.assertEqual(why["cause"], cause)
        self.assertIsInstance(why["t"], (int, float))
        self.assertIsInstance(why["step"], (int, float))
        self.assertEqual(why["advice"], found["advice"])
        if residual:
            self.assertTrue(why["residual"]["constraint"])
            self.assertIsInstance(why["residual"]["largest"], (int, float))
            self.assertTrue(why["conditioning"]["constraints"])
            self.assertIsInstance(why["conditioning"]["ratio"], (int, float))
        text = raak("explain", model, *options).stdout
        for words in (f"finding      {cause}", "try  ", "where        t = ", "singular  "):
            self.assertIn(words, text)
        return found

    def sharing(self, found):
        return [row["constraint"] for row in found["diagnosis"]["conditioning"]["constraints"]]

    def test_a_sound_model_is_told_so(self):
        text = raak("explain", "pendulum").stdout
        self.assertIn("nothing is wrong", text)
        self.assertIn("it can move in 1 way", text)

    def test_a_failure_has_a_cause_a_place_and_an_advice(self):
        document = self.json("explain", "car-axis", "--set", "h=1.2")
        self.assertEqual(document["status"], "failed")
        self.assertEqual(document["cause"], "undefined")
        self.assertRegex(document["diagnosis"]["growing"]["what"], "^the (velocity|acceleration) of")
        self.assertIn("t = 0.098", document["message"])
        self.assertTrue(document["advice"])
        self.assertTrue(document["conditioning"]["worst"]["constraints"])

    def test_what_cannot_be_assembled_is_explained_too(self):
        document = self.json("explain", "andrews", "--set", "xb=5")
        self.assertEqual(document["cause"], "impossible assembly")
        self.assertIsNone(document["t_end"])

    def test_an_unknown_model_is_refused(self):
        self.refused("explain", "androws", says=['"andrews"'])

    def test_a_driver_that_pulls_too_far_ends_in_a_singular_pose(self):
        model = self.scratch / "m.toml"
        text = (ROOT / "examples/four-bar.toml").read_text().replace('coordinate = "crank.angle", motion = "start + Omega*t"',
                                                                     'coordinate = "rocker.angle", motion = "2.0 + 2*t"')
        model.write_text(text.split("# Angles by the cosine rule")[0])
        document = self.json("run", str(model), code=3)
        why = document["diagnosis"]
        self.assertEqual(why["cause"], "singular pose", document["message"])
        self.assertLess(why["conditioning"]["ratio"], 1e-3)
        self.assertIn("motor", [row["constraint"] for row in why["conditioning"]["constraints"]])
        for words in ("t = ", "singular value", "largest residual", "Try: "):
            self.assertIn(words, document["message"])
        self.assertEqual(self.json("explain", str(model))["cause"], "singular pose")

    def test_redundant_joints_are_named(self):
        document = self.json("explain", str(ROOT / "examples/bricard.toml"), "--until", "0.1")
        self.assertEqual((document["status"], document["cause"]), ("ok", "redundant constraints"))
        self.assertIn("not unique", document["message"])

    def test_joints_that_contradict_each_other_are_named(self):
        model = self.scratch / "m.toml"
        model.write_text((ROOT / "examples/a01-pendulum.toml").read_text().replace(
            "[start]", 'rod2 = { type = "distance", between = ["ground.O", "bob"], length = 2.0 }\n[start]').split("[references")[0])
        document = self.json("explain", str(model))
        self.assertEqual(document["cause"], "contradictory constraints", document["message"])
        self.assertIn("rod2", document["message"])

    def test_singular_poses_that_were_passed(self):
        found = self.json("explain", str(ROOT / "examples/equal-slider-crank.toml"))
        self.assertEqual(found["cause"], "singular pose", found["message"])
        self.assertIn("t = 1.18136 s", found["message"])
        self.assertIn("cylinder", found["message"])

    def test_a_run_that_cannot_start_says_why(self):
        model = self.scratch / "m.toml"
        model.write_text(LINKS.replace("LENGTH", "9.0"))
        document = self.json("run", str(model), code=3)
        self.assertEqual(document["cause"], "impossible assembly", document["message"])
        self.assertTrue(document["open"])
        self.assertTrue(document["advice"])
        self.assertTrue(document["diagnosis"]["conditioning"]["constraints"])
        self.refused("run", str(model), says=["Cause: impossible assembly. Try: "], code=3)

    def test_a_singular_pose(self):
        found = self.explained(LINKS.replace("LENGTH", "1.5"), cause="singular pose")
        why = found["diagnosis"]
        self.assertAlmostEqual(why["t"], 0.5957, 3)
        self.assertLess(why["conditioning"]["ratio"], 1e-3)
        self.assertEqual(sorted(self.sharing(found)), ["motor", "rod, length"])
        self.assertIn("rocker.angle", why["growing"]["what"])
        self.assertGreater(why["growing"]["factor"], 1e3)
        self.assertLess(why["step"], 1e-10)

    def test_redundant_constraints(self):
        found = self.explained(TWO_RODS.replace("LENGTH", "1.0"), cause="redundant constraints")
        self.assertEqual(found["status"], "ok")
        self.assertEqual(found["diagnosis"]["conditioning"]["ratio"], 0.0)
        self.assertEqual(self.sharing(found), ["one", "two"])

    def test_contradictory_constraints(self):
        found = self.explained(TWO_RODS.replace("LENGTH", "2.0"), cause="contradictory constraints")
        self.assertEqual((found["status"], found["t_end"]), ("failed", None))
        self.assertLess(found["diagnosis"]["conditioning"]["ratio"], 1e-10)
        self.assertEqual(sorted(self.sharing(found)), ["one, length", "two, length"])

    def test_an_impossible_assembly(self):
        found = self.explained(LINKS.replace("LENGTH", "0.4"), cause="impossible assembly")
        self.assertEqual(found["status"], "failed")
        self.assertGreater(found["diagnosis"]["residual"]["largest"], 0.1)
        # The loop that cannot be closed, in the pose where its gaps are least.
        self.assertLess(found["diagnosis"]["conditioning"]["ratio"], 1e-4)
        self.assertTrue({"rod, length", "O, x", "W, x"} & set(self.sharing(found)), self.sharing(found))

    def test_stiffness_of_a_rubber_bearing(self):
        # The hub, m = 0.05 kg, loses its speed at about 2e4/m per second (the arm makes it heavier across).
        found = self.explained(RUBBER.replace("DAMPING", "2e4"), cause="stiffness", residual=False)
        mode = found["diagnosis"]["fastest_mode"]
        self.assertGreater(mode["decay"], 2e4)
        self.assertEqual([part["force"] for part in mode["forces"]], ["rubber"])
        self.assertTrue(all(part["coordinate"].startswith("hub.") for part in mode["coordinates"]), mode)
        self.assertGreater(found["stiffness"]["ratio"], 1000)
        self.assertIn("rubber", found["message"])
        named = self.explained(RUBBER.replace("DAMPING", "2e4"), "--method", "dop853", "--until", "0.2", cause="stiffness",
                               residual=False)
        self.assertIn("--method auto", named["advice"])

    def test_stiffness_of_the_governor(self):
        found = self.explained(str(ROOT / "examples/flyball-governor.toml"), "--until", "1", cause="stiffness")
        mode = found["diagnosis"]["fastest_mode"]
        self.assertAlmostEqual(mode["decay"] / 8100, 1.0, 1)
        self.assertEqual(sorted(part["force"] for part in mode["forces"]), ["spring_left", "spring_right"])
        self.assertEqual(mode["coordinates"][0]["coordinate"], "slider.centre.z")

    def test_a_soft_bearing_is_not_stiff(self):
        found = self.json("explain", str(ROOT / "examples/a01-pendulum.toml"))
        self.assertEqual(found["cause"], "none", "auto may take radau for reasons of its own")
        self.assertLess(found["stiffness"]["ratio"], 10)
        self.assertIsNone(found["diagnosis"])

    def test_a_blow_up(self):
        found = self.explained(THROWN, cause="blow-up")
        self.assertAlmostEqual(found["diagnosis"]["t"], 1.311, 3)
        self.assertIn("bead", found["diagnosis"]["growing"]["what"])
        self.assertIn("t = 1.311", found["message"])

    def test_a_tolerance_below_double_precision(self):
        found = self.explained("pendulum", "--rtol", "2e-15", cause="tolerance below precision")
        self.assertEqual(found["status"], "ok")
        self.assertIn("--rtol", found["advice"])
        refused = self.explained("pendulum", "--rtol", "2e-15", "--method", "adams", cause="tolerance below precision")
        self.assertEqual(refused["status"], "failed")


if __name__ == "__main__":
    unittest.main()
