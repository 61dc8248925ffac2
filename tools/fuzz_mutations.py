# SPDX-License-Identifier: Apache-2.0
"""Changes to a text, at random: numbers, values, keys, lines, bytes, and the structure of JSON."""

import json
import re

NUMBERS = ["0", "-1", "1", "2147483647", "2147483648", "-2147483648", "4294967296", "9223372036854775807",
           "9223372036854775808", "-9223372036854775808", "1e18", "1e19", "1e308", "1e400", ".nan", ".inf", "0.1",
           "1e-320", "99999999999999999999999"]
QUANTITIES = ["9223372036854775807", "9223372036854775807m", "8Ei", "7.9Ei", "1e30", "1n", "-1", "150000", "100%", "1000000000%"]
VALUES = ['""', "null", "true", "[]", "{}", "[1, [2, {a: b}]]", '"\\e[31m\\n\\u202e"', "x" * 300, "*", "&a", "0x1f",
          '"100%"', '"-5%"', "1Ei", "1n", "2001-01-01", '"a/b/c"', "!!binary aGk=", "~", "9999-12-31T23:59:59Z",
          "2562047h47m16s", "0001-01-01T00:00:00Z"]
JSON_VALUES = [None, True, 0, -1, 1, 2147483647, 2147483648, -2147483648, 9223372036854775807, 1e19, 1e308, 0.5, "", "x" * 300,
               "\x1b[31m\n\u202e", "1Ei", "9223372036854775807m", "100%", "9999-12-31T23:59:59Z", [], {}, [None], [[]], {"name": {}}]


def replace(draw, text, pattern, words):
    places = list(re.finditer(pattern, text))
    if not places:
        return text
    place = draw.choice(places)
    return text[:place.start()] + draw.choice(words) + text[place.end():]


def mutate_number(draw, text):
    return replace(draw, text, r"(?<=[\s:\[{,\"])-?\d[\w.%]*", NUMBERS + QUANTITIES)


def mutate_all_of_a_key(draw, text):
    """Sums overflow where one number does not."""
    keys = re.findall(r"[A-Za-z]+(?=\"?: \"?-?\d)", text)
    if not keys:
        return text
    key, word = draw.choice(keys), draw.choice(NUMBERS + QUANTITIES)
    return re.sub(rf"(\b{key}\"?: \"?)-?\d[\w.%]*", lambda found: found.group(1) + word, text)


def mutate_value(draw, text):
    return replace(draw, text, r"(?<=: )[^\n{\[][^\n,}]*", VALUES)


def mutate_key(draw, text):
    places = list(re.finditer(r"[A-Za-z]+(?=\"?: )", text))
    if not places:
        return text
    place, other = draw.choice(places), draw.choice(places)
    name = draw.choice([other.group(), place.group() + "s", "name", "kind", ""])
    return text[:place.start()] + name + text[place.end():]


def mutate_lines(draw, text):
    lines = text.split("\n")
    at, other = draw.randrange(len(lines)), draw.randrange(len(lines))
    what = draw.randrange(5)
    if what == 0:
        del lines[at]
    elif what == 1:
        lines.insert(other, lines[at])
    elif what == 2:
        lines[at], lines[other] = lines[other], lines[at]
    elif what == 3:
        lines[at] = draw.choice(["  ", "    ", "- ", "---\n"]) + lines[at]
    else:
        lines[at:at] = lines[min(at, other):max(at, other)][:30]
    return "\n".join(lines)


def mutate_characters(draw, text):
    at = draw.randrange(len(text) + 1)
    what = draw.randrange(3)
    if what == 0:
        return text[:at]
    if what == 1:
        return text[:at] + chr(draw.choice([0, 7, 27, 34, 58, 123, 125, 0x9b, 0x202e, 0xfffe])) + text[at:]
    return text[:at] + text[at + 1:]


def places_of(value, found):
    """Every (container, key) of a JSON value."""
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in children:
        found.append((value, key))
        places_of(child, found)
    return found


def change_tree(draw, tree):
    places = places_of(tree, [])
    if not places:
        return
    (container, key), (other, of_other) = draw.choice(places), draw.choice(places)
    what = draw.randrange(6)
    if what <= 2:
        container[key] = draw.choice(JSON_VALUES)
    elif what == 3:
        container[key] = json.loads(json.dumps(other[of_other]))
    elif what == 4:
        del container[key]
    elif isinstance(container, list):
        container.extend(json.loads(json.dumps([container[key]] * draw.choice([1, 2, 50]))))
    else:
        container[draw.choice(["name", "kind", "spec", "items", ""])] = container.pop(key)


def mutate_tree(draw, text):
    try:
        tree = json.loads(text)
    except ValueError:
        return mutate_value(draw, text)
    if not isinstance(tree, (dict, list)):
        return text
    change_tree(draw, tree)
    return json.dumps(tree)


def mutate_record(draw, text):
    """One line of many."""
    lines = text.split("\n")
    at = draw.randrange(len(lines))
    lines[at] = mutate_tree(draw, lines[at])
    return "\n".join(lines)


IN_TEXT = [mutate_number, mutate_number, mutate_all_of_a_key, mutate_value, mutate_value, mutate_key, mutate_lines,
           mutate_characters]
IN_JSON = [mutate_tree, mutate_tree, mutate_tree, mutate_tree, mutate_number, mutate_characters]
IN_LINES = [mutate_record, mutate_record, mutate_record, mutate_record, mutate_lines, mutate_characters]


def mutate_words(draw, data):
    """Numbers of 32 bits, in their places."""
    data = bytearray(data)
    for _ in range(draw.choice([1, 1, 1, 2, 3])):
        at = draw.randrange(max(1, len(data) // 4)) * 4
        word = draw.choice([0, 1, 2, 3, 7, 255, 0x10000, 0x7fffffff, 0x80000000, 0xffffffff, draw.getrandbits(32)])
        data[at:at + 4] = word.to_bytes(4, "little")
    return bytes(data)


def mutate_bytes(draw, data):
    if draw.random() < 0.7:
        return mutate_words(draw, data)
    data = bytearray(data)
    for _ in range(draw.choice([1, 1, 2, 8])):
        at = draw.randrange(len(data) + 1)
        what = draw.randrange(4)
        if what == 0:
            del data[at:]
        elif what == 1:
            data[at:at + 8] = draw.choice([b"\xff" * 8, b"\0" * 8, b"\xff\xff\xff\x7f" * 2, b"\x80" * 8])
        elif what == 2:
            data[at:at] = data[:draw.choice([1, 16, 64])]
        elif at < len(data):
            data[at] ^= 1 << draw.randrange(8)
    return bytes(data)
