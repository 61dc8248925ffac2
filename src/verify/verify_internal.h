/* SPDX-License-Identifier: Apache-2.0 */
/* A verification at work, as the files of verify_run see it. */
#ifndef FATHOM_VERIFY_VERIFY_INTERNAL_H
#define FATHOM_VERIFY_VERIFY_INTERNAL_H

#include "base/vec.h"
#include "verify/explore_setup.h"

#include <pthread.h>

enum { WINDOW = 256 };

enum slot_state { SLOT_FREE, SLOT_TAKEN, SLOT_DONE };

struct setup_slot {
    enum slot_state state;
    bool crowded; /* others took of the memory meanwhile */
    struct setup_outcome outcome;
};

struct setup_worker {
    struct run *run;
    atomic_bool stop;
    atomic_uint_fast64_t states; /* of the setup in hand */
    uint64_t setup;              /* in hand; UINT64_MAX: none */
    uint64_t asked;              /* of it */
    bool in_vain;                /* the outcome is not needed any more */
    bool crowded;                /* another setup was in hand meanwhile */
    pthread_t thread;
    struct population_shelf shelf;
};

/* The results of the setups below `accepted`, which do not change any more. */
struct settled {
    bool taken;
    uint64_t accepted;
    uint64_t asked;
    uint64_t violated;
    uint64_t setups_explored, states, transitions;
    uint64_t applied, came;
    uint32_t depth;
    bool images_could_decide;
    struct verify_result *results;
};

struct run {
    struct memory *memory; /* of what is reported */
    const struct scope *scope;
    const struct check_intent *intents;
    uint32_t intent_count;
    const struct verify_options *options;
    struct population_options population; /* the options' */
    struct cover *cover;                  /* NULL: all setups are known before */
    struct verify_report *report;
    VEC(struct arena) kept; /* arenas of the stories that are reported */
    struct arena *arena;
    int64_t started;
    uint32_t threads;       /* that may work at the same time */
    struct memory explored; /* of the setups in hand */

    pthread_mutex_t mutex;
    pthread_cond_t changed;
    struct setup_slot slots[WINDOW];
    uint64_t accepted; /* setups, from the smallest on */
    uint64_t asked;    /* bit i: intent i is open */
    uint64_t open;     /* bit i: it is not known of all setups whether intent i holds */
    uint64_t violated;
    bool alone_in_process; /* true if no thread could be started */
    bool interrupted;
    bool ended;
    bool alone;              /* one setup needs all of the memory */
    uint32_t running;        /* setups in hand */
    atomic_uint threads_now; /* for each of them */
    struct setup_worker *workers;
    uint32_t worker_count;

    struct settled settled; /* before the outcome that ended the run early */

    /* By intent the smallest setup of another shard that violates it; UINT64_MAX: none is known. */
    uint64_t violated_elsewhere[64];
    uint64_t untellable; /* a setup whose known counterexamples cannot be told; UINT64_MAX: none */
};

static inline struct setup_slot *slot_of(struct run *run, uint64_t setup)
{
    return &run->slots[setup % WINDOW];
}

/* What setup number `setup` is asked; the rest is the caller's. */
static inline struct setup_query query_of(struct run *run, uint64_t setup, uint64_t asked)
{
    return (struct setup_query){
        .scope = run->scope,
        .setup = &run->report->setups.items[setup],
        .intents = run->intents,
        .intent_count = run->intent_count,
        .asked = asked,
        .told = ~run->violated,
        .modular = !run->options->whole,
        .coupled_alone = run->options->coupled_alone,
        .parts_for_sizes = run->report->sizes.asks_parts,
        .components_first = run->options->components_first,
        .pictures = run->options->pictures,
        .population = &run->population,
        .explorer = run->options->explorer,
        .unit = run->options->unit,
        .number = setup,
        .phases = run->options->phases,
    };
}

/* ---- keep_violations.c ---- */
/* Takes over the violations that are new. */
void keep_violations(struct run *run, const struct setup *setup, struct setup_outcome *outcome);

/* ---- search_beyond.c ---- */
/* Looks for violations of what is undecided, if the options ask for that. */
void search_beyond(struct run *run);

/* ---- verify_shard.c ---- */
/* Leaves the setups of the shard, if the run is one. */
void shard_take_setups(struct run *run);
/* Keeps the outcome of the setup that is accepted next. */
void shard_keep(struct run *run, const struct setup_outcome *outcome);
void shard_read_notes(struct run *run);
/* Bit i: a setup of another shard that is smaller than the next one violates intent i. */
uint64_t shard_violated_elsewhere(const struct run *run);
/* Are the known outcomes of the setups of this scope? */
bool shard_fits(const struct run *run);
/* What a shard found out about the setup; NULL: nothing that can be used. */
const struct shard_outcome *shard_known(const struct run *run, uint64_t setup);
/* The known outcome, with the counterexamples that are new. False: these cannot be told, and the
 * setup is not known any more. */
bool shard_recall(struct run *run, uint64_t setup, struct setup_outcome *outcome);

/* ---- verify_checkpoint.c ---- */
/* To be called before anything of the report changes by an outcome that ended early. */
void settle(struct run *run);
/* All that is settled goes into the checkpoint; the mutex is free. */
void save_settled(struct run *run);
/* The same from the checkpoint that the run goes on with. False: it does not fit. */
bool load_settled(struct run *run);

#endif
