"""Two bodies in general position and motion, and what the tests of elements share: vectors, a wheel, starts as they are assembled."""

import math

from program import ProgramTest

MASS, INERTIA = {"a": 2.0, "b": 1.3}, {"a": 0.7, "b": 0.4}
# Place, rotation vector, velocity and angular velocity of each body; in the plane the third axis alone turns.
PLACE = {"a": (0.3, -0.4, 0.2), "b": (1.1, 0.7, -0.5)}
TURN = {"a": (0.3, -0.5, 0.4), "b": (-0.2, 0.6, 1.1)}
SPEED = {"a": (0.5, 0.2, -0.3), "b": (-0.7, 0.4, 0.6)}
SPIN = {"a": (0.2, 0.9, -0.8), "b": (-1.2, 0.3, 1.7)}
POINT = {"a": (0.4, 0.3, -0.1), "b": (-0.2, 0.5, 0.6)}


def add(*vectors):
    return tuple(map(sum, zip(*vectors)))


def times(s, v):
    return tuple(s * x for x in v)


def dot(u, v):
    return sum(x * y for x, y in zip(u, v))


def cross(u, v):
    return (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])


def norm(v):
    return math.sqrt(dot(v, v))


def turned(rotation, v):
    """Rodrigues' formula."""
    angle = norm(rotation)
    if angle == 0.0:
        return v
    n = times(1.0 / angle, rotation)
    return add(times(math.cos(angle), v), times(math.sin(angle), cross(n, v)), times((1.0 - math.cos(angle)) * dot(n, v), n))


def rotation_between(first, second):
    """The rotation vector that leads from the frame of the first to that of the second, in ground axes."""
    columns = [[turned(r, e) for e in ((1, 0, 0), (0, 1, 0), (0, 0, 1))] for r in (first, second)]
    R = [[sum(columns[1][k][i] * columns[0][k][j] for k in range(3)) for j in range(3)] for i in range(3)]
    angle = math.acos((R[0][0] + R[1][1] + R[2][2] - 1.0) / 2.0)
    return times(angle / (2.0 * math.sin(angle)), (R[2][1] - R[1][2], R[0][2] - R[2][0], R[1][0] - R[0][1]))


class Bodies:
    """Where the bodies are and move, in the plane or in space."""

    def __init__(self, planar):
        self.planar = planar

    def flat(self, v):
        return (v[0], v[1], 0.0) if self.planar else v

    def turn(self, body):
        return (0.0, 0.0, TURN[body][2]) if self.planar else TURN[body]

    def spin(self, body):
        return (0.0, 0.0, SPIN[body][2]) if self.planar else SPIN[body]

    def arm(self, body):
        return turned(self.turn(body), self.flat(POINT[body]))

    def point(self, body):
        return add(self.flat(PLACE[body]), self.arm(body))

    def rate(self, body):
        return add(self.flat(SPEED[body]), cross(self.spin(body), self.arm(body)))

    def text(self):
        """The model without any element; inertia is the same about all axes, so that no gyroscopic term is needed here."""
        text = 'format = "raak/1"\n' + ("" if self.planar else 'space = "spatial"\n')
        for body in "ab":
            inertia = f"{INERTIA[body]}" if self.planar else str([INERTIA[body]] * 3)
            text += f"[bodies.{body}]\nmass = {MASS[body]}\ninertia = {inertia}\n"
            text += f"points = {{ P = {list(POINT[body])[: 2 if self.planar else 3]}, C = {[0.0] * (2 if self.planar else 3)} }}\n"
        text += "[start.trust]\n"
        for body in "ab":
            if self.planar:
                values = zip(("x", "y", "vx", "vy", "angle", "omega"), (*PLACE[body][:2], *SPEED[body][:2], TURN[body][2], SPIN[body][2]))
                text += "".join(f'"{body}.{name}" = {value}\n' for name, value in values)
            else:
                for name, value in (("position", PLACE), ("rotation", TURN), ("velocity", SPEED), ("omega", SPIN)):
                    text += f'"{body}.{name}" = {list(value[body])}\n'
        return text

    def accelerations(self, forces, torques):
        """What forces at the points P and torques make of the bodies, in the order of the file."""
        result = []
        for body in "ab":
            force, torque = forces.get(body, (0.0, 0.0, 0.0)), add(torques.get(body, (0.0, 0.0, 0.0)), cross(self.arm(body), forces.get(body, (0.0, 0.0, 0.0))))
            linear, angular = times(1.0 / MASS[body], force), times(1.0 / INERTIA[body], torque)
            result += [*linear[:2], angular[2]] if self.planar else [*linear, *angular]
        return result


def optional_keys(elements):
    """(element, space, key) of a catalogue."""
    return {(element["name"], space, key["key"]) for element in elements for space in ("planar", "spatial") if element[space]
            for key in element["keys"] if key["optional"]}


class StartTest(ProgramTest):
    def start(self, text, code=0):
        path = self.scratch / "model.toml"
        path.write_text(text)
        document = self.json("assemble", str(path), code=code)
        return document["start"], dict(zip(document["names"], document["start"]["q"])), dict(zip(document["names_v"], document["start"]["v"])), document["outputs"]

    def wrong(self, text, *says, code=1):
        path = self.scratch / "model.toml"
        path.write_text(text)
        return self.refused("assemble", str(path), code=code, says=says)


PLANAR = """format = "raak/1"
gravity = [0.0, 0.0]
[ground.points]
O = [0.0, 0.0]
Q = [2.0, 0.5]
"""


def wheel(name, inertia, mass=1.0):
    return f"[bodies.{name}]\nmass = {mass}\ninertia = {inertia}\npoints = {{ C = [0.0, 0.0], P = [1.0, 0.0] }}\n"
