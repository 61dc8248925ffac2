/* SPDX-License-Identifier: Apache-2.0 */
/* Mirrors pkg/controller/controller_ref_manager.go and pkg/api/v1/pod/util.go
 * @ v1.26.15. */
#include "decide/claim.h"

#include <string.h>

bool claim_same_text(const char *a, const char *b)
{
    return a && b && strcmp(a, b) == 0;
}

bool claim_owned_by(const struct object_meta *meta, const char *kind,
                    const struct object_meta *owner)
{
    const struct owner_reference *reference = object_meta_controller(meta);
    if (!reference || !claim_same_text(reference->kind, kind))
        return false;
    const bool has_uids = reference->uid && *reference->uid && owner->uid;
    return has_uids ? claim_same_text(reference->uid, owner->uid)
                    : claim_same_text(reference->name, owner->name);
}

enum claim claim_of(const struct object_meta *meta, const char *kind,
                    const struct object_meta *owner, const struct label_selector *selector)
{
    if (!claim_same_text(meta->namespace, owner->namespace))
        return CLAIM_NONE;
    const bool selected = selector && label_selector_matches(selector, &meta->labels);
    const bool owner_lives = owner->deletion_time == TIME_NONE;
    if (claim_owned_by(meta, kind, owner))
        return selected ? CLAIM_OWNED : owner_lives ? CLAIM_RELEASE : CLAIM_NONE;
    if (object_meta_controller(meta) || !selected)
        return CLAIM_NONE;
    return owner_lives && meta->deletion_time == TIME_NONE ? CLAIM_ADOPT : CLAIM_NONE;
}

bool pod_is_ready(const struct pod *pod)
{
    const struct condition *ready = conditions_find(&pod->status.conditions, "Ready");
    return ready && claim_same_text(ready->status, "True");
}

int64_t pod_ready_since(const struct pod *pod)
{
    const struct condition *ready = conditions_find(&pod->status.conditions, "Ready");
    return ready ? ready->last_transition_time : TIME_NONE;
}

int64_t age_at(int64_t now, int64_t time)
{
    int64_t age;
    if (time == TIME_NONE)
        return AGE_NONE;
    if (__builtin_sub_overflow(now, time, &age) || age > AGE_MOST || age < -AGE_MOST)
        return now > time ? AGE_MOST : -AGE_MOST;
    return age;
}

int64_t duration_of_seconds(int64_t seconds)
{
    const int64_t most = AGE_MOST / NANOSECONDS_PER_SECOND;
    if (seconds > most)
        return AGE_MOST;
    return seconds < -most ? -AGE_MOST : seconds * NANOSECONDS_PER_SECOND;
}

bool pod_is_available(const struct features *features, bool ready, int64_t ready_age,
                      int32_t min_ready_seconds)
{
    const int64_t least = (int64_t)min_ready_seconds * NANOSECONDS_PER_SECOND;
    if (!ready)
        return false;
    return min_ready_seconds == 0 ||
           (ready_age != AGE_NONE &&
            (features->available_at_edge ? ready_age >= least : ready_age > least));
}

int claim_compare_texts(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}
