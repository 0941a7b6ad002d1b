"""Forces of a mechanism that are functions: closed forms, the same as formulas, compiled ones, bad input."""

import ctypes
import gc
import inspect
import os
import subprocess
import tempfile
import unittest
import weakref
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import raak


def ball(value, of=("ball.vx", "ball.vy"), **more):
    m = raak.Mechanism(gravity=(0, -9.81)).body("ball", type="point", mass=2)
    return m.force("drag", "force", at="ball", value=value, of=of, **more)


def drag(t, vx, vy):
    return -0.5 * vx, -0.5 * vy


class Forces(unittest.TestCase):
    def test_drag_that_is_linear_has_a_closed_form(self):
        for method in [None, "radau5"]:
            r = ball(drag).start(trust={"ball.vx": 3.0}).run(until=4, rtol=1e-10, method=method)
            rate = 0.5 / 2
            self.assertLess(np.abs(r["ball.vx"] - 3 * np.exp(-rate * r.t)).max(), 1e-8)
            self.assertLess(np.abs(r["ball.vy"] + 9.81 / rate * (1 - np.exp(-rate * r.t))).max(), 1e-8)
        self.assertLess(r.quality.energy_drift, 1e-6)
        accounts = {account.name: account for account in r.ledger.accounts}
        self.assertAlmostEqual(accounts["drag"].change, r.ledger.input, 12)
        self.assertEqual(accounts["drag"].kind, "input")

    def test_a_torque_is_one_number_and_turns_a_body(self):
        def swing(**torque):
            m = raak.Mechanism(gravity=(0, -9.81)).ground(points={"O": (0, 0)})
            m.body("arm", mass=2, inertia=0.4, com=(0.5, 0), points={"O": (0, 0)})
            m.joint("hinge", "revolute", pins=["ground.O", "arm.O"]).start(trust={"arm.angle": 0.3})
            return m.force("motor", "torque", on="arm", **torque).run(until=2, rtol=1e-10)

        by_function = swing(value=lambda t, angle: np.sin(5 * t) - angle, of=["arm.angle"])
        by_formula = swing(value="sin(5*t) - arm.angle")
        self.assertLess(abs(by_function.end["arm.angle"] - by_formula.end["arm.angle"]), 1e-7)

    def test_an_integrator_stops_at_an_event_under_such_a_force(self):
        m = ball(drag).event("low", when="ball.y + 1", action="stop")
        r = m.run(until=10, rtol=1e-10)
        rate, t = 0.25, r.events[0].t
        self.assertAlmostEqual(-9.81 / rate * (t - (1 - np.exp(-rate * t)) / rate), -1, 8)

    def test_parameters_start_values_and_copies(self):
        m = ball(drag).parameter("k", 2).output("speed", "k*ball.vx")
        model = m.model
        model.parameters["k"] = 3
        self.assertEqual(model.run(until=1, trust={"ball.vx": 1.0}).start["speed"], 3.0)
        self.assertEqual(model.copy().parameters["k"], 3)

    def test_compiled_functions(self):
        source = "void drag(double t, const double* w, double* f) { f[0] = -0.5*w[0]; f[1] = -0.5*w[1]; }"
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "f.c"), "w", encoding="utf-8") as file:
                file.write(source)
            subprocess.run(["cc", "-shared", "-fPIC", "-O2", "f.c", "-o", "f.so"], cwd=folder, check=True)
            library = ctypes.CDLL(os.path.join(folder, "f.so"))
        one, other = ball(library.drag).run(until=2), ball(drag).run(until=2)
        self.assertTrue(np.array_equal(one["ball.y"], other["ball.y"]))

    def test_what_a_compiled_function_belongs_to_is_kept_and_let_go(self):
        kind = ctypes.CFUNCTYPE(None, ctypes.c_double, *[ctypes.POINTER(ctypes.c_double)] * 2)

        class CFunc:  # as numba has it: the code goes with the object
            def __init__(self):
                self.function = kind(self.force)
                self.address = ctypes.cast(self.function, ctypes.c_void_p).value

            @staticmethod
            def force(t, of, out):
                out[0], out[1] = -0.5 * of[0], -0.5 * of[1]

        owner = CFunc()
        gone = weakref.ref(owner)
        m = ball(owner)
        del owner
        gc.collect()
        self.assertIsNotNone(gone())
        self.assertTrue(np.array_equal(m.run(until=2)["ball.y"], ball(drag).run(until=2)["ball.y"]))
        del m
        gc.collect()
        self.assertIsNone(gone())

    def test_threads_share_a_function(self):
        model = ball(drag).model
        alone = [model.run(until=t).end["ball.y"] for t in [1, 2, 3, 4]]
        with ThreadPoolExecutor(2) as pool:
            self.assertEqual(list(pool.map(lambda t: model.run(until=t).end["ball.y"], [1, 2, 3, 4])), alone)


class Mistakes(unittest.TestCase):
    def test_an_exception_comes_back_as_it_is_and_nothing_leaks(self):
        mine = ZeroDivisionError("mine")

        class Force:
            def __call__(self, t, vx, vy):
                if t > 0.3:
                    raise mine
                return 0.0, 0.0

        force = Force()
        gone = weakref.ref(force)
        m = ball(force)
        for _ in range(2):
            with self.assertRaises(ZeroDivisionError) as raised:
                m.run(until=1)
            self.assertIs(raised.exception, mine)
        self.assertEqual(m.run(until=0.1).status, "ok")
        mine.__traceback__ = None
        del force, m, raised
        gc.collect()
        self.assertIsNone(gone())

    def test_wrong_shapes_and_types(self):
        with self.assertRaisesRegex(ValueError, r'force "drag" returned an array of shape \(3,\), expected \(2,\)'):
            ball(lambda t, vx, vy: np.zeros(3)).run()
        with self.assertRaisesRegex(TypeError, "force \"drag\" returned 'much'"):
            ball(lambda t, vx, vy: "much").run()
        with self.assertRaisesRegex(TypeError, "force \"drag\" returned None, .*: is its return missing"):
            ball(lambda t, vx, vy: None).run()
        with self.assertRaisesRegex(TypeError, "force \"drag\": value expects a compiled function .double t, double. of, double. out., found"):
            ball(ctypes.CFUNCTYPE(None, ctypes.c_double)(lambda t: None))
        with self.assertRaisesRegex(TypeError, "takes 2 positional arguments but 3 were given"):
            ball(lambda t, vx: (0, 0)).run()
        with self.assertRaises(raak.Error):  # not a number from some time on
            ball(lambda t, vx, vy: (0.0, np.nan if t > 0.5 else 0.0)).run(until=1)

    def test_an_address_where_no_function_is(self):
        for nothing in [0, -1, ctypes.CFUNCTYPE(None, ctypes.c_double)()]:
            with self.assertRaisesRegex(TypeError, 'force "drag": value expects a function or the address of a compiled function where of '
                                                   "is given, found .*: no function has the address"):
                ball(nothing)

    def test_what_is_wrong_is_placed_at_the_python_call(self):
        line = inspect.currentframe().f_lineno + 1
        m = raak.Mechanism().body("ball", type="point", mass=1).force("drag", "force", at="ball", value=drag, of=["ball.vz"])
        with self.assertRaises(raak.ModelError) as raised:
            m.run()
        self.assertEqual((raised.exception.file, raised.exception.line), (__file__, line))
        self.assertIn('force "drag": ', str(raised.exception))
        with self.assertRaisesRegex(raak.ModelError, 'of a "force" or a "torque", found "spring"'):
            raak.Mechanism().force("k", "spring", value=drag)
        with self.assertRaisesRegex(raak.ModelError, "found axes="):
            ball(drag, axes="body")
        with self.assertRaisesRegex(TypeError, "of expects a list"):
            ball(drag, of="ball.vx")
        with self.assertRaisesRegex(raak.ModelError, "argument 1 depends on accelerations or reactions"):
            m = ball(lambda t, pull: (pull, 0), of=["rod.force.x"])
            m.ground(points={"O": (0, 1)}).joint("rod", "distance", between=["ground.O", "ball"], length=1)
            m.run()

    def test_a_function_cannot_be_saved(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "x.toml")
            with self.assertRaisesRegex(raak.RequestError, "forces of code"):
                ball(drag).save(path)
            self.assertFalse(os.path.exists(path))


if __name__ == "__main__":
    unittest.main()
