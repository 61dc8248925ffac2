/* SPDX-License-Identifier: Apache-2.0 */
/* The state store by itself: every length comes back as it went in, growing loses
 * nothing, threads that add the same states agree on one id for each, and a small
 * budget is filled but not passed. */
#include "explore/store.h"

#include "base/hash.h"
#include "explore/gate.h"
#include "explore/team.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { LENGTH_MOST = 70, STATES = 20000, THREADS = 4 };

static uint32_t make_state(uint32_t number, uint32_t *words)
{
    const uint32_t length = number % (LENGTH_MOST + 1);
    for (uint32_t i = 0; i < length; i++)
        words[i] = i == length / 2 ? number : (uint32_t)(hash_word(number + i) % 3);
    return length;
}

/* One thread: sets grow on the spot. */
static uint32_t add(struct store_cursor *cursor, const uint32_t *words, uint32_t length,
                    bool *is_new)
{
    struct store *store = cursor->store;
    uint64_t root;
    while (!store_pack(cursor, words, length, &root)) {
        if (!pair_set_grow(&store->nodes))
            return PAIR_SET_NONE;
    }
    for (;;) {
        const uint32_t id = store_add(cursor, root, length, pair_hash(root, length), is_new);
        if (id != PAIR_SET_NONE)
            return id;
        if (root_set_fits(&store->roots, root) ? !root_set_grow(&store->roots)
                                               : !root_set_widen(&store->roots, root))
            return PAIR_SET_NONE;
    }
}

static void every_length_comes_back(void **state)
{
    (void)state;
    struct memory memory;
    memory_init(&memory, SIZE_MAX);
    struct store store;
    struct store_cursor cursor;
    assert_true(store_init(&store, &memory, 0, LENGTH_MOST));
    assert_true(store_cursor_init(&cursor, &store));
    uint32_t words[LENGTH_MOST + 1], length, next_id = 0;
    uint32_t ids[STATES];
    for (uint32_t i = 0; i < STATES; i++) {
        bool is_new;
        length = make_state(i, words);
        ids[i] = add(&cursor, words, length, &is_new);
        if (length > 0 || i == 0) {
            assert_true(is_new);
            assert_int_equal(ids[i], next_id++);
        }
        if (i % 7 == 0) /* another base to compare with */
            store_load(&cursor, ids[i / 2], &length);
    }
    for (uint32_t i = 0; i < STATES; i++) {
        const uint32_t wanted = make_state(i, words);
        assert_int_equal(store_find(&cursor, words, wanted), ids[i]);
        const uint32_t *loaded = store_load(&cursor, ids[i], &length);
        assert_int_equal(length, wanted);
        assert_memory_equal(loaded, words, length * sizeof(uint32_t));
    }
    words[0] = 12345;
    assert_int_equal(store_find(&cursor, words, 1), PAIR_SET_NONE);
    store_cursor_release(&cursor);
    store_release(&store);
    assert_int_equal(memory.used_bytes, 0);
}

struct crowd {
    struct store store;
    struct gate gate;
    uint32_t ids[THREADS][STATES];
    atomic_uint_fast32_t added;
};

static void grow_nodes(struct crowd *crowd, uint64_t slots_seen)
{
    if (!gate_close(&crowd->gate))
        return;
    if (crowd->store.nodes.slot_count == slots_seen)
        assert_true(pair_set_grow(&crowd->store.nodes));
    gate_open(&crowd->gate);
}

static void grow_roots(struct crowd *crowd, uint64_t root, uint64_t changes_seen)
{
    struct root_set *roots = &crowd->store.roots;
    if (!gate_close(&crowd->gate))
        return;
    if (!root_set_fits(roots, root))
        assert_true(root_set_widen(roots, root));
    else if (roots->changes == changes_seen)
        assert_true(root_set_grow(roots));
    gate_open(&crowd->gate);
}

static void crowd_job(void *context, uint32_t member)
{
    struct crowd *crowd = context;
    struct store_cursor cursor;
    assert_true(store_cursor_init(&cursor, &crowd->store));
    gate_enter(&crowd->gate);
    for (uint32_t i = 0; i < STATES; i++) {
        const uint32_t number = (i + member * STATES / 3) % STATES;
        uint32_t words[LENGTH_MOST + 1], id = PAIR_SET_NONE;
        const uint32_t length = make_state(number, words);
        uint64_t root;
        bool is_new = false;
        gate_pause(&crowd->gate);
        uint64_t slots_seen = crowd->store.nodes.slot_count;
        while (!store_pack(&cursor, words, length, &root)) {
            grow_nodes(crowd, slots_seen);
            slots_seen = crowd->store.nodes.slot_count;
        }
        while (id == PAIR_SET_NONE) {
            const uint64_t changes_seen = crowd->store.roots.changes;
            id = store_add(&cursor, root, length, pair_hash(root, length), &is_new);
            if (id == PAIR_SET_NONE)
                grow_roots(crowd, root, changes_seen);
        }
        crowd->ids[member][number] = id;
        atomic_fetch_add(&crowd->added, is_new);
    }
    gate_leave(&crowd->gate);
    store_cursor_release(&cursor);
}

static struct crowd crowd;

static void threads_agree_on_every_id(void **state)
{
    (void)state;
    struct memory memory;
    memory_init(&memory, SIZE_MAX);
    assert_true(store_init(&crowd.store, &memory, 0, LENGTH_MOST));
    store_share(&crowd.store, 16);
    gate_init(&crowd.gate);
    struct team team;
    team_init(&team, THREADS);
    team_run(&team, UINT32_MAX, crowd_job, &crowd);
    team_release(&team);
    for (uint32_t i = 0; i < STATES; i++) {
        for (uint32_t member = 1; member < THREADS; member++)
            assert_int_equal(crowd.ids[0][i], crowd.ids[member][i]);
    }
    const uint32_t empty = (STATES - 1) / (LENGTH_MOST + 1); /* equal to the first */
    assert_int_equal(crowd.added, STATES - empty);
    gate_release(&crowd.gate);
    store_release(&crowd.store);
    assert_int_equal(memory.used_bytes, 0);
}

static void a_budget_is_filled_but_not_passed(void **state)
{
    (void)state;
    struct memory memory;
    memory_init(&memory, 4 << 20);
    struct store store;
    struct store_cursor cursor;
    assert_true(store_init(&store, &memory, 2, 2));
    assert_true(store_cursor_init(&cursor, &store));
    uint32_t count = 0;
    bool is_new;
    while (add(&cursor, (const uint32_t[]){count, 1}, 2, &is_new) != PAIR_SET_NONE)
        count++;
    assert_true(memory.peak_bytes <= memory.limit_bytes);
    assert_true(count > 60000);
    assert_int_equal(store_find(&cursor, (const uint32_t[]){count - 1, 1}, 2), count - 1);
    store_cursor_release(&cursor);
    store_release(&store);
    assert_int_equal(memory.used_bytes, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_length_comes_back),
        cmocka_unit_test(threads_agree_on_every_id),
        cmocka_unit_test(a_budget_is_filled_but_not_passed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
