/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/autoscaler/node_text.h"

#include "base/text.h"
#include "manifest/document.h"
#include "object/taint.h"
#include "object/time.h"

#include <stdlib.h>
#include <string.h>

struct node_writer {
    struct text *text;
    struct arena *arena;
};

/* "2024-03-01 09:00:00 +0000 UTC" */
static void write_time(const struct node_writer *writer, int64_t time, const char *none)
{
    if (time == TIME_NONE) {
        text_append_string(writer->text, none);
        return;
    }
    char *text = time_format(writer->arena, time);
    text[strcspn(text, "T")] = ' ';
    text[strcspn(text, "Z")] = '\0';
    text_printf(writer->text, "%s +0000 UTC", text);
}

static void write_labels(const struct node_writer *writer, const struct labels *labels)
{
    text_append_string(writer->text, "map[");
    for (uint32_t i = 0; i < labels->count; i++)
        text_printf(writer->text, "%s%s:%s", i > 0 ? " " : "", labels->items[i].key,
                    labels->items[i].value);
    text_append_string(writer->text, "]");
}

static void write_meta(const struct node_writer *writer, const struct object_meta *meta)
{
    const char *version = meta->resource_version ? meta->resource_version : "";
    text_printf(writer->text, "{%s %s   %s %s %lld ", meta->name,
                meta->generate_name ? meta->generate_name : "", meta->uid ? meta->uid : "", version,
                (long long)meta->generation);
    write_time(writer, meta->creation_time, "0001-01-01 00:00:00 +0000 UTC");
    text_append_char(writer->text, ' ');
    write_time(writer, meta->deletion_time, "<nil>");
    text_append_string(writer->text, " <nil> ");
    write_labels(writer, &meta->labels);
    text_append_char(writer->text, ' ');
    write_labels(writer, &meta->annotations);
    text_append_string(writer->text, " [] [] []}");
}

static const char *effect_name(enum taint_effect effect)
{
    static const char *const names[] = {"", "NoSchedule", "PreferNoSchedule", "NoExecute"};
    return names[effect];
}

static void write_taints(const struct node_writer *writer, const struct node_spec *spec)
{
    text_append_string(writer->text, "[]Taint{");
    for (uint32_t i = 0; i < spec->taint_count; i++) {
        const struct taint *taint = &spec->taints[i];
        text_printf(writer->text, "Taint{Key:%s,Value:%s,Effect:%s,TimeAdded:", taint->key,
                    taint->value, effect_name(taint->effect));
        write_time(writer, taint->time_added, "<nil>");
        text_append_string(writer->text, ",},");
    }
    text_append_string(writer->text, "}");
}

/* A decimal quantity keeps its digits and how it was written, a binary one its bytes. */
static void write_quantity(const struct node_writer *writer, const struct resource *resource,
                           const char *written)
{
    enum { DIGITS = 10, MILLI = 1000 };
    const struct quantity quantity = resource->quantity;
    if (quantity.format == QUANTITY_BINARY_SI) {
        text_printf(writer->text, "%s: {{%lld 0} {<nil>}  BinarySI},", resource->name,
                    (long long)quantity_value(quantity));
        return;
    }
    const bool milli = written[0] != '\0' && written[strlen(written) - 1] == 'm';
    text_printf(writer->text, "%s: {{%lld %d} {<nil>} %s DecimalSI},", resource->name,
                (long long)(milli ? quantity_milli_value(quantity) : quantity_value(quantity)),
                milli ? -3 : 0, written);
}

static void write_resources(const struct node_writer *writer, const struct resource_list *list,
                            const struct value *written)
{
    text_append_string(writer->text, "ResourceList{");
    for (uint32_t i = 0; i < list->count; i++) {
        const struct value *text = value_find(written, list->items[i].name);
        write_quantity(writer, &list->items[i], text ? text->text : "");
    }
    text_append_string(writer->text, "}");
}

static void write_conditions(const struct node_writer *writer, const struct conditions *conditions)
{
    static const char none[] = "0001-01-01 00:00:00 +0000 UTC";
    text_append_string(writer->text, "[]NodeCondition{");
    for (uint32_t i = 0; i < conditions->count; i++) {
        const struct condition *condition = &conditions->items[i];
        text_printf(writer->text,
                    "NodeCondition{Type:%s,Status:%s,LastHeartbeatTime:", condition->type,
                    condition->status ? condition->status : "");
        write_time(writer, condition->last_heartbeat_time, none);
        text_append_string(writer->text, ",LastTransitionTime:");
        write_time(writer, condition->last_transition_time, none);
        text_printf(writer->text, ",Reason:%s,Message:%s,},",
                    condition->reason ? condition->reason : "",
                    condition->message ? condition->message : "");
    }
    text_append_string(writer->text, "}");
}

const char *node_text(struct arena *arena, const struct node *node, const struct value *source)
{
    struct text text;
    const struct node_writer writer = {&text, arena};
    const struct value *status = value_find(source, "status");
    const struct value *allocatable = value_find(status, "allocatable");
    text_init(&text, arena->memory);
    text_append_string(&text, "&Node{ObjectMeta:");
    write_meta(&writer, &node->meta);
    text_printf(&text,
                ",Spec:NodeSpec{PodCIDR:,DoNotUseExternalID:,ProviderID:%s,Unschedulable:%s,"
                "Taints:",
                node->spec.provider_id ? node->spec.provider_id : "",
                node->spec.unschedulable ? "true" : "false");
    write_taints(&writer, &node->spec);
    text_append_string(&text, ",ConfigSource:nil,PodCIDRs:[],},Status:NodeStatus{Capacity:");
    write_resources(&writer, &node->status.capacity, value_find(status, "capacity"));
    text_append_string(&text, ",Allocatable:");
    write_resources(&writer, &node->status.allocatable, allocatable);
    text_append_string(&text, ",Phase:,Conditions:");
    write_conditions(&writer, &node->status.conditions);
    text_append_string(
        &text, ",Addresses:[]NodeAddress{},DaemonEndpoints:NodeDaemonEndpoints{KubeletEndpoint:"
               "DaemonEndpoint{Port:0,},},NodeInfo:NodeSystemInfo{MachineID:,SystemUUID:,BootID:,"
               "KernelVersion:,OSImage:,ContainerRuntimeVersion:,KubeletVersion:,KubeProxyVersion:,"
               "OperatingSystem:,Architecture:,},Images:[]ContainerImage{},VolumesInUse:[],"
               "VolumesAttached:[]AttachedVolume{},Config:nil,},}");
    return text_keep(&text, arena);
}
