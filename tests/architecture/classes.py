# SPDX-License-Identifier: Apache-2.0
"""Names classes with more than 15 public member functions. Structs with public data are values and may have more.
Constructors, destructors, assignments and friends are not counted; overloads and signals are. Reads headers in the
layout of clang-format. Run: classes.py ROOT [--all]"""
import re
import sys

from sources import code, headers, report

LIMIT = 15
CLASS = re.compile(r"\b(class|struct)\s+(?:\[\[[^]]*\]\]\s*)?([\w:]+)(?:\s+final)?\s*(?::[^;{}()]*)?\{")
LABEL = re.compile(r"\s*(public|protected|private|signals|Q_SIGNALS)\b\s*(?:slots|Q_SLOTS)?\s*:(?!:)")
OTHERWISE = re.compile(r"(?:using|friend|typedef|static_assert|enum|class|struct|union|Q_\w+)\b")


def end_of_block(text, begin):
    """Returns the index after the brace that closes the brace at `begin`."""
    depth = 0
    for place in range(begin, len(text)):
        depth += {"{": 1, "}": -1}.get(text[place], 0)
        if depth == 0:
            return place + 1
    return len(text)


def without_template_arguments(text):
    text = re.sub(r"\boperator\s*(<=>|<<|>>|<=|>=|<|>|->)", "operator_", text)
    while True:
        shorter = re.sub(r"(?<=\w)\s*<[^<>]*>", "", text)
        if shorter == text:
            return text
        text = shorter


def is_function(statement, owner):
    """Returns whether a statement is a member function to count: not data, a type, a friend or a special member."""
    statement = re.sub(r"\[\[[^]]*\]\]|\balignas\([^)]*\)", "", without_template_arguments(statement)).strip()
    statement = re.sub(r"^template\s+", "", statement)
    if OTHERWISE.match(statement):
        return False
    operator = re.search(r"\boperator\s*(\(\)|[^\s(]+)\s*\(", statement)
    if operator:
        return operator[1] != "="
    before = statement.split("(")[0]
    if "(" not in statement or "=" in before:
        return False  # data, or data with a computed value
    name = before.split()[-1] if before.split() else ""
    return bool(name) and name.lstrip("*&~") != owner.split("::")[-1]


def statements(body, access):
    """Yields (access, statement without its block) of each statement directly in a class."""
    place = begin = 0
    parentheses = 0
    while place < len(body):
        if place == begin and (label := LABEL.match(body, place)):
            access = label[1]
            place = begin = label.end()
            continue
        letter = body[place]
        parentheses += {"(": 1, ")": -1}.get(letter, 0)
        if letter == "{" and parentheses == 0:
            head = body[begin:place]
            place = end_of_block(body, place)
            rest = re.match(r"\s*[;,]", body[place:])
            if not rest:  # the block is a function body, or an initializer before it
                following = re.match(r"\s*\{", body[place:])
                if not following:
                    yield access, head
                    begin = place
                continue
            continue
        if letter == ";" and parentheses == 0:
            yield access, re.sub(r"\{.*", "", body[begin:place], flags=re.S)
            begin = place + 1
        place += 1


def classes(text):
    """Yields (name, keyword, statements with their access, line) of each class."""
    for match in CLASS.finditer(text):
        if re.search(r"\benum\s+$", text[:match.start()]):
            continue
        body = text[match.end():end_of_block(text, match.end() - 1) - 1]
        found = list(statements(body, "public" if match[1] == "struct" else "private"))
        yield match[2], match[1], found, text.count("\n", 0, match.start()) + 1


def public_functions(root):
    """Yields (path:line, class, number of its public member functions) of each class that is not a value type."""
    for path, text in headers(root):
        for name, keyword, found, line in classes(code(text)):
            if keyword == "struct" and all(access == "public" for access, _ in found):
                continue
            count = sum(access in ("public", "signals", "Q_SIGNALS") and is_function(statement, name) for access, statement in found)
            yield f"{path}:{line}", name, count


counts = list(public_functions(sys.argv[1]))
if "--all" in sys.argv:
    for place, name, count in sorted(counts, key=lambda entry: -entry[2]):
        print(count, name, place)
report(f"classes with more than {LIMIT} public member functions (break them up by idea)",
       [f"{place}: {name} has {count}" for place, name, count in counts if count > LIMIT])
