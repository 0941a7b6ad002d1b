"""Finds the places of a C++ file where a small fault can be planted, and the text of each fault.

A fault is a choice made at run time: `a + b` becomes `(raak_planted(17) ? (a) - (b) : (a) + (b))`, so that one build carries all
faults and RAAK_FAULT=17 chooses one. Places come from clang's syntax tree (libclang), so that operands keep their extent. Where it is
easy to tell, raak_planted is asked only when the fault would make a difference: a test that does not get there cannot notice it.

Left out because they change cost only, by construction: reserve() and shrink_to_fit(); assertions; and doubled constants in
comparisons, minima and maxima, which are the thresholds of heuristics.
"""

import re
from collections import namedtuple

from clang.cindex import CursorKind, TypeKind

Site = namedtuple("Site", "operator start end replacement line before after")

WHOLE_NUMBERS = {TypeKind.INT, TypeKind.UINT, TypeKind.LONG, TypeKind.ULONG, TypeKind.LONGLONG, TypeKind.ULONGLONG, TypeKind.CHAR_S}
CONDITIONED = {CursorKind.IF_STMT, CursorKind.WHILE_STMT, CursorKind.CONDITIONAL_OPERATOR}
SIGNS = {"+": "-", "-": "+"}
PRODUCTS = {"*": "/", "/": "*"}
LOGIC = {"&&": "||", "||": "&&"}
BOUNDS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
ASSIGNMENTS = {"+=": "-=", "-=": "+="}
# A removed statement of these changes speed or memory only.
HARMLESS = re.compile(r"\b(reserve|shrink_to_fit|static_assert|assert)\(")
THRESHOLD_CALLS = {"min", "max", "clamp"}
COMPARED = {"<", "<=", ">", ">=", "==", "!="}


class Finder:
    """Collects the sites of one parsed file."""

    def __init__(self, unit, text):
        self.text = text  # bytes: clang counts in bytes
        self.file = unit.spelling
        self.sites = []
        self.visit(unit.cursor, [])

    def source(self, cursor):
        return self.text[cursor.extent.start.offset:cursor.extent.end.offset].decode()

    def add(self, operator, cursor, pattern, after):
        """`pattern` is the new text, where {n} stands for the number of the fault."""
        extent = cursor.extent
        self.sites.append(Site(operator, extent.start.offset, extent.end.offset, pattern, extent.start.line, self.source(cursor), after))

    def visit(self, cursor, parents):
        for child in cursor.get_children():
            place = child.location.file
            if place is not None and place.name != self.file:
                continue
            if child.kind == CursorKind.VAR_DECL and "constexpr" in self.source(child):
                continue
            if child.kind in (CursorKind.STATIC_ASSERT, CursorKind.CASE_STMT, CursorKind.TEMPLATE_TYPE_PARAMETER):
                self.visit(child, parents + [cursor]) if child.kind == CursorKind.CASE_STMT else None
                continue
            self.consider(child, parents + [cursor])
            self.visit(child, parents + [cursor])

    def consider(self, cursor, parents):
        kind, parent = cursor.kind, parents[-1]
        if kind in CONDITIONED:
            self.condition(cursor)
        elif kind == CursorKind.BINARY_OPERATOR or (kind == CursorKind.CALL_EXPR and cursor.spelling in ("operator+", "operator-", "operator*")):
            self.binary(cursor)
        elif kind == CursorKind.UNARY_OPERATOR and self.source(cursor).startswith("-") and not self.source(cursor).startswith("--"):
            operand = self.source(cursor)[1:]
            self.add("sign", cursor, f"(raak_planted({{n}}) ? ({operand}) : -({operand}))", operand)
        elif kind == CursorKind.INTEGER_LITERAL and re.fullmatch(r"\d+", self.source(cursor)):
            number = int(self.source(cursor))
            self.add("off by one", cursor, f"(raak_planted({{n}}) ? {number + 1} : {number})", str(number + 1))
        elif kind == CursorKind.FLOATING_LITERAL and re.fullmatch(r"\d+\.\d+", self.source(cursor)):
            number = float(self.source(cursor))
            if 0.1 <= number <= 100 and not any(self.is_threshold(above) for above in parents):
                self.add("constant", cursor, f"(raak_planted({{n}}) ? {2 * number} : {number})", str(2 * number))
        elif kind == CursorKind.CXX_BOOL_LITERAL_EXPR and parent.kind == CursorKind.RETURN_STMT:
            value = self.source(cursor)
            self.add("returned value", cursor, f"({value} != raak_planted({{n}}))", "not " + value)
        if parent.kind == CursorKind.COMPOUND_STMT:
            self.statement(cursor)

    def condition(self, cursor):
        children = list(cursor.get_children())
        if not children or children[0].kind in (CursorKind.DECL_STMT, CursorKind.VAR_DECL):
            return
        test = children[0]
        words = self.source(test)
        if "constexpr" in self.text[cursor.extent.start.offset:test.extent.start.offset].decode() or not words:
            return
        self.add("negated condition", test, f"(raak_planted({{n}}) != static_cast<bool>({words}))", f"!({words})")
        if cursor.kind == CursorKind.IF_STMT and len(children) > 1 and re.match(r"\{?\s*(throw|return)\b", self.source(children[1])):
            self.add("removed refusal", test, f"(static_cast<bool>({words}) && !raak_planted({{n}}))", "false")

    def operation(self, cursor):
        """Both operands of a binary operator and the operator between them, or None."""
        operands = list(cursor.get_arguments() if cursor.kind == CursorKind.CALL_EXPR else cursor.get_children())
        if len(operands) != 2 or any(operand is None or operand.extent.end.offset == 0 for operand in operands):
            return None
        left, right = operands
        return left, right, self.text[left.extent.end.offset:right.extent.start.offset].decode().strip()

    def is_threshold(self, cursor):
        if cursor.kind == CursorKind.BINARY_OPERATOR:
            parts = self.operation(cursor)
            return parts is not None and parts[2] in COMPARED
        return cursor.kind == CursorKind.CALL_EXPR and cursor.spelling in THRESHOLD_CALLS

    def binary(self, cursor):
        parts = self.operation(cursor)
        if parts is None:
            return
        left, right, sign = parts
        a, b = self.source(left), self.source(right)

        def plant(operator, new):
            self.add(operator, cursor, f"(raak_planted({{n}}) ? {new} : ({a}) {sign} ({b}))", new)

        if sign in SIGNS:
            plant("sign", f"({a}) {SIGNS[sign]} ({b})")
            plant("dropped term", f"({a})")
        elif sign in PRODUCTS and cursor.type.kind not in WHOLE_NUMBERS:
            plant("product", f"({a}) {PRODUCTS[sign]} ({b})")
        elif sign in LOGIC:
            plant("logic", f"({a}) {LOGIC[sign]} ({b})")
        elif sign in BOUNDS and left.type.get_canonical().kind in WHOLE_NUMBERS:
            self.add("off by one", cursor, f"((({a}) {sign} ({b})) != (({a}) == ({b}) && raak_planted({{n}})))", f"({a}) {BOUNDS[sign]} ({b})")

    def statement(self, cursor):
        words = self.source(cursor)
        if HARMLESS.search(words):
            return
        if cursor.kind in (CursorKind.BREAK_STMT, CursorKind.CONTINUE_STMT):
            self.add("removed statement", cursor, f"if (!raak_planted({{n}})) {words}", "")
        elif cursor.kind == CursorKind.COMPOUND_ASSIGNMENT_OPERATOR:
            for old, new in ASSIGNMENTS.items():
                parts = words.split(f" {old} ", 1)
                if len(parts) == 2:
                    swapped = f"{parts[0]} {new} {parts[1]}"
                    self.add("sign", cursor, f"if (raak_planted({{n}})) {swapped}; else {words}", swapped)
            self.add("removed statement", cursor, f"if (!raak_planted({{n}})) {words}", "")
        elif cursor.kind == CursorKind.CALL_EXPR or (cursor.kind == CursorKind.BINARY_OPERATOR and re.search(r"[^=!<>]=[^=]", words)):
            self.add("removed statement", cursor, f"if (!raak_planted({{n}})) {words}", "")
