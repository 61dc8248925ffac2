/* SPDX-License-Identifier: Apache-2.0 */
/* Questions that the rules of several actors ask. */
#include "recording/follow_questions.h"

#include <string.h>

const struct value *follower_decide(struct follower *follower, const struct decider *decider,
                                    const struct glimpse *glimpse, const char *name)
{
    struct json_out json;
    struct problems problems;
    const bool of_pod = decider->asks_for_a_pod;
    problems_init(&problems, &follower->scratch);
    text_reset(&follower->answer);
    text_reset(&follower->sentences);
    json_out_init(&json, &follower->answer, 0);
    json_object_begin(&json, NULL);
    const struct decide_choice choice = {
        .pod = of_pod ? arena_printf(&follower->scratch, "%s/%s", follower->namespace, name) : NULL,
        .features = follower->features};
    if (!decider->decide_objects(&follower->scratch, &glimpse->objects, &choice, &json,
                                 &follower->sentences, &problems))
        return NULL;
    json_object_end(&json);
    const struct document *document = manifest_reader_parse_json(
        follower->restorer.reader, &follower->scratch, (struct place){"decision", 1, 1},
        text_content(&follower->answer), follower->answer.length, &problems);
    const struct value *results = document ? value_find(&document->root, "result") : NULL;
    if (!results || results->kind != VALUE_SEQUENCE)
        return NULL;
    VALUE_EACH_ITEM(results, result)
    {
        const char *its_name = value_find_string(result, "name");
        const struct value *decision = value_find(result, "decision");
        const char *its_namespace = value_find_string(result, "namespace");
        if (of_pod || (its_name && its_namespace && strcmp(its_name, name) == 0 &&
                       strcmp(its_namespace, follower->namespace) == 0))
            return decision ? decision : result;
    }
    return NULL;
}

/* ---- small questions ---- */

bool list_has(const struct value *list, const char *text)
{
    if (!list || list->kind != VALUE_SEQUENCE)
        return false;
    VALUE_EACH_ITEM(list, item)
    {
        if (item->kind == VALUE_STRING && strcmp(item->text, text) == 0)
            return true;
    }
    return false;
}

bool pod_is_active(const struct pod *pod)
{
    return pod->status.phase != POD_SUCCEEDED && pod->status.phase != POD_FAILED &&
           pod->meta.deletion_time == TIME_NONE;
}

const char *controller_name(const struct object_meta *meta, const char *kind)
{
    const struct owner_reference *owner = object_meta_controller(meta);
    return owner && strcmp(owner->kind, kind) == 0 ? owner->name : NULL;
}

const char *owner_of(const struct follower *follower, const char *pod, int64_t rv)
{
    const struct thing *thing =
        recording_find(follower->recording, "Pod", follower->namespace, pod);
    const struct version *version = thing ? thing_at(thing, rv) : NULL;
    const struct value *owner = version ? value_find(version->line, "owner") : NULL;
    const char *name = NULL;
    if (owner && owner->kind == VALUE_SEQUENCE && owner->count == 2)
        value_read_string(&owner->items[1], &name);
    return name;
}

uint32_t deeds_unseen(const struct follower *follower, const struct deed *deed,
                      const struct outlook *outlook, const char *action, const char *owner)
{
    const int64_t since = outlook_rv(outlook, deed->kind);
    uint32_t count = 0;
    for (const struct deed *other = deed - 1; other >= follower->recording->deeds.items; other--) {
        if (other->rv >= 0 && other->rv <= since)
            break;
        if (other->rv < 0 || other->code || other->noop || strcmp(other->actor, deed->actor) != 0 ||
            strcmp(other->action, action) != 0 || strcmp(other->kind, deed->kind) != 0 ||
            strcmp(other->namespace, deed->namespace) != 0)
            continue;
        const char *its_owner = owner_of(follower, other->name, other->rv);
        if (!its_owner) /* gone at once: it was there just before */
            its_owner = owner_of(follower, other->name, other->rv - 1);
        count += its_owner && strcmp(its_owner, owner) == 0;
    }
    return count;
}
