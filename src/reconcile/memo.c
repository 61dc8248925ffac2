/* SPDX-License-Identifier: Apache-2.0 */
#include "reconcile/memo.h"

#include "base/hash.h"

#include <string.h>

enum { SLOTS_FIRST = 1024 };

void memo_init(struct memo_table *table, struct memory *memory)
{
    *table = (struct memo_table){.memory = memory, .slot_count = SLOTS_FIRST};
    table->slots = memory_allocate(memory, SLOTS_FIRST * sizeof(struct memo_slot));
    memset(table->slots, 0, SLOTS_FIRST * sizeof(struct memo_slot));
}

void memo_release(struct memo_table *table)
{
    memory_release(table->memory, table->slots, table->slot_count * sizeof(struct memo_slot));
}

static void place(struct memo_table *table, const struct answer *answer)
{
    uint32_t at = (uint32_t)answer->hash & (table->slot_count - 1);
    while (table->slots[at].answer)
        at = (at + 1) & (table->slot_count - 1);
    table->slots[at] = (struct memo_slot){answer->hash, answer};
}

void memo_add(struct memo_table *table, const struct answer *answer)
{
    if ((table->count + 1) * 2 > table->slot_count) {
        const struct memo_table old = *table;
        table->slot_count *= 2;
        table->slots = memory_allocate(old.memory, table->slot_count * sizeof(struct memo_slot));
        memset(table->slots, 0, table->slot_count * sizeof(struct memo_slot));
        for (uint32_t i = 0; i < old.slot_count; i++)
            if (old.slots[i].answer)
                place(table, old.slots[i].answer);
        memory_release(old.memory, old.slots, old.slot_count * sizeof(struct memo_slot));
    }
    place(table, answer);
    table->count++;
}

const struct answer *memo_find(const struct memo_table *table, const struct memo_question *question,
                               uint64_t hash)
{
    uint32_t at = (uint32_t)hash & (table->slot_count - 1);
    for (; table->slots[at].answer; at = (at + 1) & (table->slot_count - 1)) {
        const struct answer *answer = table->slots[at].answer;
        if (table->slots[at].hash == hash && answer->question_bytes == question->length &&
            memcmp(answer->question, question->bytes, question->length) == 0)
            return answer;
    }
    return NULL;
}

static void append_word(struct memo_question *question, uint32_t word)
{
    if (question->length + sizeof(word) > QUESTION_BYTES_MOST / 2) {
        question->overflows = true;
        return;
    }
    memcpy(question->bytes + question->length, &word, sizeof(word));
    question->length += (uint32_t)sizeof(word);
}

void question_begin(struct memo_question *question, uint32_t kind, uint32_t extra)
{
    question->length = 0;
    question->hole_count = 0;
    question->version_count = 0;
    question->uid_count = 0;
    question->overflows = false;
    question->epoch++;
    append_word(question, kind);
    append_word(question, extra);
}

void question_add(struct memo_question *question, const struct memo_part *part)
{
    append_word(question, part->shape);
    const uint32_t count = (uint32_t)part->versions + part->uids;
    if (question->hole_count + count > sizeof(question->holes) || question->overflows) {
        question->overflows = true;
        return;
    }
    uint8_t *holes = question->holes + question->hole_count;
    question->hole_count += count;
    uint32_t i = 0;
    for (; i < part->versions; i++) {
        const uint8_t value = part->holes[i];
        if (question->version_epoch[value] != question->epoch) {
            question->version_epoch[value] = question->epoch;
            question->version_number[value] = (uint8_t)question->version_count;
            question->version_values[question->version_count++] = value;
        }
        holes[i] = question->version_number[value];
    }
    for (; i < count; i++) {
        const uint8_t value = part->holes[i];
        if (question->uid_epoch[value] != question->epoch) {
            question->uid_epoch[value] = question->epoch;
            question->uid_number[value] = (uint8_t)question->uid_count;
            question->uid_values[question->uid_count++] = value;
        }
        holes[i] = question->uid_number[value];
    }
}

uint64_t question_end(struct memo_question *question)
{
    memcpy(question->bytes + question->length, question->holes, question->hole_count);
    question->length += question->hole_count;
    return hash_bytes(question->bytes, question->length);
}

struct memo_part question_part(const struct memo_question *question, const struct memo_part *part,
                               uint8_t *holes)
{
    struct memo_part result = *part;
    result.holes = holes;
    uint32_t i = 0;
    for (; i < part->versions; i++)
        holes[i] =
            part->holes[i] == MEMO_FRESH ? MEMO_FRESH : question->version_values[part->holes[i]];
    for (; i < (uint32_t)part->versions + part->uids; i++)
        holes[i] = part->holes[i] == MEMO_FRESH ? MEMO_FRESH : question->uid_values[part->holes[i]];
    return result;
}
