"""Wrong use of models and runs: what is said, and that the model is as before."""

import copy
import os
import pickle
import tempfile
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
                      {"trust": {"beta": "x"}}, {"trust": 5}, {"guess": {3: 1.0}}, {"at": np.array(0.01)}, {"method": 3}, {"progress": 3}]:
            with self.assertRaises(TypeError, msg=str(wrong)):
                model.run(**wrong)
        for wrong in [{"until": np.nan}, {"rtol": -1}, {"rtol": np.nan}, {"every": 0}, {"at": [0.0, np.nan]}, {"trust": {"beta": np.inf}},
                      {"every": 0.1, "at": [0.01]}, {"at": []}, {"atol": -1.0}]:
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

    def test_the_end_only_has_one_sample(self):
        model = raak.problem("andrews")
        for more in [{"at": [0.01]}, {"every": 0.01}]:
            with self.assertRaisesRegex(raak.RequestError, "end_only keeps one sample, at the end"):
                model.run(end_only=True, **more)
            self.assertGreater(len(model.run(end_only=np.bool_(False), **more)), 0)
        with self.assertRaisesRegex(TypeError, "end_only expects True or False, found 'x'"):
            model.run(end_only="x")

    def test_words_and_numbers_are_set_together_or_not_at_all(self):
        model = raak.problem("slider-crank")
        with self.assertRaisesRegex(raak.RequestError, "bogus"):
            model.parameters.update({"l1": 0.165, "beam": "bogus"})
        self.assertEqual(model.parameters["l1"], 0.15)
        model.parameters.update(Omega=1000.0, start="oscillatory")  # neither order will do one by one
        self.assertEqual((model.parameters["Omega"], model.parameters["start"]), (1000.0, "oscillatory"))

    def test_a_parameter_that_was_set_may_vary_in_a_sweep(self):
        model = raak.load("examples/andrews.toml")
        wanted = model.sweep(k=[4500.0, 4600.0], keep="F.x")["F.x.end"].tolist()
        model.parameters["k"] = 4700
        self.assertEqual(model.sweep(k=[4500.0, 4600.0], keep="F.x")["F.x.end"].tolist(), wanted)
        model.parameters["d"] = 0.0281  # holds in all cases
        self.assertNotEqual(model.sweep(k=[4500.0, 4600.0], keep="F.x")["F.x.end"].tolist(), wanted)
        self.assertEqual(model.parameters["k"], 4700)

    def test_a_model_is_saved_from_wherever_the_program_is(self):
        before = os.getcwd()
        try:
            with tempfile.TemporaryDirectory() as folder:
                for start, name in [(before, "examples/pendulum-chain.toml"), (os.path.join(before, "examples"), "pendulum-chain.toml")]:
                    os.chdir(start)
                    model = raak.load(name)
                    self.assertIn("[bodies", model.toml)
                    os.chdir(folder)
                    model.save("x.toml")
                    self.assertEqual(raak.load("x.toml").columns, model.columns)
                    with self.assertRaises(FileNotFoundError):
                        model.save("no/such/folder/x.toml")
                    os.chdir(before)
        finally:
            os.chdir(before)

    def test_numbers_of_numpy_will_do(self):
        model = raak.problem("andrews")
        r = model.run(until=np.float32(0.0625), rtol=np.float64(1e-6), at=np.array([0.01, 0.02]), trust={"beta": np.float64(0.1)})
        self.assertEqual(len(r), 2)

    def test_answers_of_numpy_will_do(self):
        model = raak.problem("andrews")
        self.assertEqual(model.run(progress=lambda t, *rest: np.float64(t) < 0.01).status, "interrupted")
        self.assertEqual(model.run(progress=lambda t, *rest: np.float64(t) < 10).status, "ok")
        self.assertEqual(len(model.bench(methods="dop853", rtol=np.float32(1e-4))), 1)
        self.assertEqual(len(model.bench(methods="dop853", rtol=np.logspace(-3, -4, 2))), 2)

    def test_columns_are_asked_for_by_name(self):
        r = raak.problem("andrews").run()
        self.assertTrue("F.x" in r and "beta" in r and "v.beta" in r)
        self.assertFalse("F.q" in r or 0 in r)
        with self.assertRaisesRegex(TypeError, "a column of a result has a name"):
            r[0]

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
