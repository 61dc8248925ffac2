/* SPDX-License-Identifier: Apache-2.0 */
#include "apiserver/protobuf.h"

#include "base/base64.h"
#include "base/utf8.h"
#include "base/vec.h"

#include <string.h>

enum wire_type {
    FIELD_IGNORED, /* the server's own: times, managed fields */
    FIELD_STRING,
    FIELD_STRINGS,
    FIELD_INTEGER,
    FIELD_BOOLEAN,
    FIELD_FLAG, /* a boolean for which false and absent are the same */
    FIELD_MESSAGE,
    FIELD_MESSAGES,
    FIELD_MAP,       /* of strings */
    FIELD_BYTES_MAP, /* of bytes, base64 in JSON */
    FIELD_PORT,      /* a number or a name: IntOrString */
};

struct message;

struct wire_field {
    uint32_t number;
    const char *name;
    enum wire_type type;
    const struct message *message;
};

enum { FIELDS_MOST = 24 };

struct message {
    const char *name;
    struct wire_field fields[FIELDS_MOST]; /* up to one without a name */
};

static const struct message owner_reference = {
    "OwnerReference",
    {{1, "kind", FIELD_STRING, NULL},
     {3, "name", FIELD_STRING, NULL},
     {4, "uid", FIELD_STRING, NULL},
     {5, "apiVersion", FIELD_STRING, NULL},
     {6, "controller", FIELD_BOOLEAN, NULL},
     {7, "blockOwnerDeletion", FIELD_BOOLEAN, NULL}},
};

static const struct message object_meta = {
    "ObjectMeta",
    {{1, "name", FIELD_STRING, NULL},
     {2, "generateName", FIELD_STRING, NULL},
     {3, "namespace", FIELD_STRING, NULL},
     {4, "selfLink", FIELD_IGNORED, NULL},
     {5, "uid", FIELD_STRING, NULL},
     {6, "resourceVersion", FIELD_STRING, NULL},
     {7, "generation", FIELD_IGNORED, NULL},
     {8, "creationTimestamp", FIELD_IGNORED, NULL},
     {9, "deletionTimestamp", FIELD_IGNORED, NULL},
     {10, "deletionGracePeriodSeconds", FIELD_IGNORED, NULL},
     {11, "labels", FIELD_MAP, NULL},
     {12, "annotations", FIELD_MAP, NULL},
     {13, "ownerReferences", FIELD_MESSAGES, &owner_reference},
     {14, "finalizers", FIELD_STRINGS, NULL},
     {17, "managedFields", FIELD_IGNORED, NULL}},
};

#define METADATA                                   \
    {                                              \
        1, "metadata", FIELD_MESSAGE, &object_meta \
    }

static const struct message config_map = {
    "ConfigMap",
    {METADATA,
     {2, "data", FIELD_MAP, NULL},
     {3, "binaryData", FIELD_BYTES_MAP, NULL},
     {4, "immutable", FIELD_BOOLEAN, NULL}},
};

static const struct message secret = {
    "Secret",
    {METADATA,
     {2, "data", FIELD_BYTES_MAP, NULL},
     {3, "type", FIELD_STRING, NULL},
     {4, "stringData", FIELD_MAP, NULL},
     {5, "immutable", FIELD_BOOLEAN, NULL}},
};

static const struct message namespace_spec = {"NamespaceSpec",
                                              {{1, "finalizers", FIELD_IGNORED, NULL}}};
static const struct message namespace_status = {"NamespaceStatus",
                                                {{1, "phase", FIELD_IGNORED, NULL}}};
static const struct message name_space = {
    "Namespace",
    {METADATA,
     {2, "spec", FIELD_MESSAGE, &namespace_spec},
     {3, "status", FIELD_MESSAGE, &namespace_status}},
};

static const struct message local_reference = {"LocalObjectReference",
                                               {{1, "name", FIELD_STRING, NULL}}};
static const struct message object_reference = {
    "ObjectReference",
    {{1, "kind", FIELD_STRING, NULL},
     {2, "namespace", FIELD_STRING, NULL},
     {3, "name", FIELD_STRING, NULL},
     {4, "uid", FIELD_STRING, NULL},
     {5, "apiVersion", FIELD_STRING, NULL},
     {6, "resourceVersion", FIELD_STRING, NULL},
     {7, "fieldPath", FIELD_STRING, NULL}},
};
static const struct message service_account = {
    "ServiceAccount",
    {METADATA,
     {2, "secrets", FIELD_MESSAGES, &object_reference},
     {3, "imagePullSecrets", FIELD_MESSAGES, &local_reference},
     {4, "automountServiceAccountToken", FIELD_BOOLEAN, NULL}},
};

static const struct message policy_rule = {
    "PolicyRule",
    {{1, "verbs", FIELD_STRINGS, NULL},
     {2, "apiGroups", FIELD_STRINGS, NULL},
     {3, "resources", FIELD_STRINGS, NULL},
     {4, "resourceNames", FIELD_STRINGS, NULL},
     {5, "nonResourceURLs", FIELD_STRINGS, NULL}},
};
static const struct message role = {"Role", {METADATA, {2, "rules", FIELD_MESSAGES, &policy_rule}}};

static const struct message subject = {
    "Subject",
    {{1, "kind", FIELD_STRING, NULL},
     {2, "apiGroup", FIELD_STRING, NULL},
     {3, "name", FIELD_STRING, NULL},
     {4, "namespace", FIELD_STRING, NULL}},
};
static const struct message role_ref = {
    "RoleRef",
    {{1, "apiGroup", FIELD_STRING, NULL},
     {2, "kind", FIELD_STRING, NULL},
     {3, "name", FIELD_STRING, NULL}},
};
static const struct message role_binding = {
    "RoleBinding",
    {METADATA, {2, "subjects", FIELD_MESSAGES, &subject}, {3, "roleRef", FIELD_MESSAGE, &role_ref}},
};

static const struct message service_port = {
    "ServicePort",
    {{1, "name", FIELD_STRING, NULL},
     {2, "protocol", FIELD_STRING, NULL},
     {3, "port", FIELD_INTEGER, NULL},
     {4, "targetPort", FIELD_PORT, NULL},
     {5, "nodePort", FIELD_INTEGER, NULL},
     {6, "appProtocol", FIELD_STRING, NULL}},
};
static const struct message service_spec = {
    "ServiceSpec",
    {{1, "ports", FIELD_MESSAGES, &service_port},
     {2, "selector", FIELD_MAP, NULL},
     {3, "clusterIP", FIELD_STRING, NULL},
     {4, "type", FIELD_STRING, NULL},
     {5, "externalIPs", FIELD_STRINGS, NULL},
     {7, "sessionAffinity", FIELD_STRING, NULL},
     {8, "loadBalancerIP", FIELD_STRING, NULL},
     {9, "loadBalancerSourceRanges", FIELD_STRINGS, NULL},
     {10, "externalName", FIELD_STRING, NULL},
     {11, "externalTrafficPolicy", FIELD_STRING, NULL},
     {12, "healthCheckNodePort", FIELD_INTEGER, NULL},
     {13, "publishNotReadyAddresses", FIELD_FLAG, NULL},
     {17, "ipFamilyPolicy", FIELD_STRING, NULL},
     {18, "clusterIPs", FIELD_STRINGS, NULL},
     {19, "ipFamilies", FIELD_STRINGS, NULL}},
};
static const struct message service = {
    "Service",
    {METADATA, {2, "spec", FIELD_MESSAGE, &service_spec}, {3, "status", FIELD_IGNORED, NULL}},
};

static const struct message preconditions = {
    "Preconditions",
    {{1, "uid", FIELD_STRING, NULL}, {2, "resourceVersion", FIELD_STRING, NULL}},
};
static const struct message delete_options = {
    "DeleteOptions",
    {{1, "gracePeriodSeconds", FIELD_INTEGER, NULL},
     {2, "preconditions", FIELD_MESSAGE, &preconditions},
     {3, "orphanDependents", FIELD_BOOLEAN, NULL},
     {4, "propagationPolicy", FIELD_STRING, NULL},
     {5, "dryRun", FIELD_STRINGS, NULL}},
};

static const struct message *const messages[] = {
    &config_map, &secret,       &name_space, &service_account,
    &role,       &role_binding, &service,    &delete_options,
};

/* What an object is wrapped in. */
static const struct message type_meta = {
    "TypeMeta",
    {{1, "apiVersion", FIELD_STRING, NULL}, {2, "kind", FIELD_STRING, NULL}},
};

/* --- Reading --- */

struct source {
    const unsigned char *next;
    const unsigned char *end;
};

struct decoder {
    struct arena *arena;
    const char *why;
};

static bool wrong(struct decoder *decoder, const char *why)
{
    if (!decoder->why)
        decoder->why = why;
    return false;
}

static bool read_varint(struct decoder *decoder, struct source *source, uint64_t *value)
{
    *value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        if (source->next == source->end)
            break;
        const unsigned char byte = *source->next++;
        *value |= (uint64_t)(byte & 127) << shift;
        if (byte < 128)
            return true;
    }
    return wrong(decoder, "the protobuf ends too early");
}

/* One field: its number, and its number or bytes. */
struct wire {
    uint32_t number;
    bool delimited;
    uint64_t value;
    struct source content;
};

static bool read_wire(struct decoder *decoder, struct source *source, struct wire *wire)
{
    uint64_t tag = 0;
    *wire = (struct wire){0};
    if (!read_varint(decoder, source, &tag) || tag >> 3 > UINT32_MAX)
        return wrong(decoder, "the protobuf has no tag");
    wire->number = (uint32_t)(tag >> 3);
    wire->delimited = (tag & 7) == 2;
    if ((tag & 7) != 0 && !wire->delimited)
        return wrong(decoder, "the protobuf has a field of an unknown form");
    if (!read_varint(decoder, source, &wire->value))
        return false;
    if (!wire->delimited)
        return true;
    if (wire->value > (uint64_t)(source->end - source->next))
        return wrong(decoder, "the protobuf ends too early");
    wire->content = (struct source){source->next, source->next + wire->value};
    source->next += wire->value;
    return true;
}

static const char *text_of(struct decoder *decoder, const struct source *content)
{
    const char *bytes = (const char *)content->next;
    const size_t count = (size_t)(content->end - content->next);
    if (count && (memchr(bytes, '\0', count) || utf8_valid_prefix(bytes, count) != count)) {
        wrong(decoder, "the protobuf has a text that is not UTF-8");
        return "";
    }
    return count ? arena_strndup(decoder->arena, bytes, count) : "";
}

static const struct datum *bytes_of(struct decoder *decoder, const struct source *content)
{
    return datum_string(decoder->arena, base64_encode(decoder->arena, (const char *)content->next,
                                                      (size_t)(content->end - content->next)));
}

static const struct datum *read_message(struct decoder *decoder, const struct message *message,
                                        struct source source);

/* An entry of a map: key = 1, value = 2. */
static struct datum_member read_entry(struct decoder *decoder, struct source source, bool bytes)
{
    struct datum_member entry = {"", datum_string(decoder->arena, "")};
    struct wire wire;
    while (source.next != source.end && read_wire(decoder, &source, &wire)) {
        if (wire.number == 1)
            entry.key = text_of(decoder, &wire.content);
        else if (bytes)
            entry.value = bytes_of(decoder, &wire.content);
        else
            entry.value = datum_string(decoder->arena, text_of(decoder, &wire.content));
    }
    return entry;
}

/* type = 1 (0: a number), intVal = 2, strVal = 3 */
static const struct datum *read_port(struct decoder *decoder, struct source source)
{
    uint64_t type = 0;
    uint64_t number = 0;
    const char *text = "";
    struct wire wire;
    while (source.next != source.end && read_wire(decoder, &source, &wire)) {
        if (wire.number == 1)
            type = wire.value;
        else if (wire.number == 2)
            number = wire.value;
        else if (wire.number == 3)
            text = text_of(decoder, &wire.content);
    }
    if (type)
        return datum_string(decoder->arena, text);
    return number ? datum_integer(decoder->arena, (int64_t)number) : NULL;
}

static const struct wire_field *find_field(const struct message *message, uint32_t number)
{
    for (const struct wire_field *field = message->fields; field->name; field++)
        if (field->number == number)
            return field;
    return NULL;
}

/* Empty texts and zeros are what was not set. */
static const struct datum *single_value(struct decoder *decoder, const struct wire_field *field,
                                        const struct wire *wire)
{
    struct arena *arena = decoder->arena;
    const char *text = NULL;
    switch (field->type) {
    case FIELD_STRING:
        text = text_of(decoder, &wire->content);
        return *text ? datum_string(arena, text) : NULL;
    case FIELD_STRINGS: return datum_string(arena, text_of(decoder, &wire->content));
    case FIELD_INTEGER: return wire->value ? datum_integer(arena, (int64_t)wire->value) : NULL;
    case FIELD_BOOLEAN: return datum_bool(wire->value != 0);
    case FIELD_FLAG: return wire->value ? datum_bool(true) : NULL;
    case FIELD_MESSAGE:
    case FIELD_MESSAGES: return read_message(decoder, field->message, wire->content);
    case FIELD_PORT: return read_port(decoder, wire->content);
    case FIELD_IGNORED:
    case FIELD_MAP:
    case FIELD_BYTES_MAP: break;
    }
    return NULL;
}

static bool is_number(enum wire_type type)
{
    return type == FIELD_INTEGER || type == FIELD_BOOLEAN || type == FIELD_FLAG;
}

/* What was gathered of one field. */
struct gathered {
    const struct datum *single;
    VEC(const struct datum *) items;
    VEC(struct datum_member) entries;
};

static void gather(struct decoder *decoder, const struct wire_field *field, const struct wire *wire,
                   struct gathered *gathered)
{
    if (field->type == FIELD_IGNORED)
        return;
    if (wire->delimited == is_number(field->type)) {
        wrong(decoder,
              arena_printf(decoder->arena, "the protobuf's %s has a wrong form", field->name));
    } else if (field->type == FIELD_MAP || field->type == FIELD_BYTES_MAP) {
        const struct datum_member entry =
            read_entry(decoder, wire->content, field->type == FIELD_BYTES_MAP);
        VEC_PUSH(decoder->arena, &gathered->entries, entry);
    } else {
        const struct datum *value = single_value(decoder, field, wire);
        gathered->single = value;
        if (value && (field->type == FIELD_STRINGS || field->type == FIELD_MESSAGES))
            VEC_PUSH(decoder->arena, &gathered->items, value);
    }
}

static const struct datum *read_message(struct decoder *decoder, const struct message *message,
                                        struct source source)
{
    struct gathered gathered[FIELDS_MOST] = {0};
    struct datum_member members[FIELDS_MOST];
    uint32_t count = 0;
    struct wire wire;
    while (!decoder->why && source.next != source.end && read_wire(decoder, &source, &wire)) {
        const struct wire_field *field = find_field(message, wire.number);
        if (field)
            gather(decoder, field, &wire, &gathered[field - message->fields]);
        else
            wrong(decoder, arena_printf(decoder->arena,
                                        "field %u of %s is not known in protobuf here; JSON is",
                                        wire.number, message->name));
    }
    for (const struct wire_field *field = message->fields; field->name; field++) {
        const struct gathered *found = &gathered[field - message->fields];
        const struct datum *value = found->single;
        if (found->items.count)
            value = datum_list(decoder->arena, found->items.items, found->items.count);
        else if (found->entries.count)
            value = datum_object(decoder->arena, found->entries.items, found->entries.count);
        members[count++] = (struct datum_member){field->name, value};
    }
    return datum_object(decoder->arena, members, count);
}

const struct datum *protobuf_read(struct arena *arena, const char *bytes, size_t count,
                                  const char **why)
{
    static const char magic[] = {'k', '8', 's', '\0'};
    struct decoder decoder = {.arena = arena};
    struct source source = {(const unsigned char *)bytes, (const unsigned char *)bytes + count};
    struct source raw = {0};
    const struct datum *type = NULL;
    struct wire wire;
    if (count < sizeof(magic) || memcmp(bytes, magic, sizeof(magic)) != 0) {
        *why = "the body is not Kubernetes' protobuf";
        return NULL;
    }
    source.next += sizeof(magic);
    /* runtime.Unknown: typeMeta = 1, raw = 2 */
    while (source.next != source.end && read_wire(&decoder, &source, &wire)) {
        if (wire.number == 1 && wire.delimited)
            type = read_message(&decoder, &type_meta, wire.content);
        else if (wire.number == 2 && wire.delimited)
            raw = wire.content;
    }
    const char *kind = datum_text(datum_member(type, "kind"), "");
    const struct datum *object = NULL;
    for (size_t i = 0; !decoder.why && i < sizeof(messages) / sizeof(*messages); i++)
        if (strcmp(messages[i]->name, kind) == 0)
            object = read_message(&decoder, messages[i], raw);
    if (!object)
        wrong(&decoder, arena_printf(arena,
                                     "objects of kind \"%s\" are not known in protobuf "
                                     "here; JSON is",
                                     kind));
    *why = decoder.why;
    if (decoder.why)
        return NULL;
    object = datum_with(arena, object, "kind", datum_string(arena, kind));
    return datum_with(arena, object, "apiVersion", datum_member(type, "apiVersion"));
}
