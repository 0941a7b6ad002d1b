"""Mechanisms in code, and models as files: what was saved loads to the same model."""

import glob
import inspect
import os
import tempfile
import unittest

import numpy as np
import raak


def pendulum():
    m = raak.Mechanism(space="planar", gravity=(0, -9.81), title="Arm", parameters={"m": 2})
    m.ground(points={"O": (0, 0)})
    m.body("arm", mass="m", inertia=np.float64(0.4), com=np.array([0.5, 0.0]), points={"O": (0, 0)})
    m.joint("hinge", "revolute", pins=["ground.O", "arm.O"])
    return m


class MechanismTest(unittest.TestCase):
    def test_a_pendulum_in_code_swings_as_its_closed_form_energy_says(self):
        r = pendulum().start(trust={"arm.angle": 0.3}).run(until=1, rtol=1e-10)
        about_the_hinge = 0.4 + 2 * 0.25
        fallen = 9.81 * 2 * 0.5 * (np.sin(0.3) - np.sin(r["arm.angle"]))
        self.assertLess(np.abs(0.5 * about_the_hinge * r["arm.omega"] ** 2 - fallen).max(), 1e-8)

    def test_what_is_wrong_is_placed_at_the_python_call(self):
        m = pendulum()
        line = inspect.currentframe().f_lineno + 1
        m.joint("second", "revolut", pins=["ground.O", "arm.O"])
        with self.assertRaises(raak.ModelError) as raised:
            m.run()
        self.assertEqual((raised.exception.file, raised.exception.line), (__file__, line))
        self.assertIn('joint "second": no joint type is called "revolut"; did you mean "revolute"?', str(raised.exception))
        with self.assertRaisesRegex(raak.ModelError, 'there is a joint "second" already'):
            m.joint("second", "revolute", pins=["ground.O", "arm.O"])

    def test_points_that_are_missing_are_advised_in_the_words_of_calls(self):
        m = raak.Mechanism(space="planar", gravity=(0, -9.81))
        m.body("arm", mass=2, inertia=0.4, com=(0.5, 0), points={"O": (0, 0)})
        m.joint("hinge", "revolute", pins=["ground.O", "arm.O"])
        with self.assertRaises(raak.ModelError) as raised:
            m.run()
        self.assertIn('"ground" has no points; give it one: m.ground(points={"O": (..)})', str(raised.exception))
        self.assertEqual(raised.exception.file, __file__)
        m.ground(points={"O": (0, 0)})
        self.assertEqual(m.run(until=1).status, "ok")
        bare = raak.Mechanism().ground(points={"O": (0, 0)}).body("arm", mass=2, inertia=0.4)
        with self.assertRaisesRegex(raak.ModelError, r'"arm" has no points; give it one: points=\{"O": \(\.\.\)\}'):
            bare.joint("hinge", "revolute", pins=["ground.O", "arm.O"]).run()

    def test_names_that_files_would_escape_are_placed_too(self):
        for name in ["a\nb", 'say "hi"', "back\\slash", "nul\0", "\x1b[1m"]:
            line = inspect.currentframe().f_lineno + 1
            m = raak.Mechanism().body(name, mass=1, inertia=1)
            with self.assertRaises(raak.ModelError) as raised:
                m.build()
            self.assertEqual((raised.exception.file, raised.exception.line), (__file__, line), name)

    def test_a_structure_is_not_sent_to_a_program(self):
        m = raak.Mechanism().body("wheel", mass=1, inertia=1).constraint("x", "wheel.x").constraint("y", "wheel.y")
        with self.assertRaisesRegex(raak.AssemblyError, r"nothing can move: .*: assemble\(\) of the model$"):
            m.driver("brake", coordinate="wheel.angle", motion=3).run(until=1)

    def test_a_change_after_a_run_counts_and_models_that_were_built_stay(self):
        m = pendulum()
        before = m.model
        m.output("x", "arm.x")
        self.assertIn("x", m.model.columns)
        self.assertNotIn("x", before.columns)
        branch = m.copy().output("y", "arm.y")
        self.assertIn("y", branch.model.columns)
        self.assertNotIn("y", m.model.columns)

    def test_values_that_are_none(self):
        with self.assertRaisesRegex(TypeError, 'body "arm": mass expects a number'):
            raak.Mechanism().body("arm", mass=object())
        with self.assertRaisesRegex(raak.ModelError, "nan"):
            raak.Mechanism().body("arm", mass=float("nan"), inertia=1).build()
        with self.assertRaises(TypeError):
            raak.Mechanism().body(3, mass=1)


class SavedTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = os.path.join(self.folder.name, "saved.toml")

    def test_every_example_loads_to_the_same_model(self):
        for file in sorted(glob.glob("examples/*.toml")):
            if os.path.getsize(file) > 100_000:
                continue
            with self.subTest(file):
                model = raak.load(file)
                model.save(self.path)
                again = raak.load(self.path)
                self.assertEqual(again.columns, model.columns)
                self.assertEqual(dict(again.parameters), dict(model.parameters))
                self.assertEqual(again.runs, model.runs)
                with open(file, encoding="utf-8") as original, open(self.path, encoding="utf-8") as saved:
                    text = original.read()
                    if "include" not in text and "file =" not in text:
                        self.assertEqual(saved.read(), text)

    def test_parameters_are_saved_as_they_are_set(self):
        model = raak.load("examples/flyball-governor.toml")
        model.parameters["rho"] = 4000
        model.save(self.path)
        again = raak.load(self.path)
        one, two = model.run(until=0.05), again.run(until=0.05)
        for name in one.names:
            self.assertTrue(np.array_equal(one[name], two[name], equal_nan=True), name)

    def test_comments_stay(self):
        text = pendulum().toml.replace('"m" = 2.0', '"m" = 2.0  # kg, é') + '[runs]\nheavy = { set = { m = 3 }, until = 2 } # later\n'
        model = raak.parse(text)
        model.parameters["m"] = 7
        self.assertEqual(model.toml, text.replace('"m" = 2.0', '"m" = 7.0').replace("m = 3", "m = 7.0"))

    def test_what_a_file_includes_becomes_a_part_of_it(self):
        model = raak.load("examples/andrews.toml")
        model.save(self.path)
        one, two = model.run(), raak.load(self.path).run()
        self.assertTrue(np.array_equal(one["F.x"], two["F.x"]))
        self.assertEqual(one.quality.scd, two.quality.scd)
        model.parameters["k"] = 4600
        model.save(self.path)
        self.assertIsNone(raak.load(self.path).run().quality.scd)

    def test_a_mechanism_in_code(self):
        m = pendulum()
        m.save(self.path)
        self.assertTrue(np.array_equal(m.run(until=1)["arm.angle"], raak.load(self.path).run(until=1)["arm.angle"]))

    def test_equations_have_no_file(self):
        with self.assertRaisesRegex(raak.RequestError, "andrews"):
            raak.problem("andrews").save(self.path)
        self.assertFalse(os.path.exists(self.path))


if __name__ == "__main__":
    unittest.main()
