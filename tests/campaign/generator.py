"""Random mechanisms, each from a seed: planar and spatial, open and closed, driven, stiff, redundant, with forces.

Bodies are placed first and joints fitted to where they are, so that every start closes by construction.
"""

from mechanism import freedoms
from random_bodies import GROUND
from random_joints import Joints
from random_loads import Loads
from vectors import dot, minus, plus, times, turn


class Generator(Joints, Loads):
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

