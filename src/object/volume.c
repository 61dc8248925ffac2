/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Volumes of a pod. The key beside the name says what kind of volume it is;
 * scheduling looks at claims, at the disks that two pods cannot share, and at
 * images; all other kinds are read as one. Those are written back as a
 * `projected` volume with nothing in it.
 */
#include "object/names.h"
#include "object/pod_parts.h"

#include <string.h>

static const struct source {
    const char *key;
    enum volume_source source;
    const char *disk; /* the member that names the disk */
} sources[] = {
    {"persistentVolumeClaim", VOLUME_PERSISTENT_CLAIM, NULL},
    {"ephemeral", VOLUME_EPHEMERAL_CLAIM, NULL},
    {"emptyDir", VOLUME_EMPTY_DIR, NULL},
    {"hostPath", VOLUME_HOST_PATH, NULL},
    {"gcePersistentDisk", VOLUME_GCE_PERSISTENT_DISK, "pdName"},
    {"awsElasticBlockStore", VOLUME_AWS_ELASTIC_BLOCK_STORE, "volumeID"},
    {"iscsi", VOLUME_ISCSI, "iqn"},
    {"rbd", VOLUME_RBD, "image"},
    {"azureDisk", VOLUME_AZURE_DISK, "diskName"},
    {"cinder", VOLUME_CINDER, "volumeID"},
    {"vsphereVolume", VOLUME_VSPHERE, "volumePath"},
    {"projected", VOLUME_OTHER, NULL}, /* last: stands for every other key */
};

enum { SOURCE_COUNT = sizeof(sources) / sizeof(sources[0]) };

static const struct source *source_by_key(const char *key)
{
    for (size_t i = 0; i < SOURCE_COUNT; i++)
        if (strcmp(sources[i].key, key) == 0)
            return &sources[i];
    return &sources[SOURCE_COUNT - 1];
}

static const struct source *source_of(enum volume_source volume)
{
    for (size_t i = 0; i < SOURCE_COUNT; i++)
        if (sources[i].source == volume)
            return &sources[i];
    return &sources[SOURCE_COUNT - 1];
}

static void decode_text(struct reading *reading, const struct path *path,
                        const struct value *mapping, const char *key, const char **target)
{
    const struct value *value = value_find(mapping, key);
    const struct path field = path_field(path, key);
    if (value_is_null(value))
        reading_missing(reading, &field);
    else
        string_decode(reading, &field, value, target);
}

static void image_decode(struct reading *reading, const struct path *path,
                         const struct value *value, struct volume *volume)
{
    volume->source = VOLUME_OTHER;
    const struct value *reference = value_find(value, "reference");
    const struct path field = path_field(path, "reference");
    if (mapping_expected(reading, path, value) && !value_is_null(reference))
        string_decode(reading, &field, reference, &volume->image);
}

static void source_decode(struct reading *reading, const struct path *path,
                          const struct source *source, const struct value *value,
                          struct volume *volume)
{
    volume->source = source->source;
    if (source->source == VOLUME_OTHER || !mapping_expected(reading, path, value))
        return;
    if (source->source == VOLUME_PERSISTENT_CLAIM)
        decode_text(reading, path, value, "claimName", &volume->claim_name);
    if (source->disk)
        decode_text(reading, path, value, source->disk, &volume->disk);
    const struct value *read_only = value_find(value, "readOnly");
    const struct path field = path_field(path, "readOnly");
    if (!value_is_null(read_only) && !value_read_boolean(read_only, &volume->read_only))
        reading_expected(reading, &field, read_only, "true or false");
}

static void volume_decode(struct reading *reading, const struct path *path,
                          const struct value *value, struct volume *volume)
{
    volume->source = VOLUME_EMPTY_DIR; /* what the API server makes of no source at all */
    if (!mapping_expected(reading, path, value))
        return;
    VALUE_EACH_MEMBER(value, member)
    {
        const struct path field = path_field(path, member->key);
        if (strcmp(member->key, "name") == 0 || value_is_null(&member->value))
            continue;
        if (strcmp(member->key, "image") == 0)
            image_decode(reading, &field, &member->value, volume);
        else
            source_decode(reading, &field, source_by_key(member->key), &member->value, volume);
    }
    decode_text(reading, path, value, "name", &volume->name);
}

static void volumes_decode(struct reading *reading, const struct path *path,
                           const struct value *value, void *base)
{
    struct pod_spec *spec = base;
    if (!sequence_expected(reading, path, value) || !value->count)
        return;
    spec->volumes = ARENA_ARRAY(reading->arena, struct volume, value->count);
    spec->volume_count = value->count;
    for (uint32_t i = 0; i < value->count; i++) {
        const struct path item = path_item(path, i);
        volume_decode(reading, &item, &value->items[i], &spec->volumes[i]);
    }
}

/* Its kind, with what is kept of it. */
static void source_encode(struct json_out *json, const struct volume *volume)
{
    const struct source *source = source_of(volume->source);
    json_object_begin(json, volume->image ? "image" : source->key);
    if (volume->image)
        json_string(json, "reference", volume->image);
    if (volume->claim_name)
        json_string(json, "claimName", volume->claim_name);
    if (source->disk && volume->disk)
        json_string(json, source->disk, volume->disk);
    if (volume->read_only)
        json_boolean(json, "readOnly", true);
    json_object_end(json);
}

static void volumes_encode(struct arena *scratch, struct json_out *json, const char *key,
                           const void *base)
{
    (void)scratch;
    const struct pod_spec *spec = base;
    if (!spec->volume_count)
        return;
    json_array_begin(json, key);
    for (uint32_t i = 0; i < spec->volume_count; i++) {
        const struct volume *volume = &spec->volumes[i];
        json_object_begin(json, NULL);
        if (volume->name)
            json_string(json, "name", volume->name);
        source_encode(json, volume);
        json_object_end(json);
    }
    json_array_end(json);
}

const struct field_hook volumes_hook = {.decode = volumes_decode, .encode = volumes_encode};

void volumes_validate(struct reading *reading, const struct path *path, const struct pod_spec *spec)
{
    const struct path volumes = path_field(path, "volumes");
    struct name_set names;
    name_set_init(&names, reading->problems->arena);
    for (uint32_t i = 0; i < spec->volume_count; i++) {
        const struct path item = path_item(&volumes, i);
        const struct path name = path_field(&item, "name");
        dns_label_validate(reading, &name, spec->volumes[i].name);
        unique_name_validate(reading, &name, &names, spec->volumes[i].name);
    }
}
