/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What of a verification goes into its checkpoint: the setups that are settled, with
 * what they have shown. Setups in the middle of their exploration are saved by
 * explore_setup.c.
 *
 * Counterexamples are kept as the numbers of their steps and told again when they
 * are read: the steps out of a state have the same order always.
 */
#include "verify/tell_setup.h"
#include "verify/verify_internal.h"

#include <string.h>

void settle(struct run *run)
{
    const struct verify_report *report = run->report;
    if (run->settled.taken)
        return;
    run->settled = (struct settled){
        .taken = true,
        .accepted = run->accepted,
        .asked = run->asked,
        .violated = run->violated,
        .setups_explored = report->setups_explored,
        .states = report->states,
        .transitions = report->transitions,
        .depth = report->depth,
        .images_could_decide = report->images_could_decide,
        .applied = report->applied,
        .came = report->came,
        .results = arena_copy(run->arena, report->results,
                              (run->intent_count + 1) * sizeof(*report->results)),
    };
}

/* ---- violations ---- */

static void save_told(struct bytes_out *out, const struct verify_result *result)
{
    bytes_put_number(out, result->reductions);
    bytes_put_number(out, result->nodes);
    bytes_put_number(out, result->initial);
    bytes_put_number(out, result->loops);
    bytes_put_number(out, result->rests);
    bytes_put_number(out, result->loop_from);
    bytes_put_number(out, result->unconfirmed);
    bytes_put_number(out, result->step_count);
    for (uint32_t i = 0; i < result->step_count; i++)
        bytes_put_number(out, result->steps[i].choice);
}

static bool load_told(struct run *run, struct bytes_in *in, uint64_t setup, uint64_t asked,
                      uint32_t intent, struct arena *arena, struct verify_result *result)
{
    const struct arena_mark mark = arena_mark(run->arena);
    const struct setup_query query = query_of(run, setup, asked);
    const uint64_t reductions = bytes_get_number(in);
    const uint64_t nodes = bytes_get_number(in);
    struct told_path told = {
        .initial = (uint32_t)bytes_get_number(in),
        .loops = bytes_get_number(in) != 0,
        .rests = bytes_get_number(in) != 0,
        .loop_from = (uint32_t)bytes_get_number(in),
    };
    const bool unconfirmed = bytes_get_number(in) != 0;
    told.step_count = (uint32_t)bytes_get_count(in, sizeof(uint64_t));
    told.choices = ARENA_ARRAY(run->arena, uint32_t, told.step_count + 1);
    for (uint32_t i = 0; i < told.step_count; i++)
        told.choices[i] = (uint32_t)bytes_get_number(in);
    const bool good =
        !in->bad && reductions <= REDUCTIONS_NEVER_LOOPS_REST && nodes <= NODES_ALL_DISTINGUISHED &&
        setup_retell(&query, (enum population_reductions)reductions, (enum population_nodes)nodes,
                     intent, &told, run->memory, arena, result);
    result->asked = asked;
    result->unconfirmed = unconfirmed;
    if (arena != run->arena)
        arena_rewind(run->arena, mark);
    return good;
}

/* ---- a setup that is settled before smaller ones are ---- */

static void save_outcome(struct run *run, uint64_t setup, const struct setup_outcome *outcome)
{
    struct bytes_out *out =
        checkpoint_begin(run->options->checkpoint, &(struct checkpoint_part){
                                                       .kind = CHECKPOINT_OUTCOME,
                                                       .unit = run->options->unit,
                                                       .setup = setup,
                                                       .asked = outcome->asked,
                                                       .reductions = outcome->reductions,
                                                   });
    if (!out)
        return;
    bytes_put_number(out, outcome->violated);
    bytes_put_number(out, outcome->states);
    bytes_put_number(out, outcome->transitions);
    bytes_put_number(out, outcome->depth);
    bytes_put_number(out, outcome->images_could_decide);
    bytes_put_number(out, outcome->applied);
    bytes_put_number(out, outcome->came);
    for (uint32_t i = 0; i < run->intent_count; i++) {
        const bool told = outcome->violated >> i & 1 && outcome->results[i].steps;
        bytes_put_number(out, told);
        if (told)
            save_told(out, &outcome->results[i]);
    }
    checkpoint_end(run->options->checkpoint);
}

static bool load_outcome(struct run *run, const struct checkpoint_part *part)
{
    struct setup_slot *slot = slot_of(run, part->setup);
    struct bytes_in in = checkpoint_read(run->options->resume, part);
    struct setup_outcome outcome = {
        .asked = part->asked,
        .reductions = (enum population_reductions)part->reductions,
        .violated = bytes_get_number(&in),
        .states_most = UINT64_MAX,
    };
    outcome.states = bytes_get_number(&in);
    outcome.transitions = bytes_get_number(&in);
    outcome.depth = (uint32_t)bytes_get_number(&in);
    outcome.images_could_decide = bytes_get_number(&in) != 0;
    outcome.applied = bytes_get_number(&in);
    outcome.came = bytes_get_number(&in);
    arena_init(&outcome.arena, run->memory);
    outcome.results = ARENA_ARRAY(&outcome.arena, struct verify_result, run->intent_count + 1);
    bool good = !in.bad;
    for (uint32_t i = 0; i < run->intent_count && good; i++)
        if (bytes_get_number(&in) != 0)
            good = load_told(run, &in, part->setup, part->asked, i, &outcome.arena,
                             &outcome.results[i]);
    good = good && !in.bad;
    checkpoint_done(&in);
    if (good) {
        slot->state = SLOT_DONE;
        slot->outcome = outcome;
    } else {
        setup_outcome_release(&outcome);
    }
    return good;
}

/* ---- those that are settled in order ---- */

static void save_results(struct run *run, struct bytes_out *out)
{
    const struct settled *settled = &run->settled;
    for (uint32_t i = 0; i < run->intent_count; i++) {
        const struct verify_result *result = &settled->results[i];
        const bool violated = settled->violated >> i & 1;
        bytes_put_number(out, result->violations);
        if (!violated)
            continue;
        bytes_put_number(out, (uint64_t)(result->setup - run->report->setups.items));
        bytes_put_number(out, result->asked);
        save_told(out, result);
    }
}

static bool load_results(struct run *run, struct bytes_in *in)
{
    for (uint32_t i = 0; i < run->intent_count; i++) {
        struct verify_result *result = &run->report->results[i];
        result->violations = bytes_get_number(in);
        if (!(run->violated >> i & 1))
            continue;
        const uint64_t setup = bytes_get_number(in);
        const uint64_t asked = bytes_get_number(in);
        if (in->bad || setup >= run->accepted)
            return false;
        result->verdict = VERDICT_VIOLATED;
        result->setup = &run->report->setups.items[setup];
        if (!load_told(run, in, setup, asked, i, run->arena, result))
            return false;
    }
    return !in->bad;
}

/* Explorations and outcomes of the file that the run came from which it did not come
 * to, so that nothing of them is lost. */
static void keep_the_rest(struct run *run)
{
    const struct checkpoint_reader *reader = run->options->resume;
    struct checkpoint_writer *writer = run->options->checkpoint;
    uint64_t count;
    const struct checkpoint_part *parts = checkpoint_parts(reader, &count);
    for (uint64_t i = 0; i < count; i++) {
        const struct checkpoint_part *part = &parts[i];
        if ((part->kind != CHECKPOINT_SEARCH && part->kind != CHECKPOINT_OUTCOME) ||
            part->unit != run->options->unit || part->setup < run->settled.accepted ||
            part->asked != run->settled.asked ||
            part != checkpoint_find(reader, (enum checkpoint_kind)part->kind, part->unit,
                                    part->setup) ||
            checkpoint_has(writer, CHECKPOINT_SEARCH, part->unit, part->setup) ||
            checkpoint_has(writer, CHECKPOINT_OUTCOME, part->unit, part->setup))
            continue;
        checkpoint_copy(writer, reader, part);
    }
}

void save_settled(struct run *run)
{
    const struct settled *settled = &run->settled;
    struct bytes_out *out =
        checkpoint_begin(run->options->checkpoint, &(struct checkpoint_part){
                                                       .kind = CHECKPOINT_REPORT,
                                                       .unit = run->options->unit,
                                                       .asked = settled->asked,
                                                   });
    if (!out)
        return;
    bytes_put_number(out, run->report->setups.count);
    bytes_put_number(out, run->intent_count);
    bytes_put_number(out, run->report->verdicts != NULL);
    bytes_put_number(out, settled->accepted);
    bytes_put_number(out, settled->asked);
    bytes_put_number(out, settled->violated);
    bytes_put_number(out, settled->setups_explored);
    bytes_put_number(out, settled->states);
    bytes_put_number(out, settled->transitions);
    bytes_put_number(out, settled->depth);
    bytes_put_number(out, settled->images_could_decide);
    bytes_put_number(out, settled->applied);
    bytes_put_number(out, settled->came);
    if (run->report->verdicts)
        bytes_put(out, run->report->verdicts, settled->accepted * run->intent_count);
    save_results(run, out);
    checkpoint_end(run->options->checkpoint);
    for (uint64_t i = settled->accepted;
         i < settled->accepted + WINDOW && i < run->report->setups.count; i++) {
        const struct setup_slot *slot = slot_of(run, i);
        if (slot->state == SLOT_DONE && slot->outcome.ended_by == EXPLORE_DECIDED &&
            slot->outcome.asked == settled->asked)
            save_outcome(run, i, &slot->outcome);
    }
    if (run->options->resume)
        keep_the_rest(run);
}

static bool load_report(struct run *run, struct bytes_in *in)
{
    struct verify_report *report = run->report;
    if (bytes_get_number(in) != report->setups.count || bytes_get_number(in) != run->intent_count ||
        (bytes_get_number(in) != 0) != (report->verdicts != NULL))
        return false;
    run->accepted = bytes_get_number(in);
    run->asked = bytes_get_number(in);
    run->violated = bytes_get_number(in);
    report->setups_explored = bytes_get_number(in);
    report->states = bytes_get_number(in);
    report->transitions = bytes_get_number(in);
    report->depth = (uint32_t)bytes_get_number(in);
    report->images_could_decide = bytes_get_number(in) != 0;
    report->applied = bytes_get_number(in);
    report->came = bytes_get_number(in);
    if (in->bad || run->accepted > report->setups.count)
        return false;
    if (report->verdicts)
        bytes_get(in, report->verdicts, run->accepted * run->intent_count);
    return load_results(run, in);
}

bool load_settled(struct run *run)
{
    const struct checkpoint_reader *reader = run->options->resume;
    const struct checkpoint_part *part =
        checkpoint_find(reader, CHECKPOINT_REPORT, run->options->unit, 0);
    if (!part)
        return true; /* it was not begun */
    struct bytes_in in = checkpoint_read(reader, part);
    bool good = load_report(run, &in);
    checkpoint_done(&in);
    for (uint64_t i = run->accepted;
         good && i < run->accepted + WINDOW && i < run->report->setups.count; i++) {
        part = checkpoint_find(reader, CHECKPOINT_OUTCOME, run->options->unit, i);
        if (part && part->asked == run->asked)
            good = load_outcome(run, part);
    }
    return good;
}
