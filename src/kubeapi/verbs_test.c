/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The verbs of the API server: the eighteen vectors T-API of the specification
 * of controllers, in its order on one store, and what comes first when several
 * checks fail.
 */
#include "kubeapi/verbs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { OBJECTS_MOST = 16 };

/* A server: a store and two counters. */
struct fixture {
    struct memory memory;
    struct arena arena;
    struct problems problems;
    const struct datum *objects[OBJECTS_MOST];
    uint32_t count;
    uint64_t version;
    uint64_t uid;
    struct api_outcome outcome; /* of the last request */
};

static int setup(void **state)
{
    static struct fixture fixture;
    memset(&fixture, 0, sizeof(fixture));
    memory_init(&fixture.memory, SIZE_MAX);
    arena_init(&fixture.arena, &fixture.memory);
    problems_init(&fixture.problems, &fixture.arena);
    fixture.version = 10;
    fixture.uid = 5;
    *state = &fixture;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *fixture = *state;
    arena_release(&fixture->arena);
    return 0;
}

static const struct datum *json(struct fixture *fixture, const char *text)
{
    const struct datum *datum =
        datum_read(&fixture->arena, DATUM_TAGGED, (struct place){.file = "test", .line = 1}, text,
                   strlen(text), &fixture->problems);
    assert_int_equal(fixture->problems.errors, 0);
    return datum;
}

static uint32_t slot_of(const struct fixture *fixture, const char *kind, const char *name)
{
    uint32_t at = 0;
    while (at < fixture->count &&
           (strcmp(datum_text(datum_at(fixture->objects[at], "kind"), ""), kind) != 0 ||
            strcmp(datum_text(datum_at(fixture->objects[at], "metadata.name"), ""), name) != 0))
        at++;
    return at;
}

static const struct datum *stored(const struct fixture *fixture, const char *kind, const char *name)
{
    const uint32_t at = slot_of(fixture, kind, name);
    return at < fixture->count ? fixture->objects[at] : NULL;
}

static const struct api_kind *kind_named(const char *name)
{
    static const struct api_kind custom = {.kind = "Cluster", .custom = true};
    const struct api_kind *kind = api_kind_built_in(name);
    return kind ? kind : &custom;
}

static enum api_error serve(struct fixture *fixture, const struct api_request *request)
{
    const char *generated = "generated-1";
    const char *name = *request->key.name ? request->key.name : generated;
    const uint32_t at = slot_of(fixture, request->key.kind, name);
    const struct datum *before = at < fixture->count ? fixture->objects[at] : NULL;
    const struct api_numbers numbers = {
        .version = fixture->version, .uid = fixture->uid, .generated_name = generated};
    fixture->outcome =
        api_apply(&fixture->arena, kind_named(request->key.kind), request, before, &numbers);
    if (!fixture->outcome.written) {
        assert_ptr_equal(fixture->outcome.stored, before);
        assert_false(fixture->outcome.version_used || fixture->outcome.uid_used);
    }
    fixture->version += fixture->outcome.version_used;
    fixture->uid += fixture->outcome.uid_used;
    if (fixture->outcome.stored && at == fixture->count)
        fixture->count++;
    assert_in_range(fixture->count, 0, OBJECTS_MOST - 1);
    fixture->objects[at] = fixture->outcome.stored;
    if (!fixture->outcome.stored && at < fixture->count)
        fixture->objects[at] = fixture->objects[--fixture->count];
    return fixture->outcome.error;
}

static enum api_error with_object(struct fixture *fixture, enum api_verb verb, const char *kind,
                                  const char *name, const char *object)
{
    return serve(fixture,
                 &(struct api_request){.verb = verb,
                                       .key = {.kind = kind, .name_space = "default", .name = name},
                                       .object = json(fixture, object)});
}

static enum api_error create(struct fixture *fixture, const char *kind, const char *name,
                             const char *object)
{
    return with_object(fixture, API_CREATE, kind, name, object);
}

static enum api_error update(struct fixture *fixture, const char *kind, const char *name,
                             const char *object)
{
    return with_object(fixture, API_UPDATE, kind, name, object);
}

static enum api_error without_object(struct fixture *fixture, enum api_verb verb, const char *kind,
                                     const char *name)
{
    return serve(fixture,
                 &(struct api_request){
                     .verb = verb, .key = {.kind = kind, .name_space = "default", .name = name}});
}

static uint64_t number_at(const struct datum *object, const char *path)
{
    const struct datum *value = datum_at(object, path);
    assert_non_null(value);
    return value->number;
}

#define VERSION "metadata.resourceVersion"

static void vectors_1_to_8(void **state)
{
    struct fixture *fixture = *state;
    const char *a = "{\"metadata\":{\"name\":\"a\"},\"data\":{\"v\":\"x\"}}";
    /* 1, 2 */
    assert_int_equal(create(fixture, "ConfigMap", "a", a), API_OK);
    assert_int_equal(number_at(fixture->outcome.reply, VERSION), 10);
    assert_int_equal(number_at(fixture->outcome.reply, "metadata.uid"), 5);
    assert_true(fixture->outcome.unsettles);
    assert_int_equal(fixture->version, 11);
    assert_int_equal(fixture->uid, 6);
    assert_int_equal(create(fixture, "ConfigMap", "a", a), API_ALREADY_EXISTS);
    assert_int_equal(fixture->version, 11);
    assert_int_equal(fixture->uid, 6);
    /* 3: the same again changes nothing */
    assert_int_equal(update(fixture, "ConfigMap", "a",
                            "{\"metadata\":{\"name\":\"a\",\"resourceVersion\":{\"$rv\":10}},"
                            "\"data\":{\"v\":\"x\"}}"),
                     API_OK);
    assert_int_equal(number_at(fixture->outcome.reply, VERSION), 10);
    assert_false(fixture->outcome.written || fixture->outcome.unsettles);
    assert_int_equal(fixture->version, 11);
    /* 4, 5 */
    assert_int_equal(update(fixture, "ConfigMap", "a",
                            "{\"metadata\":{\"name\":\"a\",\"resourceVersion\":{\"$rv\":10}},"
                            "\"data\":{\"v\":\"y\"}}"),
                     API_OK);
    assert_int_equal(number_at(fixture->outcome.reply, VERSION), 11);
    assert_true(fixture->outcome.unsettles);
    assert_int_equal(fixture->version, 12);
    assert_int_equal(update(fixture, "ConfigMap", "a",
                            "{\"metadata\":{\"name\":\"a\",\"resourceVersion\":{\"$rv\":10}},"
                            "\"data\":{\"v\":\"z\"}}"),
                     API_CONFLICT);
    /* 6: without a version, unconditionally */
    assert_int_equal(
        update(fixture, "ConfigMap", "a", "{\"metadata\":{\"name\":\"a\"},\"data\":{\"v\":\"z\"}}"),
        API_OK);
    assert_int_equal(number_at(fixture->outcome.reply, VERSION), 12);
    assert_int_equal(number_at(fixture->outcome.reply, "metadata.uid"), 5);
    /* 7: but not for custom resources */
    assert_int_equal(create(fixture, "Cluster", "c", "{\"metadata\":{\"name\":\"c\"}}"), API_OK);
    assert_int_equal(
        update(fixture, "Cluster", "c", "{\"metadata\":{\"name\":\"c\"},\"spec\":{\"n\":1}}"),
        API_INVALID);
    /* 8 */
    assert_int_equal(update(fixture, "ConfigMap", "a",
                            "{\"metadata\":{\"name\":\"a\",\"resourceVersion\":{\"$rv\":12},"
                            "\"uid\":{\"$uid\":4}}}"),
                     API_INTERNAL_ERROR);
}

static void vectors_9_10_and_16(void **state)
{
    struct fixture *fixture = *state;
    /* 9 */
    assert_int_equal(create(fixture, "StatefulSet", "s",
                            "{\"metadata\":{\"name\":\"s\"},\"spec\":{\"replicas\":-1}}"),
                     API_INVALID);
    assert_int_equal(fixture->version, 10);
    assert_int_equal(create(fixture, "StatefulSet", "s", "{\"metadata\":{\"name\":\"s\"}}"),
                     API_INVALID);
    /* 10 */
    assert_int_equal(create(fixture, "StatefulSet", "s",
                            "{\"metadata\":{\"name\":\"s\"},"
                            "\"spec\":{\"replicas\":1,\"serviceName\":\"x\"},"
                            "\"status\":{\"readyReplicas\":9}}"),
                     API_OK);
    assert_null(datum_member(fixture->outcome.stored, "status"));
    assert_int_equal(update(fixture, "StatefulSet", "s",
                            "{\"metadata\":{\"name\":\"s\"},"
                            "\"spec\":{\"replicas\":1,\"serviceName\":\"y\"}}"),
                     API_INVALID);
    assert_non_null(strstr(fixture->outcome.message, "spec.serviceName"));
    assert_int_equal(update(fixture, "StatefulSet", "s",
                            "{\"metadata\":{\"name\":\"s\"},\"spec\":{\"replicas\":1}}"),
                     API_INVALID);
    assert_int_equal(update(fixture, "StatefulSet", "s",
                            "{\"metadata\":{\"name\":\"s\"},"
                            "\"spec\":{\"replicas\":3,\"serviceName\":\"x\"}}"),
                     API_OK);
    /* 16 */
    const char *status = "{\"metadata\":{\"name\":\"s\",\"labels\":{\"l\":\"ignored\"}},"
                         "\"spec\":{\"replicas\":77},\"status\":{\"readyReplicas\":3}}";
    const uint64_t before = fixture->version;
    assert_int_equal(with_object(fixture, API_UPDATE_STATUS, "StatefulSet", "s", status), API_OK);
    assert_int_equal(fixture->version, before + 1);
    assert_false(fixture->outcome.unsettles);
    assert_int_equal(datum_number(datum_at(fixture->outcome.stored, "spec.replicas"), 0), 3);
    assert_null(datum_at(fixture->outcome.stored, "metadata.labels"));
    assert_int_equal(with_object(fixture, API_UPDATE_STATUS, "StatefulSet", "s", status), API_OK);
    assert_int_equal(fixture->version, before + 1);
    assert_false(fixture->outcome.written);
}

static void vectors_11_to_14(void **state)
{
    struct fixture *fixture = *state;
    /* 11 */
    assert_int_equal(create(fixture, "ConfigMap", "b",
                            "{\"metadata\":{\"name\":\"b\",\"finalizers\":[\"f\"],"
                            "\"deletionTimestamp\":\"ignored\"}}"),
                     API_OK);
    assert_null(datum_at(fixture->outcome.stored, "metadata.deletionTimestamp"));
    assert_int_equal(without_object(fixture, API_DELETE, "ConfigMap", "b"), API_OK);
    assert_non_null(datum_at(stored(fixture, "ConfigMap", "b"), "metadata.deletionTimestamp"));
    assert_int_equal(number_at(stored(fixture, "ConfigMap", "b"), VERSION), 11);
    assert_false(fixture->outcome.unsettles);
    /* 12 */
    assert_int_equal(without_object(fixture, API_DELETE, "ConfigMap", "b"), API_OK);
    assert_int_equal(number_at(stored(fixture, "ConfigMap", "b"), VERSION), 11);
    assert_int_equal(fixture->version, 12);
    /* 13 */
    assert_int_equal(update(fixture, "ConfigMap", "b",
                            "{\"metadata\":{\"name\":\"b\",\"finalizers\":[\"f\",\"g\"]}}"),
                     API_FORBIDDEN);
    /* 14 */
    assert_int_equal(
        update(fixture, "ConfigMap", "b", "{\"metadata\":{\"name\":\"b\",\"finalizers\":[]}}"),
        API_OK);
    assert_null(stored(fixture, "ConfigMap", "b"));
    assert_non_null(fixture->outcome.reply);
    assert_false(fixture->outcome.unsettles);
    assert_int_equal(fixture->version, 13);
}

static void vectors_15_17_and_18(void **state)
{
    struct fixture *fixture = *state;
    /* 15 */
    assert_int_equal(
        create(fixture, "ConfigMap", "a",
               "{\"metadata\":{\"name\":\"a\",\"ownerReferences\":["
               "{\"kind\":\"X\",\"name\":\"x\",\"uid\":{\"$uid\":1},\"controller\":true},"
               "{\"kind\":\"X\",\"name\":\"y\",\"uid\":{\"$uid\":2},\"controller\":true}]}}"),
        API_INVALID);
    /* 17 */
    assert_int_equal(
        create(fixture, "ConfigMap", "", "{\"metadata\":{\"generateName\":\"generated-\"}}"),
        API_OK);
    assert_non_null(stored(fixture, "ConfigMap", "generated-1"));
    assert_int_equal(
        create(fixture, "ConfigMap", "", "{\"metadata\":{\"generateName\":\"generated-\"}}"),
        API_ALREADY_EXISTS);
    /* 18 */
    assert_int_equal(without_object(fixture, API_DELETE, "ConfigMap", "a"), API_NOT_FOUND);
    assert_int_equal(without_object(fixture, API_GET, "ConfigMap", "a"), API_NOT_FOUND);
    assert_int_equal(without_object(fixture, API_GET, "ConfigMap", "generated-1"), API_OK);
    assert_ptr_equal(fixture->outcome.reply, stored(fixture, "ConfigMap", "generated-1"));
    assert_int_equal(without_object(fixture, API_DELETE, "ConfigMap", "generated-1"), API_OK);
    assert_int_equal(fixture->count, 0);
    assert_int_equal(fixture->version, 12);
}

/* Each request fails more checks than one; the first of the list is told. */
static void the_first_failing_check_wins(void **state)
{
    struct fixture *fixture = *state;
    const struct {
        const char *object;
        enum api_error error;
    } creates[] = {
        {"{\"metadata\":{\"namespace\":\"other\"}}", API_INVALID},
        {"{\"metadata\":{\"name\":\"s\",\"namespace\":\"other\"},\"spec\":3}", API_BAD_REQUEST},
        {"{\"metadata\":{\"name\":\"s\"},\"spec\":{\"replicas\":\"one\"}}", API_BAD_REQUEST},
        {"{\"metadata\":{\"name\":\"s\",\"labels\":[]},\"spec\":{}}", API_BAD_REQUEST},
        {"{\"metadata\":{\"name\":\"s\",\"ownerReferences\":[{}]},\"spec\":{}}", API_BAD_REQUEST},
        {"{\"metadata\":{\"name\":\"s\"},\"spec\":{\"replicas\":-1}}", API_ALREADY_EXISTS},
    };
    assert_int_equal(
        create(fixture, "StatefulSet", "s", "{\"metadata\":{\"name\":\"s\"},\"spec\":{}}"), API_OK);
    for (size_t i = 0; i < sizeof(creates) / sizeof(creates[0]); i++)
        assert_int_equal(create(fixture, "StatefulSet", "s", creates[i].object), creates[i].error);
    const struct {
        const char *name;
        const char *object;
        enum api_error error;
    } updates[] = {
        {"s", "{\"metadata\":{\"namespace\":\"other\"}}", API_BAD_REQUEST},
        {"s", "{\"metadata\":{\"name\":\"t\",\"namespace\":\"other\"}}", API_BAD_REQUEST},
        {"t", "{\"metadata\":{\"name\":\"t\"},\"spec\":[]}", API_BAD_REQUEST},
        {"t", "{\"metadata\":{\"name\":\"t\",\"resourceVersion\":{\"$rv\":1}}}", API_NOT_FOUND},
        {"s",
         "{\"metadata\":{\"name\":\"s\",\"resourceVersion\":{\"$rv\":1},\"uid\":{\"$uid\":1}}}",
         API_CONFLICT},
        {"s",
         "{\"metadata\":{\"name\":\"s\",\"resourceVersion\":{\"$rv\":10},\"uid\":{\"$uid\":1}}}",
         API_INTERNAL_ERROR},
    };
    for (size_t i = 0; i < sizeof(updates) / sizeof(updates[0]); i++) {
        assert_int_equal(update(fixture, "StatefulSet", updates[i].name, updates[i].object),
                         updates[i].error);
        assert_int_equal(with_object(fixture, API_UPDATE_STATUS, "StatefulSet", updates[i].name,
                                     updates[i].object),
                         updates[i].error);
        assert_non_null(fixture->outcome.message);
    }
    assert_int_equal(fixture->version, 11);
}

static void kinds_have_their_rules(void **state)
{
    struct fixture *fixture = *state;
    static const char group[] = "\"apiGroup\":\"rbac.authorization.k8s.io\"";
    char binding[256];
    const struct {
        const char *kind;
        const char *content;
        enum api_error error;
    } cases[] = {
        {"DaemonSet", "\"status\":{}", API_INVALID},
        {"DaemonSet", "\"spec\":{\"selector\":{\"a\":\"b\"}}", API_OK},
        {"Service", "\"status\":{}", API_INVALID},
        {"Service", "\"spec\":{}", API_OK},
        {"Pod", "\"status\":{}", API_INVALID},
        {"PersistentVolumeClaim", "\"status\":{}", API_INVALID},
        {"PersistentVolumeClaim", "\"spec\":{\"storageClassName\":1}", API_BAD_REQUEST},
        {"ConfigMap", "\"data\":\"text\"", API_BAD_REQUEST},
        {"Secret", "\"type\":\"Opaque\"", API_OK},
        {"ServiceAccount", "\"secrets\":[]", API_OK},
        {"Role", "\"rules\":[{\"apiGroups\":[\"\"],\"resources\":[\"pods\"],\"verbs\":[]}]",
         API_INVALID},
        {"Role", "\"rules\":[{\"apiGroups\":[\"\"],\"resources\":[\"pods\"],\"verbs\":[\"get\"]}]",
         API_OK},
        {"RoleBinding", "\"roleRef\":{\"apiGroup\":\"x\",\"kind\":\"Role\"}", API_INVALID},
        {"RoleBinding", "\"roleRef\":{\"apiGroup\":\"rbac.authorization.k8s.io\",\"kind\":\"Pod\"}",
         API_INVALID},
        {"RoleBinding",
         "\"roleRef\":{\"apiGroup\":\"rbac.authorization.k8s.io\",\"kind\":\"Role\"}", API_OK},
    };
    char object[400];
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        snprintf(object, sizeof(object), "{\"metadata\":{\"name\":\"a\"},%s}", cases[i].content);
        assert_int_equal(create(fixture, cases[i].kind, "a", object), cases[i].error);
    }
    snprintf(binding, sizeof(binding),
             "{\"metadata\":{\"name\":\"a\"},\"roleRef\":{%s,\"kind\":\"ClusterRole\"}}", group);
    assert_int_equal(update(fixture, "RoleBinding", "a", binding), API_INVALID);
    assert_int_equal(update(fixture, "DaemonSet", "a",
                            "{\"metadata\":{\"name\":\"a\"},\"spec\":{\"selector\":{}}}"),
                     API_INVALID);
    assert_int_equal(update(fixture, "DaemonSet", "a",
                            "{\"metadata\":{\"name\":\"a\"},\"spec\":{\"selector\":{\"a\":\"b\"},"
                            "\"template\":{}}}"),
                     API_OK);
}

static void deletes_may_have_preconditions(void **state)
{
    struct fixture *fixture = *state;
    assert_int_equal(create(fixture, "ConfigMap", "a", "{\"metadata\":{\"name\":\"a\"}}"), API_OK);
    struct api_request request = {
        .verb = API_DELETE,
        .key = {.kind = "ConfigMap", .name_space = "default", .name = "a"},
        .uid_precondition = datum_uid(&fixture->arena, 4),
    };
    assert_int_equal(serve(fixture, &request), API_CONFLICT);
    request.uid_precondition = datum_uid(&fixture->arena, 5);
    request.version_precondition = datum_version(&fixture->arena, 9);
    assert_int_equal(serve(fixture, &request), API_CONFLICT);
    request.version_precondition = datum_version(&fixture->arena, 10);
    assert_int_equal(serve(fixture, &request), API_OK);
    assert_int_equal(fixture->count, 0);
}

static const struct datum *find(const void *store, const struct object_key *key)
{
    return stored(store, key->kind, key->name);
}

static void orphans_are_known_by_uid(void **state)
{
    struct fixture *fixture = *state;
    assert_int_equal(create(fixture, "Cluster", "x", "{\"metadata\":{\"name\":\"x\"}}"), API_OK);
    const struct api_store_view view = {.store = fixture, .find = find};
    const struct {
        const char *owners;
        bool orphan;
    } cases[] = {
        {"[]", false},
        {"[{\"kind\":\"Cluster\",\"name\":\"x\",\"uid\":{\"$uid\":5}}]", false},
        {"[{\"kind\":\"Cluster\",\"name\":\"x\",\"uid\":{\"$uid\":4}}]", true},
        {"[{\"kind\":\"Cluster\",\"name\":\"y\",\"uid\":{\"$uid\":5}}]", true},
        {"[{\"kind\":\"Cluster\",\"name\":\"y\",\"uid\":{\"$uid\":5}},"
         "{\"kind\":\"Cluster\",\"name\":\"x\",\"uid\":{\"$uid\":5}}]",
         false},
    };
    char object[400];
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        snprintf(object, sizeof(object), "{\"metadata\":{\"name\":\"a\",\"ownerReferences\":%s}}",
                 cases[i].owners);
        assert_int_equal(api_is_orphan(json(fixture, object), &view), cases[i].orphan);
    }
    assert_false(api_is_orphan(json(fixture, "{}"), &view));
}

static void names_are_read_back(void **state)
{
    (void)state;
    for (int i = API_OK; i <= API_OTHER; i++) {
        enum api_error error = API_OTHER;
        assert_true(api_error_parse(api_error_name((enum api_error)i), &error));
        assert_int_equal(error, i);
    }
    for (int i = API_GET; i <= API_EXTERNAL; i++) {
        enum api_verb verb = API_GET;
        assert_true(api_verb_parse(api_verb_name((enum api_verb)i), &verb));
        assert_int_equal(verb, i);
    }
    enum api_verb verb = API_GET;
    assert_false(api_verb_parse("patch", &verb));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(vectors_1_to_8, setup, teardown),
        cmocka_unit_test_setup_teardown(vectors_9_10_and_16, setup, teardown),
        cmocka_unit_test_setup_teardown(vectors_11_to_14, setup, teardown),
        cmocka_unit_test_setup_teardown(vectors_15_17_and_18, setup, teardown),
        cmocka_unit_test_setup_teardown(the_first_failing_check_wins, setup, teardown),
        cmocka_unit_test_setup_teardown(kinds_have_their_rules, setup, teardown),
        cmocka_unit_test_setup_teardown(deletes_may_have_preconditions, setup, teardown),
        cmocka_unit_test_setup_teardown(orphans_are_known_by_uid, setup, teardown),
        cmocka_unit_test(names_are_read_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
