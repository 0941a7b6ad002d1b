"""Wrong use of models and runs: what is said, and that the model is as before."""

import copy
import pickle
import threading
import unittest

import numpy as np
import raak


class Misuse(unittest.TestCase):
    def test_names_that_nothing_bears_have_the_nearest_one(self):
        model = raak.problem("andrews")
        for wrong in [lambda: model.parameters["c1"], lambda: model.parameters.__setitem__("c1", 1), lambda: model.run(trust={"betta": 0}),
                      lambda: model.run(method="rado5"), lambda: model.run(form="index4"), lambda: model.run(run="defolt")]:
            with self.assertRaisesRegex(raak.RequestError, "did you mean|[Tt]here (is|are)"):
                wrong()
        with self.assertRaises(KeyError):
            model.parameters["c1"]
        with self.assertRaisesRegex(KeyError, "beta"):
            model.run().q["bata"]

        with self.assertRaisesRegex(raak.UnknownNameError, "did you mean"):
            model.parameters.update(c0=1.0, zz=3)
        self.assertEqual(model.parameters["c0"], 4530.0)

    def test_pickles_are_refused_with_words_and_copies_are_the_same(self):
        r = raak.problem("andrews").run()
        for thing, instead in [(r, "save"), (r.end, "dict"), (r.q, "dict"), (raak.problem("andrews"), "parameters")]:
            with self.assertRaisesRegex(TypeError, f"cannot be pickled.*{instead}"):
                pickle.dumps(thing)
            self.assertEqual(repr(copy.deepcopy(thing)), repr(copy.copy(thing)))
        self.assertEqual(pickle.loads(pickle.dumps(dict(r.end)))["q.beta"], r.end["beta"])
        self.assertEqual(pickle.loads(pickle.dumps(raak.problem("andrews").check()))[0].run, "default")
        self.assertIn("steps=", repr(r.statistics))

    def test_values_that_are_none(self):
        model = raak.problem("andrews")
        for wrong in [{"until": "soon"}, {"rtol": [1e-3, 1e-4]}, {"every": object()}, {"at": 0.01}, {"at": ["x"]},
                      {"trust": {"beta": "x"}}, {"method": 3}, {"progress": 3}]:
            with self.assertRaises(TypeError, msg=str(wrong)):
                model.run(**wrong)
        for wrong in [{"until": np.nan}, {"rtol": -1}, {"rtol": np.nan}, {"every": 0}, {"at": [0.0, np.nan]}, {"trust": {"beta": np.inf}},
                      {"every": 0.1, "at": [0.01]}, {"atol": -1.0}]:
            with self.assertRaises(raak.Error, msg=str(wrong)):
                model.run(**wrong)
        for wrong in [np.nan, np.inf]:
            with self.assertRaises(raak.RequestError):
                model.parameters["c0"] = wrong
        with self.assertRaises(TypeError):
            model.parameters["c0"] = None
        with self.assertRaises(raak.RequestError):
            del model.parameters["c0"]
        self.assertEqual(model.parameters["c0"], 4530.0)
        self.assertGreater(model.run(rtol=1e-8).quality.scd, 8)  # used after all these errors

    def test_numbers_of_numpy_will_do(self):
        model = raak.problem("andrews")
        r = model.run(until=np.float32(0.0625), rtol=np.float64(1e-6), at=np.array([0.01, 0.02]), trust={"beta": np.float64(0.1)})
        self.assertEqual(len(r), 2)

    def test_moments_outside_a_run(self):
        r = raak.problem("andrews").run()
        for wrong in ["x", None, [[0.01, 0.02]]]:
            with self.assertRaisesRegex(TypeError, "expects a (list of )?number|each number"):
                r.at(wrong)
        for t in [-1, 0.04, float("nan")]:
            with self.assertRaises(raak.RequestError):
                r.at(t)
        with self.assertRaises(raak.RequestError):
            r.at([0.01, 0.04])

    def test_a_parameter_cannot_change_during_a_run_and_two_runs_are_as_one(self):
        model = raak.problem("pendulum")
        wanted = model.run(until=20, rtol=1e-9)["phi"]
        results, refused = [], []

        def set_it(t, *rest):
            if not refused and t > 1:
                try:
                    model.parameters["m"] = 4
                except raak.RequestError as error:
                    refused.append(str(error))

        threads = [threading.Thread(target=lambda: results.append(model.run(until=20, rtol=1e-9, progress=set_it))) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(results), 2)
        for r in results:
            self.assertTrue(np.array_equal(r["phi"], wanted))
        self.assertIn("in use", refused[0])
        self.assertEqual(model.parameters["m"], 3.0)

    def test_parameters_that_are_defined_by_others_follow_them(self):
        m = raak.Mechanism(parameters={"a": 1.0, "b": "2*a"}).body("ball", type="point", mass="b")
        model = m.build()
        model.parameters["a"] = 3
        self.assertEqual(dict(model.parameters), {"a": 3.0, "b": 6.0})
        self.assertEqual(model.copy().parameters["b"], 6.0)


if __name__ == "__main__":
    unittest.main()
