"""Placeholders in arguments: `{ranks}`, `{256*ranks}`, `{round(1024*sqrt(ranks))}`.

Arithmetic and nothing else: the expression is parsed, and each node of its tree has to be one of those below.
Doubled braces stand for braces.
"""

import ast
import difflib
import math
import operator
import re

from .complaint import Complaint

OPERATORS = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
}
FUNCTIONS = {
    "sqrt": math.sqrt,
    "cbrt": lambda x: x ** (1 / 3),
    "log2": math.log2,
    "round": round,
    "int": int,
    "floor": math.floor,
    "ceil": math.ceil,
    "min": min,
    "max": max,
}
PLACEHOLDER = re.compile(r"\{\{|\}\}|\{([^{}]*)\}|[{}]")


def power(base, exponent):
    """Python would compute 9**9**9 until the memory is full."""
    if abs(exponent) > 64 or abs(base) > 1e9:
        raise Complaint("the numbers of a power are too large")
    return base**exponent


def named(name, values):
    if name in values:
        return values[name]
    near = difflib.get_close_matches(name, values, 1)
    raise Complaint(
        f'there is no "{name}"; there are {", ".join(values)}' + (f". Did you mean {near[0]}?" if near else "")
    )


def value_of(node, values):
    if isinstance(node, ast.Expression):
        return value_of(node.body, values)
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        return node.value
    if isinstance(node, ast.Name):
        return named(node.id, values)
    if isinstance(node, ast.UnaryOp) and type(node.op) in OPERATORS:
        return OPERATORS[type(node.op)](value_of(node.operand, values))
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
        return power(value_of(node.left, values), value_of(node.right, values))
    if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
        return OPERATORS[type(node.op)](value_of(node.left, values), value_of(node.right, values))
    if (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in FUNCTIONS
        and not node.keywords
    ):
        return FUNCTIONS[node.func.id](*(value_of(a, values) for a in node.args))
    raise Complaint("it may have numbers, + - * / // % **, and " + ", ".join(FUNCTIONS))


def evaluate(expression, values):
    """Whole numbers stay whole, and a quotient that is whole becomes so."""
    try:
        result = value_of(ast.parse(expression.strip(), mode="eval"), values)
        if isinstance(result, complex) or not math.isfinite(result):
            raise Complaint("its value is no number")
        return int(result) if result == int(result) else result
    except Complaint as e:
        raise Complaint(f"{{{expression}}}: {e}") from None
    except SyntaxError:
        raise Complaint(f"{{{expression}}}: this is no arithmetic; write {{{{ and }}}} for braces") from None
    except (ArithmeticError, ValueError, TypeError, RecursionError, MemoryError) as e:
        raise Complaint(f"{{{expression}}}: {e}") from None


def expand(text, values):
    """The text with a number in the place of each placeholder."""

    def of(match):
        if match.group() in ("{{", "}}"):
            return match.group()[0]
        if match.group(1) is None:
            raise Complaint(f'"{text}" has a brace without its other one; write {{{{ and }}}} for braces')
        if not match.group(1).strip():
            raise Complaint(f'"{text}" has {{}} with nothing in it; write {{ranks}}, or {{{{}}}} for braces')
        value = evaluate(match.group(1), values)
        return str(value) if isinstance(value, int) else f"{value:.12g}"

    return PLACEHOLDER.sub(of, text)


def has_placeholder(text):
    return any(match.group(1) is not None for match in PLACEHOLDER.finditer(text))
