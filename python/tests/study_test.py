"""What is known of a model beside a run: assembly, check, bench, explain."""

import os
import signal
import threading
import unittest

import raak

LONG = """
format = "raak/1"
gravity = [0.0, -9.81]
[ground.points]
O = [0.0, 0.0]
[bodies.arm]
mass = 2.0
inertia = 0.4
com = [0.5, 0.0]
points = { O = [0.0, 0.0] }
[joints]
hinge = { type = "revolute", pins = ["ground.O", "arm.O"] }
[start.trust]
"arm.angle" = 0.0
"arm.omega" = 0.0
[runs.short]
until = 0.1
[runs.long]
until = 1e6
[references]
of_short = { run = "short", values = { "arm.omega" = -1.0 } }
of_long = { run = "long", values = { "arm.omega" = 0.0 } }
"""


def bars(distance):
    """Two bars of 1 m that meet, their ends so far apart."""
    m = raak.Mechanism(gravity=(0, -9.81)).ground(points={"A": (0, 0), "B": (distance, 0)})
    for name in ["a", "b"]:
        m.body(name, mass=1, inertia=0.1, points={"P": (0, 0), "Q": (1, 0)})
    m.joint("left", "revolute", pins=["ground.A", "a.P"]).joint("right", "revolute", pins=["ground.B", "b.P"])
    return m.joint("middle", "revolute", pins=["a.Q", "b.Q"])


class Assemble(unittest.TestCase):
    def test_freedoms_and_start_values(self):
        a = raak.problem("pendulum").assemble(trust={"phi": 0.3}, guess={"x": 0.2})
        self.assertEqual((a.dof, a.coordinates, a.rows, a.rank, a.redundant, a.open), (1, 3, 2, 2, [], []))
        self.assertAlmostEqual(a["phi"], 0.3, 15)
        self.assertEqual(a.start.t, 0.0)
        self.assertIn("1 degree of freedom", repr(a))
        structure = bars(1.5).model.assemble()
        self.assertEqual(structure.dof, 0)

    def test_redundant_joints_are_named(self):
        a = raak.load("examples/door.toml").assemble()
        self.assertGreater(a.redundant_rows, 0)
        self.assertEqual(len(a.redundant), 2)  # two hinges on one line

    def test_joints_that_stay_open_are_named_with_their_gaps(self):
        with self.assertRaises(raak.AssemblyError) as raised:
            bars(3).model.assemble()
        name, gap, unit = raised.exception.open[0]
        self.assertIn(name, ["left", "right", "middle"])
        self.assertTrue(0.3 < gap < 1.01)
        self.assertEqual(unit, "m")

    def test_names_and_values_that_are_none(self):
        with self.assertRaisesRegex(raak.RequestError, "phi"):
            raak.problem("pendulum").assemble(trust={"phy": 0.3})
        with self.assertRaisesRegex(raak.RequestError, "finite"):
            raak.problem("pendulum").assemble(trust={"phi": float("nan")})


class Check(unittest.TestCase):
    def test_the_rows_are_those_of_the_program(self):
        check = raak.load("examples/four-bar.toml").check()
        self.assertTrue(check.passed)
        self.assertGreater(check[0].scd, 10)
        self.assertEqual(check[0].method, "auto")
        loose = raak.problem("andrews").check(method="dopri5", rtol=1e-3)
        self.assertLess(loose[0].scd, check[0].scd)
        self.assertIn("scd", repr(loose))
        self.assertIn("<th>scd</th>", loose._repr_html_())
        self.assertEqual(len(loose.to_pandas()), len(loose))

    def test_a_model_without_a_reference_has_no_rows(self):
        model = raak.load("examples/four-bar.toml")
        model.parameters["a"] = 0.1
        self.assertEqual(list(model.check()), [])
        with self.assertRaisesRegex(raak.RequestError, "radau5"):
            model.check(method="radau6")


    def test_ctrl_c_ends_it_and_the_rows_so_far_are_kept(self):
        model = raak.parse(LONG)
        self.assertEqual(len(model.check(run="short")), 1)
        threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
        with self.assertRaises(KeyboardInterrupt) as raised:
            model.check()
        rows = raised.exception.partial
        self.assertIsInstance(rows, raak.Check)
        self.assertEqual([row.run for row in rows], ["short"])


class Bench(unittest.TestCase):
    def test_tighter_tolerances_give_more_digits(self):
        seen = []
        bench = raak.problem("andrews").bench(methods=["dop853", "gauss"], rtol=[1e-8, 1e-4], progress=seen.append)
        self.assertEqual([row["method"] for row in seen], [row.method for row in bench])
        for method, rows in bench.by_method().items():
            loose, tight = rows
            self.assertGreater(tight.scd, loose.scd + 2, method)
            self.assertGreater(tight.cpu_us_min, 0)
        axes = bench.plot()
        self.assertEqual([line.get_label() for line in axes.get_lines()], ["dop853", "gauss"])
        self.assertEqual(len(axes.get_lines()[0].get_xdata()), 2)

    def test_until_and_forms(self):
        bench = raak.problem("pendulum").bench("radau5,bdf", 1e-6, forms=["index3"], until=0.5)
        self.assertEqual({row.formulation for row in bench}, {"index3"})
        self.assertGreater(bench[0].scd, 6)
        self.assertIn("its own run", bench[0].reference)  # the model has none at this time
        self.assertEqual((bench[1].status, bench[1].scd), ("refused", None))  # bdf has no index3

    def test_an_exception_of_progress_ends_it(self):
        mine = ValueError("mine")

        def raising(row):
            raise mine

        with self.assertRaises(ValueError) as raised:
            raak.problem("andrews").bench(progress=raising)
        self.assertIs(raised.exception, mine)
        self.assertEqual(len(mine.partial), 1)
        for wrong in [{"methods": "dop854"}, {"rtol": -1}, {"forms": "index4"}, {"run": "none"}, {"until": float("inf")}]:
            with self.assertRaises(raak.RequestError):
                raak.problem("andrews").bench(**wrong)
        with self.assertRaises(TypeError):
            raak.problem("andrews").bench(rtol="tight")

    def test_ctrl_c_ends_it_and_the_rows_so_far_are_kept(self):
        tolerances = [10 ** (-4 - k / 40) for k in range(200)]
        seen = []

        def stop(row):
            seen.append(row["rtol"])
            if len(seen) == 2:
                os.kill(os.getpid(), signal.SIGINT)

        with self.assertRaises(KeyboardInterrupt) as raised:
            raak.problem("andrews").bench("dop853", tolerances, progress=stop)
        rows = raised.exception.partial
        self.assertIsInstance(rows, raak.Bench)
        self.assertEqual([row.rtol for row in rows], tolerances[:len(rows)])
        self.assertTrue(2 <= len(rows) < 200)
        threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
        with self.assertRaises(KeyboardInterrupt) as raised:
            raak.problem("pendulum").bench(until=1e5)  # during a run
        self.assertTrue(all(row.status == "interrupted" for row in raised.exception.partial[-1:]))

    def test_equations_of_python_are_benched_too(self):
        fall = raak.Problem(coordinates=["y"], mass=[[1.0]], force=lambda t, q, v: [-9.81 - v[0]])
        self.assertGreater(fall.bench("dop853", 1e-6)[0].scd, 4)
        mine = ZeroDivisionError("mine")

        def force(t, q, v):
            if t > 0.1:
                raise mine
            return [0.0]

        with self.assertRaises(ZeroDivisionError) as raised:
            raak.Problem(coordinates=["y"], mass=[[1.0]], force=force).bench("dop853", 1e-6)
        self.assertIs(raised.exception, mine)


class Explain(unittest.TestCase):
    def test_the_cause_and_what_to_try(self):
        m = raak.Mechanism().body("ball", type="point", mass=1)
        m.force("push", "force", at="ball", value=["1 + ball.vx^3", 0])
        e = m.model.explain(until=100)
        self.assertEqual(e.cause, "blow-up")
        self.assertTrue(e.finding and e.advice)
        self.assertEqual(e.document.cause, e.cause)
        self.assertIn("finding      blow-up", str(e))

    def test_what_cannot_be_assembled_is_explained(self):
        try:
            e = bars(3).model.explain()
            self.assertEqual(e.cause, "impossible assembly")
        except raak.AssemblyError as error:
            self.assertTrue(error.advice)


if __name__ == "__main__":
    unittest.main()
