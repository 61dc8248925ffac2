/* SPDX-License-Identifier: Apache-2.0 */
/* Which part alone an expression reads: whoever believes it leaves the others out, so that a wrong
 * answer is a wrong verdict. Cases are expressions over the pods of three parts, of which the
 * labels are known but for those that controllers give. */
#include "expression/expression_sole_part.h"

#include "object/arena_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { WEB, API, JOB, NONE };

static struct expression_value no_variable(void *context, struct arena *scratch)
{
    (void)context, (void)scratch;
    return expression_absent();
}

static struct expression_value no_field(void *context, struct arena *scratch,
                                        struct expression_object object)
{
    (void)context, (void)scratch, (void)object;
    return expression_absent();
}

static const struct expression_class pod_class;
static const struct expression_type pod_type = {.kind = EXPRESSION_OBJECT, .class = &pod_class},
                                    pod_bag = {.kind = EXPRESSION_BAG, .element = &pod_type},
                                    pod_map = {.kind = EXPRESSION_MAP, .element = &pod_type};
static const struct expression_field pod_fields[] = {
    {"ready", &expression_bool, no_field, "ready", false},
    {"labels", &expression_map_of_string, no_field, "labels", false},
    {"owner", &expression_string, no_field, "its owner", true},
};
static const struct expression_class pod_class = {
    .name = "pod", .fields = pod_fields, .field_count = sizeof(pod_fields) / sizeof(*pod_fields)};
static const struct expression_variable variables[] = {
    {"pods", &pod_bag, no_variable, "pods"},
    {"nodes", &pod_bag, no_variable, "nodes"},
    {"leaders", &pod_map, no_variable, "leaders"},
};
static const struct expression_environment environment = {variables, 3};

static struct expression_map *pairs(uint32_t count)
{
    struct expression_map *map = ARENA_NEW(&arena, struct expression_map);
    map->keys = ARENA_ARRAY(&arena, struct expression_value, count);
    map->values = ARENA_ARRAY(&arena, struct expression_value, count);
    return map;
}

static void put(struct expression_map *map, const char *key, struct expression_value value)
{
    ((struct expression_value *)map->keys)[map->count] = expression_of_string(key);
    ((struct expression_value *)map->values)[map->count++] = value;
}

static struct expression_kind kind(uint32_t part, const char *owner, const char *app,
                                   const char *tier)
{
    struct expression_map *fields = pairs(2);
    struct expression_map *labels = pairs(2);
    if (app)
        put(labels, "app", expression_of_string(app));
    if (tier)
        put(labels, "tier", expression_of_string(tier));
    put(fields, "labels", (struct expression_value){.tag = VALUE_IS_MAP, .map = labels});
    if (owner)
        put(fields, "owner", expression_of_string(owner));
    return (struct expression_kind){part, fields};
}

static bool is_hash(const char *key)
{
    return strcmp(key, "hash") == 0;
}

static const struct {
    const char *text;
    uint32_t part; /* NONE: it looks at several, or nobody knows at which */
} cases[] = {
    /* ---- a key of a map ---- */
    {"leaders['web'].ready", WEB},
    {"leaders['web'].ready && leaders['web'].labels.app == 'x'", WEB},
    {"leaders['web'].ready || leaders['api'].ready", NONE},
    {"leaders['web'].ready || pods.size() > 1", NONE},
    {"leaders['w' + 'eb'].ready", NONE},
    {"leaders['nobody'].ready", NONE},
    {"'web' in leaders && leaders['web'].ready", NONE},
    {"['web'].all(w, leaders[w].ready)", NONE},
    {"true", NONE},
    /* ---- labels that others lack ---- */
    {"pods.filter(p, p.labels.app == 'web' && p.ready).size() >= 2", WEB},
    {"pods.filter(p, p.ready && p.labels.app == 'web').size() >= 2", WEB},
    {"pods.filter(p, p.labels['app'] == 'api').all(p, p.ready)", API},
    {"pods.exists(p, p.labels.app == 'web' && p.ready)", WEB},
    {"pods.exists_one(p, p.labels.app == 'web' && p.ready)", WEB},
    {"pods.all(p, p.labels.app != 'web' || p.ready)", WEB},
    {"pods.all(p, !(p.labels.app == 'web') || p.ready)", WEB},
    {"pods.map(p, p.labels.app == 'web', p.ready).size() == 1", WEB},
    {"pods.filter(p, p.labels.app in ['web', 'shop']).size() > 1", WEB},
    {"pods.filter(p, p.labels.app.startsWith('we')).size() > 1", WEB},
    {"pods.filter(p, 'app' in p.labels && p.labels.app == 'web').size() > 1", WEB},
    {"pods.filter(p, (has(p.labels.app) ? p.labels.app : 'no') == 'web').size() > 1", WEB},
    {"pods.filter(p, p.owner == 'web').size() > 1", WEB},
    {"pods.filter(p, has(p.owner) && p.owner == 'api').size() > 1", API},
    {"pods.filter(p, p.labels.app == 'web').size() > pods.filter(p, p.labels.app == 'web' && "
     "p.ready).size()",
     WEB},
    {"leaders['web'].ready && pods.exists(p, p.labels.app == 'web')", WEB},
    /* ---- labels of several, of none, or of some templates only ---- */
    {"pods.filter(p, p.labels.app == 'web' || p.labels.app == 'api').size() > 1", NONE},
    {"pods.filter(p, p.labels.app != 'web').size() > 1", NONE},
    {"pods.filter(p, !(p.labels.app == 'web' && p.ready)).size() > 1", NONE},
    {"pods.filter(p, !p.ready).size() > pods.filter(p, p.labels.app == 'web').size()", NONE},
    {"pods.all(p, p.labels.app == 'web' || p.ready)", NONE},
    {"pods.all(p, p.labels.app == 'web' && p.ready)", NONE},
    {"pods.filter(p, p.labels.app == 'nobody').size() > 1", NONE},
    {"pods.filter(p, p.labels.app == 'job').size() > 1", JOB},
    {"pods.filter(p, p.labels.tier == 'front').size() > 1", NONE},
    {"pods.filter(p, has(p.labels.tier) && p.labels.tier == 'front').size() > 1", NONE},
    {"pods.filter(p, has(p.labels.tier) && p.labels.tier == 'back').size() > 1", API},
    {"leaders['api'].ready && pods.exists(p, p.labels.app == 'web')", NONE},
    /* An element that lacks the label makes the whole fail. */
    {"pods.filter(p, p.labels.tier == 'back').size() > 1", NONE},
    {"pods.exists(p, p.labels.tier == 'back')", NONE},
    {"pods.filter(p, p.ready ? p.labels.app == 'web' : false).size() > 1", NONE},
    /* Labels that controllers give may be anything. */
    {"pods.filter(p, p.labels.hash == 'a').size() > 1", NONE},
    {"pods.filter(p, has(p.labels.hash) && p.labels.app == 'web').size() > 1", WEB},
    {"pods.filter(p, has(p.labels.hash) || p.labels.app == 'web').size() > 1", NONE},
    {"pods.filter(p, p.labels.size() == 1).size() > 1", NONE},
    {"pods.filter(p, p.labels.exists(k, k == 'hash')).size() > 1", NONE},
    {"pods.filter(p, p.labels == {'app': 'web'}).size() > 1", NONE},
    {"pods.filter(p, dyn(p).labels.app == 'web').size() > 1", NONE},
    /* ---- what else is read ---- */
    {"pods.size() > pods.filter(p, p.labels.app == 'web').size()", NONE},
    {"pods.map(p, p.labels.app == 'web').size() > 1", NONE},
    {"pods.filter(p, p.ready).exists(p, p.labels.app == 'web')", NONE},
    {"pods.filter(p, p.labels.app == 'web' && nodes.size() > 1).size() > 1", NONE},
    {"pods.filter(p, p.labels.app == 'web' && pods.exists(q, q.ready)).size() > 1", NONE},
    {"pods.filter(p, p.labels.app == 'web' && pods.exists(q, q.labels.app == 'web' && "
     "q.ready)).size() > 1",
     WEB},
    {"pods.filter(p, pods.exists(q, q.labels.app == 'web')).size() > 1", NONE},
    {"nodes.filter(p, p.labels.app == 'web').size() > 1", NONE},
    {"[1, 2].exists(p, p == 1)", NONE},
};

static void one_part_is_read(void **state)
{
    /* Two templates of web, of which the later one has another tier. */
    const struct expression_kind kinds[] = {
        kind(WEB, "web", "web", "front"), kind(WEB, "web", "web", "side"),
        kind(API, "api", "api", "back"),  kind(JOB, "job", "job", NULL),
        kind(JOB, "job", "job", "front"),
    };
    struct expression_map *leaders = pairs(2);
    put(leaders, "web", expression_of_object(&pod_class, WEB, 0));
    put(leaders, "api", expression_of_object(&pod_class, API, 0));
    const struct expression_whole whole = {.map = "leaders",
                                           .objects = leaders,
                                           .bag = "pods",
                                           .kinds = kinds,
                                           .kind_count = sizeof(kinds) / sizeof(*kinds),
                                           .is_unsure = is_hash};
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct problems problems;
        problems_init(&problems, &arena);
        const struct expression *expression =
            expression_compile(&arena, cases[i].text, &environment, &expression_bool,
                               (struct place){0}, NULL, &problems);
        if (!expression)
            fail_msg("%s: %s", cases[i].text, problems.items[0].message);
        const uint32_t part = expression_sole_part(expression, &whole, &arena);
        if ((part == UINT32_MAX ? NONE : part) != cases[i].part)
            fail_msg("%s: %u", cases[i].text, part);
    }
}

/* A kind of which nobody knows the part can only be left out. */
static void a_kind_without_a_part_is_everywhere(void **state)
{
    const struct expression_kind kinds[] = {kind(WEB, "web", "web", NULL),
                                            kind(UINT32_MAX, NULL, "new", NULL)};
    const struct expression_map none = {0};
    const struct expression_whole whole = {"leaders", &none, "pods", kinds, 2, is_hash};
    static const char *const texts[] = {
        "pods.exists(p, p.labels.app == 'web')", "pods.exists(p, p.labels.app == 'new')",
        "pods.exists(p, p.ready)", "pods.exists(p, p.owner == 'web')"};
    static const uint32_t parts[] = {WEB, UINT32_MAX, UINT32_MAX, UINT32_MAX};
    (void)state;
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        struct problems problems;
        problems_init(&problems, &arena);
        const struct expression *expression = expression_compile(
            &arena, texts[i], &environment, &expression_bool, (struct place){0}, NULL, &problems);
        assert_int_equal(expression_sole_part(expression, &whole, &arena), parts[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_part_is_read),
        cmocka_unit_test(a_kind_without_a_part_is_everywhere),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
