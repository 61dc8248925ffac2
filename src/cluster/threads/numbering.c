/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/threads/numbering.h"
#include "base/error.h"
#include "base/word_lists.h"
#include "cluster/state/classes.h"
#include "cluster/state/clock_words.h"
#include "cluster/state/configs.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"

enum { UNKNOWN = UINT32_MAX };

/* ---- one worker's numbers ---- */

enum { CONFIG_HEAD_WORDS = 4 };

/* What the worker numbers in a table other than that of the configs. */
static struct word_lists *lists_of(struct worker *worker, enum number_table table)
{
    return table == TABLE_MEMORIES  ? &worker->memories
           : table == TABLE_COHORTS ? &worker->cohorts
                                    : &worker->node_cohorts;
}

uint32_t numbers_given(struct worker *worker, enum number_table table)
{
    return table == TABLE_CONFIGS ? worker->catalog->configs.count : lists_of(worker, table)->count;
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

struct word_list number_content(struct arena *arena, struct worker *worker, enum number_table table,
                                uint32_t number)
{
    if (table == TABLE_CONFIGS)
        return content_of_config(arena, config_at(worker, number));
    return lists_of(worker, table)->items[number];
}

static uint32_t intern_config(struct worker *worker, const struct word_list *content)
{
    const struct pod_count *pods =
        (const struct pod_count *)(const void *)(content->words + CONFIG_HEAD_WORDS);
    const uint32_t *head = content->words;
    for (uint32_t i = 0; i < head[1] + head[2] + head[3]; i++)
        class_make(worker, pods[i].pod);
    worker->nominates |= head[3] > 0;
    return catalog_intern_config_waiting(worker->catalog, head[0], pods, head[1],
                                         pods + head[1] + head[2], head[3], pods + head[1],
                                         head[2]);
}

uint32_t number_intern(struct worker *worker, enum number_table table,
                       const struct word_list *content)
{
    if (table == TABLE_CONFIGS)
        return intern_config(worker, content);
    return words_intern(&worker->arena, lists_of(worker, table), content->words, content->count);
}

bool number_config_is_sound(const struct worker *worker, const struct word_list *content)
{
    enum { CLASSES_MOST = 1 << 20 };
    const uint32_t *words = content->words;
    if (content->count < CONFIG_HEAD_WORDS || words[0] >= worker->catalog->templates.count)
        return false;
    const uint64_t entries = (uint64_t)words[1] + words[2] + words[3];
    if (content->count != CONFIG_HEAD_WORDS + 2 * entries)
        return false;
    /* With clocks classes are made as they are met. */
    const uint32_t classes = worker->population->clock ? CLASSES_MOST : worker->classes.count;
    for (uint64_t i = 0; i < entries; i++)
        if (words[CONFIG_HEAD_WORDS + 2 * i] >= classes)
            return false;
    return true;
}

/* ---- numbers in common ---- */

void numbering_init(struct numbering *numbering, struct memory *memory)
{
    *numbering = (struct numbering){0};
    arena_init(&numbering->arena, memory);
    pthread_mutex_init(&numbering->mutex, NULL);
}

void numbering_release(struct numbering *numbering)
{
    arena_release(&numbering->arena);
    pthread_mutex_destroy(&numbering->mutex);
}

static uint32_t number_in_common(struct numbering *numbering, enum number_table table,
                                 const struct word_list *content)
{
    pthread_mutex_lock(&numbering->mutex);
    const uint32_t common =
        words_intern(&numbering->arena, &numbering->tables[table], content->words, content->count);
    pthread_mutex_unlock(&numbering->mutex);
    return common;
}

static struct word_list content_in_common(struct numbering *numbering, enum number_table table,
                                          uint32_t common)
{
    pthread_mutex_lock(&numbering->mutex);
    const struct word_list content = numbering->tables[table].items[common];
    pthread_mutex_unlock(&numbering->mutex);
    return content;
}

/* ---- one worker and the others ---- */

/* Of a config that is new to the worker's catalog. */
static uint32_t number_config(void *context, const struct node_config *config)
{
    struct numbered_worker *numbered = context;
    struct arena *scratch = &numbered->worker->scratch;
    const struct arena_mark mark = arena_mark(scratch);
    const struct word_list content = content_of_config(scratch, config);
    const uint32_t common = number_in_common(numbered->numbering, TABLE_CONFIGS, &content);
    arena_rewind(scratch, mark);
    return common;
}

/* The place of a number in the list. UNKNOWN is written there until it is found out. */
static uint32_t *number_at(struct arena *arena, number_list *numbers, uint32_t at)
{
    while (numbers->count <= at)
        VEC_PUSH(arena, numbers, UNKNOWN);
    return &numbers->items[at];
}

static uint32_t to_common(struct numbered_worker *numbered, enum number_table table, uint32_t own)
{
    struct worker *worker = numbered->worker;
    uint32_t *common = number_at(&worker->arena, &numbered->common[table], own);
    if (*common == UNKNOWN)
        *common =
            number_in_common(numbered->numbering, table, &lists_of(worker, table)->items[own]);
    return *common;
}

static uint32_t to_own(struct numbered_worker *numbered, enum number_table table, uint32_t common)
{
    uint32_t *own = number_at(&numbered->worker->arena, &numbered->own[table], common);
    if (*own == UNKNOWN) {
        const struct word_list content = content_in_common(numbered->numbering, table, common);
        *own = number_intern(numbered->worker, table, &content);
    }
    return *own;
}

void numbered_join(struct numbered_worker *numbered)
{
    numbered->worker->catalog->number_config = number_config;
    numbered->worker->catalog->number_context = numbered;
}

void numbered_share(struct numbered_worker *numbered)
{
    const struct catalog *catalog = numbered->worker->catalog;
    for (uint32_t i = 0; i < catalog->configs.count; i++)
        if (number_config(numbered, catalog->configs.items[i]) != i)
            bug("node config %u has another number elsewhere", i);
    for (enum number_table table = TABLE_CONFIGS + 1; table < TABLE_COUNT; table++)
        for (uint32_t i = 0; i < numbers_given(numbered->worker, table); i++)
            if (to_common(numbered, table, i) != i)
                bug("number %u of table %d is given twice", i, (int)table);
    numbered_join(numbered);
}

void numbered_learn(struct numbered_worker *numbered, const uint32_t *words, uint32_t length)
{
    struct worker *worker = numbered->worker;
    for (uint32_t n = worker->population->word_of_nodes; n < length; n++) {
        const uint32_t config = node_unpack(worker->population, words[n]).config;
        if (catalog_has_config(worker->catalog, config))
            continue;
        const struct word_list content =
            content_in_common(numbered->numbering, TABLE_CONFIGS, config);
        if (intern_config(worker, &content) != config)
            bug("node config %u is given another number", config);
    }
}

/* Only of models with a clock are there numbers beside the configs'. */
static void translate(struct numbered_worker *numbered, uint32_t *words,
                      uint32_t (*number)(struct numbered_worker *, enum number_table, uint32_t))
{
    const struct population *population = numbered->worker->population;
    if (!population->clock)
        return;
    uint32_t *clocks = words + population->word_of_clocks;
    for (uint32_t a = 0; a < population->autoscalers.count; a++)
        clocks[2 * a + 1] = number(numbered, TABLE_MEMORIES, clocks[2 * a + 1]);
    uint32_t *cohorts = clocks + clock_word_count(population) - 2;
    cohorts[0] = number(numbered, TABLE_COHORTS, cohorts[0]);
    cohorts[1] = number(numbered, TABLE_NODE_COHORTS, cohorts[1]);
}

void numbered_to_own(struct numbered_worker *numbered, uint32_t *words)
{
    translate(numbered, words, to_own);
}

void numbered_to_common(struct numbered_worker *numbered, uint32_t *words)
{
    translate(numbered, words, to_common);
}
