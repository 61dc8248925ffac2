/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The server without sockets: requests and their responses, in Kubernetes' words.
 * The vectors T-API of the checker's environment are asked over the REST paths
 * here, from the same numbers (resource version 10, uid 5).
 */
#include "apiserver/collector.h"
#include "apiserver/watch.h"
#include "apiserver/world_fixture.h"
#include "kubeapi/datum.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define STS  "/apis/apps/v1/namespaces/default/statefulsets"
#define FOOS "/apis/example.org/v1/namespaces/default/foos"

static const char *sts(struct world *world, const char *replicas, const char *service)
{
    return arena_printf(&world->arena,
                        "{\"apiVersion\":\"apps/v1\",\"kind\":\"StatefulSet\",\"metadata\":"
                        "{\"name\":\"s\"},\"spec\":{\"replicas\":%s,\"serviceName\":\"%s\","
                        "\"selector\":{},\"template\":{}}}",
                        replicas, service);
}

static const char definition[] =
    "{\"apiVersion\":\"apiextensions.k8s.io/v1\",\"kind\":\"CustomResourceDefinition\","
    "\"metadata\":{\"name\":\"foos.example.org\"},\"spec\":{\"group\":\"example.org\","
    "\"scope\":\"Namespaced\",\"names\":{\"plural\":\"foos\",\"kind\":\"Foo\"},\"versions\":"
    "[{\"name\":\"v1\",\"served\":true,\"storage\":true,\"subresources\":{\"status\":{}}},"
    "{\"name\":\"v2\",\"served\":true,\"storage\":false}]}}";

static const char *foo(struct world *world, const char *metadata, const char *value)
{
    return arena_printf(&world->arena,
                        "{\"apiVersion\":\"example.org/v1\",\"kind\":\"Foo\",\"metadata\":"
                        "{\"name\":\"c\"%s},\"spec\":{\"value\":\"%s\"}}",
                        metadata, value);
}

static uint64_t version_of(struct world *world)
{
    return world->server.store.version;
}

/* T-API 1 to 6 and 8: creates and updates of a ConfigMap. */
static void updates_need_the_latest_version(void **state)
{
    (void)state;
    struct world world;
    world_start(&world);
    EXPECT(201, "\"resourceVersion\":\"10\"", "POST", CMS, cm(&world, "a", "", "x"));
    EXPECT(200, "\"uid\":\"00000000-0000-4000-8000-000000000005\"", "GET", CMS "/a", "");
    EXPECT(409, "configmaps \\\"a\\\" already exists", "POST", CMS, cm(&world, "a", "", "x"));
    assert_int_equal(version_of(&world), 10);
    EXPECT(200, "\"resourceVersion\":\"10\"", "PUT", CMS "/a",
           cm(&world, "a", ",\"resourceVersion\":\"10\"", "x"));
    assert_int_equal(version_of(&world), 10);
    EXPECT(200, "\"resourceVersion\":\"11\"", "PUT", CMS "/a",
           cm(&world, "a", ",\"resourceVersion\":\"10\"", "y"));
    EXPECT(
        409,
        "\"message\":\"Operation cannot be fulfilled on configmaps \\\"a\\\": the object has been "
        "modified; please apply your changes to the latest version and try again\",\"reason\":"
        "\"Conflict\",\"details\":{\"name\":\"a\",\"kind\":\"configmaps\"},\"code\":409",
        "PUT", CMS "/a", cm(&world, "a", ",\"resourceVersion\":\"10\"", "z"));
    EXPECT(200, "\"resourceVersion\":\"12\"", "PUT", CMS "/a", cm(&world, "a", "", "z"));
    EXPECT(500, "Internal error", "PUT", CMS "/a",
           cm(&world, "a",
              ",\"resourceVersion\":\"12\",\"uid\":\"00000000-0000-4000-8000-000000000004\"", "z"));
    world_end(&world);
}

/* T-API 7. */
static void custom_resources_are_updated_with_a_version_only(void **state)
{
    (void)state;
    struct world world;
    world_start(&world);
    EXPECT(404, "could not find", "POST", FOOS, foo(&world, "", "x"));
    EXPECT(201, "\"type\":\"Established\"", "POST",
           "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", definition);
    EXPECT(201, "\"generation\":1", "POST", FOOS, foo(&world, "", "x"));
    EXPECT(
        422,
        "\"Foo.example.org \\\"c\\\" is invalid: metadata.resourceVersion: must be specified for "
        "an update\"",
        "PUT", FOOS "/c", foo(&world, "", "y"));
    /* A patch carries the version that it was made for. */
    assert_says(&world, 200,
                ask_as(&world, "PATCH", FOOS "/c", "application/merge-patch+json",
                       "{\"spec\":{\"value\":\"y\"}}"),
                "\"generation\":2");
    assert_says(&world, 409,
                ask_as(&world, "PATCH", FOOS "/c", "application/merge-patch+json",
                       "{\"metadata\":{\"resourceVersion\":\"1\"},\"spec\":{\"value\":\"z\"}}"),
                "\"reason\":\"Conflict\"");
    EXPECT(200, "\"apiVersion\":\"example.org/v2\"", "GET",
           "/apis/example.org/v2/namespaces/default/foos/c", "");
    EXPECT(404, "could not find", "GET", "/apis/example.org/v2/namespaces/default/foos/c/status",
           "");
    assert_says(&world, 200,
                ask_as(&world, "PATCH", FOOS "/c/status", "application/merge-patch+json",
                       "{\"status\":{\"ready\":1},\"spec\":{\"value\":\"ignored\"}}"),
                "\"spec\":{\"value\":\"y\"},\"status\":{\"ready\":1}");
    EXPECT(422, "is invalid", "POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
           "{\"metadata\":{\"name\":\"x\"},\"spec\":{\"group\":\"apps\"}}");
    world_end(&world);
}

/* T-API 9, 10 and 16. */
static void stateful_sets_are_validated(void **state)
{
    (void)state;
    struct world world;
    world_start(&world);
    EXPECT(422, "StatefulSet.apps \\\"s\\\" is invalid: spec.replicas", "POST", STS,
           sts(&world, "-1", "a"));
    EXPECT(201, "\"generation\":1", "POST", STS, sts(&world, "1", "a"));
    EXPECT(422, "spec.serviceName", "PUT", STS "/s", sts(&world, "1", "b"));
    EXPECT(200, "\"generation\":2", "PUT", STS "/s", sts(&world, "2", "a"));
    const char *patch = "{\"status\":{\"readyReplicas\":3}}";
    assert_says(&world, 200,
                ask_as(&world, "PATCH", STS "/s/status", "application/merge-patch+json", patch),
                "\"readyReplicas\":3");
    const uint64_t version = version_of(&world);
    assert_says(&world, 200,
                ask_as(&world, "PATCH", STS "/s/status", "application/merge-patch+json", patch),
                "\"generation\":2");
    assert_int_equal(version_of(&world), version);
    EXPECT(200, "\"spec\":{\"replicas\":2},\"status\":{\"replicas\":0}", "GET", STS "/s/scale", "");
    EXPECT(409, "Conflict", "PUT", STS "/s/scale",
           "{\"kind\":\"Scale\",\"metadata\":{\"name\":\"s\",\"resourceVersion\":\"1\"},"
           "\"spec\":{\"replicas\":3}}");
    EXPECT(400, "not the Scale", "PUT", STS "/s/scale", sts(&world, "3", "a"));
    EXPECT(422, "spec.replicas", "PUT", STS "/s/scale",
           "{\"metadata\":{\"name\":\"s\"},\"spec\":{\"replicas\":-3}}");
    assert_says(&world, 200,
                ask_as(&world, "PATCH", STS "/s/scale", "application/merge-patch+json",
                       "{\"spec\":{\"replicas\":4}}"),
                "\"kind\":\"Scale\"");
    EXPECT(200, "\"replicas\":4", "GET", STS "/s", "");
    EXPECT(404, "could not find", "GET", CMS "/s/scale", "");
    EXPECT(404, "not found", "PUT", STS "/t/scale", "{\"metadata\":{\"name\":\"t\"}}");
    world_end(&world);
}

/* T-API 11 to 14 and 18, and preconditions. */
static void finalizers_keep_what_is_deleted(void **state)
{
    (void)state;
    struct world world;
    world_start(&world);
    EXPECT(201, "finalizers", "POST", CMS, cm(&world, "b", ",\"finalizers\":[\"f\"]", "x"));
    EXPECT(409, "Conflict", "DELETE", CMS "/b",
           "{\"preconditions\":{\"uid\":\"00000000-0000-4000-8000-000000000009\"}}");
    EXPECT(409, "Conflict", "DELETE", CMS "/b", "{\"preconditions\":{\"resourceVersion\":\"9\"}}");
    EXPECT(200, "\"deletionTimestamp\":\"2027-01-15T08:00:00Z\"", "DELETE", CMS "/b",
           "{\"preconditions\":{\"uid\":\"00000000-0000-4000-8000-000000000005\","
           "\"resourceVersion\":\"10\"}}");
    assert_int_equal(version_of(&world), 11);
    EXPECT(200, "\"resourceVersion\":\"11\"", "DELETE", CMS "/b", "");
    assert_int_equal(version_of(&world), 11);
    EXPECT(403, "configmaps \\\"b\\\" is forbidden", "PUT", CMS "/b",
           cm(&world, "b", ",\"finalizers\":[\"f\",\"g\"]", "x"));
    assert_says(&world, 200,
                ask_as(&world, "PATCH", CMS "/b", "application/json-patch+json",
                       "[{\"op\":\"test\",\"path\":\"/metadata/resourceVersion\",\"value\":\"11\"},"
                       "{\"op\":\"remove\",\"path\":\"/metadata/finalizers/0\"}]"),
                "\"name\":\"b\"");
    assert_int_equal(version_of(&world), 12);
    EXPECT(404, "configmaps \\\"b\\\" not found", "DELETE", CMS "/b", "");
    EXPECT(201, "", "POST", CMS, cm(&world, "b", "", "x"));
    EXPECT(200,
           "\"status\":\"Success\",\"details\":{\"name\":\"b\",\"kind\":\"configmaps\",\"uid\":",
           "DELETE", CMS "/b", "");
    world_end(&world);
}

/* T-API 15 and 17, and what is refused before the verbs are asked. */
static void creates_that_are_wrong(void **state)
{
    (void)state;
    struct world world;
    world_start(&world);
    EXPECT(422, "ownerReferences", "POST", CMS,
           cm(&world, "a",
              ",\"ownerReferences\":[{\"kind\":\"A\",\"name\":\"a\",\"uid\":\"1\",\"controller\":"
              "true},{\"kind\":\"A\",\"name\":\"b\",\"uid\":\"2\",\"controller\":true}]",
              "x"));
    EXPECT(201, "\"name\":\"gen-", "POST", CMS, "{\"metadata\":{\"generateName\":\"gen-\"}}");
    EXPECT(422, "metadata.name", "POST", CMS, "{}");
    EXPECT(422, "RFC 1123 subdomain", "POST", CMS, cm(&world, "A_b", "", "x"));
    EXPECT(400, "unrecognized", "POST", CMS, "{");
    EXPECT(400, "unrecognized", "POST", CMS, "[]");
    EXPECT(400, "must be of type ConfigMap", "POST", CMS, "{\"kind\":\"Secret\"}");
    EXPECT(400, "does not match the expected API version", "POST", CMS,
           "{\"apiVersion\":\"v2\",\"metadata\":{\"name\":\"a\"}}");
    EXPECT(400, "resourceVersion should not be set", "POST", CMS,
           cm(&world, "a", ",\"resourceVersion\":\"1\"", "x"));
    EXPECT(404, "namespaces \\\"zoo\\\" not found", "POST", "/api/v1/namespaces/zoo/configmaps",
           cm(&world, "a", "", "x"));
    EXPECT(405, "MethodNotAllowed", "POST", "/api/v1/configmaps", cm(&world, "a", "", "x"));
    EXPECT(403, "may not be deleted", "DELETE", "/api/v1/namespaces/default", "");
    assert_says(&world, 415, ask_as(&world, "POST", CMS, "text/plain", "{}"),
                "UnsupportedMediaType");
    assert_says(&world, 201,
                ask_as(&world, "POST", CMS, "application/yaml", "metadata: {name: yam}\n"),
                "\"name\":\"yam\"");
    EXPECT(201, "\"data\":{\"k\":\"dg==\"},", "POST", "/api/v1/namespaces/default/secrets",
           "{\"metadata\":{\"name\":\"s\"},\"stringData\":{\"k\":\"v\"}}");
    world_end(&world);
}

/* Kubernetes' protobuf: a wrapper of the type and the object. */
static void protobuf_is_read_or_refused(void **state)
{
    (void)state;
    struct world world;
    world_start(&world);
    /* A ConfigMap p of data k: v, with an empty generateName and creationTimestamp. */
    static const char good[] = "k8s\0\x0a\x0f\x0a\x02v1\x12\x09"
                               "ConfigMap\x12\x11\x0a\x07\x0a\x01p\x12\x00\x42\x00\x12\x06\x0a\x01"
                               "k\x12\x01v";
    struct http_request request = {
        .method = "POST",
        .path = CMS,
        .accept = "",
        .content_type = "application/vnd.kubernetes.protobuf",
        .body = good,
        .body_length = sizeof(good) - 1,
    };
    for (size_t length = 0; length <= sizeof(good) - 1; length++) {
        char copy[sizeof(good)];
        memcpy(copy, good, sizeof(good));
        copy[length] = '\0';
        struct http_response response = {0};
        text_init(&response.body, &world.memory);
        request.body = copy;
        request.body_length = length;
        apiserver_handle(&world.server, &request, &response);
        /* Whatever is cut off: only the whole, or what is a whole without the rest, is taken. */
        if (length == sizeof(good) - 1)
            assert_int_equal(response.status, 201);
        else
            assert_true(response.status == 415 || response.status == 422);
        text_release(&response.body);
    }
    EXPECT(200, "\"data\":{\"k\":\"v\"}", "GET", CMS "/p", "");
    /* Field 9 of a ConfigMap is none. */
    char strange[sizeof(good)];
    memcpy(strange, good, sizeof(good));
    strange[sizeof(good) - 9] = '\x4a';
    struct http_response response = {0};
    text_init(&response.body, &world.memory);
    request.body = strange;
    request.body_length = sizeof(good) - 1;
    apiserver_handle(&world.server, &request, &response);
    assert_int_equal(response.status, 415);
    assert_non_null(strstr(text_content(&response.body), "field 9 of ConfigMap is not known"));
    text_release(&response.body);
    world_end(&world);
}

static void dry_runs_change_nothing(void **state)
{
    (void)state;
    struct world world;
    world_start(&world);
    EXPECT(201, "\"name\":\"a\"", "POST", CMS "?dryRun=All", cm(&world, "a", "", "x"));
    EXPECT(404, "not found", "GET", CMS "/a", "");
    EXPECT(201, "\"name\":\"a\"", "POST", CMS, cm(&world, "a", "", "x"));
    EXPECT(200, "Success", "DELETE", CMS "/a?dryRun=All", "");
    EXPECT(200, "\"name\":\"a\"", "GET", CMS "/a", "");
    world_end(&world);
}

static void lists_are_selected(void **state)
{
    (void)state;
    struct world world;
    world_start(&world);
    ask(&world, "POST", CMS, cm(&world, "a", ",\"labels\":{\"k\":\"1\"}", "x"));
    ask(&world, "POST", CMS, cm(&world, "b", ",\"labels\":{\"k\":\"2\"}", "x"));
    ask(&world, "POST", "/api/v1/namespaces/kube-system/configmaps", cm(&world, "c", "", "x"));
    EXPECT(200,
           "\"kind\":\"ConfigMapList\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":"
           "\"12\"}",
           "GET", "/api/v1/configmaps", "");
    const char *of_labels = ask(&world, "GET", CMS "?labelSelector=k in (1)", "");
    assert_non_null(strstr(of_labels, "\"name\":\"a\""));
    assert_null(strstr(of_labels, "\"name\":\"b\""));
    const char *of_name = ask(&world, "GET", CMS "?fieldSelector=metadata.name!=a", "");
    assert_null(strstr(of_name, "\"name\":\"a\""));
    assert_non_null(strstr(of_name, "\"name\":\"b\""));
    assert_null(strstr(of_name, "\"name\":\"c\""));
    EXPECT(400, "field label not supported: spec.x", "GET", CMS "?fieldSelector=spec.x=1", "");
    EXPECT(400, "unable to parse", "GET", CMS "?labelSelector=k in", "");
    world_end(&world);
}

/* Strategic merge patches of built-in kinds: lists are merged by their keys. */
static void patches_merge_lists(void **state)
{
    (void)state;
    struct world world;
    world_start(&world);
    ask(&world, "POST", STS,
        "{\"metadata\":{\"name\":\"s\",\"finalizers\":[\"a\",\"b\"]},\"spec\":{\"replicas\":1,"
        "\"template\":{\"spec\":{\"containers\":[{\"name\":\"a\",\"image\":\"1\",\"args\":[\"x\"]},"
        "{\"name\":\"b\",\"image\":\"1\"}]}}}}");
    const char *type = "application/strategic-merge-patch+json";
    assert_says(
        &world, 200,
        ask_as(&world, "PATCH", STS "/s", type,
               "{\"spec\":{\"template\":{\"spec\":{\"containers\":[{\"name\":\"a\",\"image\":"
               "\"2\"},{\"name\":\"c\",\"image\":\"1\"}]}}}}"),
        "[{\"args\":[\"x\"],\"image\":\"2\",\"name\":\"a\"},{\"image\":\"1\",\"name\":\"b\"},"
        "{\"image\":\"1\",\"name\":\"c\"}]");
    assert_says(
        &world, 200,
        ask_as(&world, "PATCH", STS "/s", type,
               "{\"spec\":{\"template\":{\"spec\":{\"$setElementOrder/containers\":[{\"name\":"
               "\"c\"},{\"name\":\"a\"}],\"containers\":[{\"$patch\":\"delete\",\"name\":"
               "\"b\"}]}}}}"),
        "[{\"image\":\"1\",\"name\":\"c\"},{\"args\":[\"x\"],\"image\":\"2\",\"name\":\"a\"}]");
    assert_says(&world, 200,
                ask_as(&world, "PATCH", STS "/s", type,
                       "{\"metadata\":{\"$deleteFromPrimitiveList/finalizers\":[\"a\"],"
                       "\"finalizers\":[\"c\"],\"labels\":{\"l\":\"1\"}}}"),
                "\"finalizers\":[\"b\",\"c\"]");
    assert_says(
        &world, 200,
        ask_as(&world, "PATCH", STS "/s", type,
               "{\"metadata\":{\"labels\":null},\"spec\":{\"$retainKeys\":[\"replicas\","
               "\"template\"],\"replicas\":5,\"template\":{\"spec\":{\"containers\":[{\"name\":"
               "\"n\"},{\"$patch\":\"replace\"}]}}}}"),
        "\"spec\":{\"replicas\":5,\"template\":{\"spec\":{\"containers\":[{\"name\":\"n\"}]}}}");
    assert_says(&world, 422,
                ask_as(&world, "PATCH", STS "/s", type,
                       "{\"spec\":{\"template\":{\"spec\":{\"containers\":[{\"image\":\"1\"}]}}}}"),
                "merge key: name");
    assert_says(
        &world, 415,
        ask_as(&world, "PATCH", STS "/s?fieldManager=x", "application/apply-patch+yaml", "a: 1"),
        "server-side apply is not supported");
    world_end(&world);
}

static void json_patches(void **state)
{
    (void)state;
    struct world world;
    world_start(&world);
    ask(&world, "POST", CMS, cm(&world, "a", "", "x"));
    const char *type = "application/json-patch+json";
    const struct {
        const char *patch;
        unsigned status;
        const char *part;
    } cases[] = {
        {"[{\"op\":\"add\",\"path\":\"/data/k~1m\",\"value\":\"1\"}]", 200, "\"k/m\":\"1\""},
        {"[{\"op\":\"move\",\"from\":\"/data/k~1m\",\"path\":\"/data/n\"}]", 200, "\"n\":\"1\""},
        {"[{\"op\":\"copy\",\"from\":\"/data/n\",\"path\":\"/data/o\"}]", 200, "\"o\":\"1\""},
        {"[{\"op\":\"add\",\"path\":\"/metadata/"
         "finalizers\",\"value\":[\"a\",\"c\"]},{\"op\":\"add\","
         "\"path\":\"/metadata/finalizers/1\",\"value\":\"b\"},{\"op\":\"add\",\"path\":"
         "\"/metadata/finalizers/-\",\"value\":\"d\"}]",
         200, "[\"a\",\"b\",\"c\",\"d\"]"},
        {"[{\"op\":\"replace\",\"path\":\"/metadata/finalizers/3\",\"value\":\"e\"}]", 200,
         "[\"a\",\"b\",\"c\",\"e\"]"},
        {"[{\"op\":\"remove\",\"path\":\"/metadata/finalizers/4\"}]", 422, "no item"},
        {"[{\"op\":\"remove\",\"path\":\"/data/absent\"}]", 422, "not there"},
        {"[{\"op\":\"test\",\"path\":\"/data/n\",\"value\":\"2\"}]", 422, "testing path"},
        {"[{\"op\":\"replace\",\"path\":\"\",\"value\":null}]", 422, "null"},
        {"[{\"op\":\"add\",\"path\":\"data\"}]", 422, "does not start"},
        {"[{\"op\":\"bend\",\"path\":\"/data\"}]", 422, "unknown op"},
        {"[{}]", 422, "no op"},
        {"{}", 422, "list of operations"},
        {"[{\"op\":\"add\",\"path\":\"/metadata/name\",\"value\":\"b\"}]", 400, "name"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
        assert_says(&world, cases[i].status,
                    ask_as(&world, "PATCH", CMS "/a", type, cases[i].patch), cases[i].part);
    world_end(&world);
}

/* Dependents go with their last owner, or are disowned, or go first. */
static void garbage_is_collected(void **state)
{
    (void)state;
    struct world world;
    world_start(&world);
    world.server.settings.no_collector = false; /* as if one ran */
    ask(&world, "POST", CMS, cm(&world, "owner", "", "x"));
    const char *reference = ",\"ownerReferences\":[{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\","
                            "\"name\":\"owner\",\"uid\":\"00000000-0000-4000-8000-%012x\"}]";
    ask(&world, "POST", CMS, cm(&world, "part", arena_printf(&world.arena, reference, 5), "x"));
    ask(&world, "POST", CMS, cm(&world, "other", arena_printf(&world.arena, reference, 77), "x"));
    assert_true(collect_garbage(&world.server));
    EXPECT(404, "", "GET", CMS "/other", ""); /* the owner it names never was */
    EXPECT(200, "", "GET", CMS "/part", "");
    assert_false(collect_garbage(&world.server));
    ask(&world, "DELETE", CMS "/owner", "{\"propagationPolicy\":\"Orphan\"}");
    assert_false(collect_garbage(&world.server));
    EXPECT(200, "", "GET", CMS "/part", "");
    ask(&world, "POST", CMS, cm(&world, "owner", "", "x")); /* uid 8 */
    ask(&world, "POST", CMS, cm(&world, "p", arena_printf(&world.arena, reference, 8), "x"));
    EXPECT(200, "foregroundDeletion", "DELETE", CMS "/owner",
           "{\"propagationPolicy\":\"Foreground\"}");
    EXPECT(200, "deletionTimestamp", "GET", CMS "/owner", "");
    while (collect_garbage(&world.server)) {
    }
    EXPECT(404, "", "GET", CMS "/p", "");
    EXPECT(404, "", "GET", CMS "/owner", "");
    EXPECT(422, "propagationPolicy", "DELETE", CMS "/part?propagationPolicy=Sideways", "");
    world_end(&world);
}

static void namespaces_are_emptied(void **state)
{
    (void)state;
    struct world world;
    world_start(&world);
    world.server.settings.no_collector = false;
    EXPECT(201, "\"phase\":\"Active\"", "POST", "/api/v1/namespaces",
           "{\"metadata\":{\"name\":\"zoo\"}}");
    ask(&world, "POST", "/api/v1/namespaces/zoo/configmaps",
        cm(&world, "a", ",\"finalizers\":[\"f\"]", "x"));
    EXPECT(200, "deletionTimestamp", "DELETE", "/api/v1/namespaces/zoo", "");
    EXPECT(403, "being terminated", "POST", "/api/v1/namespaces/zoo/configmaps",
           cm(&world, "b", "", "x"));
    while (collect_garbage(&world.server)) {
    }
    EXPECT(200, "deletionTimestamp", "GET", "/api/v1/namespaces/zoo/configmaps/a", "");
    EXPECT(200, "", "GET", "/api/v1/namespaces/zoo", "");
    ask_as(&world, "PATCH", "/api/v1/namespaces/zoo/configmaps/a", "application/merge-patch+json",
           "{\"metadata\":{\"finalizers\":null}}");
    while (collect_garbage(&world.server)) {
    }
    EXPECT(404, "", "GET", "/api/v1/namespaces/zoo", "");
    world_end(&world);
}

/* What a watch gives, up to the end of what there is. */
static const char *read_some(struct watch *watch, char *buffer, size_t most)
{
    const size_t count = watch_read(watch, NULL, buffer, most - 1);
    buffer[count] = '\0';
    return buffer;
}

static void watches_tell_changes(void **state)
{
    (void)state;
    struct world world;
    char buffer[4096];
    const char *content = "";
    world_start(&world);
    ask(&world, "POST", CMS, cm(&world, "a", ",\"labels\":{\"k\":\"1\"}", "x"));
    struct watch *watch = exchange(&world, "GET", CMS "?watch=1&labelSelector=k=1&timeoutSeconds=1",
                                   "", "", &content);
    assert_non_null(watch);
    assert_non_null(strstr(read_some(watch, buffer, sizeof(buffer)), "{\"type\":\"ADDED\""));
    /* Out of the selection is gone, and back in is new. */
    ask(&world, "PUT", CMS "/a", cm(&world, "a", ",\"labels\":{\"k\":\"2\"}", "x"));
    ask(&world, "PUT", CMS "/a", cm(&world, "a", ",\"labels\":{\"k\":\"1\"}", "x"));
    ask(&world, "PUT", CMS "/a", cm(&world, "a", ",\"labels\":{\"k\":\"1\"}", "y"));
    ask(&world, "POST", STS, sts(&world, "1", "a"));
    ask(&world, "DELETE", CMS "/a", "");
    const char *changes = read_some(watch, buffer, sizeof(buffer));
    static const char *const order[] = {"DELETED", "ADDED", "MODIFIED", "DELETED"};
    for (size_t i = 0; i < sizeof(order) / sizeof(*order); i++) {
        changes = strstr(changes, order[i]);
        assert_non_null(changes);
        changes++;
    }
    assert_null(strstr(changes, "\"type\""));
    assert_string_equal(read_some(watch, buffer, sizeof(buffer)), ""); /* after a second */
    watch_close(watch);
    world_end(&world);
}

static void watches_begin_where_they_are_asked_to(void **state)
{
    (void)state;
    struct world world;
    char buffer[4096];
    const char *content = "";
    world_start_with(&world, (struct object_store_settings){.history = 2}, 0);
    for (int data = 'a'; data < 'e'; data++)
        ask(&world, data == 'a' ? "POST" : "PUT", data == 'a' ? CMS : CMS "/a",
            cm(&world, "a", "", (char[]){(char)data, '\0'}));
    /* Versions 10 to 13, of which two are remembered. */
    struct watch *watch =
        exchange(&world, "GET", CMS "?watch=1&resourceVersion=12", "", "", &content);
    assert_non_null(strstr(read_some(watch, buffer, sizeof(buffer)), "\"resourceVersion\":\"13\""));
    watch_close(watch);
    watch = exchange(&world, "GET", CMS "?watch=1&resourceVersion=10", "", "", &content);
    assert_non_null(strstr(read_some(watch, buffer, sizeof(buffer)),
                           "{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\""));
    assert_non_null(strstr(buffer, "\"too old resource version: 10 (11)\",\"reason\":\"Expired\""));
    assert_string_equal(read_some(watch, buffer, sizeof(buffer)), "");
    watch_close(watch);
    /* One that falls behind is told so. */
    watch = exchange(&world, "GET", CMS "?watch=1&resourceVersion=13", "", "", &content);
    for (int data = 'e'; data < 'i'; data++)
        ask(&world, "PUT", CMS "/a", cm(&world, "a", "", (char[]){(char)data, '\0'}));
    assert_non_null(strstr(read_some(watch, buffer, sizeof(buffer)), "\"code\":410"));
    watch_close(watch);
    watch = exchange(&world, "GET", CMS "?watch=1&sendInitialEvents=true&allowWatchBookmarks=true",
                     "", "", &content);
    assert_non_null(strstr(read_some(watch, buffer, sizeof(buffer)), "ADDED"));
    assert_non_null(strstr(buffer, "k8s.io/initial-events-end"));
    apiserver_stop(&world.server);
    assert_string_equal(read_some(watch, buffer, sizeof(buffer)), "");
    watch_close(watch);
    assert_null(exchange(&world, "GET", CMS "?watch=1&resourceVersion=x", "", "", &content));
    assert_int_equal(world.status, 400);
    world_end(&world);
}

static void discovery_lists_what_there_is(void **state)
{
    (void)state;
    struct world world;
    world_start(&world);
    EXPECT(200, "\"gitVersion\":\"v1.26", "GET", "/version", "");
    EXPECT(200, "ok", "GET", "/healthz", "");
    EXPECT(200, "\"versions\":[\"v1\"]", "GET", "/api", "");
    EXPECT(200, "\"name\":\"apps\",\"versions\":[{\"groupVersion\":\"apps/v1\"", "GET", "/apis",
           "");
    EXPECT(404, "", "GET", "/apis/example.org", "");
    ask(&world, "POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", definition);
    EXPECT(200,
           "\"versions\":[{\"groupVersion\":\"example.org/v1\",\"version\":\"v1\"},"
           "{\"groupVersion\":\"example.org/v2\",\"version\":\"v2\"}]",
           "GET", "/apis/example.org", "");
    EXPECT(200, "\"name\":\"foos/status\"", "GET", "/apis/example.org/v1", "");
    EXPECT(200, "\"shortNames\":[\"cm\"]", "GET", "/api/v1", "");
    EXPECT(200, "\"apis/example.org/v2\":{\"serverRelativeURL\"", "GET", "/openapi/v3", "");
    EXPECT(200, "/apis/example.org/v1/namespaces/{namespace}/foos/{name}", "GET",
           "/openapi/v3/apis/example.org/v1", "");
    ask(&world, "DELETE",
        "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/foos.example.org", "");
    EXPECT(404, "", "GET", "/apis/example.org/v1", "");
    static const char *const nowhere[] = {"",
                                          "/",
                                          "/api/v2",
                                          "/apis/apps/v1/x/y/z/q/r/s/t",
                                          "x",
                                          "/apis//",
                                          "/api/v1/namespaces/a/configmaps/b/c/d"};
    for (size_t i = 0; i < sizeof(nowhere) / sizeof(*nowhere); i++)
        EXPECT(404, "could not find", "GET", nowhere[i], "");
    EXPECT(405, "", "POST", "/apis", "");
    world_end(&world);
}

/* Somebody who adds one to a ConfigMap again and again, as an honest client does: read,
 * change, write with the version that was read. */
struct adder {
    struct apiserver *server;
    struct memory memory;
    pthread_t thread;
};

static unsigned exchange_plain(struct adder *adder, const char *method, const char *path,
                               const char *body, struct text *content)
{
    const struct http_request request = {.method = method,
                                         .path = path,
                                         .accept = "",
                                         .content_type = "application/json",
                                         .body = body,
                                         .body_length = strlen(body)};
    struct http_response response = {.body = *content};
    text_reset(&response.body);
    apiserver_handle(adder->server, &request, &response);
    *content = response.body;
    return response.status;
}

enum { ADDERS = 4, ADDITIONS = 50 };

static void *add_again_and_again(void *context)
{
    struct adder *adder = context;
    struct arena arena;
    struct text text;
    struct problems problems;
    memory_init(&adder->memory, SIZE_MAX);
    arena_init(&arena, &adder->memory);
    text_init(&text, &adder->memory);
    problems_init(&problems, &arena);
    for (int done = 0; done < ADDITIONS;) {
        exchange_plain(adder, "GET", CMS "/sum", "", &text);
        const struct datum *object =
            datum_read(&arena, DATUM_REAL, (struct place){"response", 1, 1}, text_content(&text),
                       text.length, &problems);
        const int sum = atoi(datum_text(datum_at(object, "data.sum"), "0"));
        object = datum_with(&arena, object, "data.sum",
                            datum_string(&arena, arena_printf(&arena, "%d", sum + 1)));
        struct text body;
        text_init(&body, &adder->memory);
        datum_write(&body, DATUM_REAL, object);
        const unsigned status =
            exchange_plain(adder, "PUT", CMS "/sum", text_content(&body), &text);
        text_release(&body);
        assert_true(status == 200 || status == 409);
        done += status == 200;
    }
    text_release(&text);
    arena_release(&arena);
    return NULL;
}

/* No addition is lost, and a watch sees each, in order. */
static void many_clients_at_once(void **state)
{
    (void)state;
    struct world world;
    struct adder adders[ADDERS];
    char buffer[4096];
    const char *content = "";
    world_start(&world);
    ask(&world, "POST", CMS, "{\"metadata\":{\"name\":\"sum\"},\"data\":{\"sum\":\"0\"}}");
    struct watch *watch =
        exchange(&world, "GET", CMS "?watch=1&resourceVersion=10", "", "", &content);
    for (int i = 0; i < ADDERS; i++) {
        adders[i].server = &world.server;
        assert_int_equal(pthread_create(&adders[i].thread, NULL, add_again_and_again, &adders[i]),
                         0);
    }
    for (int i = 1; i <= ADDERS * ADDITIONS; i++) {
        /* One event a line; they are short enough to come whole. */
        const char *line = buffer;
        size_t length = 0;
        do
            length += watch_read(watch, NULL, buffer + length, 1);
        while (buffer[length - 1] != '\n');
        buffer[length] = '\0';
        const char *wanted = arena_printf(&world.arena, "\"sum\":\"%d\"", i);
        assert_non_null(strstr(line, wanted));
    }
    for (int i = 0; i < ADDERS; i++)
        pthread_join(adders[i].thread, NULL);
    watch_close(watch);
    EXPECT(200, arena_printf(&world.arena, "\"sum\":\"%d\"", ADDERS * ADDITIONS), "GET", CMS "/sum",
           "");
    world_end(&world);
}

/* What is large but allowed takes no long time, whatever its order: if it took time that
 * grows with the square of the number of keys, the test would run out of its time. */
static void large_objects_are_no_trouble(void **state)
{
    (void)state;
    struct world world;
    struct text body;
    world_start(&world);
    text_init(&body, &world.memory);
    text_append_string(&body, "{\"metadata\":{\"name\":\"large\"},\"data\":{");
    for (int i = 0; i < 100000; i++)
        text_printf(&body, "%s\"k%x\":\"v\"", i ? "," : "", (unsigned)i * 2654435761U);
    text_append_string(&body, "}}");
    EXPECT(201, "\"name\":\"large\"", "POST", CMS, text_content(&body));
    assert_says(
        &world, 200,
        ask_as(&world, "PATCH", CMS "/large", "application/merge-patch+json", text_content(&body)),
        "\"name\":\"large\"");
    text_release(&body);
    world_end(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(updates_need_the_latest_version),
        cmocka_unit_test(custom_resources_are_updated_with_a_version_only),
        cmocka_unit_test(stateful_sets_are_validated),
        cmocka_unit_test(finalizers_keep_what_is_deleted),
        cmocka_unit_test(creates_that_are_wrong),
        cmocka_unit_test(protobuf_is_read_or_refused),
        cmocka_unit_test(dry_runs_change_nothing),
        cmocka_unit_test(lists_are_selected),
        cmocka_unit_test(patches_merge_lists),
        cmocka_unit_test(json_patches),
        cmocka_unit_test(garbage_is_collected),
        cmocka_unit_test(namespaces_are_emptied),
        cmocka_unit_test(watches_tell_changes),
        cmocka_unit_test(watches_begin_where_they_are_asked_to),
        cmocka_unit_test(discovery_lists_what_there_is),
        cmocka_unit_test(many_clients_at_once),
        cmocka_unit_test(large_objects_are_no_trouble),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
