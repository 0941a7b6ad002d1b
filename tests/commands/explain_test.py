"""Each kind of trouble, provoked by a model file: what raak explain says of it, and in which facts."""

import unittest

from explained import ExplainTest
from models import DOOR, PUSHED, RUBBER, THROWN, arm
from program import ROOT, raak


class Explain(ExplainTest):
    def test_a_sound_model_is_found_sound(self):
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

    def test_the_force_that_has_no_value_is_named(self):
        force = '[forces]\npull = { type = "torque", on = "arm", value = "sqrt(0.6 - t)" }'
        for method in ("auto", "dop853", "radau5"):
            found = self.explained(arm(force), "--method", method, cause="undefined", residual=False)
            self.assertAlmostEqual(found["diagnosis"]["t"], 0.6, 6)
            self.assertIn('force "pull" has no value beyond this point', found["message"])
        driver = '[drivers]\nm = { coordinate = "arm.angle", motion = "0.5 + sqrt(0.6 - t)" }'
        self.assertIn('constraint "m" has no value', self.explained(arm(driver, ""), cause="undefined")["message"])

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
