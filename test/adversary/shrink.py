# SPDX-License-Identifier: Apache-2.0
"""A failing case made smaller: whatever can be left out without the failure going away."""
import checks

REQUIRED = {"apiVersion", "kind", "metadata"}


def places(value, path=()):
    """Where something could be left out, large parts first."""
    if isinstance(value, list):
        for number in reversed(range(len(value))):
            yield (*path, number)
        for number, item in enumerate(value):
            yield from places(item, (*path, number))
    elif isinstance(value, dict):
        for key in value:
            if key not in REQUIRED:
                yield (*path, key)
        for key, item in value.items():
            yield from places(item, (*path, key))


def part_of(tree, path):
    for key in path:
        tree = tree[key]
    return tree


def without(case, path):
    """The case without one part; None if that is no case any more."""
    smaller = case.copy()
    holder = part_of([smaller.documents, smaller.applied], path[:-1])
    if not (isinstance(holder, list) and path[-1] < len(holder) or
            isinstance(holder, dict) and path[-1] in holder):
        return None
    del holder[path[-1]]
    if not any(map(checks.is_check, smaller.documents)):
        return None
    smaller.intents = list(range(len(smaller.spec.get("intents", []))))
    # An empty spec comes back when it is asked for.
    return smaller if smaller.documents != case.documents or path[0] == 1 else None


def numbers(value, path=()):
    """Where there are numbers that could be smaller."""
    if isinstance(value, int) and not isinstance(value, bool) and value > 1:
        yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) \
        if isinstance(value, list) else ()
    for key, item in items:
        yield from numbers(item, (*path, key))


def fewer(case, path):
    smaller = case.copy()
    part_of([smaller.documents, smaller.applied], path[:-1])[path[-1]] -= 1
    return smaller


def shrink(case, fails):
    """The smallest case found for which `fails` is still true."""
    progress = True
    while progress:
        progress = False
        for path in list(places([case.documents, case.applied])):
            try:
                smaller = len(path) > 1 and without(case, path)
            except (KeyError, IndexError, TypeError):  # it went away with another part
                continue
            if smaller and fails(smaller):
                case, progress = smaller, True
        for path in list(numbers([case.documents, case.applied])):
            while part_of([case.documents, case.applied], path) > 1 and fails(fewer(case, path)):
                case, progress = fewer(case, path), True
    return case
