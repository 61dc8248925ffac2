/* SPDX-License-Identifier: Apache-2.0 */
/* Rules drawn at random. */
#include "naive/random_processes.h"

#include "base/hash.h"
#include "naive/random_system.h"

#include <inttypes.h>
#include <string.h>

enum { LOCALS = 4, VALUES = 2 };
enum { ATOM_FIRST_VARIABLE = 1, ATOM_SECOND_VARIABLE = 2, ATOM_SOMEONE_LAST = 4, ATOM_END = 8 };

/* ---- drawing ---- */

/* `climbs`: local states only rise, so that the process ends. `shy`: it rarely
 * looks at or sets what is shared, so that its steps come in every order. */
static struct process_rule draw_rule(const struct random_processes *processes, uint64_t *seed,
                                     bool climbs, bool shy)
{
    struct process_rule rule = {.looks = -1, .sets = -1, .at = random_below(seed, LOCALS)};
    rule.to = random_below(seed, LOCALS);
    if (climbs && rule.to <= rule.at) {
        rule.at = random_below(seed, LOCALS - 1);
        rule.to = rule.at + 1;
    }
    if (random_chance(seed, shy ? 5 : 50)) {
        rule.looks = (int32_t)random_below(seed, PROCESS_SHARED);
        rule.value = (int32_t)random_below(seed, VALUES);
    }
    if (random_chance(seed, shy ? 5 : 40)) {
        rule.sets = (int32_t)random_below(seed, PROCESS_SHARED);
        rule.result = (int32_t)random_below(seed, VALUES);
    }
    rule.fairness = processes->class_count > 0 && random_chance(seed, 80)
                        ? random_below(seed, processes->class_count)
                        : (random_chance(seed, 70) ? FAIRNESS_NONE : FAIRNESS_OPTIONAL);
    if (random_chance(seed, shy ? 3 : 15))
        rule.marks = UINT64_C(1) << random_below(seed, PROCESS_MARKS);
    return rule;
}

void random_processes_draw(struct random_processes *processes, uint64_t seed)
{
    memset(processes, 0, sizeof(*processes));
    seed = hash_word(seed + 77);
    processes->count = 2 + random_below(&seed, PROCESSES_MOST - 1);
    processes->alike = random_chance(&seed, 50);
    processes->class_count = random_below(&seed, 4);
    for (uint32_t i = 0; i < processes->count; i++) {
        struct process *process = &processes->processes[i];
        const bool climbs = random_chance(&seed, 50);
        const bool shy = random_chance(&seed, 50);
        process->rule_count = 1 + random_below(&seed, PROCESS_RULES_MOST);
        for (uint32_t r = 0; r < process->rule_count; r++)
            process->rules[r] = draw_rule(processes, &seed, climbs, shy);
        if (processes->alike && i > 0)
            *process = processes->processes[0];
    }
    for (uint32_t i = 0; i < PROCESS_PROPERTIES; i++)
        processes->properties[i] = random_property(&seed, PROCESS_ATOMS, PROCESS_MARKS);
}

/* ---- the model ---- */

static void expand_process(const struct model *model, void *worker, uint32_t i,
                           const uint32_t *words, uint32_t length, struct step_sink *sink)
{
    (void)worker;
    const struct random_processes *processes = model->context;
    const struct process *process = &processes->processes[i];
    for (uint32_t r = 0; r < process->rule_count; r++) {
        const struct process_rule *rule = &process->rules[r];
        if (words[PROCESS_SHARED + i] != rule->at ||
            (rule->looks >= 0 && words[rule->looks] != (uint32_t)rule->value))
            continue;
        uint32_t next[PROCESS_SHARED + PROCESSES_MOST];
        memcpy(next, words, length * sizeof(*next));
        next[PROCESS_SHARED + i] = rule->to;
        if (rule->sets >= 0)
            next[rule->sets] = (uint32_t)rule->result;
        step_sink_emit(sink, &(struct step){.words = next,
                                            .length = length,
                                            .argument = i,
                                            .fairness = rule->fairness,
                                            .marks = rule->marks});
    }
}

static void expand(const struct model *model, void *worker, const uint32_t *words, uint32_t length,
                   struct step_sink *sink)
{
    const struct random_processes *processes = model->context;
    for (uint32_t i = 0; i < processes->count; i++)
        expand_process(model, worker, i, words, length, sink);
}

static void initial(const struct model *model, void *worker, struct step_sink *sink)
{
    (void)worker;
    const uint32_t words[PROCESS_SHARED + PROCESSES_MOST] = {0};
    step_sink_emit(sink, &(struct step){.words = words, .length = model->length_most});
}

static uint64_t atoms(const struct model *model, void *worker, const uint32_t *words,
                      uint32_t length)
{
    (void)model;
    (void)worker;
    uint64_t result =
        (words[0] ? ATOM_FIRST_VARIABLE : 0U) | (words[1] ? ATOM_SECOND_VARIABLE : 0U);
    for (uint32_t i = PROCESS_SHARED; i < length; i++)
        if (words[i] == LOCALS - 1)
            result |= ATOM_SOMEONE_LAST | ATOM_END;
    return result;
}

const struct model *random_processes_model(struct random_processes *processes)
{
    static const char *const actions[] = {"go"};
    processes->model = (struct model){
        .name = "processes",
        .context = processes,
        .length_least = PROCESS_SHARED + processes->count,
        .length_most = PROCESS_SHARED + processes->count,
        .actions = actions,
        .action_count = 1,
        .fairness_class_count = processes->class_count,
        .atom_count = PROCESS_ATOMS,
        .mark_count = PROCESS_MARKS,
        .end_atoms = ATOM_END,
        .properties = processes->properties,
        .property_count = PROCESS_PROPERTIES,
        .initial = initial,
        .expand = expand,
        .atoms = atoms,
    };
    return &processes->model;
}

void random_processes_describe(const struct random_processes *processes, struct text *text)
{
    text_printf(text, "%u processes%s, %u classes\n", processes->count,
                processes->alike ? " alike" : "", processes->class_count);
    for (uint32_t i = 0; i < processes->count; i++) {
        for (uint32_t r = 0; r < processes->processes[i].rule_count; r++) {
            const struct process_rule *rule = &processes->processes[i].rules[r];
            text_printf(text,
                        "  process %u: %u -> %u if [%d] = %d then [%d] = %d, class %d, marks "
                        "%#" PRIx64 "\n",
                        i, rule->at, rule->to, rule->looks, rule->value, rule->sets, rule->result,
                        (int32_t)rule->fairness, rule->marks);
        }
    }
}
