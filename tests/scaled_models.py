"""A model file with its lengths, masses and times scaled: the same mechanism in other units.

Every number of the file is multiplied by the factor of its dimension. Formulas keep their text and the parameters their
values: what a formula reads (t, coordinates, points, reactions) is divided by its factor and what it yields is
multiplied, so that outputs and the functions of events have the values of the model that is not scaled. A key that
this file does not know is an error: a new element must say which dimension its numbers have.
"""

import json
import pathlib
import re
import tomllib

from dimensions import ACCELERATION, ELEMENTS, FORCE, INERTIA, LENGTH, MASS, MOMENT, NUMBER, POWER, RATE, TIME, VELOCITY
from program import raak

# Keys that name things are not scaled.
NAMES = {"type", "pins", "axes", "bodies", "between", "at", "on", "from", "joint", "carrier", "coordinate", "distance",
         "displacement"}
SLIDES = {"prismatic", "cylindrical", "screw", "point-on-line"}

# What a name with dots is, by its last part.
LAST_PART = {
    "x": LENGTH, "y": LENGTH, "z": LENGTH, "position": LENGTH,
    "vx": VELOCITY, "vy": VELOCITY, "vz": VELOCITY, "velocity": VELOCITY,
    "ax": ACCELERATION, "ay": ACCELERATION, "az": ACCELERATION,
    "angle": NUMBER, "rotation": NUMBER, "quaternion": NUMBER, "w": NUMBER,
    "omega": RATE, "alpha": (0, 0, -2), "force": FORCE, "moment": MOMENT, "power": POWER,
}


def dimension_of_name(name):
    parts = name.split(".")
    component = parts[-1] in ("x", "y", "z") and parts[-2] in ("position", "velocity", "omega", "rotation",
                                                                 "quaternion", "force", "moment")
    return LAST_PART[parts[-2] if component else parts[-1]]


class Scaler:
    """Scales one model by the factors of length, mass and time."""

    def __init__(self, path, length=1.0, mass=1.0, time=1.0):
        self.factors = (length, mass, time)
        self.path = pathlib.Path(path)
        self.model = read(self.path)

    def factor(self, dimension):
        value = 1.0
        for base, exponent in zip(self.factors, dimension):
            value *= base**exponent
        return value

    def formula(self, text):
        """The formula that reads scaled quantities and yields what it did."""
        hyphened = sorted((name for kind in ("joints", "drivers", "constraints", "forces")
                           for name in self.model.get(kind, {}) if "-" in name), key=len, reverse=True)
        names = "|".join([re.escape(name) for name in hyphened] + [r"[A-Za-z_]\w*"])

        def scaled(match):
            name = match.group(0)
            if name != "t" and "." not in name:
                return name
            factor = self.factor(TIME if name == "t" else dimension_of_name(name))
            return name if factor == 1.0 else f"({name}/{factor!r})"

        return re.sub(rf"(?<![\w.])(?:{names})(?:\.[A-Za-z_]\w*)*(?![\w(.])", scaled, text)

    def quantity(self, value, dimension):
        if isinstance(value, list):
            return [self.quantity(part, dimension) for part in value]
        if isinstance(value, str):
            text, factor = self.formula(value), self.factor(dimension)
            return text if factor == 1.0 else f"({text})*{factor!r}"
        return float(value) * self.factor(dimension)

    def body(self, body):
        dimensions = {"mass": MASS, "inertia": INERTIA, "com": LENGTH}
        scaled = dict(body)
        for key, dimension in dimensions.items():
            if key in body:
                scaled[key] = self.quantity(body[key], dimension)
        if "points" in body:
            scaled["points"] = {name: self.quantity(point, LENGTH) for name, point in body["points"].items()}
        return scaled

    def element(self, element):
        scaled = {}
        for key, value in element.items():
            if key in NAMES:
                scaled[key] = value
            elif element["type"] == "actuator":
                slides = self.model["joints"][element["joint"]]["type"] in SLIDES
                scaled[key] = self.quantity(value, FORCE if slides else MOMENT)
            else:
                scaled[key] = self.quantity(value, ELEMENTS[element["type"], key])
        return scaled

    def driver(self, driver):
        if "displacement" in driver:
            slides = self.model["joints"][driver["displacement"]]["type"] in SLIDES
            dimension = LENGTH if slides else NUMBER
        elif "distance" in driver:
            dimension = LENGTH
        elif re.fullmatch(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)+", driver["coordinate"]):
            dimension = dimension_of_name(driver["coordinate"])
        else:  # a formula, which yields what it did
            return {"coordinate": self.formula(driver["coordinate"]), "motion": self.formula(driver["motion"])}
        return driver | {"motion": self.quantity(driver["motion"], dimension)}

    def scaled(self):
        """The scaled model, without references: what it is compared with is the model that is not scaled."""
        model, result = self.model, {}
        for key in ("format", "title", "space"):
            if key in model:
                result[key] = model[key]
        if "gravity" in model:
            result["gravity"] = self.quantity(model["gravity"], ACCELERATION)
        if "parameters" in model:
            result["parameters"] = model["parameters"]
        if "ground" in model:
            result["ground"] = self.body(model["ground"])
        result["bodies"] = {name: self.body(body) for name, body in model["bodies"].items()}
        for kind, scale in (("joints", self.element), ("forces", self.element), ("drivers", self.driver)):
            if kind in model:
                result[kind] = {name: scale(element) for name, element in model[kind].items()}
        if "constraints" in model:
            result["constraints"] = {name: {"equation": self.quantity(equation["equation"], LENGTH)}
                                     for name, equation in model["constraints"].items()}
        if "start" in model:
            result["start"] = {
                kind: {name: self.quantity(value, dimension_of_name(name)) for name, value in flat(entries).items()}
                for kind, entries in model["start"].items()}
        if "outputs" in model:
            result["outputs"] = {name: self.formula(value) if isinstance(value, str) else value
                                 for name, value in flat(model["outputs"]).items()}
        if "events" in model:
            result["events"] = {name: event | {"when": self.formula(event["when"])}
                                for name, event in model["events"].items()}
        result["runs"] = {name: run | {"until": run["until"] * self.factor(TIME)}
                          for name, run in model.get("runs", {"default": {"until": 1.0}}).items()}
        return result

    def text(self):
        return text_of(self.scaled())

    def tolerance(self, atol):
        """The absolute tolerance of a model that is not scaled in the units of this one, as --atol takes it."""
        units = {"m": LENGTH, "rad": NUMBER, "m/s": VELOCITY, "rad/s": RATE}
        return ",".join(f"{unit}={atol * self.factor(dimension)!r}" for unit, dimension in units.items())


FACTORS = (1e-6, 1.0, 1e6)


class Comparison:
    """Runs of one model in other units beside the run in its own."""

    def __init__(self, path, run, scratch, rtol=1e-9, options=()):
        self.path, self.run, self.scratch = pathlib.Path(path), run, pathlib.Path(scratch)
        self.rtol, self.options = rtol, options
        self.base = self.result(Scaler(self.path))

    def text(self, factors):
        return Scaler(self.path, *factors).text()

    def result(self, scaler):
        """What `raak run --json` prints, or what it says instead."""
        path = self.scratch / self.path.name
        path.write_text(scaler.text())
        tolerance = scaler.tolerance(self.rtol) + ",lambda=inf"
        done = raak("run", str(path), "--run", self.run, "--json", "--rtol", repr(self.rtol), "--atol", tolerance,
                    *self.options)
        return json.loads(done.stdout) if done.stdout.startswith("{") else {"status": "refused", "message": done.stderr}

    def problem_with(self, factors, allowed=1e-6):
        """What is wrong in these units, in words; nothing: None. `allowed`: of the size of the motion."""
        if self.base["status"] != "ok":
            return f"in its own units: {self.base['message']}"
        scaler = Scaler(self.path, *factors)
        found = self.result(scaler)
        if found["status"] != "ok":
            return found["message"]
        for key, names in (("q", "names"), ("v", "names_v")):
            dimensions = [dimension_of_value(name, key) for name in found[names]]
            sizes = self.sizes(key, dimensions)
            for name, dimension, value, expected in zip(found[names], dimensions, found["final"][key],
                                                        self.base["final"][key]):
                off = abs(value / scaler.factor(dimension) - expected)
                if not off <= allowed * sizes[dimension]:
                    return f"{key} of {name} is off by {off:.2g}, beside {sizes[dimension]:.2g}"
        for name, expected in self.base["outputs"].items():
            if name.startswith("violation."):  # rounding errors, which have no scale of their own
                continue
            value = found["outputs"][name]
            if name.startswith("energy.") or value is None or expected is None:
                continue
            if not abs(value - expected) <= 10 * allowed * max(1.0, abs(expected)):
                return f"output {name} is {value} instead of {expected}"
        return None

    def sizes(self, key, dimensions):
        """By dimension, how large coordinates or rates are in this motion."""
        until = abs(self.base["t_end"] - self.base["t_start"]) or 1.0
        length = self.length()
        sizes = ({LENGTH: length, NUMBER: 1.0} if key == "q" else {VELOCITY: length / until, RATE: 1.0 / until})
        for dimension, value in zip(dimensions, self.base["final"][key]):
            sizes[dimension] = max(sizes[dimension], abs(value))
        return sizes

    def length(self):
        """The largest coordinate at the start, or the largest number of a point."""
        path = self.scratch / self.path.name
        path.write_text(Scaler(self.path).text())
        start = json.loads(raak("run", str(path), "--run", self.run, "--until", "0", "--json").stdout)
        coordinates = [abs(value) for name, value in zip(start["names"], start["final"]["q"])
                       if dimension_of_name(name) == LENGTH]
        model = read(self.path)
        points = [abs(number) for body in [model.get("ground", {}), *model["bodies"].values()]
                  for point in [*body.get("points", {}).values(), body.get("com", [])]
                  for number in point if not isinstance(number, str)]
        largest = max([*coordinates, *points, 0.0])
        # Where the model says all lengths by formulas, a coordinate that is no more than rounding is none.
        return largest if largest > 1e-12 else 1.0


def dimension_of_value(name, key):
    """Of a coordinate, or of its rate: rates of planar bodies have the names of their coordinates."""
    dimension = dimension_of_name(name)
    if key == "q" or dimension in (VELOCITY, RATE):
        return dimension
    return VELOCITY if dimension == LENGTH else RATE


def flat(table, before=""):
    """A table whose keys may be written with dots, `arm.angle = 1` as `"arm.angle" = 1`."""
    result = {}
    for key, value in table.items():
        if isinstance(value, dict):
            result |= flat(value, f"{before}{key}.")
        else:
            result[before + key] = value
    return result


def merged(own, other):
    """The tables of both; keys of `own` win."""
    result = dict(other)
    for key, value in own.items():
        both = isinstance(value, dict) and isinstance(other.get(key), dict)
        result[key] = merged(value, other[key]) if both else value
    return result


def read(path):
    model = tomllib.loads(path.read_text())
    includes = model.pop("include", [])
    for name in [includes] if isinstance(includes, str) else includes:
        model = merged(model, read(path.parent / name))
    return model


def text_of(model):
    """TOML of plain values and tables."""

    def inline(value):
        if isinstance(value, dict):
            return "{ " + ", ".join(f"{json.dumps(k)} = {inline(v)}" for k, v in value.items()) + " }"
        if isinstance(value, list):
            return "[" + ", ".join(map(inline, value)) + "]"
        return json.dumps(value)

    plain = [f"{key} = {inline(value)}" for key, value in model.items() if not isinstance(value, dict)]
    tables = [f"\n[{key}]\n" + "\n".join(f"{json.dumps(k)} = {inline(v)}" for k, v in table.items())
              for key, table in model.items() if isinstance(table, dict)]
    return "\n".join(plain + tables) + "\n"
