"""Results: tables of other libraries, plots, the page of a notebook, what is left of a run that stops."""

import importlib.util
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import numpy as np
import raak


def needs(*modules):
    missing = [name for name in modules if importlib.util.find_spec(name) is None]
    return unittest.skipIf(missing, f"without {', '.join(missing)}")


class Tables(unittest.TestCase):
    @needs("pandas")
    def test_a_frame_has_every_column_by_time(self):
        r = raak.problem("andrews").run()
        frame = r.to_pandas()
        self.assertEqual(["t", *frame.columns], r.names)
        self.assertTrue(np.array_equal(frame.index, r.t))
        self.assertTrue(np.array_equal(frame["q.beta"], r["beta"]))

    @needs("xarray")
    def test_a_dataset_selects_by_name_and_time(self):
        r = raak.problem("andrews").run(every=0.01)
        data = r.to_xarray()
        self.assertEqual(float(data.v.sel(coordinate="beta", t=0.01)), r["v.beta"][1])
        self.assertEqual(float(data["energy.kinetic"][2]), r["energy.kinetic"][2])
        spatial = raak.load("examples/bricard.toml").run(until=0.1).to_xarray()
        self.assertNotEqual(spatial.q.dims, spatial.v.dims)

    def test_numbers_are_those_of_the_command_line(self):
        r = raak.problem("andrews").run(every=0.01)
        with tempfile.TemporaryDirectory() as folder:
            r.save(folder + "/out")
            table = np.genfromtxt(folder + "/out/result.csv", delimiter=",", names=True, deletechars="")
            self.assertTrue(np.array_equal(table["F.x"], r["F.x"]))
            self.assertTrue(np.array_equal(np.load(folder + "/out/result.npz")["t"], r.t))
            self.assertTrue(os.path.exists(folder + "/out/report.html"))

    def test_events_singularities_and_the_ledger(self):
        m = raak.Mechanism(gravity=(0, -9.81)).body("ball", type="point", mass=1)
        m.event("low", when="ball.y + 1", action="stop").output("height", "ball.y")
        r = m.run(until=10, rtol=1e-10)
        self.assertEqual([event.name for event in r.events], ["low"])
        self.assertAlmostEqual(r.events[0].t, np.sqrt(2 / 9.81), 9)
        self.assertAlmostEqual(r.events[0].outputs["height"], -1, 9)
        self.assertEqual(r.singularities, [])
        self.assertAlmostEqual(r.ledger.kinetic.end, 9.81, 8)
        self.assertEqual(list(r.outputs), ["height"])
        bar = raak.load("examples/equal-slider-crank.toml").run()
        self.assertTrue(bar.singularities and all(pose.joints for pose in bar.singularities))

class Plots(unittest.TestCase):
    @needs("matplotlib")
    def test_lines_are_the_columns(self):
        import matplotlib.pyplot as plt

        r = raak.problem("andrews").run()
        axes = r.plot("F.x", "F.y", linestyle="--")
        self.assertTrue(np.array_equal(axes.lines[1].get_ydata(), r["F.y"]))
        self.assertEqual([text.get_text() for text in axes.get_legend().get_texts()], ["F.x", "F.y"])
        self.assertIs(r.plot("beta", ax=axes), axes)
        self.assertEqual([line.get_label() for line in r.plot().lines], list(r.outputs))
        path = r.plot_xy("F.x", "F.y")
        self.assertTrue(np.array_equal(path.lines[0].get_xdata(), r["F.x"]))
        with self.assertRaises(KeyError):
            r.plot("F.z")
        plt.close("all")

    def test_a_notebook_shows_the_report_by_itself(self):
        r = raak.problem("andrews").run()
        page = r._repr_html_()
        self.assertTrue(page.startswith("<iframe srcdoc="))
        self.assertNotIn('"', page[len('<iframe srcdoc="'):page.index('" width=')])
        with tempfile.TemporaryDirectory() as folder:
            r.report(os.path.join(folder, "out.html"))
            self.assertGreater(os.path.getsize(os.path.join(folder, "out.html")), 100_000)


    def test_what_nobody_looked_at_is_no_number(self):
        r = raak.problem("andrews").run(end_only=True)
        self.assertIsNone(r.ledger)
        self.assertIn("constraints  were not looked at", r.brief)
        self.assertIn("energy       was not looked at", r.brief)
        self.assertIn("violated by at most", raak.problem("andrews").run().brief)


class Stops(unittest.TestCase):
    def test_ctrl_c_leaves_the_partial_result(self):
        threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT)).start()
        model = raak.problem("pendulum")
        with self.assertRaises(KeyboardInterrupt) as raised:
            model.run(until=1e6)
        partial = raised.exception.partial
        self.assertEqual(partial.status, "interrupted")
        self.assertGreater(partial.t[-1], 10)
        self.assertEqual(model.run().status, "ok")  # the model is as before

    def test_ctrl_c_in_a_function_of_python_leaves_the_partial_result(self):
        for model in self.of_python_functions(times=1):
            with self.assertRaises(KeyboardInterrupt) as raised:
                model.run(until=100)
            partial = raised.exception.partial
            self.assertEqual(partial.status, "interrupted")
            self.assertTrue(0.3 < partial.t[-1] < 10, partial.t[-1])
            wanted = model.run(until=partial.t[-1]).end  # it asks no more; the function was called once more in its place
            self.assertAlmostEqual(partial.end["energy.kinetic"], wanted["energy.kinetic"], 3)
            for end_only in [False, True]:
                self.assertEqual(model.run(until=0.5, end_only=end_only).status, "ok")
        for model in self.of_python_functions(times=1000):  # the second one ends it at once
            with self.assertRaises(KeyboardInterrupt) as raised:
                model.run(until=100)
            self.assertIsNone(getattr(raised.exception, "partial", None))

    @staticmethod
    def of_python_functions(times):
        """Models of which a function is interrupted so many times, after 0.3 s."""
        def pulling(answer):
            left = [times]

            def function(t, *state):
                if t > 0.3 and left[0] > 0:
                    left[0] -= 1
                    signal.raise_signal(signal.SIGINT)
                return answer
            return function

        return [raak.Problem(coordinates=["x", "y"], mass=[[1, 0], [0, 1]], force=pulling([0.0, -9.81]), start={"x": 1.0},
                             constraint=lambda t, q: [q @ q - 1]),
                raak.Mechanism().body("b", type="point", mass=1).force("d", "force", at="b", value=pulling((0.1, 0.0)), of=["b.vx"])
                .event("far", when="b.x - 1000", action="stop").build()]

    def test_progress_is_called_and_may_stop_or_raise(self):
        seen = []
        r = raak.problem("andrews").run(progress=lambda t, start, until, steps: seen.append((t, until)))
        self.assertEqual(seen[-1], (0.03, 0.03))
        self.assertEqual(r.status, "ok")
        r = raak.problem("andrews").run(progress=lambda t, *rest: t < 0.01)
        self.assertEqual(r.status, "interrupted")
        mine = ValueError("mine")

        def raising(*arguments):
            raise mine

        with self.assertRaises(ValueError) as raised:
            raak.problem("andrews").run(progress=raising)
        self.assertIs(raised.exception, mine)
        self.assertEqual(raised.exception.partial.status, "interrupted")

    def test_ctrl_c_ends_a_look_at_many_moments(self):
        r = raak.problem("pendulum").run(until=1)
        r.at(0.5)
        times = np.linspace(0, 1, 3_000_000)  # takes many seconds
        threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
        begun = time.process_time()
        with self.assertRaises(KeyboardInterrupt):
            r.at(times)
        self.assertLess(time.process_time() - begun, 3)
        self.assertEqual(r.at(times[:3000])["phi"][2999], r.at(times[2999])["phi"])

    def test_a_run_that_fails_tells_where_why_and_what_to_try(self):
        m = raak.Mechanism().body("ball", type="point", mass=1)
        m.force("push", "force", at="ball", value=["1 + ball.vx^3", 0])
        with self.assertRaises(raak.SolveError) as raised:
            m.run(until=100)
        error = raised.exception
        self.assertTrue(0 < error.time < 100)
        self.assertTrue(error.cause and error.advice)
        self.assertEqual(error.partial.status, "failed")
        self.assertGreater(error.state["ball.x"], 0)
        stepper = m.model.stepper(until=100)
        with self.assertRaises(raak.SolveError) as raised:
            for _ in stepper:
                pass
        self.assertIsNone(raised.exception.partial)
        self.assertEqual(raised.exception.state["ball.x"], stepper["ball.x"])

    def test_an_interpreter_that_exits_during_a_run(self):
        works = ["raak.problem('pendulum').run(until=1e6)", "for _ in raak.problem('pendulum').stepper(until=1e6): pass",
                 "while True: raak.load('examples/andrews.toml').parameters['k'] = 3",
                 "raak.problem('pendulum').run(until=1000, rtol=1e-10).at(1.0)"]
        for work in works:
            code = (f"import raak, threading, time\ndef work():\n    {work}\n"
                    "for _ in range(2): threading.Thread(target=work, daemon=True).start()\ntime.sleep(0.2)")
            done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
            self.assertEqual((done.returncode, done.stderr), (0, ""), work)
        code = "import atexit\natexit.register(lambda: print(raak.problem('andrews').run().status))\nimport raak"
        self.assertEqual(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60).stdout, "ok\n")

    @unittest.skipUnless(hasattr(os, "fork"), "without os.fork")
    def test_a_child_that_is_forked_during_a_run_exits(self):
        code = ("import os, raak, signal, sys, threading\nbegun = threading.Event()\n"
                "go = threading.Event()\n"
                "def progress(*_):\n    begun.set()\n    return not go.is_set()\n"
                "t = threading.Thread(target=lambda: raak.problem('pendulum').run(until=1e6, progress=progress))\n"
                "t.start()\nbegun.wait()\npid = os.fork()\n"
                "if pid == 0:\n    signal.alarm(20)\n    print(raak.problem('andrews').run().status, flush=True)\n    sys.exit(0)\n"
                "print(os.waitpid(pid, 0)[1])\ngo.set()\nt.join()")
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
        self.assertEqual((done.stdout, done.stderr), ("ok\n0\n", ""))


if __name__ == "__main__":
    unittest.main()
