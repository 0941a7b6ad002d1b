"""The walk through the module: a model, its parameters, a run, columns as arrays that outlive everything else."""

import gc
import subprocess
import sys
import time
import unittest
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import raak


class Walk(unittest.TestCase):
    def test_a_run_has_columns_by_name(self):
        r = raak.problem("andrews").run(until=0.03, rtol=1e-8)
        self.assertEqual(r.status, "ok")
        self.assertEqual(r.t[0], 0.0)
        self.assertEqual(r.t[-1], 0.03)
        self.assertTrue(np.array_equal(r["beta"], r.q["beta"]))
        self.assertTrue(np.array_equal(r["v.beta"], r.v["beta"]))
        self.assertTrue(np.array_equal(r["lambda.1"], r.lam[1]))
        self.assertTrue(np.array_equal(r["energy.kinetic"], r.energy["kinetic"]))
        self.assertAlmostEqual(r["beta"][-1], 15.8107711951537071, 7)
        self.assertEqual(list(r.outputs), ["F.x", "F.y"])
        self.assertGreater(r.quality.scd, 8)
        self.assertEqual(np.asarray(r.a).shape, (len(r), 7))

    def test_arrays_outlive_result_and_model_and_cannot_be_written(self):
        model = raak.problem("andrews")
        r = model.run()
        column, kept = r["F.x"], np.array(r["F.x"])
        del r, model
        gc.collect()
        self.assertTrue(np.array_equal(column, kept))
        with self.assertRaises(ValueError):
            column[0] = 1.0

    def test_moments_own_the_numbers_that_they_show(self):
        model = raak.problem("andrews")
        r, stepper = model.run(), model.stepper()
        stepper.step()
        for moment in [lambda: r.end, lambda: stepper.now, lambda: r.at(0.01), lambda: model.assemble().start]:
            wanted = list(moment().values())
            shown = [moment().values_array for _ in range(50)]  # each of a moment that is gone
            other = [np.full(len(wanted), 7.0) for _ in range(200)]
            for array in shown:
                self.assertTrue(np.array_equal(array, wanted, equal_nan=True))
                with self.assertRaises(ValueError):
                    array[0] = 1.0
            del other

    def test_moments_between_the_samples(self):
        r = raak.problem("andrews").run(rtol=1e-10)
        times = np.linspace(0, 0.03, 50)
        many = r.at(times)
        for name in ["F.x", "q.beta", "v.beta", "beta", "energy.kinetic"]:
            one = np.array([r.at(t)[name] for t in times])
            self.assertTrue(np.array_equal(one, many[name]), name)
        self.assertLess(abs(r.at(r.t[7])["beta"] - r["beta"][7]), 1e-12)
        self.assertLess(np.abs(raak.problem("andrews").run(rtol=1e-10, at=times)["F.x"] - many["F.x"]).max(), 1e-12)

    def test_parameters_are_a_mapping(self):
        model = raak.problem("slider-crank")
        self.assertIn("beam", model.parameters)
        self.assertEqual(model.parameters["beam"], "linear")
        model.parameters["beam"] = "nonlinear"
        self.assertEqual(dict(model.parameters)["beam"], "nonlinear")
        bar = raak.load("examples/four-bar.toml")
        bar.parameters.update(a=0.1, b=0.3)
        self.assertEqual((bar.parameters["a"], bar.parameters["b"]), (0.1, 0.3))
        other = bar.copy()
        other.parameters["a"] = 0.05
        self.assertEqual(bar.parameters["a"], 0.1)

    def test_copies_give_the_same_bits_whatever_others_have_left(self):
        for name in ["k", "d"]:  # a stiffness, and a length, which moves the start
            model = raak.load("examples/andrews.toml")
            values = [model.parameters[name] * (1 + 1e-3 * i) for i in range(1, 25)]

            def task(some):
                own = model.copy()
                ends = []
                for value in some:
                    own.parameters[name] = value
                    ends.append(own.run(end_only=True).end["F.x"])
                return ends

            def alone(value):
                one = raak.load("examples/andrews.toml").copy()
                one.parameters[name] = value
                return one.run(end_only=True).end["F.x"]

            wanted = [alone(value) for value in values]
            for size in [1, 5, 24]:
                chunks = [values[i:i + size] for i in range(0, len(values), size)]
                with ThreadPoolExecutor(2) as pool:
                    found = [end for ends in pool.map(task, chunks) for end in ends]
                self.assertEqual(found, wanted)
        # One that has been set to something else, and one whose other parameter has.
        other = model.copy()
        other.parameters.update(k=5000, d=model.parameters["d"] * 1.01)
        del other
        self.assertEqual(task(values[:1]), wanted[:1])
        self.assertEqual(model.copy().parameters["k"], model.parameters["k"])

    def test_a_loop_that_holds_its_last_result_builds_nothing_anew(self):
        def loop(hold):
            model, ends, r = raak.load("examples/andrews.toml"), [], None
            model.parameters["k"] = 4400
            for i in range(40):
                if i == 4:  # from here on everything is there
                    begun = time.process_time()
                model.parameters["k"] = 4500 + i
                r = model.run()
                ends.append(r.end["F.x"])
                if not hold:
                    r = None
            return time.process_time() - begun, ends

        free, held = (min((loop(hold) for _ in range(3)), key=lambda found: found[0]) for hold in [False, True])
        self.assertLess(np.abs(np.array(free[1]) - held[1]).max(), 1e-8)
        self.assertLess(held[0], 5 * free[0])  # 50 times as long where each value builds a model

    def test_results_keep_their_values_while_models_take_turns(self):
        model, kept = raak.load("examples/andrews.toml"), {}
        for i in range(12):
            model.parameters["k"] = 4500 + 10 * i
            r = model.run(rtol=1e-8)
            if i % 3 == 0:
                kept[i] = (r, r.at(0.02)["F.x"], r["F.x"].copy())
        for i, (r, between, column) in kept.items():
            fresh = raak.load("examples/andrews.toml")
            fresh.parameters["k"] = 4500 + 10 * i
            self.assertLess(abs(fresh.run(rtol=1e-8).at(0.02)["F.x"] - between), 1e-6)
            self.assertEqual(r.at(0.02)["F.x"], between)
            self.assertTrue(np.array_equal(r["F.x"], column))
            self.assertIn("F.x", r.brief)
            self.assertEqual(r.end["F.x"], column[-1])

    def test_a_start_of_ones_own(self):
        model = raak.problem("andrews")
        r = model.run(trust={"beta": -0.05}, until=1e-3)
        self.assertEqual(r.start["beta"], -0.05)
        self.assertIsNone(r.quality.scd)
        self.assertNotEqual(model.run(until=1e-3).start["beta"], -0.05)

    def test_who_wants_the_end_only_may_still_count_steps(self):
        for model in [raak.problem("andrews"), raak.load("examples/andrews.toml")]:
            seen = []
            counted = model.run(end_only=True, progress=lambda t, start, until, steps: seen.append((t, steps)))
            full = model.run()
            self.assertEqual(counted.end["F.x"], full.end["F.x"])
            self.assertEqual(len(seen), full.statistics.accepted)
            self.assertEqual(seen[-1], (0.03, full.statistics.steps))
            self.assertEqual(len(counted), 1)
            self.assertEqual(counted.at(0.01)["F.x"], full.at(0.01)["F.x"])

    def test_an_import_takes_no_numpy(self):
        code = "import sys, raak; sys.exit('numpy' in sys.modules)"
        self.assertEqual(subprocess.run([sys.executable, "-c", code]).returncode, 0)


if __name__ == "__main__":
    unittest.main()
