/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/threads/crew.h"
#include "cluster/population.h"
#include "cluster/state/population_model.h"
#include "cluster/state/worker.h"
#include "cluster/threads/crew_internal.h"
#include "cluster/threads/numbering.h"
#include "cluster/threads/shelf.h"

#include <stddef.h>
#include <string.h>

/* Do the states of the checker have other numbers than the worker's? */
static bool translates(const struct crew_member *member)
{
    return member->crew->shares && member->crew->population->clock;
}

/* ---- the model ---- */

/* Takes the steps of a member's worker and hands them on in common numbers. */
struct translator {
    struct step_sink sink;
    struct step_sink *to;
    struct crew_member *member;
};

static bool translator_emit(struct step_sink *sink, const struct step *step)
{
    const struct translator *translator = (struct translator *)sink;
    struct crew_member *member = translator->member;
    struct step translated = *step;
    memcpy(member->next, step->words, step->length * sizeof(*step->words));
    numbered_to_common(&member->numbered, member->next);
    translated.words = member->next;
    return step_sink_emit(translator->to, &translated);
}

static void translator_enable(struct step_sink *sink, uint32_t fairness_class)
{
    step_sink_enable(((struct translator *)sink)->to, fairness_class);
}

static void translator_open(struct step_sink *sink, uint32_t gate)
{
    step_sink_open(((struct translator *)sink)->to, gate);
}

/* The state in the member's numbers; `room` is for a copy. */
static const uint32_t *own_words(struct crew_member *member, uint32_t *room, const uint32_t *words,
                                 uint32_t length)
{
    if (!member->crew->shares)
        return words;
    numbered_learn(&member->numbered, words, length);
    if (!translates(member))
        return words;
    memcpy(room, words, length * sizeof(*words));
    numbered_to_own(&member->numbered, room);
    return room;
}

static struct crew *crew_of(const struct model *model)
{
    return ((const struct crew *)model)->self;
}

/* The model that the crew explores, as the workers of its members know it. */
static const struct model *own_model(const struct crew_member *member)
{
    return population_model(member->crew->population);
}

static void crew_initial(const struct model *model, void *worker, struct step_sink *sink)
{
    struct crew_member *member = worker;
    struct translator translator = {
        {translator_emit, translator_enable, translator_open}, sink, member};
    own_model(member)->initial(model, member->numbered.worker,
                               translates(member) ? &translator.sink : sink);
}

static void crew_expand(const struct model *model, void *worker, const uint32_t *words,
                        uint32_t length, struct step_sink *sink)
{
    struct crew_member *member = worker;
    struct translator translator = {
        {translator_emit, translator_enable, translator_open}, sink, member};
    own_model(member)->expand(model, member->numbered.worker,
                              own_words(member, member->words, words, length), length,
                              translates(member) ? &translator.sink : sink);
}

static uint64_t crew_atoms(const struct model *model, void *worker, const uint32_t *words,
                           uint32_t length)
{
    struct crew_member *member = worker;
    return own_model(member)->atoms(model, member->numbered.worker,
                                    own_words(member, member->words, words, length), length);
}

static uint32_t crew_orbit(const struct model *model, void *worker, const uint32_t *words,
                           uint32_t length)
{
    struct crew_member *member = worker;
    return own_model(member)->orbit(model, member->numbered.worker,
                                    own_words(member, member->words, words, length), length);
}

static void crew_describe_state(const struct model *model, void *worker, const uint32_t *words,
                                uint32_t length, struct text *text)
{
    struct crew_member *member = worker;
    own_model(member)->describe_state(model, member->numbered.worker,
                                      own_words(member, member->words, words, length), length,
                                      text);
}

static void crew_describe_step(const struct model *model, void *worker, const uint32_t *from,
                               uint32_t from_length, const struct step *step, struct text *text)
{
    struct crew_member *member = worker;
    struct step translated = *step;
    translated.words = own_words(member, member->next, step->words, step->length);
    own_model(member)->describe_step(model, member->numbered.worker,
                                     own_words(member, member->words, from, from_length),
                                     from_length, &translated, text);
}

/* ---- members ---- */

/* Room for two states. */
static size_t room_bytes(const struct crew *crew)
{
    return 2 * sizeof(uint32_t) * population_model(crew->population)->length_most;
}

static bool member_init(struct crew_member *member, struct crew *crew, struct memory *memory,
                        struct worker *worker)
{
    member->crew = crew;
    member->numbered.numbering = &crew->numbering;
    member->numbered.worker = worker;
    member->words = memory_try_allocate(memory, room_bytes(crew));
    if (!worker || !member->words)
        return false;
    member->next = member->words + population_model(crew->population)->length_most;
    return true;
}

static void further_free(struct crew_member *member, struct memory *memory)
{
    if (member->numbered.worker)
        population_worker_free(member->numbered.worker);
    memory_release(memory, member->words, room_bytes(member->crew));
    memory_release(memory, member, sizeof(*member));
}

/* Takes the member out of the crew and keeps what it found out. */
static void crew_worker_free(const struct model *model, struct memory *memory, void *worker)
{
    struct crew *crew = crew_of(model);
    struct crew_member *member = worker;
    struct crew_member **at = &crew->others;
    if (member == &crew->first)
        return;
    pthread_mutex_lock(&crew->mutex);
    if (crew->found_more)
        findings_join(&crew->found, &member->numbered.worker->findings);
    else
        crew->found = member->numbered.worker->findings;
    crew->found_more = true;
    while (*at != member)
        at = &(*at)->other;
    *at = member->other;
    pthread_mutex_unlock(&crew->mutex);
    further_free(member, memory);
}

/* Each thread is one member. The thread that made the crew is always the first. */
static void *crew_worker_create(const struct model *model, struct memory *memory)
{
    struct crew *crew = crew_of(model);
    if (pthread_equal(crew->owner, pthread_self()))
        return &crew->first;
    struct crew_member *member = memory_try_allocate_zeroed(memory, sizeof(*member));
    if (!member)
        return NULL;
    if (!member_init(member, crew, memory, population_worker_create(crew->population, memory))) {
        further_free(member, memory);
        return NULL;
    }
    numbered_join(&member->numbered);
    pthread_mutex_lock(&crew->mutex);
    member->other = crew->others;
    crew->others = member;
    pthread_mutex_unlock(&crew->mutex);
    return member;
}

static void crew_before_threads(const struct model *model)
{
    struct crew *crew = crew_of(model);
    numbered_share(&crew->first.numbered);
    crew->shares = true;
}

/* ---- the crew ---- */

static void make_model(struct crew *crew)
{
    struct model *model = &crew->model;
    *model = *population_model(crew->population);
    model->worker_create = crew_worker_create;
    model->worker_free = crew_worker_free;
    model->before_threads = crew_before_threads;
    model->initial = crew_initial;
    model->expand = crew_expand;
    model->atoms = crew_atoms;
    model->describe_state = crew_describe_state;
    model->describe_step = crew_describe_step;
    model->orbit = model->orbit ? crew_orbit : NULL;
}

struct crew *crew_create(struct population_shelf *shelf, struct memory *memory,
                         const struct scope *scope, const struct setup *setup,
                         const struct check_intent *intents, uint32_t intent_count,
                         const struct population_options *options, struct problems *problems)
{
    struct crew *crew = memory_try_allocate(memory, sizeof(*crew));
    struct worker *worker = NULL;
    if (!crew)
        return NULL;
    memset(crew, 0, offsetof(struct crew, found)); /* findings are large, and seldom needed */
    crew->memory = memory;
    crew->shelf = shelf;
    crew->self = crew;
    crew->owner = pthread_self();
    numbering_init(&crew->numbering, memory);
    pthread_mutex_init(&crew->mutex, NULL);
    crew->population = population_take(shelf, memory, scope, setup, intents, intent_count, options,
                                       problems, &worker);
    if (!crew->population || !member_init(&crew->first, crew, memory, worker)) {
        crew_free(crew);
        return NULL;
    }
    make_model(crew);
    return crew;
}

void crew_free(struct crew *crew)
{
    struct memory *memory = crew->memory;
    if (crew->population) {
        memory_release(memory, crew->first.words, room_bytes(crew));
        population_put(crew->shelf, crew->population, crew->first.numbered.worker);
    }
    numbering_release(&crew->numbering);
    pthread_mutex_destroy(&crew->mutex);
    memory_release(memory, crew, sizeof(*crew));
}

const struct model *crew_model(const struct crew *crew)
{
    return &crew->model;
}

uint64_t crew_placement(const struct crew *crew)
{
    return population_placement(crew->population);
}

const struct population_findings *crew_findings(struct crew *crew)
{
    const struct population_findings *first = &crew->first.numbered.worker->findings;
    if (!crew->found_more && !crew->others)
        return first;
    crew->all = *first;
    if (crew->found_more)
        findings_join(&crew->all, &crew->found);
    for (const struct crew_member *member = crew->others; member; member = member->other)
        findings_join(&crew->all, &member->numbered.worker->findings);
    return &crew->all;
}

void crew_add_findings(struct crew *crew, const struct population_findings *found)
{
    findings_join(&crew->first.numbered.worker->findings, found);
}

struct worker *crew_worker(const struct crew *crew)
{
    return crew->first.numbered.worker;
}

void crew_localise(struct crew *crew, uint32_t *words, uint32_t length)
{
    if (!crew->shares)
        return;
    numbered_learn(&crew->first.numbered, words, length);
    numbered_to_own(&crew->first.numbered, words);
}
