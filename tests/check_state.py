"""Checks that checkpoints are complete: a class with visit_state() names every one of its members there.

A member belongs either to the state, archive(member_), or is named in scratch(member_) because later steps do not depend
on it. A class that is an integration method, or a part that a listed member is made of, must have visit_state().
"""

import pathlib
import re
import sys

COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
CLASS = re.compile(r"\b(?:class|struct)\s+(\w+)(?:\s+final)?\s*(?::\s*([^{;]*))?\{")
WORD = re.compile(r"\b\w+_\b")


def block_after(text, start):
    """The text between the brace at `start` and the one that closes it."""
    depth = 0
    for at in range(start, len(text)):
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        if depth == 0:
            return text[start + 1:at]
    return text[start + 1:]


def without_blocks(text):
    """The text with everything between braces taken out, so that only declarations are left."""
    kept, depth = [], 0
    for letter in text:
        depth -= letter == "}"
        if depth == 0 and letter not in "{}":
            kept.append(letter)
        elif letter == "}" and depth == 0:
            kept.append(";")
        depth += letter == "{"
    return "".join(kept)


def members_of(body):
    """Names with a trailing underscore that the class declares as data."""
    names = []
    for statement in without_blocks(body).split(";"):
        statement = re.sub(r"\b(public|private|protected)\s*:", " ", statement).strip()
        statement = re.sub(r"\s*=.*?(?=,\s*\w+_\b|$)", "", statement, flags=re.DOTALL)
        while "<" in statement:  # the arguments of templates
            shorter = re.sub(r"<[^<>]*>", "", statement)
            if shorter == statement:
                break
            statement = shorter
        if "(" in statement or statement.startswith(("using", "friend", "template", "static", "enum", "struct", "class", "typedef")):
            found = re.match(r"(?:enum class|struct|class)\s+\w*\s*(\w+_)$", statement)
            names += [found.group(1)] if found else []
            continue
        names += WORD.findall(statement)
    return names


def own_definition(body):
    """visit_state() in the body of the class itself, not in that of a class inside it."""
    for match in re.finditer(r"\bvoid visit_state\(Archive& ?\w*[^)]*\)[^;{]*\{", body):
        if body.count("{", 0, match.start()) == body.count("}", 0, match.start()):
            return match
    return None


def violations(root):
    # What a system learns at first use, and when, is its own affair (KernelSystem::visit_state).
    text_of = {file: COMMENT.sub("", file.read_text()) for folder in ("methods", "run", "output")
               for file in sorted((root / "src" / folder).rglob("*"))
               if file.suffix in (".h", ".cpp") and not file.name.endswith("_test.cpp")}
    outside = "\n".join(text_of.values())  # where definitions outside of classes are
    for file, text in text_of.items():
        for match in CLASS.finditer(text):
            name, bases = match.group(1), match.group(2) or ""
            if name == "Integrator":  # its statistics are saved by the run, and its methods are checked here
                continue
            body = block_after(text, match.end() - 1)
            own = own_definition(body)
            elsewhere = re.search(r"\bvoid " + name + r"(?:<\w+>)?::visit_state\(Archive& ?\w*[^)]*\)[^;{]*\{", outside)
            if own:
                visited = block_after(body, own.end() - 1)
            elif elsewhere and re.search(r"\bvisit_state\(Archive&", body):
                visited = block_after(outside, elsewhere.end() - 1)
            else:
                if re.search(r"\bpublic (Integrator|FixedPointMethod|Chart)\b", bases) and name not in ("FixedPointMethod", "Crossing"):
                    yield f"{file.relative_to(root)}: {name} has no visit_state(): its runs could not be resumed"
                continue
            missing = [member for member in members_of(body) if not re.search(rf"\b{member}\b", visited)]
            if missing:
                yield (f"{file.relative_to(root)}: visit_state() of {name} does not name {', '.join(missing)}: "
                       "archive() what later steps depend on, and name the others in scratch()")


if __name__ == "__main__":
    found = list(violations(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()))
    print("\n".join(found) if found else "every member of a class with visit_state() is named there")
    sys.exit(1 if found else 0)
