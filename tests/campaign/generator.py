"""Random mechanisms, each from a seed: planar and spatial, open and closed, driven, stiff, redundant, with forces.

Bodies are placed first and joints fitted to where they are, so that every start closes by construction.
"""

import copy
import math
import random

from vectors import about, across, conjugate, cross, dot, minus, norm, plus, product, times, turn, turn_back, unit
from mechanism import freedoms

Z = [0.0, 0.0, 1.0]
GROUND = {"name": "ground", "point": False, "position": [0.0, 0.0, 0.0], "quaternion": [1.0, 0.0, 0.0, 0.0], "angle": 0.0}


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)
        r = self.random
        self.planar = r.random() < 0.5
        self.m = {"planar": self.planar, "gravity": [0.0, 0.0, 0.0], "bodies": [], "joints": [], "forces": [], "drivers": [], "seed": seed,
                  "kinds": ["planar" if self.planar else "spatial"]}

    # Small choices.
    def within(self, low, high):
        return self.random.uniform(low, high)

    def spread(self, low, high):
        """Evenly in the logarithm."""
        return math.exp(self.within(math.log(low), math.log(high)))

    def chance(self, p):
        return self.random.random() < p

    def vector(self, size):
        v = [self.within(-size, size) for _ in range(3)]
        if self.planar:
            v[2] = 0.0
        return v

    def direction(self):
        while True:
            v = self.vector(1.0)
            if 0.3 < norm(v) < 1.0:
                return unit(v)

    def rotation(self):
        if self.planar:
            return about(Z, self.within(-3.0, 3.0))
        return about(self.direction(), self.within(-3.0, 3.0))

    # Geometry.
    def local(self, body, at):
        return turn_back(body["quaternion"], minus(at, body["position"]))

    def pin(self, body, at):
        return [body["name"], [0.0, 0.0, 0.0] if body["point"] else self.local(body, at)]

    def axis(self, body, direction):
        a = turn_back(body["quaternion"], direction)
        if self.planar:
            a[2] = 0.0
        return [body["name"], unit(a)]

    def all_bodies(self):
        return [GROUND, *self.m["bodies"]]

    def rigid_bodies(self):
        return [b for b in self.all_bodies() if not b["point"]]

    def point_near(self, body):
        return list(body["position"]) if body["point"] else plus(body["position"], self.vector(0.8))

    # Bodies.
    def body(self, position, quaternion, angle=0.0, point=False):
        mass = self.spread(0.2, 5.0)
        a, b, c = (self.within(0.1, 0.6) ** 2 for _ in range(3))
        inertia = [mass * (b + c) / 3, mass * (a + c) / 3, mass * (a + b) / 3, 0.0, 0.0, 0.0]
        if not self.planar and self.chance(0.4):
            inertia = self.turned_inertia(inertia[:3])
        com = self.vector(0.4) if self.chance(0.8) else [0.0, 0.0, 0.0]
        if point:
            inertia, com, quaternion, angle = [0.0] * 6, [0.0] * 3, [1.0, 0.0, 0.0, 0.0], 0.0
        body = {"name": f'b{len(self.m["bodies"]) + 1}', "point": point, "mass": mass, "inertia": inertia, "com": com, "position": position,
                "quaternion": quaternion, "angle": angle, "velocity": self.vector(1.5), "omega": self.vector(2.0)}
        if self.planar:
            body["omega"] = [0.0, 0.0, self.within(-3.0, 3.0)]
        if point:
            body["omega"] = [0.0, 0.0, 0.0]
        self.m["bodies"].append(body)
        return body

    def turned_inertia(self, diagonal):
        q = self.rotation()
        columns = [turn(q, [float(i == k) for i in range(3)]) for k in range(3)]
        entry = lambda i, j: sum(diagonal[k] * columns[k][i] * columns[k][j] for k in range(3))
        return [entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(0, 2), entry(1, 2)]

    def free_body(self, near, point=False):
        angle = self.within(-3.0, 3.0)
        quaternion = about(Z, angle) if self.planar else self.rotation()
        return self.body(plus(near, self.vector(0.7)), quaternion, angle if self.planar else 0.0, point)

    # Joints.
    def joint(self, type_, pins, axes=(), **numbers):
        joint = {"name": f'J{len(self.m["joints"]) + 1}', "type": type_, "pins": copy.deepcopy(pins), "axes": copy.deepcopy(list(axes)), "numbers": numbers}
        self.m["joints"].append(joint)
        return joint

    def hinge(self, a, b, at, direction=None):
        """Of two bodies that are placed."""
        axes = [] if self.planar else [self.axis(a, direction), self.axis(b, direction)]
        return self.joint("revolute", [self.pin(a, at), self.pin(b, at)], axes)

    def turned_child(self, parent, point=False):
        """A body whose frame is that of its parent turned about an axis: the body, its axis, and by how much."""
        direction = Z if self.planar else self.direction()
        angle = self.within(-2.5, 2.5)
        quaternion = product(about(direction, angle), parent["quaternion"])
        position = plus(parent["position"], self.vector(1.2))
        return self.body(position, quaternion, parent["angle"] + angle if self.planar else 0.0, point), direction, angle

    def add_on_hinge(self, parent):
        child, direction, angle = self.turned_child(parent)
        at = plus(times(0.5, plus(parent["position"], child["position"])), self.vector(0.3))
        joint = self.hinge(parent, child, at, direction)
        joint["angle"] = child["angle"] - parent["angle"] if self.planar else angle
        return child

    def add_two_on_hinge(self, parent):
        """Two bodies on one pin of a third: a joint of three pins."""
        first, direction, _ = self.turned_child(parent)
        quaternion = product(about(direction, turned := self.within(-2.5, 2.5)), parent["quaternion"])
        second = self.body(plus(parent["position"], self.vector(1.2)), quaternion, parent["angle"] + turned if self.planar else 0.0)
        at = plus(parent["position"], self.vector(0.6))
        bodies = [parent, first, second]
        if self.planar or self.chance(0.5):
            self.joint("revolute", [self.pin(b, at) for b in bodies], [] if self.planar else [self.axis(b, direction) for b in bodies])
        else:
            self.joint("spherical", [self.pin(b, at) for b in bodies])
        return second

    def add_on_slide(self, parent):
        direction = self.direction()
        quaternion = list(parent["quaternion"])
        angle = parent["angle"]
        if self.planar:
            angle = self.within(-3.0, 3.0)
            quaternion = about(Z, angle)
        at = plus(parent["position"], self.vector(0.5))
        way = self.within(-0.8, 0.8)
        place = plus(at, times(way, direction))
        child = self.body(plus(place, self.vector(0.3)), quaternion, angle)
        joint = self.joint("prismatic", [self.pin(parent, at), self.pin(child, place)], [self.axis(parent, direction), self.axis(child, direction)])
        joint["way"] = way
        return child

    def add_on_weld(self, parent):
        child = self.turned_child(parent)[0] if self.planar else self.body(plus(parent["position"], self.vector(0.7)), list(parent["quaternion"]))
        at = plus(parent["position"], self.vector(0.4))
        self.joint("fixed", [self.pin(parent, at), self.pin(child, at)], angle=child["angle"] - parent["angle"])
        return child

    def add_on_rod(self, parent):
        child = self.free_body(parent["position"], point=self.chance(0.5))
        self.close_by_rod(parent, child)
        return child

    def add_on_ball(self, parent):
        child = self.free_body(parent["position"])
        at = plus(times(0.5, plus(parent["position"], child["position"])), self.vector(0.3))
        self.joint("spherical", [self.pin(parent, at), self.pin(child, at)])
        return child

    def add_on_cross(self, parent):
        child = self.free_body(parent["position"])
        self.close_by_cross(parent, child)
        return child

    def add_on_sleeve(self, parent, screw=False):
        child, direction, _ = self.turned_child(parent)
        at = plus(parent["position"], self.vector(0.4))
        place = plus(at, times(self.within(-0.6, 0.6), direction))
        numbers = {"pitch": self.within(0.02, 0.5) * self.random.choice((-1, 1))} if screw else {}
        self.joint("screw" if screw else "cylindrical", [self.pin(parent, at), self.pin(child, place)],
                   [self.axis(parent, direction), self.axis(child, direction)], **numbers)
        return child

    def add_on_table(self, parent):
        child, direction, _ = self.turned_child(parent)
        at = plus(parent["position"], self.vector(0.4))
        place = plus(at, times(self.within(-0.6, 0.6), across(direction)))
        self.joint("planar", [self.pin(parent, at), self.pin(child, place)], [self.axis(parent, direction), self.axis(child, direction)])
        return child

    def add_disc_on_line(self, parent):
        direction = self.direction()
        left = cross(Z, direction)
        radius = self.within(0.1, 0.5)
        way = self.within(-0.8, 0.8)
        at = plus(parent["position"], self.vector(0.4))
        angle = self.within(-3.0, 3.0)
        centre = plus(at, plus(times(way, direction), times(radius, left)))
        child = self.body(plus(centre, self.vector(0.2)), about(Z, angle), angle)
        joint = self.joint("rolling", [self.pin(parent, at), self.pin(child, centre)], [self.axis(parent, direction)], radius=radius,
                           offset=way + radius * (angle - parent["angle"]))
        joint["way"] = way
        return child

    def add_disc_on_plane(self, parent):
        normal = self.direction()
        tilt = self.within(0.3, 2.8)
        axle = turn(about(across(normal), tilt), normal)
        radius = self.within(0.2, 0.6)
        slope = minus(normal, times(dot(normal, axle), axle))
        at = plus(parent["position"], self.vector(0.4))
        sideways = across(normal)
        centre = plus(plus(at, times(radius * norm(slope), normal)), times(self.within(-0.5, 0.5), sideways))
        child = self.body(list(centre), self.rotation())
        if self.chance(0.6):
            child["com"] = [0.0, 0.0, 0.0]
        self.joint("rolling-disc", [self.pin(parent, at), self.pin(child, centre)], [self.axis(parent, normal), self.axis(child, axle)], radius=radius)
        return child

    def add_skate(self, parent):
        child = self.free_body(parent["position"])
        edge = plus(child["position"], self.vector(0.4))
        blade = self.direction()
        axes = [self.axis(child, blade)]
        if not self.planar:
            normal = across(blade)
            axes.append(self.axis(parent, normal))
            self.joint("planar", [self.pin(parent, minus(edge, times(0.3, blade))), self.pin(child, edge)], [self.axis(parent, normal), self.axis(child, normal)])
        self.joint("knife-edge", [self.pin(parent, self.point_near(parent)), self.pin(child, edge)], axes)
        return child

    # Joints between bodies that are placed: they close loops.
    def close_by_rod(self, a, b):
        p, q = self.point_near(a), self.point_near(b)
        if norm(minus(p, q)) < 0.2:
            return None
        return self.joint("distance", [self.pin(a, p), self.pin(b, q)], length=norm(minus(p, q)))

    def close_by_pin(self, a, b):
        return self.joint("revolute" if self.planar else "spherical", [self.pin(a, at := self.point_near(a)), self.pin(b, at)])

    def close_by_slot(self, a, b):
        at = self.point_near(a)
        direction = self.direction()
        place = plus(at, times(self.within(-0.7, 0.7), direction))
        return self.joint("slot" if self.planar else "point-on-line", [self.pin(a, at), self.pin(b, place)], [self.axis(a, direction)])

    def close_by_plane(self, a, b):
        at = self.point_near(a)
        normal = self.direction()
        return self.joint("point-on-plane", [self.pin(a, at), self.pin(b, plus(at, times(self.within(-0.5, 0.5), across(normal))))], [self.axis(a, normal)])

    def close_by_cross(self, a, b):
        at = plus(times(0.5, plus(a["position"], b["position"])), self.vector(0.3))
        u = self.direction()
        w = turn(about(u, self.within(-3.0, 3.0)), across(u))
        return self.joint("universal", [self.pin(a, at), self.pin(b, at)], [self.axis(a, u), self.axis(b, w)])

    def close_by_gear(self, a, b):
        """Wheels on hinges of one carrier."""
        ratio = self.random.choice([-2.0, -1.0, 0.5, 1.5, -0.75, 3.0])
        if not self.planar:
            ratio = self.random.choice([ratio, math.sqrt(2)])
        hinges = [j for j in self.m["joints"] if j["type"] == "revolute" and "angle" in j]
        pairs = [(i, j) for i in hinges for j in hinges if i is not j and i["pins"][0][0] == j["pins"][0][0] and i["pins"][1][0] != j["pins"][1][0]]
        if not pairs:
            return None
        i, j = self.random.choice(pairs)
        carrier = next(c for c in self.all_bodies() if c["name"] == i["pins"][0][0])
        first, second = (next(c for c in self.all_bodies() if c["name"] == k["pins"][1][0]) for k in (i, j))
        phase = second["angle"] - carrier["angle"] - ratio * (first["angle"] - carrier["angle"])
        axes = [] if self.planar else [list(i["axes"][1]), list(j["axes"][1])]
        pins = [[b["name"], [0.0, 0.0, 0.0]] for b in (first, second, carrier)]
        return self.joint("gear", pins, axes, ratio=ratio, phase=phase if self.planar else 0.0)

    def close_by_rack(self, a, b):
        direction = self.direction()
        radius = self.within(0.1, 0.4) * self.random.choice((-1, 1))
        centre, at = self.point_near(a), self.point_near(b)
        turned = a["angle"] - b["angle"]
        return self.joint("rack", [self.pin(a, centre), self.pin(b, at)], [self.axis(b, direction)], radius=radius,
                          offset=dot(direction, minus(at, centre)) - radius * turned)

    # Forces.
    def force(self, type_, pins=(), axes=(), courses=(), **numbers):
        force = {"name": f'F{len(self.m["forces"]) + 1}', "type": type_, "pins": copy.deepcopy(list(pins)),
                 "axes": copy.deepcopy(list(axes)), "numbers": numbers, "courses": list(courses)}
        self.m["forces"].append(force)
        return force

    def course(self, size):
        return [self.within(-size, size), 0.0, self.within(-size, size), self.within(0.5, 6.0), self.within(-3.0, 3.0)] if self.chance(0.6) else \
            [self.within(-size, size), 0.0, 0.0, 0.0, 0.0]

    def two(self, choices):
        a = self.random.choice(choices)
        others = [b for b in choices if b is not a]
        return (a, self.random.choice(others)) if others else (a, a)

    def add_spring(self, stiff):
        a, b = self.two(self.all_bodies())
        p, q = self.point_near(a), self.point_near(b)
        length = norm(minus(p, q))
        if length < 0.3:
            return
        self.force("spring", [self.pin(a, p), self.pin(b, q)], stiffness=self.spread(2e3, 3e4) if stiff else self.spread(1.0, 100.0),
                   length=length * self.within(0.98, 1.02) if stiff else length * self.within(0.5, 1.1),
                   damping=self.within(0, 100.0 if stiff else 3.0) if self.chance(0.5) else 0.0, pull=self.within(-5, 5) if self.chance(0.3) else 0.0)

    def add_torsion_spring(self, stiff):
        stiffness = self.spread(200.0, 5e3) if stiff else self.spread(1.0, 40.0)
        damping = self.within(0.0, 20.0 if stiff else 1.0) if self.chance(0.5) else 0.0
        if self.planar:
            a, b = self.two(self.rigid_bodies())
            if a is b:
                return
            angle = b["angle"] - a["angle"] + self.within(-1.0, 1.0) * (0.02 if stiff else 1.0)
            self.force("torsion-spring", [[a["name"], [0.0] * 3], [b["name"], [0.0] * 3]], stiffness=stiffness, angle=angle, damping=damping)
            return
        hinges = [j for j in self.m["joints"] if "angle" in j]
        if not hinges:
            return
        j = self.random.choice(hinges)
        force = self.force("torsion-spring", [[p[0], [0.0] * 3] for p in j["pins"]], j["axes"], stiffness=stiffness,
                           angle=j["angle"] + self.within(-1.0, 1.0) * (0.02 if stiff else 1.0), damping=damping)
        force["counted"] = j["angle"]

    def add_bushing(self, stiff):
        a, b = self.two(self.rigid_bodies())
        if a is b:
            return
        at = plus(times(0.5, plus(a["position"], b["position"])), self.vector(0.2))
        near = plus(at, self.vector(0.005 if stiff else 0.2))
        numbers = {"stiffness": self.spread(2e3, 3e4) if stiff else self.spread(1.0, 50.0)}
        if self.chance(0.6):
            numbers["damping"] = self.within(0.0, 100.0 if stiff else 2.0)
        if self.chance(0.6):
            turned = norm(product(conjugate(a["quaternion"]), b["quaternion"])[1:])
            if self.planar or turned < 0.7:  # in space far from half a turn
                numbers["torsion"] = self.spread(1.0, 20.0)
        if self.chance(0.5):
            numbers["torsion-damping"] = self.within(0.0, 1.0)
        if self.planar:
            numbers["angle"] = b["angle"] - a["angle"] + self.within(-0.5, 0.5)
        self.force("bushing", [self.pin(a, at), self.pin(b, near)], **numbers)

    def add_point_force(self, _stiff):
        b = self.random.choice(self.m["bodies"])
        force = self.force("force", [self.pin(b, self.point_near(b))], courses=[self.course(10.0) for _ in range(2 if self.planar else 3)])
        force["body_axes"] = not b["point"] and self.chance(0.4)

    def add_torque(self, _stiff):
        rigid = [b for b in self.m["bodies"] if not b["point"]]
        if not rigid:
            return
        on = self.random.choice(rigid)
        pins = [[on["name"], [0.0] * 3]]
        others = [b for b in rigid if b is not on]
        if others and self.chance(0.4):
            pins.append([self.random.choice(others)["name"], [0.0] * 3])
        force = self.force("torque", pins, courses=[self.course(5.0) for _ in range(1 if self.planar else 3)])
        force["body_axes"] = not self.planar and self.chance(0.4)

    def add_actuator(self, _stiff):
        joints = [j for j in self.m["joints"] if "angle" in j or "way" in j or j["type"] in ("cylindrical", "screw")]
        if joints:
            self.force("actuator", courses=[self.course(5.0)])["joint"] = self.random.choice(joints)["name"]

    # Drivers.
    def moved(self, value):
        c2, c3, c4 = self.within(0.0, 0.3), self.within(1.0, 5.0), self.within(-3.0, 3.0)
        return [value - c2 * math.sin(c4), self.within(-2.0, 2.0), c2, c3, c4]

    def driver(self, type_, value, pins=(), joint=None):
        driver = {"name": f'D{len(self.m["drivers"]) + 1}', "type": type_, "pins": list(pins), "axes": [], "numbers": {}, "courses": [self.moved(value)]}
        if joint:
            driver["joint"] = joint["name"]
        self.m["drivers"].append(driver)

    def add_driver(self):
        driven = {d.get("joint") for d in self.m["drivers"]}
        joints = [j for j in self.m["joints"] if ("angle" in j or "way" in j) and j["name"] not in driven]
        rigid = [b for b in self.m["bodies"] if not b["point"]]
        if joints and self.chance(0.7):
            j = self.random.choice(joints)
            self.driver(j["type"], j.get("angle", j.get("way")), joint=j)
        elif self.planar and rigid and self.chance(0.6):
            b = self.random.choice(rigid)
            self.driver("angle", b["angle"], [[b["name"], [0.0] * 3]])
        else:
            a, b = self.two(self.all_bodies())
            p, q = self.point_near(a), self.point_near(b)
            if norm(minus(p, q)) > 0.5:
                self.driver("distance", norm(minus(p, q)), [self.pin(a, p), self.pin(b, q)])
                self.m["drivers"][-1]["courses"][0][1] *= 0.2
                c = self.m["drivers"][-1]["courses"][0]
                c[2] *= 0.2
                c[0] = norm(minus(p, q)) - c[2] * math.sin(c[4])

    # Whole mechanisms.
    def tree(self, count):
        adders = [(self.add_on_hinge, 6), (self.add_on_slide, 2), (self.add_on_rod, 1), (self.add_on_weld, 0.4), (self.add_two_on_hinge, 0.8)]
        if self.planar:
            adders += [(self.add_disc_on_line, 0.8), (self.add_skate, 0.5)]
        else:
            adders += [(self.add_on_ball, 2), (self.add_on_cross, 1), (self.add_on_sleeve, 1), (lambda p: self.add_on_sleeve(p, True), 1),
                       (self.add_on_table, 0.6), (self.add_disc_on_plane, 0.5), (self.add_skate, 0.3)]
        if self.chance(0.08):
            self.free_body([0.0, 0.0, 0.0])
        while len(self.m["bodies"]) < count:
            parent = self.random.choice([GROUND, *self.rigid_bodies()[-3:]])
            self.random.choices([a for a, _ in adders], [w for _, w in adders])[0](parent)

    def loops(self, count):
        closers = [self.close_by_rod, self.close_by_pin, self.close_by_slot, self.close_by_gear]
        closers += [self.close_by_rack] if self.planar else [self.close_by_plane, self.close_by_cross]
        for _ in range(count):
            pair = self.two(self.rigid_bodies())
            joints = len(self.m["joints"])
            if pair[0] is not pair[1] and self.random.choice(closers)(*pair) and freedoms(self.m) < 1:
                del self.m["joints"][joints:]

    def planar_linkage_in_space(self):
        """Hinges with one axis: each loop has three rows more than it needs."""
        axis = self.direction()
        flat = lambda v: minus(v, times(dot(v, axis), axis))
        first = [flat(self.vector(1.0)) for _ in range(self.random.choice([4, 4, 5]))]
        places = [plus(p, times(self.within(-0.2, 0.2), axis)) for p in first]
        bodies = [GROUND]
        for i in range(len(places) - 1):
            body = self.body(plus(places[i], self.vector(0.2)), self.rotation())
            self.hinge(bodies[-1], body, places[i], axis)
            bodies.append(body)
        self.hinge(bodies[-1], GROUND, places[-1], axis)

    def repeat_some(self):
        """Joints that say what others say: the same hinge again, or another one on its axis."""
        for j in self.random.sample(self.m["joints"], min(len(self.m["joints"]), self.random.choice([1, 1, 2]))):
            bodies = [next(b for b in self.all_bodies() if b["name"] == p[0]) for p in j["pins"]]
            if len(bodies) > 2:
                continue
            if j["type"] == "revolute" and not self.planar:
                shift = times(self.within(-0.5, 0.5), turn(bodies[0]["quaternion"], j["axes"][0][1]))
                at = plus(plus(bodies[0]["position"], turn(bodies[0]["quaternion"], j["pins"][0][1])), shift)
                self.hinge(bodies[0], bodies[1], at, turn(bodies[0]["quaternion"], j["axes"][0][1]))
            elif j["type"] in ("revolute", "prismatic", "distance", "fixed", "spherical", "cylindrical", "slot", "universal", "point-on-line"):
                self.joint(j["type"], j["pins"], j["axes"], **j["numbers"])

    def make(self):
        r = self.random
        m = self.m
        if self.chance(0.8):
            m["gravity"] = times(9.81, self.direction()) if self.chance(0.5) else ([0.0, -9.81, 0.0] if self.planar else [0.0, 0.0, -9.81])
        if not self.planar and self.chance(0.15):
            self.planar_linkage_in_space()
            m["kinds"] += ["closed", "redundant"]
        else:
            many = self.chance(0.02)  # more than are solved by one recording
            if many:
                m["kinds"].append("many bodies")
            self.tree(r.randint(31, 45) if many else r.choice([1, 2, 2, 3, 3, 4, 5, 6]))
            joints = len(m["joints"])
            if self.chance(0.5):
                self.loops(r.choice([1, 1, 2, 3]))
            m["kinds"].append("closed" if len(m["joints"]) > joints else "open")
            if m["joints"] and self.chance(0.15):
                self.repeat_some()
                m["kinds"].append("redundant")
        if self.chance(0.4):
            for _ in range(r.choice([1, 1, 2])):
                if "redundant" in m["kinds"] and m["drivers"] or "redundant" not in m["kinds"] and freedoms(m) < 1:
                    break
                self.add_driver()
            if m["drivers"]:
                m["kinds"].append("driven")
        stiff = self.chance(0.15)
        if stiff:
            m["kinds"].append("stiff")
        adders = [self.add_spring, self.add_torsion_spring, self.add_bushing, self.add_point_force, self.add_torque, self.add_actuator]
        for i in range(r.choice([0, 1, 1, 2, 3, 4])):
            r.choice(adders)(stiff and i == 0)
        m["until"] = round(self.within(0.05, 0.15) if "many bodies" in m["kinds"] else self.within(0.15, 0.8), 3)
        return m


def generate(seed):
    return Generator(seed).make()
