"""Equations in Python: the same motion as the built-in models, checked derivatives, compiled functions, bad input."""

import ctypes
import gc
import importlib.util
import os
import subprocess
import sys
import tempfile
import unittest
import weakref

import numpy as np
import raak

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import andrews_equations  # noqa: E402


def pendulum(**more):
    given = dict(coordinates=["x", "y"], constraints=["rod"], mass=lambda t, q: np.eye(2), start={"x": 1.0, "v.y": 0.0},
                 force=lambda t, q, v: np.array([0.0, -9.81]), constraint=lambda t, q: [q @ q - 1.0],
                 potential=lambda t, q: 9.81 * q[1])
    return raak.Problem(**{**given, **more})


class Problems(unittest.TestCase):
    def test_a_pendulum_swings_as_one_of_bodies_and_joints(self):
        m = raak.Mechanism(gravity=(0, -9.81)).ground(points={"O": (0, 0)})
        m.body("ball", type="point", mass=1).joint("rod", "distance", between=["ground.O", "ball"], length=1)
        m.start(trust={"ball.x": 1.0, "ball.vy": 0.0}, guess={"ball.y": 0.0})
        wanted = m.run(until=2, rtol=1e-11).end
        plain = pendulum()
        exact = pendulum(jacobian=lambda t, q: [2 * q], bias=lambda t, q, v: [-2 * (v @ v)])
        for model in [plain, exact]:
            for method in [None, "radau5", "gauss"]:
                r = model.run(until=2, rtol=1e-9, method=method)
                self.assertLess(abs(r.end["x"] - wanted["ball.x"]), 1e-6, method)
                self.assertLess(r.quality.energy_drift, 1e-5)
        self.assertLess(abs(exact.run(until=2, rtol=1e-11).end["x"] - wanted["ball.x"]), 1e-9)

    def test_constraints_that_move_and_those_of_velocities(self):
        # Pulled along x(t) = sin 3t: the force that this takes is the multiplier.
        pulled = raak.Problem(coordinates=["x"], mass=[[2.0]], force=lambda t, q, v: [0.0],
                              constraint=lambda t, q: [q[0] - np.sin(3 * t)])
        r = pulled.run(until=1, rtol=1e-9)
        self.assertLess(np.abs(r["x"] - np.sin(3 * r.t)).max(), 1e-9)
        self.assertLess(np.abs(r["lambda.1"] - 18 * np.sin(3 * r.t)).max(), 1e-6)
        # A skate on an incline comes back to its height: Neimark and Fufaev.
        g, w = 9.81 * np.sin(np.pi / 6), 1.0
        skate = raak.Problem(coordinates=["x", "y", "phi"], mass=np.eye(3), force=lambda t, q, v: [g, 0.0, 0.0],
                             velocity_constraint=lambda t, q, v: [v[1] * np.cos(q[2]) - v[0] * np.sin(q[2])],
                             velocity_constraints=1, start={"x": 0, "y": 0, "phi": 0, "v.x": 0, "v.phi": w})
        r = skate.run(until=np.pi, rtol=1e-9)
        self.assertLess(abs(r.end["x"]), 1e-6)
        self.assertLess(abs(abs(r.end["y"]) - g * np.pi / (2 * w**2)), 1e-6)

    def test_differences_follow_fast_motions(self):
        # A pin on a disc that turns with 15,000 rpm, and with a speed that no step of differences divides; in ground
        # coordinates of some millimetres nothing but the constraint says how fast it is.
        radius = 0.002
        for omega in [500 * np.pi, 1800.0]:
            driven = raak.Problem(coordinates=["x", "y"], mass=np.eye(2), force=lambda t, q, v: [0.0, 0.0],
                                  constraint=lambda t, q: [q[0] - radius * np.cos(omega * t), q[1] - radius * np.sin(omega * t)])
            exact = raak.Problem(coordinates=["x", "y"], mass=np.eye(2), force=lambda t, q, v: [0.0, 0.0], jacobian=np.eye(2),
                                 constraint=lambda t, q: [q[0] - radius * np.cos(omega * t), q[1] - radius * np.sin(omega * t)])
            for model in [driven, exact]:
                r = model.run(until=0.01, rtol=1e-8)
                self.assertLess(np.abs(r["v.x"] + omega * radius * np.sin(omega * r.t)).max(), 1e-6 * omega * radius)
                self.assertLess(np.abs(r["lambda.1"] - omega**2 * radius * np.cos(omega * r.t)).max(), 1e-6 * omega**2 * radius)

    def test_arguments_that_are_kept_stay_as_they_were(self):
        kept = []

        def force(t, q, v):
            kept.append((t, q, v[1:], v[1]))
            return [0.0, -9.81]

        r = pendulum(force=force, check=False).run(until=0.5, rtol=1e-6)
        self.assertGreater(len(kept), 100)
        self.assertEqual(len({id(q) for _, q, _, _ in kept}), len(kept))
        for t, q, view, number in kept:
            self.assertEqual(view[0], number)
        self.assertLess(min(abs(q[0] - r.end["x"]) for _, q, _, _ in kept), 1e-6)

        def overwriting(t, q, v):
            q[:] = 0.0
            q.flags.writeable = False
            return [0.0, -9.81]

        self.assertTrue(np.array_equal(pendulum(force=overwriting).run(until=0.5, rtol=1e-6)["x"], r["x"]))

    def test_derivatives_that_are_given_are_checked(self):
        with self.assertRaisesRegex(raak.RequestError, r'jacobian: entry \(0, 0\), of row "rod" with respect to "x", is 3, and '
                                                       r"differences of constraint give 2(\.0+\d*)?: 1 apart"):
            pendulum(jacobian=lambda t, q: [3 * q])
        with self.assertRaisesRegex(raak.RequestError, 'bias: entry .0,., of row "rod"'):
            pendulum(bias=lambda t, q, v: [2 * (v @ v)])
        with self.assertRaisesRegex(raak.RequestError, "mass is not symmetric"):
            pendulum(mass=[[1.0, 0.5], [0.0, 1.0]])

    def test_derivatives_that_are_right_at_the_start_only_are_refused(self):
        with self.assertRaisesRegex(raak.RequestError, r'jacobian: entry .0, 1., of row "rod" with respect to "y", is \S+ beside the '
                                                       r"start, at x = 0.99\d*, y = 0.0\d*, and differences of constraint give"):
            pendulum(jacobian=lambda t, q: [[2 * q[0], 2.1 * q[1]]])
        with self.assertRaisesRegex(raak.RequestError, "bias: entry .0,., of row \"rod\", is .* beside the start"):
            pendulum(bias=lambda t, q, v: [-2 * (v @ v) + q[1]])
        small = dict(start={"x": 0.002}, constraint=lambda t, q: [q @ q - 0.002**2])
        with self.assertRaisesRegex(raak.RequestError, "jacobian: entry .0, 1."):
            pendulum(**small, jacobian=lambda t, q: [[2 * q[0], 2.5 * q[1]]])
        pendulum(**small, jacobian=lambda t, q: [2 * q], bias=lambda t, q, v: [-2 * (v @ v)])
        kind = ctypes.CFUNCTYPE(None, ctypes.c_double, *[ctypes.POINTER(ctypes.c_double)] * 2)

        def jacobian(t, q, out):
            out[0], out[1] = 2 * q[0], 2.1 * q[1]

        with self.assertRaisesRegex(raak.RequestError, "jacobian: entry .0, 1."):
            pendulum(jacobian=kind(jacobian))

    def test_derivatives_that_hold_on_the_constraints_only_will_do(self):
        rod = dict(constraint=lambda t, q: [np.sqrt(q @ q) - 1.0])
        pendulum(**rod, jacobian=lambda t, q: [q])  # |q| = 1

        def constraint(t, q):  # has no values but near the start
            if abs(q[1]) > 1e-4:
                raise ValueError("out of the table")
            return [q @ q - 1.0]

        pendulum(constraint=constraint, jacobian=lambda t, q: [2 * q])
        # 15,000 rpm, in millimetres: no step of differences of the usual length follows it.
        w, r = 500 * np.pi, 0.002
        raak.Problem(coordinates=["x", "y"], mass=np.eye(2), force=[0.0, 0.0], jacobian=np.eye(2),
                     constraint=lambda t, q: [q[0] - r * np.cos(w * t), q[1] - r * np.sin(w * t)],
                     bias=lambda t, q, v: [-r * w**2 * np.cos(w * t), -r * w**2 * np.sin(w * t)])

    def test_wrong_shapes_types_and_numbers(self):
        with self.assertRaisesRegex(ValueError, r"force returned an array of shape \(3,\), expected \(2,\)"):
            pendulum(force=lambda t, q, v: np.zeros(3))
        with self.assertRaisesRegex(TypeError, "force returned 'much'"):
            pendulum(force=lambda t, q, v: "much")
        with self.assertRaisesRegex(raak.RequestError, r"force: entry \(1,\) is nan at the start"):
            pendulum(force=lambda t, q, v: [0.0, np.nan])
        for key in ["mass", "force"]:
            with self.assertRaisesRegex(TypeError, f"{key} expects a function or an array, found None"):
                pendulum(**{key: None})
        with self.assertRaisesRegex(TypeError, "start expects numbers by name"):
            pendulum(start=[1.0, 0.0])
        for units in [["m"], ["m"] * 3]:
            with self.assertRaisesRegex(raak.RequestError, "as many units as coordinates, 2, or none; found"):
                pendulum(units=units)
        with self.assertRaisesRegex(raak.RequestError, "coordinate.*xx"):
            pendulum(start={"xx": 1.0})
        with self.assertRaisesRegex(raak.RequestError, "finite"):
            pendulum(start={"x": np.inf})
        with self.assertRaisesRegex(TypeError, "force returned None, .*: is its return missing"):
            pendulum(force=lambda t, q, v: None)
        with self.assertRaisesRegex(TypeError, "potential returned None, .*: is its return missing"):
            pendulum(potential=lambda t, q: None).run(until=0.1)
        late = pendulum(force=lambda t, q, v: np.zeros(2) if t < 0.5 else np.zeros(3))
        with self.assertRaisesRegex(ValueError, "force returned an array of shape"):
            late.run(until=1)

    def test_an_exception_comes_back_as_it_is_and_nothing_leaks(self):
        mine = ZeroDivisionError("mine")

        class Force:
            def __call__(self, t, q, v):
                if t > 0.3:
                    raise mine
                return [0.0, -9.81]

        force = Force()
        gone = weakref.ref(force)
        model = pendulum(force=force)
        for _ in range(3):  # a model that was used after an error
            with self.assertRaises(ZeroDivisionError) as raised:
                model.run(until=1)
            self.assertIs(raised.exception, mine)
        self.assertEqual(model.run(until=0.1).status, "ok")
        mine.__traceback__ = None
        del force, model, raised
        gc.collect()
        self.assertIsNone(gone())

    def test_compiled_functions(self):
        source = """
            void mass(double t, const double* q, double* M) { M[0] = M[3] = 1; M[1] = M[2] = 0; }
            void force(double t, const double* q, const double* v, double* f) { f[0] = 0; f[1] = -9.81; }
            void constraint(double t, const double* q, double* g) { g[0] = q[0]*q[0] + q[1]*q[1] - 1; }"""
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "f.c"), "w", encoding="utf-8") as file:
                file.write(source)
            subprocess.run(["cc", "-shared", "-fPIC", "-O2", "f.c", "-o", "f.so"], cwd=folder, check=True)
            library = ctypes.CDLL(os.path.join(folder, "f.so"))

        class CFunc:  # as numba has it
            address = ctypes.cast(library.force, ctypes.c_void_p).value

        compiled = pendulum(mass=library.mass, force=CFunc(), constraint=library.constraint, potential=None)
        self.assertTrue(np.array_equal(compiled.run(until=1)["x"], pendulum().run(until=1)["x"]))

    def test_what_a_compiled_function_belongs_to_is_kept_and_let_go(self):
        kind = ctypes.CFUNCTYPE(None, ctypes.c_double, *[ctypes.POINTER(ctypes.c_double)] * 3)

        class CFunc:  # as numba has it: the code goes with the object
            def __init__(self, function):
                self.function = kind(function)
                self.address = ctypes.cast(self.function, ctypes.c_void_p).value

        def force(t, q, v, out):
            out[0], out[1] = 0.0, -9.81

        owner = CFunc(force)
        gone = weakref.ref(owner)
        model = pendulum(force=owner)
        del owner
        gc.collect()
        self.assertIsNotNone(gone())
        r = model.run(until=1)
        self.assertTrue(np.array_equal(r["x"], pendulum().run(until=1)["x"]))
        del model
        gc.collect()
        self.assertIsNotNone(gone())  # r.at() calls it
        del r
        gc.collect()
        self.assertIsNone(gone())

    def test_an_address_where_no_function_is(self):
        null = ctypes.CFUNCTYPE(None, ctypes.c_double)()
        for key in ["mass", "force", "constraint", "jacobian", "potential"]:
            for nothing in [0, 7, -1, null]:
                with self.assertRaisesRegex(TypeError, f"{key} expects a function, an array or the address of a compiled function, "
                                                       "found .*: no function has the address"):
                    pendulum(**{key: nothing})
            with self.assertRaisesRegex(TypeError, f"{key} expects a function, an array or the address of a compiled function, found True"):
                pendulum(**{key: True})
        self.assertEqual(pendulum(potential=0.0).run(until=0.1).status, "ok")

    def test_a_compiled_function_of_another_signature(self):
        number, array = ctypes.c_double, ctypes.POINTER(ctypes.c_double)
        right = [(number, array, array, array), (number, array, ctypes.c_void_p, np.ctypeslib.ndpointer(dtype=float))]
        for arguments in right:
            kind = ctypes.CFUNCTYPE(None, *arguments)
            with self.assertRaisesRegex(TypeError, r"jacobian expects a compiled function \(double t, double\* q, double\* out\), found one "
                                                   r"of \(double, double\*, double\*, double\*\)"):
                pendulum(jacobian=kind(lambda *_: None))
            pendulum(force=kind(lambda *_: None))
        for wrong in [(number, array, array), (array, array, array, array), (number, array, array, number),
                      (number, array, array, ctypes.POINTER(ctypes.c_float)), (ctypes.c_float, array, array, array)]:
            with self.assertRaisesRegex(TypeError, "force expects a compiled function .double t, double. q, double. v, double. out., found"):
                pendulum(force=ctypes.CFUNCTYPE(None, *wrong)(lambda *_: None))
        if importlib.util.find_spec("numba") is None:
            self.skipTest("without numba")
        import numba

        pointer = numba.types.CPointer(numba.types.double)
        signature = numba.types.void(numba.types.double, pointer, pointer, pointer)
        pendulum(force=numba.cfunc(signature)(lambda t, q, v, out: None))
        with self.assertRaisesRegex(TypeError, r"force expects .*, found one of \(double\)"):
            pendulum(force=numba.cfunc("float64(float64)")(lambda x: x))

    def test_names_of_columns_differ(self):
        numbers = dict(output=lambda t, q, v: [5.0])
        for name in ["energy.kinetic", "t", "q.x", "lambda.1", "violation.position"]:
            with self.assertRaisesRegex(raak.RequestError, f'two columns of the results are called "{name}"'):
                pendulum(outputs=[name], **numbers)
        with self.assertRaisesRegex(raak.RequestError, 'the output "x" has the name of a coordinate'):
            pendulum(outputs=["x"], **numbers)
        with self.assertRaisesRegex(raak.RequestError, 'two columns of the results are called "a"'):
            pendulum(outputs=["a", "a"], output=lambda t, q, v: [5.0, 6.0])
        self.assertEqual(pendulum(outputs=["a"], **numbers).run(until=0.1).end["a"], 5.0)

    def test_andrews_in_python_and_numba_has_the_digits_of_the_built_in(self):
        built_in = raak.problem("andrews").run(rtol=1e-9).end
        functions = andrews_equations.in_python()
        r = andrews_equations.problem(functions).run(until=0.03, rtol=1e-9).end
        for name in andrews_equations.NAMES:
            self.assertLess(abs(r[name] - built_in[name]), 1e-7 * max(1, abs(built_in[name])), name)
        if importlib.util.find_spec("numba") is None:
            self.skipTest("without numba")
        compiled = andrews_equations.problem(andrews_equations.in_numba()).run(until=0.03, rtol=1e-9).end
        for name in andrews_equations.NAMES:
            self.assertLess(abs(compiled[name] - built_in[name]), 1e-7 * max(1, abs(built_in[name])), name)


if __name__ == "__main__":
    unittest.main()
