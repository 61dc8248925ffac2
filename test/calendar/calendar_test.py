#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""jobsAtMost against a naive model of the CronJob controller.

Random CronJobs (schedules, policies, deadlines, run times) on a node with room for all: the naive
model below goes through every minute of the calendar and every order within a minute, with dates
and not with positions in a cycle, and shares no code with Fathom. Both must give the same verdict.

usage: calendar_test.py FATHOM [--first SEED] [--count N] [--keep FOLDER]
"""
import argparse
import json
import math
import pathlib
import random
import subprocess
import sys
import tempfile

MINUTE = 60
DAY = 86400
ANCHOR = 1704067200  # Monday, 1 January 2024, 00:00 UTC


# ---- schedules ----

class Schedule:
    """Sets of minutes, hours and weekdays (Monday is 0), in UTC, or a constant period."""

    def __init__(self, minutes=None, hours=None, weekdays=None, every=None):
        self.minutes = minutes or set(range(60))
        self.hours = hours or set(range(24))
        self.weekdays = weekdays or set(range(7))
        self.every = every
        self.known = {}  # by position in the cycle: seconds until the next time

    def cycle(self):
        if self.every:
            return self.every
        if len(self.weekdays) < 7:
            return 7 * DAY
        return DAY if len(self.hours) < 24 else 3600

    def comes_at(self, time):
        if self.every:
            return (time - ANCHOR) % self.every == 0
        day, second = divmod(time - ANCHOR, DAY)
        return (second % 60 == 0 and second // 60 % 60 in self.minutes and
                second // 3600 in self.hours and day % 7 in self.weekdays)

    def after(self, time):
        if self.every:
            return time + self.every - (time - ANCHOR) % self.every
        position = (time - ANCHOR) % self.cycle()
        if position not in self.known:
            after = time + 60 - time % 60
            while not self.comes_at(after):
                after += 60
            self.known[position] = after - time
        return time + self.known[position]

    def text(self):
        if self.every:
            return f'@every {self.every}s'
        def field(values, whole):
            return '*' if len(values) == whole else ','.join(map(str, sorted(values)))
        weekdays = {(day + 1) % 7 for day in self.weekdays}
        return f'{field(self.minutes, 60)} {field(self.hours, 24)} * * {field(weekdays, 7)}'


def random_schedule(random_, kind):
    step = random_.choice([5, 10, 15, 20, 30])
    if kind == 'hour':
        return Schedule(minutes=set(range(0, 60, step)))
    if kind == 'irregular':
        return Schedule(minutes={5 * minute for minute in random_.sample(range(12), 3)})
    if kind == 'every':
        return Schedule(every=MINUTE * random_.choice([5, 10, 15]))
    hours = set(random_.sample(range(24), random_.choice([1, 2, 3])))
    weekdays = set(random_.sample(range(7), random_.choice([2, 3]))) if kind == 'week' else None
    return Schedule(minutes={0}, hours=hours, weekdays=weekdays)


class Case:
    """All durations in seconds."""

    def __init__(self, seed):
        random_ = random.Random(seed)
        kind = random_.choice(['hour'] * 4 + ['irregular'] * 4 + ['every', 'day', 'week'])
        self.unit = MINUTE * (60 if kind in ('day', 'week') else 5)
        self.schedule = random_schedule(random_, kind)
        self.policy = random_.choice(['Allow', 'Allow', 'Forbid', 'Forbid', 'Replace'])
        least = random_.randrange(0, 8) * self.unit
        most = least + random_.choice([0, 0, 1, 3]) * self.unit
        self.least, self.most = least, max(most, self.unit)
        self.deadline = random_.choice([None, None, self.unit, 2 * self.unit, 5 * self.unit])
        self.starting_deadline = random_.choice([None] * 4 + [0, self.unit, self.unit, 2 * self.unit])
        if kind == 'every':
            self.starting_deadline = None
        self.value = random_.choice([0, 1, 1, 2, 3])

    def manifest(self):
        job = {'template': {
            'metadata': {'annotations': {'fathom.dev/run-time': f'{self.least}s-{self.most}s'}},
            'spec': {'restartPolicy': 'Never', 'containers': [{
                'name': 'app', 'image': 'example.org/report:1',
                'resources': {'requests': {'cpu': '10m'}}}]}}}
        if self.deadline is not None:
            job['activeDeadlineSeconds'] = self.deadline
        spec = {'schedule': self.schedule.text(), 'concurrencyPolicy': self.policy,
                'jobTemplate': {'spec': job}}
        if self.starting_deadline is not None:
            spec['startingDeadlineSeconds'] = self.starting_deadline
        node = {'status': {'allocatable': {'cpu': '4', 'memory': '16Gi', 'pods': '110'}}}
        check = {'apiVersion': 'fathom/v1', 'kind': 'Check', 'metadata': {'name': 'calendar'},
                 'spec': {'nodeGroups': [{'name': 'node', 'count': 1, 'node': node}],
                          'scale': {'mode': 'exact'},
                          'intents': [{'name': 'jobsAtMost', 'value': self.value}]}}
        cron_job = {'apiVersion': 'batch/v1', 'kind': 'CronJob',
                    'metadata': {'name': 'report', 'namespace': 'default'}, 'spec': spec}
        return f'{json.dumps(check, indent=1)}\n---\n{json.dumps(cron_job, indent=1)}\n'


# ---- the naive model ----

def latest(case, last, now):
    """The time to start a Job for, as upstream looks for it; None: none."""
    earliest = last
    if case.starting_deadline is not None:
        earliest = max(earliest, now - case.starting_deadline)
    first = case.schedule.after(earliest)
    if now < first:
        return None
    second = case.schedule.after(first)
    if now < second:
        return first
    interval = second - first
    missed = (now - first) // interval + 1
    found, time = None, case.schedule.after(first + (missed - 2) * interval)
    while time <= now:
        found, time = time, case.schedule.after(time)
    return found


class Naive:
    """States are (now, last time that a Job was started for, ages of the active Jobs)."""

    def __init__(self, case):
        self.case = case
        self.cycle = case.schedule.cycle()
        self.longest = case.most if case.deadline is None else min(case.most, case.deadline)

    def may_end(self, age):
        case = self.case
        return age >= case.least or (case.deadline is not None and age >= case.deadline)

    def within(self, now, last, ages):
        """Steps that take no time, and whether time may pass."""
        case = self.case
        steps = [(now, last, ages[:i] + ages[i + 1:])
                 for i, age in enumerate(ages) if self.may_end(age)]
        time = latest(case, last, now)
        waits = not any(age >= self.longest for age in ages)
        if time is not None and time != last and not (case.policy == 'Forbid' and ages):
            steps.append((now, time, (0,) if case.policy == 'Replace' else (0,) + ages))
            waits = False
        return steps, waits

    def fold(self, now, last, ages):
        """The same position in the calendar, with the last time no further back than matters: all
        that is older by whole cycles and intervals is alike."""
        shift = (now - ANCHOR) // self.cycle * self.cycle
        now, last = now - shift, last - shift
        first = self.case.schedule.after(last)
        unit = math.lcm(self.cycle, self.case.schedule.after(first) - first)
        while now - last > 2 * unit + (self.case.starting_deadline or 0):
            last += unit
        return now, last, ages

    def exceeds(self):
        """Can there be more Jobs than the value allows?"""
        tick = self.case.unit
        unseen = [self.fold(start, start, ()) for start in range(ANCHOR, ANCHOR + self.cycle, tick)]
        if self.case.schedule.every:
            unseen = [(ANCHOR, ANCHOR, ())]
        seen = set(unseen)
        while unseen:
            state = unseen.pop()
            if len(state[2]) > self.case.value:
                return True
            steps, waits = self.within(*state)
            if waits:
                now, last, ages = state
                steps.append((now + tick, last, tuple(sorted(age + tick for age in ages))))
            for step in steps:
                step = self.fold(*step)
                if step not in seen:
                    seen.add(step)
                    unseen.append(step)
        return False


# ---- the comparison ----

def verdict_of(fathom, text):
    with tempfile.NamedTemporaryFile('w', suffix='.yaml') as file:
        file.write(text)
        file.flush()
        run = subprocess.run([fathom, 'verify', '-o', 'json', file.name], capture_output=True,
                             text=True, check=False)
    if run.returncode not in (0, 1, 3):
        return f'exit code {run.returncode}: {run.stderr}'
    return json.loads(run.stdout)['verdict']


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('fathom')
    parser.add_argument('--first', type=int, default=1)
    parser.add_argument('--count', type=int, default=60)
    parser.add_argument('--keep', type=pathlib.Path, help='write the Checks that differ here')
    arguments = parser.parse_args()
    verdicts, wrong = {}, 0
    for seed in range(arguments.first, arguments.first + arguments.count):
        case = Case(seed)
        expected = 'violated' if Naive(case).exceeds() else 'holds'
        found = verdict_of(arguments.fathom, case.manifest())
        verdicts[found] = verdicts.get(found, 0) + 1
        if found == expected:
            continue
        wrong += 1
        print(f'seed {seed}: expected {expected}, found {found}')
        if arguments.keep:
            arguments.keep.mkdir(parents=True, exist_ok=True)
            (arguments.keep / f'{seed}.yaml').write_text(case.manifest())
    print(f'{arguments.count} CronJobs: {verdicts}, {wrong} wrong')
    return 1 if wrong or len(verdicts) < 2 else 0


if __name__ == '__main__':
    sys.exit(main())
