/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is said of a bag is what would be said of the list of all elements one by one: random
 * expressions over bags that are counted, and over the same bags in which each element stands by
 * itself. FATHOM_EXPRESSIONS says how many (20000), FATHOM_EXPRESSIONS_FIRST from which seed on.
 */
#include "expression/expression.h"

#include "base/text.h"
#include "object/arena_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- random numbers ---- */

static uint64_t seed;

static uint32_t below(uint32_t bound)
{
    seed = seed * 6364136223846793005U + 1442695040888963407U;
    return (uint32_t)(seed >> 33) % bound;
}

/* ---- crates with boxes ---- */

enum { CRATES_MOST = 4, BOXES_MOST = 3, COMPARED_MOST = 64 };

struct box_kind {
    uint32_t count;
    int64_t number;
    bool sealed;
    struct label label;
    bool labelled;
};

struct crate_kind {
    uint32_t count;
    const char *colour;
    uint32_t box_count;
    struct box_kind boxes[BOXES_MOST];
};

struct store {
    uint32_t crate_count;
    struct crate_kind crates[CRATES_MOST];
    bool unfolded;       /* each element stands by itself */
    struct noted *noted; /* what is read of the numbers of crates; NULL: nobody asks */
};

/* Under which conditions on the numbers of crates an answer is the same. */
struct compared {
    bool of[CRATES_MOST]; /* the crates that were counted together */
    int64_t than;
};

struct noted {
    bool read[CRATES_MOST];
    bool several[CRATES_MOST];
    struct compared compared[COMPARED_MOST];
    uint32_t compared_count;
};

static const struct expression_class box_class, crate_class;
static const struct expression_type box_type = {.kind = EXPRESSION_OBJECT, .class = &box_class},
                                    box_bag = {.kind = EXPRESSION_BAG, .element = &box_type},
                                    crate_type = {.kind = EXPRESSION_OBJECT, .class = &crate_class},
                                    crate_bag = {.kind = EXPRESSION_BAG, .element = &crate_type};

struct bag {
    struct arena *arena;
    struct expression_value items[512];
    uint64_t counts[512];
    uint32_t count;
};

static void bag_add(struct bag *bag, const struct store *store, struct expression_value item,
                    uint64_t count)
{
    for (uint64_t i = 0; i < (store->unfolded ? count : 1); i++) {
        assert_true(bag->count < 512);
        bag->items[bag->count] = item;
        bag->counts[bag->count++] = store->unfolded ? 1 : count;
    }
}

static struct expression_value bag_value(const struct bag *bag)
{
    return expression_of_bag(
        bag->arena, arena_copy(bag->arena, bag->items, sizeof(bag->items[0]) * bag->count),
        arena_copy(bag->arena, bag->counts, sizeof(bag->counts[0]) * bag->count), bag->count);
}

static void note_read(void *context, uint32_t crate, bool several)
{
    struct noted *noted = context;
    noted->several[crate] |= several;
    noted->read[crate] |= !several;
}

static void note_compared(void *context, const uint32_t *crates, uint32_t count, int64_t than)
{
    struct noted *noted = context;
    if (noted->compared_count == COMPARED_MOST) {
        memset(noted->read, true, sizeof(noted->read));
        return;
    }
    struct compared *compared = &noted->compared[noted->compared_count++];
    *compared = (struct compared){.than = than};
    for (uint32_t i = 0; i < count; i++) {
        /* Whoever counts a crate twice has to say that he reads it. */
        noted->read[crates[i]] |= compared->of[crates[i]];
        compared->of[crates[i]] = true;
    }
}

static struct expression_value read_crates(void *context, struct arena *scratch)
{
    const struct store *store = context;
    struct bag bag = {.arena = scratch};
    for (uint32_t c = 0; c < store->crate_count; c++)
        bag_add(&bag, store, expression_of_object(&crate_class, c, 0), store->crates[c].count);
    const struct expression_value value = bag_value(&bag);
    if (!store->noted)
        return value;
    struct expression_list list = *value.list;
    uint32_t *origins = ARENA_ARRAY(scratch, uint32_t, list.count + 1);
    for (uint32_t i = 0; i < list.count; i++)
        origins[i] = list.items[i].object.first;
    list.origins = origins;
    list.counting =
        arena_copy(scratch, &(struct expression_counting){note_read, note_compared, store->noted},
                   sizeof(struct expression_counting));
    return expression_of_counted_bag(scratch, &list);
}

static struct expression_value read_boxes(void *context, struct arena *scratch)
{
    const struct store *store = context;
    struct bag bag = {.arena = scratch};
    for (uint32_t c = 0; store->noted && c < store->crate_count; c++)
        store->noted->read[c] = true;
    for (uint32_t c = 0; c < store->crate_count; c++)
        for (uint32_t b = 0; b < store->crates[c].box_count; b++)
            bag_add(&bag, store, expression_of_object(&box_class, c, b),
                    (uint64_t)store->crates[c].count * store->crates[c].boxes[b].count);
    return bag_value(&bag);
}

static struct expression_value crate_boxes(void *context, struct arena *scratch,
                                           struct expression_object object)
{
    const struct store *store = context;
    const struct crate_kind *crate = &store->crates[object.first];
    struct bag bag = {.arena = scratch};
    for (uint32_t b = 0; b < crate->box_count; b++)
        bag_add(&bag, store, expression_of_object(&box_class, object.first, b),
                crate->boxes[b].count);
    return bag_value(&bag);
}

static struct expression_value crate_colour(void *context, struct arena *scratch,
                                            struct expression_object object)
{
    (void)scratch;
    return expression_of_string(((const struct store *)context)->crates[object.first].colour);
}

static const struct box_kind *box_of(const void *context, struct expression_object object)
{
    return &((const struct store *)context)->crates[object.first].boxes[object.second];
}

static struct expression_value box_number(void *context, struct arena *scratch,
                                          struct expression_object object)
{
    (void)scratch;
    return expression_of_int(box_of(context, object)->number);
}

static struct expression_value box_sealed(void *context, struct arena *scratch,
                                          struct expression_object object)
{
    (void)scratch;
    return expression_of_bool(box_of(context, object)->sealed);
}

static struct expression_value box_labels(void *context, struct arena *scratch,
                                          struct expression_object object)
{
    const struct box_kind *box = box_of(context, object);
    struct labels *labels = ARENA_NEW(scratch, struct labels);
    labels->items = arena_copy(scratch, &box->label, sizeof(box->label));
    labels->count = box->labelled;
    return expression_of_labels(scratch, labels);
}

static struct expression_value box_crate(void *context, struct arena *scratch,
                                         struct expression_object object)
{
    (void)context;
    (void)scratch;
    return expression_of_object(&crate_class, object.first, 0);
}

static const struct expression_field box_fields[] = {
    {"number", &expression_int, box_number, "", false},
    {"sealed", &expression_bool, box_sealed, "", false},
    {"labels", &expression_map_of_string, box_labels, "", false},
    {"crate", &crate_type, box_crate, "", false},
};
static const struct expression_class box_class = {
    .name = "box", .fields = box_fields, .field_count = 4};
static const struct expression_field crate_fields[] = {
    {"boxes", &box_bag, crate_boxes, "", false},
    {"colour", &expression_string, crate_colour, "", false},
};
static const struct expression_class crate_class = {
    .name = "crate", .fields = crate_fields, .field_count = 2};
static const struct expression_variable variables[] = {{"boxes", &box_bag, read_boxes, ""},
                                                       {"crates", &crate_bag, read_crates, ""}};
static const struct expression_environment environment = {variables, 2};

static struct store random_store(void)
{
    static const char *const colours[] = {"red", "blue"};
    struct store store = {.crate_count = below(CRATES_MOST + 1)};
    for (uint32_t c = 0; c < store.crate_count; c++) {
        struct crate_kind *crate = &store.crates[c];
        *crate = (struct crate_kind){1 + below(4), colours[below(2)], below(BOXES_MOST + 1), {{0}}};
        for (uint32_t b = 0; b < crate->box_count; b++)
            crate->boxes[b] = (struct box_kind){.count = 1 + below(3),
                                                .number = (int64_t)below(5) - 1,
                                                .sealed = below(2),
                                                .label = {"app", colours[below(2)]},
                                                .labelled = below(3) > 0};
    }
    return store;
}

/* ---- random expressions ---- */

/* What a variable of a macro is, so that its fields are known. */
struct scope {
    const char *boxes[4];
    uint32_t box_count;
    const char *crates[4];
    uint32_t crate_count;
};

static void write_bool(struct text *text, const struct scope *scope, uint32_t depth);

static const char *names[] = {"a", "b", "c", "d", "e"};

/* A bag of boxes. */
static void write_boxes(struct text *text, const struct scope *scope, uint32_t depth)
{
    struct scope inner = *scope;
    if (scope->crate_count > 0 && below(2) == 0)
        text_printf(text, "%s.boxes", scope->crates[below(scope->crate_count)]);
    else
        text_append_string(text, "boxes");
    if (depth == 0 || below(2) == 0 || scope->box_count + scope->crate_count >= 4)
        return;
    const char *name = names[scope->box_count + scope->crate_count];
    inner.boxes[inner.box_count++] = name;
    text_printf(text, ".filter(%s, ", name);
    write_bool(text, &inner, depth - 1);
    text_append_char(text, ')');
}

static void write_int(struct text *text, const struct scope *scope, uint32_t depth)
{
    const uint32_t choice = below(depth > 0 ? 7 : 2);
    const char *name = names[scope->box_count + scope->crate_count];
    if (choice == 0 || (choice == 1 && scope->box_count == 0)) {
        text_printf(text, "%u", below(6));
    } else if (choice == 1) {
        text_printf(text, "%s.number", scope->boxes[below(scope->box_count)]);
    } else if (choice == 2 || scope->box_count + scope->crate_count >= 4) {
        write_boxes(text, scope, depth - 1);
        text_append_string(text, ".size()");
    } else if (choice == 3) {
        text_append_string(text, "crates.size()");
    } else if (choice == 4) {
        struct scope inner = *scope;
        inner.boxes[inner.box_count++] = name;
        write_boxes(text, scope, depth - 1);
        text_printf(text, ".map(%s, ", name);
        write_int(text, &inner, depth - 1);
        text_printf(text, ").%s()", below(3) == 0 ? "sum" : below(2) ? "max" : "min");
    } else {
        static const char *const signs[] = {" + ", " - ", " * ", " / ", " % "};
        text_append_char(text, '(');
        write_int(text, scope, depth - 1);
        text_append_string(text, signs[below(5)]);
        write_int(text, scope, depth - 1);
        text_append_char(text, ')');
    }
}

static void write_quantifier(struct text *text, const struct scope *scope, uint32_t depth)
{
    static const char *const macros[] = {"all", "exists", "exists_one"};
    const char *name = names[scope->box_count + scope->crate_count];
    struct scope inner = *scope;
    if (below(2) == 0) {
        text_append_string(text, "crates");
        inner.crates[inner.crate_count++] = name;
    } else {
        write_boxes(text, scope, depth - 1);
        inner.boxes[inner.box_count++] = name;
    }
    text_printf(text, ".%s(%s, ", macros[below(3)], name);
    write_bool(text, &inner, depth - 1);
    text_append_char(text, ')');
}

static void write_leaf(struct text *text, const struct scope *scope)
{
    const char *box = scope->box_count ? scope->boxes[below(scope->box_count)] : NULL;
    const uint32_t choice = below(5);
    if (box && choice == 0)
        text_printf(text, "%s.sealed", box);
    else if (box && choice == 1)
        text_printf(text, "%s.labels.app == 'red'", box);
    else if (box && choice == 2)
        text_printf(text, "has(%s.labels.app)", box);
    else if (box && choice == 3)
        text_printf(text, "%s.crate.colour == 'blue'", box);
    else if (scope->crate_count)
        text_printf(text, "%s.colour == 'red'", scope->crates[below(scope->crate_count)]);
    else
        text_append_string(text, below(2) ? "true" : "false");
}

static void write_bool(struct text *text, const struct scope *scope, uint32_t depth)
{
    static const char *const relations[] = {" == ", " != ", " < ", " <= ", " > ", " >= "};
    const uint32_t choice = depth == 0 ? 0 : below(6);
    if (choice == 0) {
        write_leaf(text, scope);
    } else if (choice <= 2) {
        write_int(text, scope, depth - 1);
        text_append_string(text, relations[below(6)]);
        write_int(text, scope, depth - 1);
    } else if (choice <= 4 && scope->box_count + scope->crate_count < 4) {
        write_quantifier(text, scope, depth);
    } else {
        text_append_string(text, below(3) == 0 ? "!(" : "(");
        write_bool(text, scope, depth - 1);
        text_append_string(text, below(2) ? " && " : " || ");
        write_bool(text, scope, depth - 1);
        text_append_char(text, ')');
    }
}

static uint64_t number_from(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);
    return text ? strtoull(text, NULL, 10) : otherwise;
}

/* Errors are the same, too: which element is met first does not depend on counts. */
static void counted_is_unfolded(void **state)
{
    const uint64_t first = number_from("FATHOM_EXPRESSIONS_FIRST", 1);
    const uint64_t count = number_from("FATHOM_EXPRESSIONS", 20000);
    uint64_t truths = 0;
    uint64_t lies = 0;
    (void)state;
    for (uint64_t i = first; i < first + count; i++) {
        const struct arena_mark mark = arena_mark(&arena);
        struct problems problems;
        struct text text;
        seed = i;
        problems_init(&problems, &arena);
        text_init(&text, &memory);
        struct store store = random_store();
        write_bool(&text, &(struct scope){0}, 4);
        const struct expression *expression =
            expression_compile(&arena, text_content(&text), &environment, &expression_bool,
                               (struct place){0}, NULL, &problems);
        if (!expression)
            fail_msg("seed %llu: %s: %s", (unsigned long long)i, text_content(&text),
                     problems.items[0].message);
        const struct expression_value counted = expression_evaluate(expression, &store, &arena);
        store.unfolded = true;
        const struct expression_value unfolded = expression_evaluate(expression, &store, &arena);
        if (strcmp(expression_value_text(&arena, counted),
                   expression_value_text(&arena, unfolded)) != 0 &&
            (unfolded.tag != VALUE_IS_ERROR || !strstr(unfolded.text, "steps")))
            fail_msg("seed %llu: %s: %s counted, %s unfolded", (unsigned long long)i,
                     text_content(&text), expression_value_text(&arena, counted),
                     expression_value_text(&arena, unfolded));
        truths += expression_is_true(counted);
        lies += counted.tag == VALUE_IS_BOOL && !counted.truth;
        text_release(&text);
        arena_rewind(&arena, mark);
    }
    /* The sample says something: neither answer is rare. */
    if (count >= 1000) {
        assert_true(truths > count / 4);
        assert_true(lies > count / 4);
    }
}

static int side_of(const struct store *store, const struct compared *compared)
{
    int64_t sum = 0;
    for (uint32_t c = 0; c < store->crate_count; c++)
        sum += compared->of[c] ? store->crates[c].count : 0;
    return (sum > compared->than) - (sum < compared->than);
}

/* Do the conditions allow these numbers of crates instead of the others? */
static bool is_allowed(const struct noted *noted, const struct store *store,
                       const struct store *other)
{
    for (uint32_t c = 0; c < store->crate_count; c++)
        if (store->crates[c].count != other->crates[c].count &&
            (noted->read[c] ||
             (noted->several[c] && (store->crates[c].count > 1) != (other->crates[c].count > 1))))
            return false;
    for (uint32_t i = 0; i < noted->compared_count; i++)
        if (side_of(store, &noted->compared[i]) != side_of(other, &noted->compared[i]))
            return false;
    return true;
}

/* With other numbers of crates that what was noted allows, the answer is the same. */
static void noted_is_enough(void **state)
{
    const char *wanted = getenv("FATHOM_EXPRESSIONS");
    const uint64_t count = wanted ? strtoull(wanted, NULL, 10) : 20000;
    uint64_t tried = 0;
    (void)state;
    for (uint64_t i = 0; i < count; i++) {
        const struct arena_mark mark = arena_mark(&arena);
        struct problems problems;
        struct text text;
        struct noted noted = {0};
        seed = i;
        problems_init(&problems, &arena);
        text_init(&text, &memory);
        struct store store = random_store();
        struct store other = store;
        write_bool(&text, &(struct scope){0}, 4);
        const struct expression *expression =
            expression_compile(&arena, text_content(&text), &environment, &expression_bool,
                               (struct place){0}, NULL, &problems);
        assert_non_null(expression);
        store.noted = &noted;
        const struct expression_value value = expression_evaluate(expression, &store, &arena);
        for (uint32_t again = 0; again < 4; again++) {
            bool differs = false;
            for (uint32_t c = 0; c < store.crate_count; c++) {
                other.crates[c].count = below(2) ? store.crates[c].count : 1 + below(6);
                differs |= other.crates[c].count != store.crates[c].count;
            }
            if (!differs || !is_allowed(&noted, &store, &other))
                continue;
            tried++;
            const struct expression_value same = expression_evaluate(expression, &other, &arena);
            if (strcmp(expression_value_text(&arena, value), expression_value_text(&arena, same)) !=
                0)
                fail_msg("seed %llu: %s: %s, with other numbers of crates %s",
                         (unsigned long long)i, text_content(&text),
                         expression_value_text(&arena, value), expression_value_text(&arena, same));
        }
        text_release(&text);
        arena_rewind(&arena, mark);
    }
    if (count >= 1000)
        assert_true(tried > count / 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(counted_is_unfolded),
                                       cmocka_unit_test(noted_is_enough)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
