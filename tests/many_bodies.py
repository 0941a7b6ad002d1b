"""Model files of mechanisms with many bodies, for tests and measurements:

    python3 tests/many_bodies.py chain 1000 > chain.toml
"""

import math
import sys

HEAD = 'format = "raak/1"\n'


def chain(count, rtol=1e-6):
    """Rods of 1 kg and 1 m in a row, horizontal and at rest at the start."""
    text = HEAD + "gravity = [0.0, -9.81]\n[ground.points]\nO = [0.0, 0.0]\n"
    for i in range(count):
        text += f"[bodies.rod{i}]\nmass = 1.0\ninertia = 0.08333333333333333\ncom = [0.5, 0.0]\n"
        text += "points = { A = [0.0, 0.0], B = [1.0, 0.0] }\n"
    text += '[joints]\npin0 = { type = "revolute", pins = ["ground.O", "rod0.A"] }\n'
    for i in range(1, count):
        text += f'pin{i} = {{ type = "revolute", pins = ["rod{i - 1}.B", "rod{i}.A"] }}\n'
    return text + f"[runs.default]\nuntil = 1.0\nrtol = {rtol}\n"


def spatial_chain(count):
    """Rods on ball joints and hinges in turn, started with a twist."""
    text = HEAD + 'space = "spatial"\ngravity = [0.0, 0.0, -9.81]\n[ground.points]\nO = [0.0, 0.0, 0.0]\n'
    for i in range(count):
        text += f"[bodies.rod{i}]\nmass = 1.0\ninertia = [0.01, 0.08, 0.09]\ncom = [0.5, 0.0, 0.0]\n"
        text += "points = { A = [0.0, 0.0, 0.0], B = [1.0, 0.0, 0.0] }\n"
    text += '[joints]\npin0 = { type = "spherical", pins = ["ground.O", "rod0.A"] }\n'
    for i in range(1, count):
        pins = f'pins = ["rod{i - 1}.B", "rod{i}.A"]'
        if i % 2:
            text += f'pin{i} = {{ type = "revolute", {pins}, axes = ["rod{i - 1}.y", "rod{i}.y"] }}\n'
        else:
            text += f'pin{i} = {{ type = "spherical", {pins} }}\n'
    return text + '[start.trust]\n"rod0.omega" = [0.5, 0.2, 1.0]\n[runs.default]\nuntil = 0.5\nrtol = 1e-6\n'


def ladder(count):
    """Parallelograms side by side: cranks on the ground, each joined to the next by a coupler; mobility 1."""
    text = HEAD + "gravity = [0.0, -9.81]\n[ground.points]\n"
    for i in range(count + 1):
        text += f"O{i} = [{float(i)}, 0.0]\n"
    for i in range(count + 1):
        text += f"[bodies.crank{i}]\nmass = 1.0\ninertia = 0.08333333333333333\ncom = [0.5, 0.0]\n"
        text += "points = { A = [0.0, 0.0], B = [1.0, 0.0] }\n"
    for i in range(count):
        text += f"[bodies.coupler{i}]\nmass = 1.0\ninertia = 0.08333333333333333\ncom = [0.5, 0.0]\n"
        text += "points = { A = [0.0, 0.0], B = [1.0, 0.0] }\n"
    text += "[joints]\n"
    for i in range(count + 1):
        text += f'foot{i} = {{ type = "revolute", pins = ["ground.O{i}", "crank{i}.A"] }}\n'
    for i in range(count):
        text += f'left{i} = {{ type = "revolute", pins = ["crank{i}.B", "coupler{i}.A"] }}\n'
        text += f'right{i} = {{ type = "revolute", pins = ["coupler{i}.B", "crank{i + 1}.B"] }}\n'
    text += "[start.guess]\n"
    for i in range(1, count + 1):
        text += f'"crank{i}.angle" = 1.2\n'
    text += '[start.trust]\n"crank0.angle" = 1.2\n"crank0.omega" = 1.0\n'
    return text + "[runs.default]\nuntil = 0.5\nrtol = 1e-8\n"


def doors(count):
    """Doors in a row, each on two hinges and joined to the next by a spring: every door has five rows too many."""
    text = HEAD + 'space = "spatial"\n[ground.points]\n'
    for i in range(count):
        text += f"A{i} = [{2.0 * i}, 0.0, 0.0]\nB{i} = [{2.0 * i}, 0.0, 1.5]\n"
    for i in range(count):
        text += f"[bodies.door{i}]\nmass = 20.0\ninertia = [5.0, 6.0, 2.0]\ncom = [0.5, 0.0, 0.75]\n"
        text += "points = { A = [0.0, 0.0, 0.0], B = [0.0, 0.0, 1.5], C = [1.0, 0.0, 0.75] }\n"
    text += "[joints]\n"
    for i in range(count):
        for end, name in (("A", "low"), ("B", "high")):
            pins = f'pins = ["ground.{end}{i}", "door{i}.{end}"]'
            text += f'{name}{i} = {{ type = "revolute", {pins}, axes = ["ground.z", "door{i}.z"] }}\n'
    text += "[forces]\n"
    for i in range(1, count):
        ends = f'between = ["door{i - 1}.C", "door{i}.C"]'
        text += f'spring{i} = {{ type = "spring", {ends}, stiffness = 40.0, length = 1.9 }}\n'
    return text + '[start.trust]\n"door0.omega" = [0.0, 0.0, 1.0]\n[runs.default]\nuntil = 1.0\nrtol = 1e-8\n'


def scissor_lift(stages, angle=0.6, platform=False, driven=False, size=1.0, mass=1.0):
    """Crossed bars stage upon stage, at rest at the start; three of each stage's rows too many (but for one). On the ground l1 is hinged
    at the origin, and r1 slides along x. driven: the slide moves so that the angle of the bars grows by 0.2 rad/s."""
    text = HEAD + f'space = "spatial"\ngravity = [0.0, 0.0, {-9.81 * size}]\n[ground.points]\nO = [0.0, 0.0, 0.0]\n'
    half, slim, long = 0.5 * size, 0.002 * mass * size**2, 0.167 * mass * size**2
    for k in range(1, stages + 1):
        for side in "lr":
            text += f"[bodies.{side}{k}]\nmass = {2.0 * mass}\ninertia = [{slim}, {long}, {long + 0.5 * slim}]\n"
            text += f"points = {{ C = [0.0, 0.0, 0.0], A = [{-half}, 0.0, 0.0], B = [{half}, 0.0, 0.0] }}\n"
    if platform:
        text += f"[bodies.top]\nmass = {mass}\ninertia = [{slim}, {slim}, {slim}]\npoints = {{ A = [0.0, 0.0, 0.0] }}\n"

    def hinge(name, one, other):
        axes = [pin.split(".")[0] + ".y" for pin in (one, other)]
        return f'{name} = {{ type = "revolute", pins = ["{one}", "{other}"], axes = ["{axes[0]}", "{axes[1]}"] }}\n'

    text += "[joints]\n" + hinge("foot", "ground.O", "l1.A")
    text += 'slide = { type = "point-on-line", pins = ["ground.O", "r1.A"], axes = ["ground.x"] }\n'
    for k in range(1, stages + 1):
        text += hinge(f"middle{k}", f"l{k}.C", f"r{k}.C")
        if k < stages:
            text += hinge(f"one{k}", f"r{k}.B", f"l{k + 1}.A") + hinge(f"other{k}", f"l{k}.B", f"r{k + 1}.A")
    if platform:
        text += hinge("held", f"r{stages}.B", "top.A")
        text += f'rolls = {{ type = "point-on-line", pins = ["top.A", "l{stages}.B"], axes = ["top.x"] }}\n'
    if driven:
        text += f'[drivers]\nlift = {{ displacement = "slide", motion = "{size}*cos({angle} + 0.2*t)" }}\n'
    text += "[start.guess]\n"
    for k in range(1, stages + 1):
        for side, turn in (("l", angle), ("r", math.pi - angle)):
            text += f'"{side}{k}.position" = [{half * math.cos(angle)}, 0.0, {(2 * k - 1) * half * math.sin(angle)}]\n'
            text += f'"{side}{k}.quaternion" = [{math.cos(turn / 2)}, 0.0, {-math.sin(turn / 2)}, 0.0]\n'
    if platform:
        text += f'"top.position" = [0.0, 0.0, {2 * stages * half * math.sin(angle)}]\n'
    return text + f'[outputs]\nheight = "l{stages}.B.z"\n[runs.default]\nuntil = 0.3\nrtol = 1e-9\n'


def linkages(count):
    """Four-bar linkages of ordinary hinges side by side, the rocker of each the crank of the next: three rows too many each."""
    text = HEAD + 'space = "spatial"\ngravity = [0.0, 0.0, -9.81]\n[ground.points]\n'
    for i in range(count + 1):
        text += f"O{i} = [{1.5 * i}, 0.0, 0.0]\n"
    bodies = [("crank", i, 1.0 + 0.1 * (i % 2)) for i in range(count + 1)] + [("coupler", i, 1.5) for i in range(count)]
    for name, i, length in bodies:
        text += f"[bodies.{name}{i}]\nmass = 1.0\ninertia = [0.01, {length**2 / 12}, {length**2 / 12}]\n"
        text += f"points = {{ A = [{-0.5 * length}, 0.0, 0.0], B = [{0.5 * length}, 0.0, 0.0] }}\n"
    joints = [(f"foot{i}", f"ground.O{i}", f"crank{i}.A") for i in range(count + 1)]
    for i in range(count):
        joints += [(f"left{i}", f"crank{i}.B", f"coupler{i}.A"), (f"right{i}", f"coupler{i}.B", f"crank{i + 1}.B")]
    text += "[joints]\n"
    for name, one, other in joints:
        axes = [pin.split(".")[0] + ".y" for pin in (one, other)]
        text += f'{name} = {{ type = "revolute", pins = ["{one}", "{other}"], axes = ["{axes[0]}", "{axes[1]}"] }}\n'
    # Each linkage is closed upwards, by the angle of the crank before it.
    angle, ends, text = 1.2, [], text + "[start.guess]\n"
    for i in range(count + 1):
        foot, length = 1.5 * i, bodies[i][2]
        tip = (foot + length * math.cos(angle), length * math.sin(angle))
        ends.append((f"crank{i}", (foot, 0.0), tip, angle))
        if i == count:
            break
        span = (1.5 * (i + 1) - tip[0], -tip[1])
        reach, after = math.hypot(*span), bodies[i + 1][2]
        along = (1.5**2 - after**2 + reach**2) / (2.0 * reach)
        up = math.sqrt(1.5**2 - along**2)
        end = (tip[0] + (along * span[0] - up * span[1]) / reach, tip[1] + (along * span[1] + up * span[0]) / reach)
        ends.append((f"coupler{i}", tip, end, math.atan2(end[1] - tip[1], end[0] - tip[0])))
        angle = math.atan2(end[1], end[0] - 1.5 * (i + 1))
    for name, one, other, turn in ends:
        text += f'"{name}.position" = [{(one[0] + other[0]) / 2}, 0.0, {(one[1] + other[1]) / 2}]\n'
        text += f'"{name}.quaternion" = [{math.cos(turn / 2)}, 0.0, {-math.sin(turn / 2)}, 0.0]\n'
    return text + "[runs.default]\nuntil = 0.3\nrtol = 1e-9\n"


KINDS = {"chain": chain, "spatial-chain": spatial_chain, "ladder": ladder, "doors": doors, "scissor-lift": scissor_lift, "linkages": linkages}

if __name__ == "__main__":
    print(KINDS[sys.argv[1]](int(sys.argv[2])), end="")
