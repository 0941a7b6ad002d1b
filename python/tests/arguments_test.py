"""Arguments of the wrong kind: said in words, by the name of the argument and with what was found, and never by pybind11."""

import unittest

import numpy as np
import raak

LONE = "\ud800"


def ball():
    return raak.Mechanism(gravity=(0, -9.81)).body("ball", type="point", mass=1)


def falling(**more):
    given = dict(coordinates=["x", "y"], mass=np.eye(2), force=lambda t, q, v: [0.0, -9.81], start={"x": 1.0})
    return raak.Problem(**{**given, **more})


def skate(row, **more):
    return raak.Problem(coordinates=["x", "y", "phi"], mass=np.eye(3), force=[0.0, 0.0, 0.0], velocity_constraint=row, velocity_constraints=1,
                        **more)


class Arguments(unittest.TestCase):
    def setUp(self):
        self.model = raak.problem("andrews")

    def assert_refused(self, kind, words, *calls):
        for call in calls:
            with self.assertRaisesRegex(kind, words) as raised:
                call()
            self.assertNotIn("incompatible function arguments", str(raised.exception))

    def test_texts(self):
        stepper = self.model.stepper()
        stepper.step()
        self.assert_refused(TypeError, "expects a text, found (None|3)", lambda: raak.parse(None), lambda: raak.problem(3),
                            lambda: raak.Mechanism(space=3), lambda: raak.Mechanism(title=3), lambda: ball().constraint("c", 3),
                            lambda: falling(name=3), lambda: ball().joint("x", 3), lambda: self.model.bench(run=3))
        self.assert_refused(raak.RequestError, "half a character", lambda: raak.parse(LONE), lambda: raak.problem(LONE),
                            lambda: raak.load(LONE), lambda: raak.Mechanism().body(LONE, mass=1), lambda: self.model.run(method=LONE),
                            lambda: raak.Mechanism().body("b", mass=LONE), lambda: self.model.run(trust={LONE: 1}),
                            lambda: falling(name=LONE), lambda: self.model.parameters.update(c0=LONE))
        self.assert_refused(TypeError, "expects a number, found 'x'", lambda: stepper.at("x"), lambda: falling(t="x"))

    def test_names_that_are_none(self):
        r = self.model.run()
        stepper = self.model.stepper()
        for mapping in [self.model.parameters, r.q, r.end, stepper, self.model.sweep({"beta": [0.0, 0.1]}, keep="beta")]:
            for name in [3, None, LONE, 1.5]:
                self.assert_refused(raak.UnknownNameError, "has a name|is called", lambda: mapping[name])
                if mapping is not stepper:
                    self.assertFalse(name in mapping)
                    self.assertEqual(mapping.get(name, 7), 7)
        self.assertFalse(LONE in r)
        self.assert_refused(raak.UnknownNameError, "has a name", lambda: self.model.parameters.update({3: 1.0}),
                            lambda: self.model.parameters.__setitem__(3, 1.0))

    def test_multipliers_have_numbers(self):
        r = self.model.run()
        for number in [1, np.int64(1), "1"]:
            self.assertTrue(number in r.lam)
            self.assertTrue(np.array_equal(r.lam[number], r["lambda.1"]))
        for none in [99, 1.0, True, np.array([1, 2]), None]:
            self.assertFalse(none in r.lam)
            self.assert_refused(raak.UnknownNameError, "a column has a name|is called", lambda: r.lam[none])

    def test_mappings_and_lists(self):
        vary = {"beta": [0.0, 0.1]}
        self.assert_refused(TypeError, "expects (values|numbers) by name, as .*, found", lambda: ball().start(trust=[1]),
                            lambda: raak.Mechanism().ground(points=[1]), lambda: falling(start={3: 1.0}), lambda: falling(guess=[1]),
                            lambda: raak.Mechanism(parameters=3), lambda: self.model.parameters.update(3),
                            lambda: setattr(self.model, "parameters", 3))
        self.assert_refused(TypeError, "expects .*(names|words|list).*, found", lambda: falling(coordinates=2.0), lambda: falling(coordinates=None),
                            lambda: falling(constraints=2.5, constraint=lambda t, q: [q[0]]), lambda: self.model.sweep(vary, keep=3),
                            lambda: self.model.sweep(vary, keep={"beta": 3}), lambda: self.model.bench(methods=3),
                            lambda: falling(outputs=3, output=lambda t, q, v: [1.0]),
                            lambda: ball().force("f", "force", at="ball", value=lambda t: (0, 0), of=None))
        itself = []
        itself.append(itself)
        self.assert_refused(TypeError, 'body "x" expects .*, found one that contains itself', lambda: raak.Mechanism().body("x", mass=itself))
        r = falling(outputs="double", output=lambda t, q, v: [2 * q[0]]).run(until=0.1)  # a text is one name
        self.assertEqual(list(r.outputs), ["double"])
        self.assertEqual(raak.Problem(coordinates=np.int64(1), mass=[[1.0]], force=[0.0]).columns[1], "q.q1")

    def test_numbers_that_no_double_holds(self):
        self.assert_refused(raak.RequestError, "beyond 1.8e308", lambda: self.model.parameters.update(c0=10**400),
                            lambda: self.model.run(rtol=10**400), lambda: raak.Mechanism().body("b", mass=10**400))
        self.assert_refused(TypeError, "expects a whole number, found 1.5", lambda: raak.Problem(coordinates=1, mass=[[1.0]], force=[0.0], velocity_constraint=[0.0], velocity_constraints=1.5))

    def test_benches(self):
        self.assert_refused(TypeError, "progress expects True or a function of a row, found 5", lambda: self.model.bench(progress=5))
        for nothing in [{"methods": []}, {"forms": ()}, {"rtol": np.array([])}]:
            self.assert_refused(raak.RequestError, "expects at least one, found none", lambda: self.model.bench(**nothing))
        rows = self.model.bench("dop853", 1e-4, progress=False)
        self.assert_refused(raak.RequestError, 'digits expects "scd" or "mescd", found .foo', lambda: rows.plot(digits="foo"))

    def test_an_element_that_is_there_already(self):
        for add, words in [(lambda m: m.output("x", "1"), "an output"), (lambda m: m.event("x", when="t-1"), "an event"),
                           (lambda m: m.parameter("x", 1), "a parameter")]:
            self.assert_refused(raak.ModelError, f'there is {words} "x" already', lambda: add(add(raak.Mechanism())))


class Equations(unittest.TestCase):
    def test_complex_numbers_are_refused(self):
        for wrong in [{"mass": 1j * np.eye(2)}, {"force": lambda t, q, v: np.array([1j, 0.0])}, {"mass": [[1j, 0], [0, 1]]}]:
            for check in [True, False]:
                with self.assertRaisesRegex(TypeError, "(mass|force) returned .*, expected"):
                    falling(**wrong, check=check).run(until=0.1)

    def test_constraints_of_velocities_are_linear(self):
        for row in [lambda t, q, v: [v[0] ** 2 + v[1]], lambda t, q, v: [abs(v[0])], lambda t, q, v: [v[0] * v[1]], lambda t, q, v: [v[2] ** 3]]:
            with self.assertRaisesRegex(raak.RequestError, 'velocity_constraint: row "constraint 1" is not linear in v: .*Mend it'):
                skate(row)
            skate(row, check=False)
        skate(lambda t, q, v: [v[1] * np.cos(q[2]) - v[0] * np.sin(q[2]) - 3e6])

    def test_coordinates_have_names_of_their_own(self):
        for names in [["t", "y"], ["x", "v.x"], ["x", "q.x"], ["energy.kinetic", "x"]]:
            with self.assertRaisesRegex(raak.RequestError, 'the coordinate ".*" has the name of a column of the results; call it otherwise'):
                falling(coordinates=names, start=None)


if __name__ == "__main__":
    unittest.main()
