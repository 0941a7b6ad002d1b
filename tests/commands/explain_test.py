"""Each kind of trouble, provoked by a model file: what raak explain says of it, and in which facts."""

import unittest

from models import ARM_IN_LINE, DOOR, LINKS, PUSHED, RUBBER, STRETCHED, THREE_LINKS, THROWN, TWO_RODS, arm
from program import ROOT, ProgramTest, raak


class Explain(ProgramTest):
    def explained(self, model, *options, cause, residual=True, has_rows=True):
        """The document, once it is found to have every fact and the text to tell the same. In the coordinates of its
        joints a mechanism without loops has no rows."""
        if "\n" in model:
            model = self.written(model)
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
            self.assertEqual(bool(why["residual"]["constraint"]), has_rows)
            self.assertIsInstance(why["residual"]["largest"], (int, float))
            self.assertEqual(bool(why["conditioning"]["constraints"]), has_rows)
            self.assertIsInstance(why["conditioning"]["ratio"], (int, float))
        text = raak("explain", model, *options).stdout
        for words in (f"finding      {cause}", "try  ", "where        t = ", "singular  "):
            self.assertIn(words, text)
        return found

    def written(self, text):
        path = self.scratch / "m.toml"
        path.write_text(text)
        return str(path)

    def sharing(self, found):
        return [row["constraint"] for row in found["diagnosis"]["conditioning"]["constraints"]]

    def test_a_sound_model_is_told_so(self):
        text = raak("explain", "pendulum").stdout
        self.assertIn("nothing is wrong", text)
        self.assertIn("1 degree of freedom", text)

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

    def test_an_event_that_ends_the_run_ends_it_here_too(self):
        path = self.written(DOOR.replace("[runs.default]", '[events]\nhalf = { when = "t - 0.4", action = "stop" }\n[runs.default]')
                            .replace("1.1", "1.0"))
        ran, found = self.json("run", path), self.json("explain", path)
        self.assertAlmostEqual(ran["t_end"], 0.4, 9)
        self.assertEqual(found["t_end"], ran["t_end"])
        self.assertIn('event "half" ended the run at t = 0.4 s', found["message"])

    def test_an_unknown_model_is_refused(self):
        self.refused("explain", "androws", says=['"andrews"'])

    def test_a_driver_that_pulls_too_far_locks_the_mechanism(self):
        model = self.scratch / "m.toml"
        text = (ROOT / "examples/four-bar.toml").read_text().replace('coordinate = "crank.angle", motion = "start + Omega*t"',
                                                                     'coordinate = "rocker.angle", motion = "2.0 + 2*t"')
        model.write_text(text.split("# Angles by the cosine rule")[0])
        document = self.json("run", str(model), code=3)
        why = document["diagnosis"]
        self.assertEqual(why["cause"], "locked", document["message"])
        self.assertLess(why["conditioning"]["ratio"], 1e-3)
        self.assertIn("motor", [row["constraint"] for row in why["conditioning"]["constraints"]])
        for words in ("locked at t = ", "are in line", '"motor" cannot go on', 'let "motor" turn back'):
            self.assertIn(words, document["message"])
        self.assertEqual(self.json("explain", str(model))["cause"], "locked")

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
        self.assertLess(why["step"], 1e-10)

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

    def test_redundancy_is_told_beside_singular_poses(self):
        found = self.explained(THREE_LINKS, cause="singular pose")
        self.assertIn("1 of its 3 constraint rows is redundant", found["message"])
        self.assertIn("not unique at any time", found["message"])
        self.assertRegex(raak("run", self.written(THREE_LINKS)).stdout, r"redundant +1 of 3 constraint rows.*l1")

    def test_a_denominator_that_passes_zero(self):
        found = self.explained(PUSHED.replace("GRAVITY", "-9.81").replace("FORCE", "1/m.y"), cause="undefined",
                               residual=False)
        self.assertAlmostEqual(found["diagnosis"]["t"], 0.451524, 5)
        self.assertIn("denominator", found["message"])

    def test_growth_of_a_run_that_arrives(self):
        found = self.explained(PUSHED.replace("GRAVITY", "0.0").replace("FORCE", "m.x"), "--until", "30", cause="blow-up",
                               residual=False)
        self.assertEqual(found["status"], "ok")
        self.assertIn("has grown to", found["message"])

    def test_a_tolerance_below_what_the_method_is_made_for(self):
        found = self.explained("andrews", "--method", "bdf", "--rtol", "1e-13", cause="tolerance below precision")
        self.assertEqual(found["status"], "ok")
        self.assertIn("--method auto", found["advice"])

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

    def test_the_force_that_has_no_value_is_named(self):
        force = '[forces]\npull = { type = "torque", on = "arm", value = "sqrt(0.6 - t)" }'
        for method in ("auto", "dop853", "radau5"):
            found = self.explained(arm(force), "--method", method, cause="undefined", residual=False)
            self.assertAlmostEqual(found["diagnosis"]["t"], 0.6, 6)
            self.assertIn('force "pull" has no value beyond this point', found["message"])
        driver = '[drivers]\nm = { coordinate = "arm.angle", motion = "0.5 + sqrt(0.6 - t)" }'
        self.assertIn('constraint "m" has no value', self.explained(arm(driver, ""), cause="undefined")["message"])

    def test_an_impossible_assembly(self):
        found = self.explained(LINKS.replace("LENGTH", "0.4"), cause="impossible assembly")
        self.assertEqual(found["status"], "failed")
        self.assertGreater(found["diagnosis"]["residual"]["largest"], 0.1)
        # The loop that cannot be closed, in the configuration where its gaps are least.
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

    def test_stiffness_that_the_noise_of_an_explicit_method_hides(self):
        force = '[forces]\nbrake = { type = "torque", on = "arm", value = "-1e5*arm.omega" }'
        for method in ("auto", "dop853", "dopri5", "adams"):
            found = self.explained(arm(force), "--method", method, "--until", "0.2", cause="stiffness", residual=False)
            self.assertEqual([part["force"] for part in found["diagnosis"]["fastest_mode"]["forces"]], ["brake"], method)
            if method != "auto":
                self.assertIn("--method auto", found["advice"])

    def test_stiffness_of_the_governor(self):
        found = self.explained(str(ROOT / "examples/flyball-governor.toml"), "--until", "1", cause="stiffness",
                               has_rows=False)
        mode = found["diagnosis"]["fastest_mode"]
        self.assertAlmostEqual(mode["decay"] / 8100, 1.0, 1)
        self.assertEqual(sorted(part["force"] for part in mode["forces"]), ["spring_left", "spring_right"])
        self.assertEqual(mode["coordinates"][0]["coordinate"], "sleeve.displacement")

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
