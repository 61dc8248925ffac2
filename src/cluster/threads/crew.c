/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/threads/crew.h"
#include "base/error.h"
#include "base/word_lists.h"
#include "cluster/actor/actor.h"
#include "cluster/intent/intent.h"
#include "cluster/population.h"
#include "cluster/state/classes.h"
#include "cluster/state/clock.h"
#include "cluster/state/configs.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/story/story_internal.h"
#include "cluster/threads/shelf.h"

#include <pthread.h>
#include <string.h>

enum { UNKNOWN = UINT32_MAX };

/* What a state has numbers of. */
enum table { TABLE_CONFIGS, TABLE_MEMORIES, TABLE_COHORTS, TABLE_NODE_COHORTS, TABLE_COUNT };

typedef VEC(uint32_t) number_list;

struct member {
    struct crew *crew;
    struct population *population;
    /* Of the tables but the configs', whose numbers are common ones in every catalog. */
    number_list common[TABLE_COUNT]; /* by own number */
    number_list own[TABLE_COUNT];    /* by common number */
    uint32_t *words;                 /* of a state, in own numbers */
    uint32_t *next;                  /* of a successor, in common numbers */
    struct arena arena;
    struct problems problems; /* of its making; the first one's are the caller's */
    struct member *other;     /* of those that are not the first */
};

struct findings {
    bool judged;
    bool overflowed;
    bool needs_all;
};

struct crew {
    struct memory *memory;
    struct population_shelf *shelf; /* the first one's place; may be NULL */
    const struct check_intent *intents;
    uint32_t intent_count;
    struct model model;
    struct member first;
    pthread_t owner;
    bool shares; /* several threads are at work */

    pthread_mutex_t mutex; /* guards the rest while they are */
    struct arena arena;
    struct word_lists tables[TABLE_COUNT];
    struct member *others;
    struct findings found; /* of members that are gone */
};

/* ---- what numbers stand for ---- */

enum { CONFIG_HEAD_WORDS = 4 };

static struct word_lists *own_lists(struct population *population, enum table table)
{
    struct clock *clock = population->clock;
    return table == TABLE_MEMORIES  ? &clock->memories
           : table == TABLE_COHORTS ? &clock->cohorts
                                    : &clock->node_cohorts;
}

static uint32_t own_count(struct population *population, enum table table)
{
    if (table == TABLE_CONFIGS)
        return population->catalog->configs.count;
    return population->clock ? own_lists(population, table)->count : 0;
}

/* The lists of a config lie behind one another. */
static struct word_list content_of_config(struct arena *arena, const struct node_config *config)
{
    const uint32_t entries = config_entry_count(config) + config->nominated_entry_count;
    uint32_t *words = ARENA_ARRAY(arena, uint32_t, CONFIG_HEAD_WORDS + 2 * (size_t)entries);
    words[0] = config->template->id;
    words[1] = config->pod_entry_count;
    words[2] = config->waiting_entry_count;
    words[3] = config->nominated_entry_count;
    for (uint32_t i = 0; i < entries; i++) {
        words[CONFIG_HEAD_WORDS + 2 * i] = config->pods[i].pod;
        words[CONFIG_HEAD_WORDS + 2 * i + 1] = config->pods[i].count;
    }
    return (struct word_list){words, CONFIG_HEAD_WORDS + 2 * entries};
}

/* `arena` is only needed for a while. */
static struct word_list content_of(struct arena *arena, struct population *population,
                                   enum table table, uint32_t number)
{
    if (table == TABLE_CONFIGS)
        return content_of_config(arena, population->catalog->configs.items[number]);
    return own_lists(population, table)->items[number];
}

static uint32_t intern_config(struct population *population, const struct word_list *content)
{
    const struct pod_count *pods =
        (const struct pod_count *)(const void *)(content->words + CONFIG_HEAD_WORDS);
    const uint32_t *head = content->words;
    for (uint32_t i = 0; i < head[1] + head[2] + head[3]; i++)
        class_make(population, pods[i].pod);
    population->nominates |= head[3] > 0;
    return catalog_intern_config_waiting(population->catalog, head[0], pods, head[1],
                                         pods + head[1] + head[2], head[3], pods + head[1],
                                         head[2]);
}

static uint32_t intern(struct population *population, enum table table,
                       const struct word_list *content)
{
    if (table == TABLE_CONFIGS)
        return intern_config(population, content);
    return words_intern(&population->arena, own_lists(population, table), content->words,
                        content->count);
}

/* ---- common numbers ---- */

static uint32_t number_in_common(struct crew *crew, enum table table,
                                 const struct word_list *content)
{
    pthread_mutex_lock(&crew->mutex);
    const uint32_t common =
        words_intern(&crew->arena, &crew->tables[table], content->words, content->count);
    pthread_mutex_unlock(&crew->mutex);
    return common;
}

static struct word_list content_in_common(struct crew *crew, enum table table, uint32_t common)
{
    pthread_mutex_lock(&crew->mutex);
    const struct word_list content = crew->tables[table].items[common];
    pthread_mutex_unlock(&crew->mutex);
    return content;
}

/* Of a config that is new to the member's catalog. */
static uint32_t number_config(void *context, const struct node_config *config)
{
    struct member *member = context;
    const struct arena_mark mark = arena_mark(&member->arena);
    const struct word_list content = content_of_config(&member->arena, config);
    const uint32_t common = number_in_common(member->crew, TABLE_CONFIGS, &content);
    arena_rewind(&member->arena, mark);
    return common;
}

/* What is in the first one's catalog so far has its number in common, and what comes
 * will have. */
static void share_configs(struct member *member)
{
    struct catalog *catalog = member->population->catalog;
    for (uint32_t i = 0; i < catalog->configs.count; i++)
        if (number_config(member, catalog->configs.items[i]) != i)
            bug("node config %u has another number elsewhere", i);
    catalog->number_config = number_config;
    catalog->number_context = member;
}

static void learn_config(struct member *member, uint32_t number)
{
    const struct word_list content = content_in_common(member->crew, TABLE_CONFIGS, number);
    if (intern_config(member->population, &content) != number)
        bug("node config %u is given another number", number);
}

static void learn_configs(struct member *member, const uint32_t *words, uint32_t length)
{
    const struct population *population = member->population;
    for (uint32_t n = population->word_of_nodes; n < length; n++) {
        const uint32_t config = node_unpack(population, words[n]).config;
        if (!catalog_has_config(population->catalog, config))
            learn_config(member, config);
    }
}

/* ---- translation ---- */

static uint32_t number_at(const number_list *numbers, uint32_t at)
{
    return at < numbers->count ? numbers->items[at] : UNKNOWN;
}

static void put_number(struct population *population, number_list *numbers, uint32_t at,
                       uint32_t number)
{
    while (numbers->count <= at)
        VEC_PUSH(&population->arena, numbers, UNKNOWN);
    numbers->items[at] = number;
}

static void learn(struct member *member, enum table table, uint32_t own, uint32_t common)
{
    put_number(member->population, &member->common[table], own, common);
    put_number(member->population, &member->own[table], common, own);
}

static uint32_t to_common(struct member *member, enum table table, uint32_t own)
{
    const uint32_t known = number_at(&member->common[table], own);
    if (known != UNKNOWN)
        return known;
    const uint32_t common =
        number_in_common(member->crew, table, &own_lists(member->population, table)->items[own]);
    learn(member, table, own, common);
    return common;
}

static uint32_t to_own(struct member *member, enum table table, uint32_t common)
{
    const uint32_t known = number_at(&member->own[table], common);
    if (known != UNKNOWN)
        return known;
    const struct word_list content = content_in_common(member->crew, table, common);
    const uint32_t own = intern(member->population, table, &content);
    learn(member, table, own, common);
    return own;
}

/* Only of populations with a clock. */
static void translate(struct member *member, uint32_t *words,
                      uint32_t (*number)(struct member *, enum table, uint32_t))
{
    const struct population *population = member->population;
    uint32_t *clocks = words + population->word_of_clocks;
    for (uint32_t a = 0; a < population->autoscalers.count; a++)
        clocks[2 * a + 1] = number(member, TABLE_MEMORIES, clocks[2 * a + 1]);
    uint32_t *cohorts = clocks + clock_word_count(population) - 2;
    cohorts[0] = number(member, TABLE_COHORTS, cohorts[0]);
    cohorts[1] = number(member, TABLE_NODE_COHORTS, cohorts[1]);
}

static bool translates(const struct member *member)
{
    return member->crew->shares && member->population->clock;
}

/* ---- the model ---- */

/* Takes the steps of a member's population and hands them on in common numbers. */
struct translator {
    struct step_sink sink;
    struct step_sink *to;
    struct member *member;
};

static bool translator_emit(struct step_sink *sink, const struct step *step)
{
    const struct translator *translator = (struct translator *)sink;
    struct member *member = translator->member;
    struct step translated = *step;
    memcpy(member->next, step->words, step->length * sizeof(*step->words));
    translate(member, member->next, to_common);
    translated.words = member->next;
    return step_sink_emit(translator->to, &translated);
}

static void translator_enable(struct step_sink *sink, uint32_t fairness_class)
{
    step_sink_enable(((struct translator *)sink)->to, fairness_class);
}

static const uint32_t *own_words(struct member *member, const uint32_t *words, uint32_t length)
{
    if (!member->crew->shares)
        return words;
    learn_configs(member, words, length);
    if (!translates(member))
        return words;
    memcpy(member->words, words, length * sizeof(*words));
    translate(member, member->words, to_own);
    return member->words;
}

static void crew_initial(const struct model *model, void *worker, struct step_sink *sink)
{
    struct member *member = worker;
    const struct model *own = population_model(member->population);
    struct translator translator = {{translator_emit, translator_enable}, sink, member};
    (void)model;
    own->initial(own, NULL, translates(member) ? &translator.sink : sink);
}

static void crew_expand(const struct model *model, void *worker, const uint32_t *words,
                        uint32_t length, struct step_sink *sink)
{
    struct member *member = worker;
    const struct model *own = population_model(member->population);
    struct translator translator = {{translator_emit, translator_enable}, sink, member};
    (void)model;
    own->expand(own, NULL, own_words(member, words, length), length,
                translates(member) ? &translator.sink : sink);
}

static uint64_t crew_atoms(const struct model *model, void *worker, const uint32_t *words,
                           uint32_t length)
{
    struct member *member = worker;
    const struct model *own = population_model(member->population);
    (void)model;
    return own->atoms(own, NULL, own_words(member, words, length), length);
}

static bool crew_class_is_shared(const struct model *model, uint32_t fairness_class)
{
    const struct crew *crew = model->context;
    const struct model *own = population_model(crew->first.population);
    return own->class_is_shared(own, fairness_class);
}

static void crew_describe_state(const struct model *model, void *worker, const uint32_t *words,
                                uint32_t length, struct text *text)
{
    struct member *member = worker;
    const struct model *own = population_model(member->population);
    (void)model;
    own->describe_state(own, NULL, own_words(member, words, length), length, text);
}

static void crew_describe_step(const struct model *model, void *worker, const uint32_t *from,
                               uint32_t from_length, const struct step *step, struct text *text)
{
    struct member *member = worker;
    const struct model *own = population_model(member->population);
    struct step translated = *step;
    (void)model;
    if (member->crew->shares)
        learn_configs(member, step->words, step->length);
    if (translates(member)) {
        memcpy(member->next, step->words, step->length * sizeof(*step->words));
        translate(member, member->next, to_own);
        translated.words = member->next;
    }
    own->describe_step(own, NULL, own_words(member, from, from_length), from_length, &translated,
                       text);
}

/* ---- members ---- */

static bool member_init(struct member *member, struct crew *crew, struct memory *memory,
                        struct population *population)
{
    const size_t bytes = (size_t)population_model(population)->length_most * sizeof(uint32_t);
    member->crew = crew;
    member->population = population;
    member->words = memory_try_allocate(memory, bytes);
    member->next = memory_try_allocate(memory, bytes);
    return member->words && member->next;
}

static void add_findings(struct findings *found, const struct population *population)
{
    found->judged |= population_judged(population);
    found->overflowed |= population_overflowed(population);
    found->needs_all |= population_needs_all(population);
}

static void member_release(struct member *member, struct memory *memory)
{
    struct crew *crew = member->crew;
    if (!member->population)
        return;
    const size_t bytes =
        (size_t)population_model(member->population)->length_most * sizeof(uint32_t);
    memory_release(memory, member->words, bytes);
    memory_release(memory, member->next, bytes);
    pthread_mutex_lock(&crew->mutex);
    add_findings(&crew->found, member->population);
    for (struct member **at = &crew->others; *at; at = &(*at)->other)
        if (*at == member) {
            *at = member->other;
            break;
        }
    pthread_mutex_unlock(&crew->mutex);
    population_put(member == &crew->first ? crew->shelf : NULL, member->population);
}

static void crew_worker_free(const struct model *model, struct memory *memory, void *worker)
{
    struct member *member = worker;
    (void)model;
    if (member == &member->crew->first)
        return;
    member_release(member, memory);
    arena_release(&member->arena);
    memory_release(memory, member, sizeof(*member));
}

/* One thread is one member: it has its population already until others come. */
static void *crew_worker_create(const struct model *model, struct memory *memory)
{
    struct crew *crew = (struct crew *)(uintptr_t)model->context;
    const struct population *first = crew->first.population;
    if (pthread_equal(crew->owner, pthread_self()))
        return &crew->first;
    struct member *member = memory_try_allocate_zeroed(memory, sizeof(*member));
    if (!member)
        return NULL;
    member->crew = crew;
    arena_init(&member->arena, memory);
    problems_init(&member->problems, &member->arena);
    struct population_options options = first->options;
    options.number_config = number_config;
    options.number_context = member;
    options.begins_elsewhere = true;
    struct population *population =
        population_create(memory, first->scope, first->setup, crew->intents, crew->intent_count,
                          &options, &member->problems);
    if (population && member_init(member, crew, memory, population)) {
        pthread_mutex_lock(&crew->mutex);
        member->other = crew->others;
        crew->others = member;
        pthread_mutex_unlock(&crew->mutex);
        return member;
    }
    crew_worker_free(model, memory, member);
    return NULL;
}

static void crew_before_threads(const struct model *model)
{
    struct crew *crew = (struct crew *)(uintptr_t)model->context;
    struct population *population = crew->first.population;
    share_configs(&crew->first);
    for (enum table table = TABLE_CONFIGS + 1; table < TABLE_COUNT; table++) {
        for (uint32_t i = 0; i < own_count(population, table); i++)
            if (to_common(&crew->first, table, i) != i)
                bug("number %u of table %d is given twice", i, (int)table);
    }
    crew->shares = true;
}

struct crew *crew_create(struct population_shelf *shelf, struct memory *memory,
                         const struct scope *scope, const struct setup *setup,
                         const struct check_intent *intents, uint32_t intent_count,
                         const struct population_options *options, struct problems *problems)
{
    struct crew *crew = memory_try_allocate_zeroed(memory, sizeof(*crew));
    if (!crew)
        return NULL;
    crew->memory = memory;
    crew->shelf = shelf;
    crew->intents = intents;
    crew->intent_count = intent_count;
    crew->owner = pthread_self();
    crew->first.crew = crew;
    arena_init(&crew->first.arena, memory);
    arena_init(&crew->arena, memory);
    pthread_mutex_init(&crew->mutex, NULL);
    struct population *population =
        population_take(shelf, memory, scope, setup, intents, intent_count, options, problems);
    if (!population || !member_init(&crew->first, crew, memory, population)) {
        crew_free(crew);
        return NULL;
    }
    crew->model = *population_model(population);
    crew->model.context = crew;
    crew->model.worker_create = crew_worker_create;
    crew->model.worker_free = crew_worker_free;
    crew->model.before_threads = crew_before_threads;
    crew->model.initial = crew_initial;
    crew->model.expand = crew_expand;
    crew->model.atoms = crew_atoms;
    crew->model.class_is_shared = crew_class_is_shared;
    crew->model.describe_state = crew_describe_state;
    crew->model.describe_step = crew_describe_step;
    return crew;
}

void crew_free(struct crew *crew)
{
    struct memory *memory = crew->memory;
    member_release(&crew->first, memory);
    arena_release(&crew->first.arena);
    arena_release(&crew->arena);
    pthread_mutex_destroy(&crew->mutex);
    memory_release(memory, crew, sizeof(*crew));
}

const struct model *crew_model(const struct crew *crew)
{
    return &crew->model;
}

/* Nobody is at work. */
static struct findings findings_of(const struct crew *crew)
{
    struct findings found = crew->found;
    add_findings(&found, crew->first.population);
    for (const struct member *member = crew->others; member; member = member->other)
        add_findings(&found, member->population);
    return found;
}

bool crew_judged(const struct crew *crew)
{
    return findings_of(crew).judged;
}

bool crew_overflowed(const struct crew *crew)
{
    return findings_of(crew).overflowed;
}

bool crew_needs_all(const struct crew *crew)
{
    return findings_of(crew).needs_all;
}

struct population *crew_population(const struct crew *crew)
{
    return crew->first.population;
}

void crew_localise(struct crew *crew, uint32_t *words, uint32_t length)
{
    if (!crew->shares)
        return;
    learn_configs(&crew->first, words, length);
    if (translates(&crew->first))
        translate(&crew->first, words, to_own);
}

/* ---- saving ---- */

static void save_list(struct bytes_out *out, const struct word_list *list)
{
    bytes_put_number(out, list->count);
    bytes_put(out, list->words, list->count * sizeof(*list->words));
}

void crew_save(struct crew *crew, struct bytes_out *out)
{
    struct population *population = crew->first.population;
    bytes_put_number(out, crew_judged(crew));
    bytes_put_number(out, crew_overflowed(crew));
    bytes_put_number(out, crew_needs_all(crew));
    for (enum table table = 0; table < TABLE_COUNT; table++) {
        const uint32_t count =
            crew->shares ? crew->tables[table].count : own_count(population, table);
        bytes_put_number(out, count);
        for (uint32_t i = 0; i < count; i++) {
            const struct arena_mark mark = arena_mark(&population->scratch);
            const struct word_list list =
                crew->shares ? crew->tables[table].items[i]
                             : content_of(&population->scratch, population, table, i);
            save_list(out, &list);
            arena_rewind(&population->scratch, mark);
        }
    }
}

/* The classes and templates of a config that comes from a file are there. */
static bool config_is_sound(const struct population *population, const struct word_list *list)
{
    enum { CLASSES_MOST = 1 << 20 };
    if (list->count < CONFIG_HEAD_WORDS || list->words[0] >= population->catalog->templates.count)
        return false;
    const uint64_t entries = (uint64_t)list->words[1] + list->words[2] + list->words[3];
    if (list->count != CONFIG_HEAD_WORDS + 2 * entries)
        return false;
    for (uint64_t i = 0; i < entries; i++) {
        const uint32_t class = list->words[CONFIG_HEAD_WORDS + 2 * i];
        if (class >= (population->clock ? CLASSES_MOST : population->classes.count))
            return false;
    }
    return true;
}

/* Numbers are given in the order of the file, after those that every new population
 * has, which are the first of the file. */
static bool load_list(struct population *population, enum table table, uint32_t number,
                      struct bytes_in *in)
{
    const struct arena_mark mark = arena_mark(&population->scratch);
    const uint64_t count = bytes_get_count(in, sizeof(uint32_t));
    uint32_t *words = ARENA_ARRAY(&population->scratch, uint32_t, count + 1);
    const struct word_list list = {words, (uint32_t)count};
    bytes_get(in, words, count * sizeof(uint32_t));
    const bool sound = !in->bad && count <= UINT32_MAX &&
                       (table != TABLE_CONFIGS || config_is_sound(population, &list)) &&
                       intern(population, table, &list) == number;
    arena_rewind(&population->scratch, mark);
    return sound;
}

bool crew_load(struct crew *crew, struct bytes_in *in)
{
    struct population *population = crew->first.population;
    population->begins |= bytes_get_number(in) != 0;
    population->overflow |= bytes_get_number(in) != 0;
    population->needs_all |= bytes_get_number(in) != 0;
    for (enum table table = 0; table < TABLE_COUNT; table++) {
        const uint64_t count = bytes_get_count(in, sizeof(uint64_t));
        if (count > 0 && table != TABLE_CONFIGS && !population->clock)
            in->bad = true;
        for (uint64_t i = 0; i < count && !in->bad; i++)
            if (!load_list(population, table, (uint32_t)i, in))
                in->bad = true;
    }
    return !in->bad;
}
