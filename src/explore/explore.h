/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The checker core: explores every reachable state of a model and judges its
 * properties.
 *
 *     struct explore_options options;
 *     explore_options_init(&options);
 *     struct exploration *result = explore_run(&model, &options, &memory);
 *     ... result->properties[i].verdict ...
 *     explore_free(result);
 *
 * Guarantees (EXPLORE_EXACT):
 *   - Verdict, counterexamples, and on runs that no limit ended also all counts
 *     (states, transitions, depth, actions), are the same for any number of
 *     threads.
 *   - A counterexample of a safety property is a shortest one; among the
 *     shortest it is the first in lexicographic order of (initial state's
 *     index, step index, step index, ...), which is the one a sequential
 *     breadth-first search meets first.
 *   - A lasso's loop is one that fairness allows and that has all the property
 *     forbids; how short it is, is said in lasso.c.
 *   - Each counterexample was executed again by the model before it is
 *     given out; if it does not hold up the process ends in bug().
 *   - A level of the search is always finished before a violation ends it, so
 *     counts do not depend on which thread was faster.
 *   - A limit ends the run with UNDECIDED and a reason; properties that were
 *     decided before keep their verdict. Nothing is ever called HOLDS unless all
 *     states were seen.
 *   - Memory comes from the budget given, is counted, and refusing it at any
 *     point gives UNDECIDED, never a crash or a leak.
 *
 * One thread runs the search in the calling thread and starts none; several are
 * started with the first level that is large enough for them. The
 * library neither prints nor catches signals: `interrupted` and `progress` are
 * how a command does both.
 */
#ifndef FATHOM_EXPLORE_EXPLORE_H
#define FATHOM_EXPLORE_EXPLORE_H

#include "base/bytes.h"
#include "base/json_out.h"
#include "explore/model.h"

#include <stdatomic.h>

enum verdict {
    VERDICT_HOLDS,
    VERDICT_VIOLATED,
    VERDICT_UNDECIDED,
    /* A lossy mode found no violation; `omission_probability` says how probable
     * it is that a state was left out. Never to be shown as a bare 'holds'. */
    VERDICT_HOLDS_PROBABLY,
};

/* The verdict on two properties together: violated if one is, else undecided if one is,
 * else holds. */
static inline enum verdict verdict_worse(enum verdict left, enum verdict right)
{
    if (left == VERDICT_VIOLATED || right == VERDICT_VIOLATED)
        return VERDICT_VIOLATED;
    return left == VERDICT_HOLDS && right == VERDICT_HOLDS ? VERDICT_HOLDS : VERDICT_UNDECIDED;
}

enum explore_mode {
    EXPLORE_EXACT,
    EXPLORE_HASH_COMPACT, /* 64-bit fingerprints in place of states; safety only */
    EXPLORE_BITSTATE,     /* a few bits in a field of fixed size; safety only */
};

/* Why something is undecided. */
enum explore_reason {
    EXPLORE_DECIDED,
    EXPLORE_TIME,
    EXPLORE_MEMORY,      /* the budget is used up, or the machine refuses */
    EXPLORE_STATES,      /* the limit on stored states */
    EXPLORE_DEPTH,       /* the limit on the length of paths */
    EXPLORE_INTERRUPTED, /* the flag was raised (Ctrl-C) */
    EXPLORE_STOPPED,     /* another property was violated first (see `all`) */
    EXPLORE_UNSUPPORTED, /* this mode cannot judge this property */
    EXPLORE_UNTESTED,    /* no run reaches a state in which the property is judged */
    EXPLORE_BEYOND,      /* runs go on beyond what a state of the model can hold */
    EXPLORE_COSTLY,      /* whether a step may come takes too long to evaluate in a state */
    EXPLORE_FAILED,      /* whether a step may come could not be evaluated in a state */
    EXPLORE_REFUSED,     /* whether steps are possible is not modelled in a state */
    EXPLORE_UNRESUMED,   /* the saved search does not fit the model */
    EXPLORE_OMISSION,    /* a lossy mode found no witness, which proves nothing */
};

struct statistics {
#define STATISTIC(name, type, unit, help) type name;
#include "explore/statistics.def"
#undef STATISTIC
};

/* What a progress callback sees, about every `progress_interval_ms`. */
struct explore_progress {
    uint64_t states;
    uint64_t transitions;
    uint64_t frontier; /* states of this level not yet expanded */
    uint32_t depth;
    uint64_t memory_bytes;
    double seconds;
    double states_per_second; /* since the last call */
};

struct explore_options {
    enum explore_mode mode;
    uint32_t threads;       /* at most; at least 1 */
    uint32_t parallel_from; /* levels of fewer states are left to one thread */
    /* How many of these threads may work at present; it is read before each level. NULL: all. */
    const atomic_uint *threads_now;
    bool all; /* decide every property; false: stop after the level with the first
                 violation (a found witness of REACHABLE is no violation) */

    /* The search ends when it finds one state more than this; that state is stored, too.
     * This does not depend on the number of threads. UINT64_MAX means no limit, also for
     * the limits below. */
    uint64_t states_most;
    uint32_t depth_most; /* steps from an initial state */
    uint64_t time_most_ms;
    uint64_t bitstate_bytes;    /* size of the bit field; 0: half of what the budget leaves,
                                   at most 1 GiB */
    uint32_t bitstate_hashes;   /* bits set per state; 0: 3 */
    bool orbit_paths;           /* find a path for a violation in a model with `orbit`, too */
    uint64_t lasso_effort_most; /* edges walked to shorten a lasso; 0: the first one found */

    /* A search that a limit or the user ends can be saved and gone on with later, by
     * the same program with the same model and the same properties: then all that
     * is reported is as if it had not been interrupted. `save_begin` gives the place
     * to write to, or NULL if nobody needs it; both run in the calling thread. */
    struct bytes_out *(*save_begin)(void *context, enum explore_reason reason);
    void (*save_end)(void *context);
    void *save_context;
    struct bytes_in *resume; /* what was saved; NULL: begin anew */
    /* Can the model have such a state? Asked of every state that was saved, because a file may have
     * anything in it; NULL: nobody knows. */
    bool (*is_sound)(void *context, const uint32_t *words, uint32_t length);
    void *sound_context;
    uint64_t segment_states; /* at most so many states are expanded again after a search is resumed;
                                0: the default */

    const atomic_bool *interrupted; /* may be NULL */
    /* Set by a model that cannot go on: the search ends as if it was interrupted, and
     * no path is replayed. NULL: the model can always go on. */
    const atomic_bool *model_failed;
    void (*progress)(void *context, const struct explore_progress *progress); /* may be NULL */
    void *progress_context;
    uint32_t progress_interval_ms;
    struct phases *phases; /* where time goes is added to these (phases.h); NULL: nobody asks */
};

void explore_options_init(struct explore_options *options);

/* One step of a path with the state it leads to. */
struct path_step {
    uint32_t index; /* in the order of `expand` */
    uint32_t action;
    uint32_t argument;
    uint32_t fairness;
    uint64_t marks;
};

/*
 * A run of the model: `step_count + 1` states and the steps between them.
 * State i is words[offsets[i] .. offsets[i + 1]). If `loops`, the steps from
 * `loop_from` to the end repeat for ever: the last state equals state
 * `loop_from` (or, if `loop_rests`, there are no such steps: the run rests in
 * its last state).
 */
struct run_path {
    uint32_t initial_index;
    uint32_t step_count;
    struct path_step *steps;
    uint32_t *words;
    size_t *offsets;
    bool loops;
    bool loop_rests;
    uint32_t loop_from;
};

struct property_result {
    const struct property *property;
    enum verdict verdict;
    enum explore_reason reason; /* if undecided */
    bool has_path;
    /* Counterexample of a violated property, witness of a REACHABLE that holds.
     * For STEP_INVARIANT the last step is the bad one. */
    struct run_path path;
    /* Of a violated liveness property: how many strongly connected components show
     * it; of the one that the loop lies in, the number of states and the atoms (of
     * those that liveness looks at) that all of them have. */
    uint64_t components;
    uint64_t component_states;
    uint64_t component_atoms;
    /* True if the property holds only because nothing that it is about occurred: p
     * of LEADS_TO, the marks or visited atoms of NO_CYCLE, the marks of
     * STEP_INVARIANT. */
    bool vacuous;
    /* True if the property holds when things that are alike share one fairness class,
     * but some cycle may be fair to each of these things although it is unfair to the
     * class (model.h, `class_is_shared`). */
    bool doubted;
};

struct exploration {
    enum verdict verdict;       /* violated if any is; else undecided if any is; else holds */
    enum explore_reason reason; /* what ended the search, if not all was explored */
    bool complete;              /* every reachable state was expanded */
    struct property_result *properties;
    uint32_t property_count;
    uint64_t *action_fired; /* steps explored of each action; 0 in a complete run: vacuous */
    uint32_t action_count;
    uint64_t atoms_seen; /* union over all states (if any property needs atoms) */
    uint64_t marks_seen; /* union over all steps */
    double omission_probability;
    struct statistics statistics;
    struct memory *memory;
};

/* Explores and judges. NULL only if there is not even memory for the result.
 * Free with explore_free. */
struct exploration *explore_run(const struct model *model, const struct explore_options *options,
                                struct memory *memory);
void explore_free(struct exploration *exploration);

/* For other searches with the same result: one of which nothing is decided (NULL: no memory), and
 * its verdict as a whole, once those of its properties are known. */
struct exploration *exploration_create(const struct model *model, struct memory *memory);
void exploration_summarise(struct exploration *result, enum explore_reason ended);

const char *verdict_name(enum verdict verdict); /* "holds", "violated", "undecided", ... */
const char *explore_reason_text(enum explore_reason reason);

#endif
