/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random systems of a few processes with shared variables: models whose states are
 * vectors of several words, and most of whose steps can be taken in any order.
 *
 * State: the shared variables, then one word a process, its local state.
 */
#ifndef FATHOM_TEST_NAIVE_RANDOM_PROCESSES_H
#define FATHOM_TEST_NAIVE_RANDOM_PROCESSES_H

#include "base/text.h"
#include "explore/model.h"

enum {
    PROCESSES_MOST = 4,
    PROCESS_RULES_MOST = 6,
    PROCESS_SHARED = 3,
    PROCESS_PROPERTIES = 5,
    PROCESS_ATOMS = 4,
    PROCESS_MARKS = 2,
};

/* If the local state is `at` and (unless it looks at nothing) a shared variable
 * has a value, go to `to` and (unless it sets nothing) set one. */
struct process_rule {
    uint32_t at, to;
    int32_t looks, value; /* looks -1: at nothing */
    int32_t sets, result; /* sets -1: nothing */
    uint32_t fairness;
    uint64_t marks;
};

struct process {
    struct process_rule rules[PROCESS_RULES_MOST];
    uint32_t rule_count;
};

struct random_processes {
    struct process processes[PROCESSES_MOST];
    uint32_t count;
    bool alike; /* all follow the first's rules */
    uint32_t class_count;
    struct property properties[PROCESS_PROPERTIES];
    struct model model;
};

void random_processes_draw(struct random_processes *processes, uint64_t seed);
const struct model *random_processes_model(struct random_processes *processes);
void random_processes_describe(const struct random_processes *processes, struct text *text);

#endif
