/* SPDX-License-Identifier: Apache-2.0 */
/* A crew's numbers and findings in a file, so that saved states can be read again. */
#include "cluster/threads/crew_save.h"
#include "base/word_lists.h"
#include "cluster/population.h"
#include "cluster/state/invariants.h"
#include "cluster/state/population_model.h"
#include "cluster/state/worker.h"
#include "cluster/threads/crew.h"
#include "cluster/threads/crew_internal.h"
#include "cluster/threads/numbering.h"

static void save_list(struct bytes_out *out, const struct word_list *list)
{
    bytes_put_number(out, list->count);
    bytes_put(out, list->words, list->count * sizeof(*list->words));
}

void crew_save(struct crew *crew, struct bytes_out *out)
{
    struct worker *worker = crew_worker(crew);
    const struct population_findings found = *crew_findings(crew);
    const struct word_lists *tables = crew->numbering.tables;
    bytes_put_number(out, found.judged);
    bytes_put_number(out, found.overflowed);
    bytes_put_number(out, found.needs_all);
    bytes_put_number(out, found.may_loop);
    bytes_put_number(out, found.restless);
    bytes_put_number(out, found.guessed);
    bytes_put_number(out, found.images_could_decide);
    bytes_put_number(out, found.applied);
    bytes_put_number(out, found.came);
    bytes_put_number(out, found.conditions_fail);
    bytes_put_number(out, found.conditions_cost);
    bytes_put_number(out, found.webhooks_refuse);
    bytes_put_number(out, found.webhooks_refuse_users);
    for (enum number_table table = 0; table < TABLE_COUNT; table++) {
        const uint32_t count = crew->shares ? tables[table].count : numbers_given(worker, table);
        bytes_put_number(out, count);
        for (uint32_t i = 0; i < count; i++) {
            const struct arena_mark mark = arena_mark(&worker->scratch);
            const struct word_list list = crew->shares
                                              ? tables[table].items[i]
                                              : number_content(&worker->scratch, worker, table, i);
            save_list(out, &list);
            arena_rewind(&worker->scratch, mark);
        }
    }
}

/* Numbers are given in the order of the file, after those that every new worker has, which
 * are the first of the file. */
static bool load_list(struct worker *worker, enum number_table table, uint32_t number,
                      struct bytes_in *in)
{
    const struct arena_mark mark = arena_mark(&worker->scratch);
    const uint64_t count = bytes_get_count(in, sizeof(uint32_t));
    uint32_t *words = ARENA_ARRAY(&worker->scratch, uint32_t, count + 1);
    const struct word_list list = {words, (uint32_t)count};
    bytes_get(in, words, count * sizeof(uint32_t));
    const bool sound = !in->bad && count <= UINT32_MAX &&
                       (table != TABLE_CONFIGS || number_config_is_sound(worker, &list)) &&
                       number_intern(worker, table, &list) == number;
    arena_rewind(&worker->scratch, mark);
    return sound;
}

bool crew_load(struct crew *crew, struct bytes_in *in)
{
    struct worker *worker = crew_worker(crew);
    worker->findings.judged |= bytes_get_number(in) != 0;
    worker->findings.overflowed |= bytes_get_number(in) != 0;
    worker->findings.needs_all |= bytes_get_number(in) != 0;
    worker->findings.may_loop |= bytes_get_number(in) != 0;
    worker->findings.restless |= bytes_get_number(in) != 0;
    worker->findings.guessed |= bytes_get_number(in) != 0;
    worker->findings.images_could_decide |= bytes_get_number(in) != 0;
    worker->findings.applied |= bytes_get_number(in);
    worker->findings.came |= bytes_get_number(in);
    worker->findings.conditions_fail |= bytes_get_number(in) != 0;
    worker->findings.conditions_cost |= bytes_get_number(in) != 0;
    worker->findings.webhooks_refuse |= bytes_get_number(in) != 0;
    worker->findings.webhooks_refuse_users |= bytes_get_number(in) != 0;
    for (enum number_table table = 0; table < TABLE_COUNT; table++) {
        const uint64_t count = bytes_get_count(in, sizeof(uint64_t));
        if (count > 0 && table != TABLE_CONFIGS && !worker->population->clock)
            in->bad = true;
        for (uint64_t i = 0; i < count && !in->bad; i++)
            if (!load_list(worker, table, (uint32_t)i, in))
                in->bad = true;
    }
    return !in->bad;
}

/* Numbers in common are those of the first worker as long as it is the only one. */
bool crew_state_is_sound(struct crew *crew, const uint32_t *words, uint32_t length)
{
    return crew->shares || invariants_hold(crew_worker(crew), words, length);
}
