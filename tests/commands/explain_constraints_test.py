"""raak explain: constraints that cannot hold, repeat each other or lock, each provoked by a model file."""

import unittest

from explained import ExplainTest
from models import ARM_IN_LINE, DOOR, LINKS, STRETCHED, THREE_LINKS, TWO_RODS, arm
from program import ROOT, raak


class ExplainConstraints(ExplainTest):
    def test_what_cannot_be_assembled_is_explained_too(self):
        document = self.json("explain", "andrews", "--set", "xb=5")
        self.assertEqual(document["cause"], "impossible assembly")
        self.assertIsNone(document["t_end"])

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

    def test_a_crank_that_pulls_a_rod_straight_is_locked(self):
        found = self.explained(LINKS.replace("LENGTH", "1.5"), cause="locked")
        why = found["diagnosis"]
        self.assertAlmostEqual(why["t"], 0.5957, 3)
        self.assertLess(why["conditioning"]["ratio"], 1e-3)
        self.assertEqual(sorted(self.sharing(found)), ["motor", "rod, length"])
        self.assertIn("rocker.angle", why["growing"]["what"])
        self.assertGreater(why["growing"]["factor"], 1e3)
        self.assertLess(why["step"], 1e-9)

    def test_a_start_in_a_singularity_whatever_the_method(self):
        for method in ("radau5", "bdf", "generalized-alpha", "svd", "half-explicit"):
            found = self.explained(str(ROOT / "examples/n-four-bar-singular.toml"), "--method", method, "--rtol", "1e-6",
                                   cause="singular pose")
            self.assertLess(found["diagnosis"]["conditioning"]["ratio"], 1e-3, method)
            if found["diagnosis"]["t"] == 0.0 and found["status"] == "failed":
                self.assertIn("starts in a singular configuration", found["message"])
                self.assertIn("--method tangent", found["advice"])

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

    def test_of_several_dependent_rows_those_with_the_gap_are_named(self):
        # Two hinges 0.1 m apart along x: their rows depend on each other along x and y, but only x cannot hold.
        hinges = 'hinge2 = { type = "revolute", pins = ["ground.P", "arm.O"] }'
        found = self.explained(arm(hinges), cause="contradictory constraints")
        self.assertEqual(sorted(self.sharing(found)), ["hinge, x", "hinge2, x"])
        self.assertIn('"hinge, x", "hinge2, x"', found["message"])

    def test_in_space_joints_are_blamed_and_not_the_length_of_a_quaternion(self):
        found = self.explained(DOOR, cause="contradictory constraints")
        self.assertEqual(sorted(self.sharing(found)), ["h1, y", "h2, y"])
        for row in found["diagnosis"]["conditioning"]["constraints"]:
            self.assertAlmostEqual(row["weight"], 0.5**0.5, 3)
        self.assertIn(found["violation"]["constraint"], ("h1, y", "h2, y"))
        self.assertAlmostEqual(found["violation"]["largest"], 0.05, 4)
        self.assertNotIn("quaternion", raak("explain", self.written(DOOR), "--json").stdout)
        self.assertEqual((found["rank"], found["mobility"]), (None, None), "there is no configuration to count them in")

    def test_the_nearest_configuration_is_not_a_saddle(self):
        found = self.explained(ARM_IN_LINE, cause="contradictory constraints")
        self.assertEqual(sorted(self.sharing(found)), ["rod, length", "rod2, length"])
        self.assertLess(found["violation"]["largest"], 0.06)

    def test_a_refused_start_has_one_advice(self):
        said = raak("run", self.written(ARM_IN_LINE)).stderr
        self.assertTrue(said.strip().endswith('Try: take one of "rod2", "rod" away, or change the dimensions so that all of them close'), said)
        self.assertNotIn("Change the dimensions", said)
        self.assertNotIn("Change the dimensions", self.json("run", self.written(ARM_IN_LINE), code=3)["message"])
        self.refused("run", self.written(LINKS.replace("LENGTH", "9.0")), says=["Try: change the dimensions"], code=3)

    def test_a_value_that_redundant_joints_do_not_reach_is_no_contradiction(self):
        model = TWO_RODS.replace("LENGTH", "1.0").replace('guess = { "bob.x" = 0.9, ', 'trust = { "bob.x" = 3.0 }\nguess = { ')
        found = self.json("explain", self.written(model))
        self.assertEqual(found["cause"], "impossible assembly", found["message"])
        self.assertIn("give fewer of them", found["advice"])

    def test_redundancy_is_reported_beside_singular_poses(self):
        found = self.explained(THREE_LINKS, cause="singular pose")
        self.assertIn("1 of its 3 constraint rows is redundant", found["message"])
        self.assertIn("not unique at any time", found["message"])
        self.assertRegex(raak("run", self.written(THREE_LINKS)).stdout, r"redundant +1 of 3 constraint rows.*l1")

    def test_a_driver_that_stretches_the_links_as_far_as_they_reach(self):
        found = self.explained(STRETCHED, cause="locked")
        self.assertIn('with driver "reach" at 2.2 m', found["message"])
        self.assertIn('"a" and "b" are in line', found["message"])
        self.assertAlmostEqual(found["diagnosis"]["t"], 0.7, 6)

    def test_drivers_that_drift_apart(self):
        drivers = """[drivers]
m1 = { coordinate = "arm.angle", motion = "0.5 + t" }
m2 = { coordinate = "arm.angle", motion = "0.5 + t + 0.01*t^2" }"""
        found = self.explained(arm(drivers, ""), cause="contradictory constraints")
        self.assertEqual(self.sharing(found), ["m1", "m2"])
        self.assertIn("no longer ask for the same motion", found["message"])
        self.assertIn("take one of the drivers away", found["advice"])
        self.assertGreater(found["diagnosis"]["t"], 0.0)
        document = self.json("run", self.written(arm(drivers, "")), code=3)
        self.assertEqual(document["diagnosis"]["cause"], "contradictory constraints")
        self.assertEqual(document["diagnosis"]["residual"]["constraint"], "m1")
        self.assertIn("Try: take one of the drivers away", document["message"])
        self.assertIn('shared by "m1", "m2"', document["message"], "as explain has it")
        self.assertRegex(document["message"], r'"m1" is open by \S+ rad\.')

    def test_a_structure(self):
        held = '[drivers]\nm = { coordinate = "arm.angle", motion = "0.5" }'
        found = self.explained(arm(held, ""), cause="structure")
        self.assertEqual((found["mobility"], found["status"]), (0, "ok"))
        self.assertIn("nothing moves", found["message"])
        moved = self.json("explain", self.written(arm(held.replace("0.5", "0.5 + t"), "")))
        self.assertEqual(moved["cause"], "none", "what is driven may have no freedom left")

    def test_an_impossible_assembly(self):
        found = self.explained(LINKS.replace("LENGTH", "0.4"), cause="impossible assembly")
        self.assertEqual(found["status"], "failed")
        self.assertGreater(found["diagnosis"]["residual"]["largest"], 0.1)
        # The loop that cannot be closed, in the configuration where its gaps are least.
        self.assertLess(found["diagnosis"]["conditioning"]["ratio"], 1e-4)
        self.assertTrue({"rod, length", "O, x", "W, x"} & set(self.sharing(found)), self.sharing(found))


if __name__ == "__main__":
    unittest.main()
