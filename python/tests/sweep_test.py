"""Sweeps: the rows are those of the program to the bit, whoever runs them and in however many parts."""

import csv
import json
import os
import signal
import subprocess
import tempfile
import threading
import time
import unittest

import numpy as np
import raak

PROGRAM = os.environ.get("RAAK", os.path.abspath("build/release/raak"))  # ./dev build makes it
CRANK = "examples/four-bar.toml"


def crank():
    """A pendulum with a spring, built in code."""
    m = raak.Mechanism(gravity=(0, -9.81), parameters={"c": 2.0, "l": 0.5}).ground(points={"O": (0, 0)})
    m.body("arm", mass=2, inertia=0.4, com=("l", 0), points={"O": (0, 0), "P": ("2*l", 0)})
    m.joint("hinge", "revolute", pins=["ground.O", "arm.O"]).force("spring", "torque", on="arm", value="-c*arm.angle")
    m.start(trust={"arm.angle": 0.3, "arm.omega": 0.0}).output("x", "arm.P.x").event("down", when="arm.angle + 0.5")
    return m.plan(until=0.5)


class SweepTest(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = holder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def program(self, *arguments):
        if not os.path.exists(PROGRAM):
            self.skipTest(f"there is no program {PROGRAM}")
        done = subprocess.run([PROGRAM, "sweep", *arguments], capture_output=True, text=True, timeout=600)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done

    def assert_same(self, one, other):
        """To the bit, what is no number too."""
        self.assertEqual(list(one), list(other))
        for name in one:
            self.assertEqual(one[name].tobytes(), other[name].tobytes(), name)
        self.assertEqual(one.cause.tolist(), other.cause.tolist())


class Program(SweepTest):
    def assert_program_agrees(self, sweep):
        """The plan file that is saved, run by the program: the same table and the same summary."""
        sweep.save(self.path("plan.toml"))
        out = self.path("of-program")
        self.program(self.path("plan.toml"), "--out", out)
        with open(os.path.join(out, "cases.csv"), newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
        self.assertEqual(len(rows), len(sweep.case))
        for name in sweep:
            if not name.endswith(".trajectory"):
                found = np.array([float(row[name] or "nan") for row in rows])
                self.assertEqual(found.tobytes(), sweep[name].tobytes(), name)
        self.assertEqual([row["cause"] for row in rows], sweep.cause.tolist())
        with open(os.path.join(out, "summary.json"), encoding="utf-8") as file:
            self.assertEqual(json.load(file), sweep.summary)
        self.assert_same(raak.load_sweep(out), sweep)

    def test_a_grid(self):
        model = raak.load("examples/andrews.toml")
        s = model.sweep(k=np.linspace(4500, 4560, 5), d={"from": 0.0279, "to": 0.0281, "count": 3}, keep={"OF.angle": ["end", "rms"]})
        self.assertEqual(s["k"].reshape(s.shape)[:, 0].tolist(), np.linspace(4500, 4560, 5).tolist())
        self.assertEqual((s["d"].reshape(s.shape)[2].tolist(), s.units["OF.angle.end"]), ([0.0279, 0.028, 0.0281], "rad"))
        self.assert_program_agrees(s)

    def test_random_numbers_with_indices(self):
        s = raak.load("examples/andrews.toml").sweep({"OF.angle": {"uniform": [-0.063, -0.061]}}, k={"normal": [4530, 20]}, samples=16,
                                                     seed=3, sobol_indices=True, quantiles=[0.1, 0.9], keep="OF.omega", rtol=1e-5)
        self.assertEqual(len(s.case), 64)
        self.assertIn("0.1", s.summary.columns["OF.omega.end"].quantiles)
        self.assertEqual(set(s.summary.columns["OF.omega.end"].sobol.first), {"OF.angle", "k"})
        self.assert_program_agrees(s)

    def test_a_table_and_parameters_as_they_are_set(self):
        model = raak.load(CRANK)
        model.parameters["b"] = 0.36
        s = model.sweep(a=[0.1, 0.12, 5.0], c=np.array([0.3, 0.31, 0.3]), design="table", keep={"P.x": ["max", "at:0.3"], "t": "end"})
        self.assertEqual((s["a"][1], s["c"][1], s.shape), (0.12, 0.31, (3,)))
        self.assertIn('"b" = 0.36', s.plan)
        self.assert_program_agrees(s)
        other = raak.load(CRANK).sweep(a=[0.1, 0.12, 5.0], c=[0.3, 0.31, 0.3], design="table", keep={"P.x": "max"})
        self.assertNotEqual(other["P.x.max"][0], s["P.x.max"][0])

    def test_a_mechanism_of_code_and_a_built_in_model(self):
        s = crank().sweep(c={"from": 1, "to": 3}, l={"lognormal": [-0.7, 0.1]}, samples=40, design="latin-hypercube",
                          keep={"x": ["end", "trajectory"], "t": ["event:down", "count:down"]}, every=0.1)
        self.assertEqual(s["x.trajectory"].shape, (40, 6))
        self.assertEqual(s.times.tolist(), [0.0, 0.1, 0.2, 0.3, 0.4, 0.5])
        self.assertEqual(s["x.trajectory"][:, -1].tolist(), s["x.end"].tolist())
        self.assert_program_agrees(s)
        model = raak.problem("slider-crank")
        model.parameters["beam"] = "nonlinear"
        s = model.sweep({"rtol": [1e-4, 1e-5]}, keep="x3", until=0.01)
        os.mkdir(self.path("built-in"))
        s.save(self.path("built-in/plan.toml"))
        self.assertIn('"beam" = "nonlinear"', s.plan)
        self.assert_same(raak.sweep(self.path("built-in/plan.toml")), s)
        model.parameters["beam"] = "linear"
        self.assertNotEqual(model.sweep({"rtol": [1e-4, 1e-5]}, keep="x3", until=0.01)["x3.end"][0], s["x3.end"][0])

    def test_the_folder_is_that_of_the_program(self):
        arguments = {"k": [4500.0, 4530.0, 4560.0], "keep": "OF.angle"}
        model, out = raak.load("examples/andrews.toml"), self.path("out")
        s = model.sweep(**arguments, out=out)
        s.save(self.path("plan.toml"))
        self.assertEqual({"sweep.json", "summary.json", "cases.csv"} - set(os.listdir(out)), set())
        damaged = os.path.join(out, "blocks", "0000001.block")
        with open(damaged, "r+b") as file:
            file.seek(20)
            file.write(b"xxxx")
        with self.assertWarnsRegex(RuntimeWarning, "01.block.*damaged.*computed again"):
            self.assert_same(model.sweep(**arguments, out=out, resume=True), s)
        done = self.program(self.path("plan.toml"), "--out", out, "--resume", "--json")
        self.assertEqual((json.loads(done.stdout)["run"], json.loads(done.stdout)["cases"]), (0, 3))
        with self.assertRaisesRegex(raak.RequestError, "already"):
            model.sweep(**arguments, out=out)
        with self.assertRaisesRegex(raak.RequestError, "another sweep: rtol is new"):
            model.sweep(**arguments, out=out, rtol=1e-5, resume=True)
        s.table(self.path("cases.npz"))
        self.assertEqual(np.load(self.path("cases.npz"))["OF.angle.end"].tobytes(), s["OF.angle.end"].tobytes())

    def test_an_exact_row_is_a_run_to_the_bit(self):
        model = raak.load("examples/andrews.toml")
        s = model.sweep(k=[4500, 4600], d=[0.0279, 0.0281], keep=["OF.angle", "EF.omega"], exact=True)
        for i in s.case:
            own = raak.load("examples/andrews.toml")
            own.parameters.update(k=s["k"][i], d=s["d"][i])
            end = own.run(end_only=True).end
            self.assertEqual((end["OF.angle"], end["EF.omega"]), (s["OF.angle.end"][i], s["EF.omega.end"][i]))

    def test_a_plan_does_not_write_over_another_model(self):
        raak.load(CRANK).sweep(a=[0.1], keep="P.x").save(self.path("plan.toml"))
        with open(self.path("four-bar.swept.toml"), "a", encoding="utf-8") as file:
            file.write("# mine\n")
        with self.assertRaisesRegex(raak.RequestError, "another folder"):
            raak.load(CRANK).sweep(a=[0.1], keep="P.x").save(self.path("plan.toml"))
        with self.assertRaisesRegex(raak.RequestError, "already"):
            raak.sweep("examples/sweeps/andrews-tolerances.toml").save(self.path("plan.toml"))


class Parts(SweepTest):
    def test_threads_and_shards_change_no_bit(self):
        model, arguments = raak.load("examples/andrews.toml"), {"k": {"normal": [4530, 20]}, "d": {"from": 0.0279, "to": 0.0281}}
        whole = model.sweep(**arguments, samples=100, keep="OF.angle", threads=1)
        self.assert_same(model.sweep(**arguments, samples=100, keep="OF.angle", threads=3), whole)
        parts = [model.sweep(**arguments, samples=100, keep="OF.angle", shard=(i, 3)) for i in (1, 2, 3)]
        order = np.argsort(np.concatenate([part.case for part in parts]))
        for name in whole:
            self.assertEqual(np.concatenate([part[name] for part in parts])[order].tobytes(), whole[name].tobytes())
        with self.assertRaisesRegex(raak.RequestError, "100 cases, of which .* are done.*resume"):
            parts[0].summary

    def test_the_page_is_that_of_the_program(self):
        s = raak.load(CRANK).sweep(a=[0.1, 0.12, 5.0], keep="P.x")
        s.report(self.path("sweep.html"))
        with open(self.path("sweep.html"), encoding="utf-8") as file:
            self.assertIn("sweep.run(#)", file.read())
        self.assertTrue(s._repr_html_().startswith("<iframe srcdoc="))
        self.assertIn("1 of 3", raak.load(CRANK).sweep(a=[0.1, 0.11, 0.12], keep="P.x", shard=(1, 3))._repr_html_())

    def test_arrays_outlive_the_sweep_and_cannot_be_written(self):
        phi = raak.problem("pendulum").sweep({"phi": [0.1, 0.2]}, keep="x")["phi"]
        self.assertEqual(phi.tolist(), [0.1, 0.2])
        self.assertFalse(phi.flags.writeable)

    def test_what_failed_is_no_number_and_has_its_cause(self):
        s = raak.load(CRANK).sweep(a=[0.12, 5.0, 6.0], keep="P.x")
        self.assertEqual(s.status.tolist(), ["ok", "failed", "failed"])
        self.assertEqual(np.isnan(s["P.x.end"]).tolist(), [False, True, True])
        (row,) = s.causes
        self.assertEqual((row.cause, row.cases, row.first_case), ("no start", 2, 1))
        self.assertTrue(row.message)
        self.assertEqual(s.summary.failed, 2)
        with self.assertRaises(raak.AssemblyError):
            s.run(1)
        with self.assertRaisesRegex(raak.RequestError, "from 0 to 2, found 3"):
            s.run(3)
        self.assertEqual(s.to_pandas()["status"].tolist(), s.status.tolist())


class WhileItRuns(SweepTest):
    """A pendulum of which a case takes some milliseconds."""

    ARGUMENTS = {"vary": {"phi": {"uniform": [0.1, 0.3]}}, "samples": 4000, "keep": "x", "until": 300.0, "rtol": 1e-8}

    def sweep(self, **more):
        return raak.problem("pendulum").sweep(**{**self.ARGUMENTS, **more})

    def test_ctrl_c_leaves_what_is_done_and_the_folder_goes_on(self):
        out = self.path("out")
        threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
        with self.assertRaises(KeyboardInterrupt) as raised:
            self.sweep(out=out)
        partial = raised.exception.partial
        self.assertIsInstance(partial, raak.Sweep)
        self.assertTrue(0 < len(partial.case) < 4000, repr(partial))
        self.assertTrue(np.isfinite(partial["x.end"]).all())
        kept = raak.load_sweep(out)
        self.assert_same(kept, partial)
        self.sweep(out=out, resume=True, progress=lambda cases, failed, planned: cases < 10)
        self.assertGreater(len(raak.load_sweep(out).case), len(partial.case))

    def test_a_sweep_that_was_stopped_comes_to_the_same_bits(self):
        stopped = self.sweep(samples=600, out=self.path("out"), progress=lambda cases, failed, planned: False)
        self.assertFalse(stopped.complete)
        self.assert_same(self.sweep(samples=600, out=self.path("out"), resume=True), self.sweep(samples=600))

    def test_progress_ends_it_or_raises(self):
        seen = []

        def enough(cases, failed, planned):
            seen.append((cases, failed))
            self.assertEqual(planned, 4000)
            return cases < 10

        s = self.sweep(progress=enough)
        self.assertTrue(10 <= len(s.case) < 4000)
        self.assertGreaterEqual(len(s.case), seen[-1][0])
        with self.assertRaises(ZeroDivisionError) as raised:
            self.sweep(progress=lambda cases, failed, planned: 1 / 0)
        self.assertIsInstance(raised.exception.partial, raak.Sweep)

    def test_other_threads_go_on(self):
        began, counted, over = time.perf_counter(), 0, threading.Event()
        thread = threading.Thread(target=lambda: (self.sweep(samples=1000), over.set()))
        thread.start()
        longest = 0.0
        while not over.is_set():
            before = time.perf_counter()
            time.sleep(0)
            longest = max(longest, time.perf_counter() - before)
            counted += 1
        thread.join()
        self.assertGreater(time.perf_counter() - began, 0.1)
        self.assertGreater(counted, 50)
        self.assertLess(longest, (time.perf_counter() - began) / 2)


class Misuse(SweepTest):
    def test_what_is_wrong_is_said_with_what_would_do(self):
        model = raak.load("examples/andrews.toml")
        normal = {"normal": [4530, 20]}
        for error, words, arguments in [
                (KeyError, 'called "kk"; did you mean "k"', {"kk": [1], "keep": "t"}),
                (KeyError, 'did you mean "OF.angle"', {"k": [1], "keep": "OF.angel"}),
                (KeyError, 'did you mean "normal"', {"k": {"nomal": [1, 2]}, "samples": 2, "keep": "t"}),
                (KeyError, 'did you mean "end"', {"k": [1], "keep": {"t": ["ends"]}}),
                (KeyError, 'did you mean "grid"', {"k": [1], "keep": "t", "design": "gird"}),
                (ValueError, 'did you mean "radau"', {"k": [1], "keep": "t", "method": "rado5"}),
                (ValueError, "deviation .* not negative, found -2", {"k": {"normal": [4530, -2]}, "samples": 2, "keep": "t"}),
                (ValueError, "shape", {"k": [[1, 2], [3, 4]], "keep": "t"}),
                (ValueError, r"k\[1\] is nan", {"k": [1, np.nan], "keep": "t"}),
                (ValueError, "same length, found 2 of k, 3 of d", {"k": [1, 2], "d": [1, 2, 3], "design": "table", "keep": "t"}),
                (ValueError, "samples=1000", {"k": normal, "keep": "t"}),
                (ValueError, r"model.parameters\['k'\] = 4530", {"k": 4530, "keep": "t"}),
                (ValueError, "nothing varies", {"keep": "t"}),
                (ValueError, "keeps nothing", {"k": [1], "keep": []}),
                (ValueError, "is empty", {"k": [], "keep": "t"}),
                (ValueError, "given twice", {"vary": {"k": [1]}, "k": [2], "keep": "t"}),
                (ValueError, "outside the run", {"k": [4530], "keep": {"t": "at:1"}}),
                (ValueError, "no trajectory|every", {"k": [4530], "keep": {"t": "trajectory"}}),
                (ValueError, "name the folder", {"k": [4530], "keep": "t", "resume": True}),
                (ValueError, "from 1 to", {"k": [4530], "keep": "t", "threads": 0}),
                (ValueError, "part from 1 to N", {"k": [4530], "keep": "t", "shard": (3, 2)}),
                (TypeError, "two|part", {"k": [4530], "keep": "t", "shard": 3}),
                (TypeError, r"vary=\{'rtol'", {"k": [4530], "keep": "t", "rtol": [1e-4]}),
                (TypeError, "list or an array", {"k": "soft", "keep": "t"}),
                (TypeError, "keep expects names", {"k": [1], "keep": [3]}),
                (TypeError, "vary expects", {"vary": [1, 2], "keep": "t"}),
                (TypeError, "progress", {"k": [1], "keep": "t", "progress": 3})]:
            with self.subTest(words), self.assertRaisesRegex(error, words) as raised:
                model.sweep(**arguments)
            self.assertNotRegex(str(raised.exception), r"\bplan:\d")
        self.assertEqual(model.sweep(k=[4530], keep="t").status.tolist(), ["ok"])

    def test_what_no_plan_file_holds_is_refused_with_what_to_do(self):
        fall = raak.Problem(coordinates=["y"], mass=[[1.0]], force=lambda t, q, v: [-9.81], name="andrews")
        with self.assertRaisesRegex(raak.RequestError, "functions.*in a loop, a copy of the model for each thread"):
            fall.sweep({"y": [0.0, 1.0]}, keep="y")
        pushed = crank().force("push", "torque", on="arm", value=lambda t: 0.1, of=[])
        self.assertRaisesRegex(raak.RequestError, "functions", lambda: pushed.sweep(c=[1.0], keep="x"))
        self.assertRaisesRegex(raak.ModelError, "none.toml", raak.sweep, "none.toml")
        self.assertRaisesRegex(raak.RequestError, "holds no sweep", raak.load_sweep, self.folder)
        self.assertRaisesRegex(KeyError, "did you mean", lambda: raak.load(CRANK).sweep(a=[0.1], keep="P.x")["P.x"])


if __name__ == "__main__":
    unittest.main()
