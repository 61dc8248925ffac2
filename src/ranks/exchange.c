/* SPDX-License-Identifier: Apache-2.0 */
#include "ranks/exchange.h"

#include "base/error.h"
#include "base/hash.h"
#include "base/vec.h"
#include "base/word_lists.h"
#include "cluster/state/clock_words.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"
#include "cluster/threads/numbering.h"
#include "ranks/link.h"

#include <string.h>

/* What is known of the numbers of one table and one other rank, each by number. */
struct numbers {
    VEC(uint8_t) told; /* own ones: the other knows what they stand for */
    VEC(uint32_t) own; /* the other's: the own ones; UINT32_MAX: unknown */
};

struct exchange {
    struct memory *memory;
    struct arena arena;
    struct worker *worker;
    uint32_t ranks;
    struct numbers *numbers[TABLE_COUNT]; /* by rank */
    VEC(uint64_t) hashes[TABLE_COUNT];    /* by own number, of what it stands for; 0: unknown */
    uint32_t *words;                      /* room for a state or a record */
    uint32_t words_room;
};

/* What is done with each number of a state; gives the number in its place. */
struct visit {
    uint32_t (*number)(struct visit *visit, enum number_table table, uint32_t number);
    struct exchange *exchange;
    struct link *link;
    uint32_t rank, kind;
    uint64_t hash;
};

static void visit_numbers(struct visit *visit, uint32_t *words, uint32_t length)
{
    const struct population *population = visit->exchange->worker->population;
    for (uint32_t n = population->word_of_nodes; n < length; n++) {
        struct view_node node = node_unpack(population, words[n]);
        node.config = visit->number(visit, TABLE_CONFIGS, node.config);
        words[n] = node_pack(population, node);
    }
    if (!population->clock)
        return;
    uint32_t *clocks = words + population->word_of_clocks;
    for (uint32_t a = 0; a < population->autoscalers.count; a++)
        clocks[2 * a + 1] = visit->number(visit, TABLE_MEMORIES, clocks[2 * a + 1]);
    uint32_t *cohorts = clocks + clock_word_count(population) - 2;
    cohorts[0] = visit->number(visit, TABLE_COHORTS, cohorts[0]);
    cohorts[1] = visit->number(visit, TABLE_NODE_COHORTS, cohorts[1]);
}

/* A copy in which numbers may be replaced. */
static uint32_t *copy_of(struct exchange *exchange, const uint32_t *words, uint32_t length)
{
    memcpy(exchange->words, words, length * sizeof(uint32_t));
    return exchange->words;
}

/* ---- hashes ---- */

static uint64_t hash_content(struct exchange *exchange, enum number_table table, uint32_t number)
{
    struct arena *scratch = &exchange->worker->scratch;
    const struct arena_mark mark = arena_mark(scratch);
    const struct word_list content = number_content(scratch, exchange->worker, table, number);
    const uint64_t hash =
        hash_bytes_seeded(content.words, content.count * sizeof(uint32_t), (uint64_t)table);
    arena_rewind(scratch, mark);
    return hash != 0 ? hash : 1;
}

static uint64_t hash_number(struct exchange *exchange, enum number_table table, uint32_t number)
{
    while (exchange->hashes[table].count <= number)
        VEC_PUSH(&exchange->arena, &exchange->hashes[table], 0);
    uint64_t *hash = &exchange->hashes[table].items[number];
    if (*hash == 0)
        *hash = hash_content(exchange, table, number);
    return *hash;
}

static uint32_t add_hash(struct visit *visit, enum number_table table, uint32_t number)
{
    visit->hash = hash_word(visit->hash ^ hash_number(visit->exchange, table, number));
    return 0;
}

static uint64_t hash_state(void *context, const uint32_t *words, uint32_t length)
{
    struct exchange *exchange = context;
    struct visit visit = {.number = add_hash, .exchange = exchange};
    uint32_t *copy = copy_of(exchange, words, length);
    visit_numbers(&visit, copy, length);
    return hash_bytes_seeded(copy, length * sizeof(uint32_t), visit.hash);
}

/* ---- telling ---- */

static uint32_t tell_number(struct visit *visit, enum number_table table, uint32_t number)
{
    struct exchange *exchange = visit->exchange;
    struct numbers *numbers = &exchange->numbers[table][visit->rank];
    while (numbers->told.count <= number)
        VEC_PUSH(&exchange->arena, &numbers->told, 0);
    if (numbers->told.items[number])
        return number;
    numbers->told.items[number] = 1;
    struct arena *scratch = &exchange->worker->scratch;
    const struct arena_mark mark = arena_mark(scratch);
    const struct word_list content = number_content(scratch, exchange->worker, table, number);
    uint32_t *record = ARENA_ARRAY(scratch, uint32_t, content.count + 3);
    record[0] = visit->kind;
    record[1] = (uint32_t)table;
    record[2] = number;
    if (content.count > 0)
        memcpy(record + 3, content.words, content.count * sizeof(uint32_t));
    link_send(visit->link, visit->rank, record, content.count + 3);
    arena_rewind(scratch, mark);
    return number;
}

static void tell(void *context, struct link *link, uint32_t to, uint32_t kind,
                 const uint32_t *words, uint32_t length)
{
    struct exchange *exchange = context;
    struct visit visit = {
        .number = tell_number, .exchange = exchange, .link = link, .rank = to, .kind = kind};
    /* Sending may take in other states meanwhile, which need the room. */
    struct arena *scratch = &exchange->worker->scratch;
    const struct arena_mark mark = arena_mark(scratch);
    uint32_t *copy = ARENA_ARRAY(scratch, uint32_t, length);
    memcpy(copy, words, length * sizeof(uint32_t));
    visit_numbers(&visit, copy, length);
    arena_rewind(scratch, mark);
}

/* ---- learning ---- */

static void learn(void *context, uint32_t from, const uint32_t *record, uint32_t words)
{
    struct exchange *exchange = context;
    const enum number_table table = (enum number_table)record[0];
    const uint32_t number = record[1];
    if (table >= TABLE_COUNT)
        bug("rank %u tells of a table that there is not", from);
    struct numbers *numbers = &exchange->numbers[table][from];
    const struct word_list content = {record + 2, words - 2};
    while (numbers->own.count <= number)
        VEC_PUSH(&exchange->arena, &numbers->own, UINT32_MAX);
    numbers->own.items[number] = number_intern(exchange->worker, table, &content);
}

static uint32_t to_own(struct visit *visit, enum number_table table, uint32_t number)
{
    const struct numbers *numbers = &visit->exchange->numbers[table][visit->rank];
    if (number >= numbers->own.count || numbers->own.items[number] == UINT32_MAX)
        bug("rank %u has not told what its number %u stands for", visit->rank, number);
    return numbers->own.items[number];
}

static bool localise(void *context, uint32_t from, uint32_t *words, uint32_t length)
{
    struct visit visit = {.number = to_own, .exchange = context, .rank = from};
    visit_numbers(&visit, words, length);
    return true;
}

/* ---- the exchange ---- */

struct exchange *exchange_create(struct memory *memory, struct worker *worker, uint32_t ranks)
{
    const uint32_t room = worker->population->model.length_most + 1;
    struct exchange *exchange = memory_try_allocate_zeroed(memory, sizeof(*exchange));
    uint32_t *words = memory_try_allocate_zeroed(memory, room * sizeof(uint32_t));
    if (!exchange || !words) {
        memory_release(memory, exchange, sizeof(*exchange));
        memory_release(memory, words, room * sizeof(uint32_t));
        return NULL;
    }
    exchange->memory = memory;
    exchange->worker = worker;
    exchange->ranks = ranks;
    exchange->words = words;
    exchange->words_room = room;
    arena_init(&exchange->arena, memory);
    for (enum number_table table = 0; table < TABLE_COUNT; table++)
        exchange->numbers[table] = ARENA_ARRAY(&exchange->arena, struct numbers, ranks);
    return exchange;
}

void exchange_free(struct exchange *exchange)
{
    if (!exchange)
        return;
    arena_release(&exchange->arena);
    memory_release(exchange->memory, exchange->words, exchange->words_room * sizeof(uint32_t));
    memory_release(exchange->memory, exchange, sizeof(*exchange));
}

struct codec exchange_codec(struct exchange *exchange)
{
    return (struct codec){.context = exchange,
                          .hash = hash_state,
                          .tell = tell,
                          .learn = learn,
                          .localise = localise};
}

uint64_t exchange_fingerprint(struct exchange *exchange)
{
    struct worker *worker = exchange->worker;
    uint64_t hash = hash_word(worker->population->model.length_most);
    hash = hash_word(hash ^ worker->population->model.action_count);
    hash = hash_word(hash ^ worker->population->model.fairness_class_count);
    for (enum number_table table = 0; table < TABLE_COUNT; table++) {
        const uint32_t count =
            table != TABLE_CONFIGS && !worker->population->clock ? 0 : numbers_given(worker, table);
        for (uint32_t i = 0; i < count; i++)
            hash = hash_word(hash ^ hash_number(exchange, table, i));
    }
    return hash;
}
