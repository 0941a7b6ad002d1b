"""Random joints: on them a body is added to another, or bodies that are placed are joined to loops."""

import copy
import math

from random_bodies import Z, Bodies
from vectors import about, across, cross, dot, minus, norm, plus, product, times, turn


class Joints(Bodies):
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
