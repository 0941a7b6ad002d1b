"""Model files of mechanisms with many bodies, for tests and measurements:

    python3 tests/many_bodies.py chain 1000 > chain.toml
"""

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


KINDS = {"chain": chain, "spatial-chain": spatial_chain, "ladder": ladder, "doors": doors}

if __name__ == "__main__":
    print(KINDS[sys.argv[1]](int(sys.argv[2])), end="")
