"""What the report draws: every point where the body has it, at every moment, and elements of the kinds that the model has."""

import array
import ast
import base64
import json
import math
import subprocess
import unittest
import zipfile

from program import PATIENCE, RAAK, ROOT, ProgramTest, raak, rows_of


def npy(data):
    """The shape and the numbers of a .npy file."""
    assert data[:6] == b"\x93NUMPY"
    size = int.from_bytes(data[8:10], "little")
    header = ast.literal_eval(data[10:10 + size].decode())
    assert not header["fortran_order"]
    numbers = array.array({"<f8": "d", "<f4": "f"}[header["descr"]])
    numbers.frombytes(data[10 + size:])
    return header["shape"], numbers


def rotated(quaternion, v):
    w, x, y, z = quaternion
    rows = ((1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)), (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
            (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)))
    return [sum(a * b for a, b in zip(row, v)) for row in rows]


class DrawingTest(ProgramTest):
    def results(self, model, *arguments):
        out = self.scratch / "out"
        done = raak("run", str(model), "--out", str(out), "--quiet", "--frames", "4", *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        with zipfile.ZipFile(out / "result.npz") as archive:
            about = json.loads(archive.read("report.json"))
            frames, points = npy(archive.read("frames.npy")), npy(archive.read("frames.points.npy"))
        return about, frames, points

    def elements(self, text):
        path = self.scratch / "model.toml"
        path.write_text(text)
        drawing = self.results(path, "--until", "0.01")[0]["drawing"]
        names = drawing["points"]
        return drawing, [(element["kind"], element.get("name", ""), [names[i] for i in element["points"]]) for element in drawing["elements"]]


class EndsEarly(DrawingTest):
    def test_a_run_that_ends_early_shows_all_its_rows_and_no_other_moment(self):
        path = self.scratch / "stop.toml"
        path.write_text("""format = "raak/1"
[bodies.cart]
mass = 1.0
inertia = 1.0
points = { C = [0.0, 0.0] }
[forces]
push = { type = "force", at = "cart.C", value = ["exp(cart.x)", 0] }
[start.trust]
"cart.vx" = 3.0
""")
        out = self.scratch / "out"
        done = raak("run", str(path), "--until", "10", "--out", str(out), "--quiet")
        self.assertEqual(done.returncode, 3, done.stderr)  # in finite time it is infinitely far
        rows = [float(row["t"]) for row in rows_of(out / "result.csv") if row["t"] != "s"]
        with zipfile.ZipFile(out / "result.npz") as archive:
            (count, width), frames = npy(archive.read("frames.npy"))
            (of_points, _), points = npy(archive.read("frames.points.npy"))
        self.assertGreater(len(rows), 20)
        self.assertLess(len(rows), 500)
        self.assertEqual([frames[i * width] for i in range(count)], rows)
        self.assertEqual(of_points, count)


class Points(DrawingTest):
    def test_every_point_is_where_its_body_has_it_at_every_moment(self):
        compared = 0
        for name in ("four-bar", "slider-crank", "heavy-top", "bricard", "bicycle", "spherical-pendulum", "geneva", "flyball-governor", "peaucellier"):
            model = ROOT / f"examples/{name}.toml"
            made = self.scratch / f"{name}.json"
            subprocess.run([RAAK, "convert", str(model), "--out", str(made)], check=True, capture_output=True, timeout=PATIENCE)
            bodies = json.loads(made.read_text())["bodies"]
            about, ((count, width), frames), (shape, points) = self.results(model, "--until", "0.2")
            drawing, columns = about["drawing"], {column: i for i, column in enumerate(about["columns"])}
            dimension = drawing["dimension"]
            self.assertEqual(math.prod(shape), count * len(drawing["points"]) * dimension)
            for frame in range(count):
                row = frames[frame * width:(frame + 1) * width]
                for index, point in enumerate(drawing["points"]):
                    body, _, part = point.partition(".")
                    local = bodies.get(body, {}).get("points", {}).get(part) if part != "com" else bodies.get(body, {}).get("com")
                    if local is None or any(isinstance(number, str) for number in local):
                        continue
                    at = points[(frame * len(drawing["points"]) + index) * dimension:][:dimension]
                    if dimension == 2:
                        x, y, angle = (row[columns[f"q.{body}.{c}"]] for c in ("x", "y", "angle"))
                        expected = [x + math.cos(angle) * local[0] - math.sin(angle) * local[1], y + math.sin(angle) * local[0] + math.cos(angle) * local[1]]
                    else:
                        origin = [row[columns[f"q.{body}.position.{c}"]] for c in "xyz"]
                        quaternion = [row[columns[f"q.{body}.quaternion.{c}"]] for c in "wxyz"]
                        expected = [a + b for a, b in zip(origin, rotated(quaternion, local))]
                    for found, wanted in zip(at, expected):
                        self.assertAlmostEqual(found, wanted, delta=1e-6, msg=f"{name} {point}")  # pictures have single precision
                    compared += 1
        self.assertGreater(compared, 100)

    def test_frames_are_evenly_spaced_from_the_start_to_the_end(self):
        about, ((count, width), frames), _ = self.results("pendulum", "--until", "2")
        self.assertEqual(about["columns"][0], "t")
        self.assertEqual([frames[i * width] for i in range(count)], [0.0, 0.5, 1.0, 1.5, 2.0])


class Page(DrawingTest):
    def test_the_page_holds_the_frames_of_the_run(self):
        """Time in double, everything else in single precision by column; what exceeds that is divided by a power of two."""
        path = self.scratch / "model.toml"
        path.write_text(PLANAR + '[outputs]\nhuge = "1e300*(1 + t)"\nsmall = "1e-30*t"\n')
        about, ((count, width), frames), (_, points) = self.results(path, "--until", "0.4")
        text = (self.scratch / "out/report.html").read_text()
        data = json.loads(text.split('<script type="application/json" id="data">')[1].split("</script>")[0].replace("<\\/", "</"))
        page = next(value for value in data.values() if isinstance(value, dict) and "scales" in value)

        def numbers(name, kind):
            found = array.array(kind)
            found.frombytes(base64.b64decode(page[name]))
            return found

        self.assertEqual((page["count"], count), (5, 5))
        self.assertEqual(list(numbers("t", "d")), [frames[i * width] for i in range(count)])
        values = numbers("values", "f")
        self.assertEqual(len(values), count * (width - 1))
        huge = about["columns"].index("huge") - 1
        self.assertEqual(list(page["scales"]), [str(huge)])
        for column in range(width - 1):
            scale = page["scales"].get(str(column), 1.0)
            self.assertEqual(math.frexp(scale)[0], 0.5)
            for frame in range(count):
                wanted = frames[frame * width + column + 1]
                self.assertAlmostEqual(values[column * count + frame] * scale, wanted, delta=1e-6 * abs(wanted) + 1e-37, msg=about["columns"][column + 1])
        self.assertEqual(numbers("points", "f"), points)


PLANAR = """format = "raak/1"
gravity = [0.0, -9.81]
[ground.points]
O = [0.0, 0.0]
W = [3.0, 0.0]
[bodies.plate]
mass = 1.0
inertia = 0.1
com = [0.3, 0.3]
points = { A = [0.0, 0.0], C = [1.0, 1.0], B = [1.0, 0.0], D = [0.0, 1.0] }
[bodies.rod]
mass = 1.0
inertia = 0.1
points = { A = [0.0, 0.0], B = [1.0, 0.0] }
[bodies.bob]
type = "point"
mass = 1.0
[bodies.wheel]
mass = 1.0
inertia = 0.1
points = { C = [0.0, 0.0] }
[joints]
O = { type = "revolute", pins = ["ground.O", "plate.A"] }
P = { type = "revolute", pins = ["plate.B", "rod.A"] }
hang = { type = "distance", between = ["rod.B", "bob"], length = 0.5 }
road = { type = "rolling", pins = ["ground.O", "wheel.C"], axes = ["ground.x"], radius = 0.25 }
[forces]
s = { type = "spring", between = ["ground.W", "plate.C"], stiffness = 5.0 }
"""


class Elements(DrawingTest):
    def test_bodies_joints_and_springs_are_what_they_are(self):
        drawing, elements = self.elements(PLANAR)
        self.assertEqual((drawing["dimension"], drawing["up"]), (2, 3))
        # The corners of a plate go round it.
        [plate] = [points for kind, name, points in elements if kind == "plate"]
        corners = [{"A": (0, 0), "B": (1, 0), "C": (1, 1), "D": (0, 1)}[point.split(".")[1]] for point in plate]
        for (x, y), (p, q) in zip(corners, corners[1:] + corners[:1]):
            self.assertEqual(abs(x - p) + abs(y - q), 1)
        for expected in (("bar", "rod", ["rod.A", "rod.B"]), ("mass", "bob", ["bob"]), ("trace", "bob", ["bob"]), ("ground", "O", ["ground.O"]), ("pin", "P", ["plate.B"]),
                         ("bar", "hang", ["rod.B", "bob.bob"]), ("spring", "s", ["ground.W", "plate.C"]), ("ground", "", ["ground.W"])):
            kind, name, points = expected
            self.assertIn((kind, name, sorted(points)), [(k, n, sorted(p)) for k, n, p in elements])
        [disc] = [points for kind, name, points in elements if kind == "disc"]
        self.assertEqual(disc[0], "wheel.C")
        self.assertNotIn(("mass", "wheel"), [(kind, name) for kind, name, _ in elements])

    def test_the_rim_of_a_wheel_is_its_radius_away(self):
        path = self.scratch / "model.toml"
        path.write_text(PLANAR)
        about, (shape, _), (_, points) = self.results(path, "--until", "0.3")
        drawing = about["drawing"]
        [disc] = [element["points"] for element in drawing["elements"] if element["kind"] == "disc"]
        count = len(drawing["points"])
        for frame in range(shape[0]):
            at = [points[(frame * count + i) * 2:][:2] for i in disc]
            self.assertAlmostEqual(math.dist(at[0], at[1]), 0.25, delta=1e-6)

    SPATIAL = """format = "raak/1"
space = "spatial"
gravity = GRAVITY
[ground.points]
O = [0.0, 0.0, 0.0]
[bodies.arm]
mass = 1.0
inertia = [0.1, 0.1, 0.1]
com = [0.5, 0.0, 0.0]
points = { O = [0.0, 0.0, 0.0], E = [1.0, 0.0, 0.0] }
[joints]
O = { type = "spherical", pins = ["ground.O", "arm.O"] }
"""

    def test_up_is_against_gravity(self):
        for gravity, up in (("[0.0, 0.0, -9.81]", 3), ("[0.0, -9.81, 0.0]", 2), ("[9.81, 0.0, 0.0]", -1), ("[1.0, 3.0, -2.0]", -2), ("[0.0, 0.0, 0.0]", 3)):
            self.assertEqual(self.elements(self.SPATIAL.replace("GRAVITY", gravity))[0]["up"], up, gravity)

    def test_the_path_of_what_an_output_shows_is_drawn(self):
        text = self.SPATIAL.replace("GRAVITY", "[0.0, 0.0, -9.81]")
        _, elements = self.elements(text + '[outputs]\nx = "arm.E.x"\n')
        self.assertIn(("trace", "path of arm.E", ["arm.E"]), elements)

    def test_a_disc_in_space_has_two_places_on_its_rim(self):
        path = ROOT / "examples/rolling-disc.toml"
        about, (shape, _), (_, points) = self.results(path, "--until", "0.2")
        drawing = about["drawing"]
        [disc] = [element["points"] for element in drawing["elements"] if element["kind"] == "disc"]
        at = [points[i * 3:][:3] for i in disc]
        arms = [[a - b for a, b in zip(point, at[0])] for point in at[1:]]
        self.assertEqual(len(arms), 2)
        self.assertAlmostEqual(math.hypot(*arms[0]), math.hypot(*arms[1]), delta=1e-6)
        self.assertAlmostEqual(sum(a * b for a, b in zip(*arms)), 0.0, delta=1e-6)


if __name__ == "__main__":
    unittest.main()
