#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The campaign itself, with a stand-in for fathom that is right or wrong on purpose: does it
notice, and do the clusters have the couplings that they claim?"""
import contextlib
import io
import json
import pathlib
import tempfile
import unittest

import clusters
import modular
import seams


# pylint: disable-next=consider-using-with
FOLDER = tempfile.TemporaryDirectory(prefix="fathom-modular-")


class StandIn(modular.Judge):
    """Gives one verdict in parts and one as a whole."""

    def __init__(self, in_parts, as_a_whole, refusal="", in_every_order=None, **more):
        super().__init__("fathom", 100, FOLDER.name)
        self.verdicts = {"--modular-first": in_parts, "--no-modular": as_a_whole}
        self.in_every_order = in_every_order
        self.more = more
        self.said = refusal

    def report(self, *options):
        verdict = self.verdicts[options[0]]
        if "--no-partial-order" in options and self.in_every_order:
            verdict = self.in_every_order
        if verdict.startswith("exit"):
            return verdict
        return {"verdict": verdict, "explored": {"components": 2},
                "intents": [{"label": "converges", "verdict": verdict, **self.more}]}

    def refusal(self):
        return self.said


def run(judge, only=None):
    """How many of each outcome, the exit code, and what was printed."""
    campaign = modular.Campaign(judge, None)
    with contextlib.redirect_stdout(io.StringIO()) as said:
        campaign.attack(1, only)
        code = campaign.summary()
    return campaign.counts["total"], code, said.getvalue()


class Verdicts(unittest.TestCase):
    def outcome(self, outcome, code, judge):
        counts, exit_code, said = run(judge)
        self.assertEqual([counts[one] for one in modular.OUTCOMES],
                         [int(one == outcome) for one in modular.OUTCOMES], said)
        self.assertEqual(exit_code, code, said)

    def test_same_verdicts_pass(self):
        self.outcome("same", 0, StandIn("holds", "holds"))
        self.outcome("same", 0, StandIn("violated", "violated"))

    def test_different_verdicts_fail(self):
        self.outcome("wrong", 1, StandIn("holds", "violated"))
        self.outcome("wrong", 1, StandIn("violated", "holds"))

    def test_another_order_has_the_same_verdict(self):
        for other in ("violated", "exit code 134"):
            counts, code, said = run(StandIn("holds", "holds", in_every_order=other))
            self.assertEqual((counts["wrong"], code), (1, 1), said)
        self.outcome("same", 0, StandIn("holds", "holds", in_every_order="undecided"))

    def test_what_is_open_is_counted_and_not_compared(self):
        self.outcome("whole open", 1, StandIn("holds", "undecided"))  # nothing was compared
        self.outcome("parts open", 1, StandIn("undecided", "violated"))
        self.outcome("whole open", 1, StandIn("violated", "violated", unconfirmed=True))

    def test_holding_of_nothing_in_parts_alone_fails(self):
        nothing = {"verdict": "holds", "ofNothing": "no node was ever drained"}
        something = {"verdict": "holds"}
        self.assertEqual(modular.outcome_of(nothing, something), "wrong")
        self.assertEqual(modular.outcome_of(something, nothing), "same")
        self.assertEqual(modular.outcome_of(nothing, nothing), "same")
        self.assertEqual(modular.words_of(nothing), "holds of nothing")

    def test_one_report_of_two_fails(self):
        self.outcome("wrong", 1, StandIn("exit code 134", "holds"))
        self.outcome("wrong", 1, StandIn("holds", "exit code 134"))

    def test_no_report_at_all_is_a_refusal(self):
        counts, code, said = run(StandIn("exit code 2", "exit code 2"))
        self.assertEqual((counts["refused"], counts["wrong"], code), (1, 0, 1), said)

    def test_refused_counterexample_fails(self):
        counts, code, said = run(StandIn("violated", "violated", "replay: exit code 3"))
        self.assertEqual((counts["same"], counts["wrong"], code), (1, 1, 1), said)
        self.assertIn("replay: exit code 3", said)

    def test_summary_names_the_couplings(self):
        said = run(StandIn("holds", "holds"), "little_room")[2]
        self.assertIn("little_room", said)
        self.assertIn("0 of 1 intents are undecided in parts", said)


class Clusters(unittest.TestCase):
    def test_a_seed_is_one_cluster(self):
        for seed in range(1, 40):
            self.assertEqual(clusters.cluster_of(seed).documents(),
                             clusters.cluster_of(seed).documents())

    def test_every_coupling_is_said_and_occurs(self):
        found = set()
        for seed in range(1, 400):
            found.update(clusters.cluster_of(seed).has)
        self.assertEqual(found, {*modular.WAYS, "observed"})
        for function in modular.WAYS.values():
            self.assertTrue(function.__doc__.endswith("."))

    def test_every_seam_is_said_and_occurs(self):
        found = set()
        for seed in range(1, 400):
            found.update(clusters.cluster_of(seed, with_seams=True).has)
        self.assertEqual(found, {*modular.ALL_WAYS, "observed"})
        for function in seams.ALL.values():
            self.assertTrue(function.__doc__.endswith("."))

    def test_seams_are_left_out_without_being_asked_for(self):
        for seed in range(1, 100):
            self.assertFalse(set(clusters.cluster_of(seed).has) & set(seams.ALL))

    def test_one_coupling_alone(self):
        for name in [*modular.ALL_WAYS, "observed"]:
            self.assertTrue(any(name in clusters.cluster_of(seed, name).has
                                for seed in range(1, 20)), name)

    def test_two_to_four_workloads(self):
        counts = {len(clusters.cluster_of(seed).workloads) for seed in range(1, 100)}
        self.assertEqual(counts, {2, 3, 4})

    def test_files_can_be_read(self):
        with tempfile.TemporaryDirectory() as folder:
            for seed in range(1, 20):
                clusters.cluster_of(seed).write(folder)
                text = pathlib.Path(folder, clusters.CHECK_FILE).read_text(encoding="utf-8")
                self.assertEqual(json.loads(text)["items"][0]["kind"], "Check")


if __name__ == "__main__":
    unittest.main()
