/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a model is: all that the checker core ever sees of what it checks.
 *
 * A model is an immutable description (`struct model`) with two hot functions:
 * `initial` emits the initial states, `expand` emits every step out of one
 * state. It is shared by all threads and never written; what a call needs for
 * scratch it keeps in a worker, made by `worker_create`, one per thread. So
 * expansion is thread-safe with no globals and no locks.
 *
 *     static void expand(const struct model *model, void *worker, const uint32_t *words,
 *                        uint32_t length, struct step_sink *sink)
 *     {
 *         uint32_t next[1] = {(words[0] + 1) % 60};
 *         step_sink_emit(sink, &(struct step){.words = next, .length = 1, .action = TICK,
 *                                             .fairness = FAIRNESS_NONE});
 *     }
 *
 * STATES. A state is a vector of 32-bit words, of a length between
 * `length_least` and `length_most` (if both are equal no length is stored).
 * Two states are equal iff they have the same length and words. Words rather
 * than bytes: they keep vectors aligned, one comparison covers four bytes, and
 * they are the leaves of the store's tree compression. Put what changes
 * together into neighbouring words and pack small fields into one word; the
 * store shares equal pairs of words, pairs of pairs and so on.
 *
 * STEPS. `expand` emits the same steps in the same order for the same state,
 * always, on every thread: a path is a list of indices into that order, and the
 * counterexample reported is the one that is first in it. The order must follow
 * from the state's meaning; if words hold ids that are interned while the
 * search runs (so that they depend on which thread came first), order by
 * content, not by id. Enumerating and applying is one pass because models that
 * derive data from a state (free resources, scores) do so once per state.
 * One expansion may emit the same successor twice (different actions); both
 * count as transitions.
 *
 * FAIRNESS. A step belongs to a fairness class (a small number, one for each
 * controller, process or queue that is promised its turn), or to none:
 *   a class            weak fairness: a run is fair to class c unless from some
 *                      point on c is enabled in every state and never taken;
 *   FAIRNESS_NONE      no promise for this step, but *some* step is taken where
 *                      there is one (a run does not stop in such a state);
 *   FAIRNESS_OPTIONAL  an outside event, which may never come: a run may rest
 *                      for ever in a state all of whose steps are optional.
 * A class may be behind a gate (`class_gate`): whoever has its turn looks only at states in
 * which the gate is open (a cluster that rests), which `step_sink_open` says. A run is fair to
 * such a class unless from some point on the gate is open again and again, c is enabled
 * whenever it is, and c is never taken. Where a gate is open, all gates before it are. A class
 * is enabled in a state iff the state has a step of the class, or the model says so by
 * `step_sink_enable` (needed when `expand` leaves out steps that it postpones: enabled is what
 * is true, not what is explored). A turn that changes nothing counts as taken. It may be
 * emitted as a step back to the same state or, cheaper and with the same verdict, left out:
 * being served without effect and having nothing to do are the same for fairness. A model that
 * leaves it out in a state without other steps marks that state as an end (`end_atoms`) if it
 * is no deadlock. A finite maximal run counts as resting for ever in its last state.
 *
 * ATOMS AND MARKS. Properties speak of two bit masks: `atoms(state)`, named
 * predicates of a state, evaluated once for each stored state, and `marks` of a
 * step, named predicates of a step, given by the model with the step. At most
 * 64 of each. Properties are data over them (see `enum property_kind`).
 *
 * FINITE STEPS. A model may leave out of its states how often something has happened that happens
 * a bounded number of times (an outside event). Its runs are then those that take each such step
 * finitely often: the model says so by marks (`finite_marks`). A run that violates liveness goes
 * round without steps that bear one of them, whatever it took before. (`Always possible` speaks of
 * finite runs, which may take any step.)
 *
 * Ownership: the model's tables and names belong to whoever built it and live as long as
 * it is used. The words of a step are read before `step_sink_emit` returns and may be
 * overwritten afterwards.
 */
#ifndef FATHOM_EXPLORE_MODEL_H
#define FATHOM_EXPLORE_MODEL_H

#include "base/memory.h"
#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    MODEL_LENGTH_MOST = 65535,
    MODEL_ATOMS_MOST = 64,
    MODEL_MARKS_MOST = 64,
    MODEL_GATES_MOST = 2
};

#define FAIRNESS_NONE     UINT32_MAX
#define FAIRNESS_OPTIONAL (UINT32_MAX - 1)
#define GATE_NONE         UINT32_MAX

struct model;

/* One step out of a state, or (action, argument, fairness and marks ignored)
 * one initial state. */
struct step {
    const uint32_t *words; /* the successor */
    uint32_t length;
    uint32_t action;   /* index into the model's action names */
    uint32_t argument; /* what else describe_step needs to know: which pod, which node */
    uint32_t fairness; /* a class, FAIRNESS_NONE or FAIRNESS_OPTIONAL */
    uint64_t marks;
};

/* Where steps go. The first member of whatever the receiver needs. */
struct step_sink {
    bool (*emit)(struct step_sink *sink, const struct step *step);
    /* NULL: the receiver does not ask which classes are enabled. */
    void (*enable)(struct step_sink *sink, uint32_t fairness_class);
    /* NULL: the receiver does not ask which gates are open. */
    void (*open)(struct step_sink *sink, uint32_t gate);
};

/* Hands one step over. False when the receiver wants no more (a limit is
 * reached): the model may stop early, but need not. */
static inline bool step_sink_emit(struct step_sink *sink, const struct step *step)
{
    return sink->emit(sink, step);
}

/* Declares a class enabled although no step of it is emitted here. */
static inline void step_sink_enable(struct step_sink *sink, uint32_t fairness_class)
{
    if (sink->enable)
        sink->enable(sink, fairness_class);
}

/* Declares a gate open in this state. */
static inline void step_sink_open(struct step_sink *sink, uint32_t gate)
{
    if (sink->open)
        sink->open(sink, gate);
}

/* A conjunction of literals over the atoms of a state. All zero: always true. */
struct literals {
    uint64_t all;  /* every one of these atoms */
    uint64_t none; /* none of these */
};

static inline bool literals_hold(const struct literals *literals, uint64_t atoms)
{
    return (atoms & literals->all) == literals->all && (atoms & literals->none) == 0;
}

/*
 * What a property says of every run from every initial state. Liveness is
 * judged over the runs that are weakly fair to every class, unless
 * `without_fairness` is set (then over all runs).
 */
enum property_kind {
    PROPERTY_INVARIANT,         /* p holds in every reachable state */
    PROPERTY_STEP_INVARIANT,    /* no reachable step bears any of `marks` */
    PROPERTY_DEADLOCK_FREE,     /* every reachable state has a step or one of the end atoms */
    PROPERTY_REACHABLE,         /* p holds in some reachable state (the path is a witness) */
    PROPERTY_EVENTUALLY,        /* every run comes to a state with p */
    PROPERTY_EVENTUALLY_ALWAYS, /* every run comes to a point from which p holds for ever */
    PROPERTY_ALWAYS_EVENTUALLY, /* every run has p again and again */
    PROPERTY_LEADS_TO,          /* after every state with p comes (or it is one) a state with q */
    /* There is no run whose repeated part has every mark of `marks` and every
     * atom of `visits` again and again, no step with a mark of `avoids`, and p
     * in all its states ('evicts for ever, without an outside event'). */
    PROPERTY_NO_CYCLE,
    /* From every reachable state some run leads to a state with p (AG EF p, of
     * branching time: nobody has to take that run). Fairness has no say. */
    PROPERTY_ALWAYS_POSSIBLE,
};

struct property {
    const char *name;
    enum property_kind kind;
    struct literals p;
    struct literals q;     /* LEADS_TO */
    uint64_t marks;        /* STEP_INVARIANT, NO_CYCLE */
    uint64_t avoids;       /* NO_CYCLE: marks */
    uint64_t visits;       /* NO_CYCLE: atoms */
    bool without_fairness; /* liveness only */
};

struct model {
    const char *name;
    const void *context; /* the model's own data, read only */

    uint32_t length_least, length_most; /* words of a state */

    const char *const *actions; /* names */
    uint32_t action_count;
    const char *const *fairness_classes; /* names; may be NULL even if there are classes */
    uint32_t fairness_class_count;
    /* Optional: does the class belong to several things that the states do not distinguish,
     * each of which is promised turns of its own? The class may then be enabled all the time
     * although each thing is only enabled now and then, so that a run that never takes the
     * class is fair to each of them. A property that holds only because such runs count as
     * unfair is `doubted`; a model that distinguishes one of the things (`orbit`) decides it.
     * (A step from a state to itself has to leave each of the things as it is.) */
    bool (*class_is_shared)(const struct model *model, uint32_t fairness_class);
    /* Optional: the gate that the class is behind, below `gate_count`; GATE_NONE: none. */
    uint32_t (*class_gate)(const struct model *model, uint32_t fairness_class);
    uint32_t gate_count;
    const char *const *atom_names; /* may be NULL */
    uint32_t atom_count;
    const char *const *mark_names; /* may be NULL */
    uint32_t mark_count;
    uint64_t end_atoms;    /* a state with one of these may have no steps */
    uint64_t finite_marks; /* a run takes steps with one of these finitely often */

    const struct property *properties;
    uint32_t property_count;

    /* Scratch of one thread; both may be NULL if none is needed. NULL from
     * worker_create means out of memory (undecided). */
    void *(*worker_create)(const struct model *model, struct memory *memory);
    void (*worker_free)(const struct model *model, struct memory *memory, void *worker);
    /* Called once, while a single thread uses the model, before several do; may be
     * NULL. Workers of further threads are created by these threads. */
    void (*before_threads)(const struct model *model);

    void (*initial)(const struct model *model, void *worker, struct step_sink *sink);
    void (*expand)(const struct model *model, void *worker, const uint32_t *words, uint32_t length,
                   struct step_sink *sink);
    /* May be NULL: no atoms. */
    uint64_t (*atoms)(const struct model *model, void *worker, const uint32_t *words,
                      uint32_t length);

    /* One line without a newline each; may be NULL. */
    void (*describe_state)(const struct model *model, void *worker, const uint32_t *words,
                           uint32_t length, struct text *text);
    void (*describe_step)(const struct model *model, void *worker, const uint32_t *from,
                          uint32_t from_length, const struct step *step, struct text *text);

    /* Optional, for a model that distinguishes one of several things that are alike, so that
     * fairness to this one can be judged; there is an initial state for each choice of the
     * thing. Gives the number of the state's orbit: the states that differ only in which thing
     * is distinguished. A cycle is a violation only if it is fair to each of the things
     * (cycle.h). Steps of the others have FAIRNESS_NONE, because each of them is the
     * distinguished one in some other state. Violations have paths only if the options ask for
     * them. */
    uint32_t (*orbit)(const struct model *model, void *worker, const uint32_t *words,
                      uint32_t length);
};

static inline uint32_t model_gate(const struct model *model, uint32_t fairness_class)
{
    return model->class_gate ? model->class_gate(model, fairness_class) : GATE_NONE;
}

#endif
