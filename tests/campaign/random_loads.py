"""Random forces and drivers."""

import copy
import math

from random_bodies import Bodies
from vectors import conjugate, dot, minus, norm, plus, product, times, turn


class Loads(Bodies):
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
            return self.add_tilted_spring(stiffness, damping)
        j = self.random.choice(hinges)
        force = self.force("torsion-spring", [[p[0], [0.0] * 3] for p in j["pins"]], j["axes"], stiffness=stiffness,
                           angle=j["angle"] + self.within(-1.0, 1.0) * (0.02 if stiff else 1.0), damping=damping)
        force["counted"] = j["angle"]

    def add_tilted_spring(self, stiffness, damping):
        """About axes that no joint keeps parallel: one direction as each of the two frames knows it, so that angles count from where they
        coincide."""
        a, b = self.two(self.rigid_bodies())
        n = self.direction()
        if a is b or dot(turn(a["quaternion"], n), turn(b["quaternion"], n)) < 0.1:  # in time they may come to be opposite
            return
        w, *e = product(conjugate(a["quaternion"]), b["quaternion"])
        angle = math.remainder(2.0 * math.atan2(dot(e, n), w), 2.0 * math.pi)
        rest = angle + self.within(-1.0, 1.0)
        force = self.force("torsion-spring", [[x["name"], [0.0] * 3] for x in (a, b)], [[a["name"], n], [b["name"], n]], stiffness=stiffness, angle=rest, damping=damping)
        force["counted"] = angle

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
