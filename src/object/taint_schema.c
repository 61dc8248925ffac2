/* SPDX-License-Identifier: Apache-2.0 */
/* Taints and tolerations as they are written, and what is refused in them. */
#include "object/names.h"
#include "object/schemas.h"

#include <string.h>

static const struct enum_name effects[] = {
    {"NoSchedule", TAINT_NO_SCHEDULE},
    {"PreferNoSchedule", TAINT_PREFER_NO_SCHEDULE},
    {"NoExecute", TAINT_NO_EXECUTE},
    {0},
};
static const struct enum_name toleration_operators[] = {
    {"Equal", TOLERATION_EQUAL},
    {"Exists", TOLERATION_EXISTS},
    {0},
};

static const struct field taint_fields[] = {
    FIELD_ENUM("effect", taint, effect, FIELD_REQUIRED, effects, TAINT_EFFECT_ANY),
    FIELD_STRING("key", taint, key, FIELD_REQUIRED),
    FIELD_INSTANT("timeAdded", taint, time_added),
    FIELD_STRING("value", taint, value, FIELD_NEVER_NULL),
};
const struct schema taint_schema = SCHEMA_COMPLETE(taint, taint_fields, nothing_unused);

static const struct field toleration_fields[] = {
    FIELD_ENUM("effect", toleration, effect, 0, effects, TAINT_EFFECT_ANY),
    FIELD_STRING("key", toleration, key, FIELD_NEVER_NULL),
    FIELD_ENUM("operator", toleration, operator, 0, toleration_operators, TOLERATION_EQUAL),
    FIELD_OPTIONAL_INT("tolerationSeconds", toleration, toleration_seconds, INT64_MIN, INT64_MAX),
    FIELD_STRING("value", toleration, value, FIELD_NEVER_NULL),
};
const struct schema toleration_schema =
    SCHEMA_COMPLETE(toleration, toleration_fields, nothing_unused);

/* A taint that is there twice is refused by the server, but harmless. */
void taints_validate(struct reading *reading, const struct path *path, const struct taint *taints,
                     uint32_t count)
{
    struct name_set keys[TAINT_NO_EXECUTE + 1];
    for (int effect = TAINT_EFFECT_ANY; effect <= TAINT_NO_EXECUTE; effect++)
        name_set_init(&keys[effect], reading->problems->arena);
    for (uint32_t i = 0; i < count; i++) {
        const struct path item = path_item(path, i);
        const struct path key = path_field(&item, "key");
        const struct path value = path_field(&item, "value");
        qualified_name_validate(reading, &key, taints[i].key);
        label_value_validate(reading, &value, taints[i].value);
        if (taints[i].key && !name_set_add(&keys[taints[i].effect], taints[i].key))
            reading_warning(reading, &item,
                            "expected each key once with an effect, found \"%s\" again",
                            taints[i].key);
    }
}

static void toleration_validate(struct reading *reading, const struct path *path,
                                const struct toleration *toleration)
{
    const struct path key = path_field(path, "key");
    const struct path value = path_field(path, "value");
    const struct path relation = path_field(path, "operator");
    const struct path effect = path_field(path, "effect");
    const bool exists = toleration->operator== TOLERATION_EXISTS;
    if (*toleration->key)
        qualified_name_validate(reading, &key, toleration->key);
    else if (!exists)
        reading_error(reading, &relation, "expected Exists where there is no key, found Equal");
    if (!exists)
        label_value_validate(reading, &value, toleration->value);
    else if (*toleration->value)
        reading_error(reading, &value, "expected no value with operator Exists, found \"%s\"",
                      toleration->value);
    if (toleration->toleration_seconds.set && toleration->effect != TAINT_NO_EXECUTE)
        reading_error(reading, &effect, "expected NoExecute with tolerationSeconds, found %s",
                      toleration->effect == TAINT_EFFECT_ANY
                          ? "no effect"
                          : effects[toleration->effect - 1].name);
}

void tolerations_validate(struct reading *reading, const struct path *path,
                          const struct toleration *tolerations, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct path item = path_item(path, i);
        toleration_validate(reading, &item, &tolerations[i]);
    }
}
