"""Random mechanisms for comparisons of methods: planar and spatial, open and closed, with springs and dampers over six
decades of stiffness. The same seed gives the same file. Bodies start unrotated, so that points are easily given in
their axes, and joints are laid where two bodies are: every mechanism is closed at its start."""
import random


def vector(values):
    return "[" + ", ".join(repr(float(value)) for value in values) + "]"


def write_mechanism(seed):
    """Text of a model file."""
    rng = random.Random(seed)
    spatial = rng.random() < 0.4
    size = 3 if spatial else 2
    count = rng.choice([1, 2, 3, 4, 5, 6, 8, 12])
    somewhere = lambda spread: [rng.uniform(-spread, spread) for _ in range(size)]
    bodies, points, axes, joints, forces = [], [], [], [], []
    for i in range(count):
        mass = 10 ** rng.uniform(-1, 1)
        inertia = [mass * 10 ** rng.uniform(-2, -0.5) for _ in range(3)]
        largest = max(range(3), key=lambda k: inertia[k])  # no moment of inertia exceeds the sum of the others
        inertia[largest] = min(inertia[largest], 0.95 * (sum(inertia) - inertia[largest]))
        bodies.append({"mass": mass, "inertia": inertia, "at": somewhere(1.0)})
        points.append({})
        axes.append({})
    ground_points, ground_axes = {}, {}

    def point_on(body, name, place):
        if body < 0:
            ground_points[name] = place
            return f"ground.{name}"
        points[body][name] = [a - b for a, b in zip(place, bodies[body]["at"])]
        return f"b{body}.{name}"

    def axis_on(body, name, direction):
        (ground_axes if body < 0 else axes[body])[name] = direction
        return f"ground.{name}" if body < 0 else f"b{body}.{name}"

    def add_joint(first, second, kind):
        name, place = f"j{len(joints)}", somewhere(1.0)
        pins = f'pins = ["{point_on(first, name, place)}", "{point_on(second, name, place)}"]'
        if kind == "revolute" and spatial:
            direction = somewhere(1.0)
            pins += f', axes = ["{axis_on(first, name + "a", direction)}", "{axis_on(second, name + "a", direction)}"]'
        joints.append(f'{name} = {{ type = "{kind}", {pins} }}')
        return 5 if kind == "revolute" and spatial else size

    freedoms = count * (6 if spatial else 3)
    for i in range(count):  # a tree, now and then with a body that flies on springs
        if rng.random() < 0.9:
            freedoms -= add_joint(rng.randint(-1, i - 1), i, "spherical" if spatial and rng.random() < 0.6 else "revolute")
    for _ in range(rng.choice([0, 0, 1, 2])):  # loops
        rows = size
        if count > 2 and freedoms > rows + 1:
            first, second = rng.sample(range(count), 2)
            freedoms -= add_joint(first, second, "spherical" if spatial else "revolute")
    for k in range(rng.choice([1, 1, 2, 3])):
        first, second = -1, rng.randrange(count)
        if count > 1 and rng.random() < 0.6:
            first, second = rng.sample(range(count), 2)
        ends = [somewhere(1.0), somewhere(1.0)]
        apart = sum((a - b) ** 2 for a, b in zip(*ends)) ** 0.5
        stiffness = 10 ** rng.uniform(1, 7)
        share = rng.choice([0.0, 0.0, 0.01, 0.3, 3.0])  # of critical damping, for a mass of 1 kg
        forces.append(f'f{k} = {{ type = "spring", between = ["{point_on(first, f"s{k}a", ends[0])}", "{point_on(second, f"s{k}b", ends[1])}"], '
                      f'stiffness = {stiffness:.6g}, length = {apart * rng.uniform(0.95, 1.05):.6g}, damping = {2 * share * stiffness ** 0.5:.6g} }}')
    lines = ['format = "raak/1"', f'title = "Random mechanism {seed}"', f'space = "{"spatial" if spatial else "planar"}"',
             f"gravity = {vector([0.0, -9.81] + [0.0] * spatial)}"]
    if ground_points:
        lines += ["[ground.points]"] + [f"{name} = {vector(place)}" for name, place in ground_points.items()]
    if ground_axes:
        lines += ["[ground.axes]"] + [f"{name} = {vector(place)}" for name, place in ground_axes.items()]
    for i, body in enumerate(bodies):
        lines += [f"[bodies.b{i}]", f'mass = {body["mass"]:.6g}',
                  f'inertia = {vector(body["inertia"]) if spatial else format(body["inertia"][2], ".6g")}']
        if points[i]:
            lines.append("points = { " + ", ".join(f"{name} = {vector(place)}" for name, place in points[i].items()) + " }")
        if axes[i]:
            lines.append("axes = { " + ", ".join(f"{name} = {vector(place)}" for name, place in axes[i].items()) + " }")
    lines += ["[joints]"] + joints + ["[forces]"] + forces + ["[start.guess]"]
    for i, body in enumerate(bodies):
        if spatial:
            lines += [f'"b{i}.position" = {vector(body["at"])}', f'"b{i}.rotation" = [0.0, 0.0, 0.0]']
        else:
            lines += [f'"b{i}.x" = {body["at"][0]!r}', f'"b{i}.y" = {body["at"][1]!r}', f'"b{i}.angle" = 0.0']
    lines += ["[runs.default]", f"until = {rng.choice([0.5, 1.0, 3.0])}", f"rtol = {rng.choice(['1e-2', '1e-4', '1e-6', '1e-8'])}"]
    return "\n".join(lines) + "\n"
