/* SPDX-License-Identifier: Apache-2.0 */
/* What the metrics API said of the pods of workloads with an autoscaler, as a load that
 * the pods share. */
#include "recording/as_check_parts.h"

#include <string.h>

/* Totals beyond so many are too many to choose from. */
enum { TOTALS_MOST = 8 };

struct totals {
    VEC(int64_t) millicores;
    bool too_many;
};

static void add_total(struct converter *converter, struct totals *totals, int64_t millicores)
{
    for (uint32_t i = 0; i < totals->millicores.count; i++)
        if (totals->millicores.items[i] == millicores)
            return;
    if (totals->millicores.count == TOTALS_MOST) {
        totals->too_many = true;
        return;
    }
    VEC_PUSH(converter->arena, &totals->millicores, millicores);
}

/* What all pods of the workload used, by one answer; negative: it has none of them. */
static int64_t total_of(const struct converter *converter, const struct value *line,
                        const struct thing *workload)
{
    const struct value *pods = value_find(line, "pods");
    int64_t total = -1;
    for (uint32_t i = 0; pods && i < items_of(pods); i++) {
        const struct value *row = &pods->items[i];
        const char *name = line_item(row, 0);
        const struct thing *pod =
            name ? recording_find(converter->recording, "Pod", workload->namespace, name) : NULL;
        int64_t used = 0;
        if (pod && pod->versions.count > 0 && row->count > 1 &&
            converter_owner(converter, &pod->versions.items[0]) == workload &&
            value_read_integer(&row->items[1], &used))
            total = (total < 0 ? 0 : total) + used;
    }
    return total;
}

static void convert_workload_load(struct converter *converter, const struct thing *workload)
{
    const struct recording *recording = converter->recording;
    struct totals totals = {0};
    struct text list;
    for (uint32_t i = 0; i < recording->answers.count; i++) {
        const int64_t total = total_of(converter, recording->answers.items[i].line, workload);
        if (total >= 0)
            add_total(converter, &totals, total);
    }
    if (totals.millicores.count == 0) {
        convert_add(converter, &converter->left_out,
                    "what the pods of %s used was not recorded; here it is what they request",
                    workload->name);
        return;
    }
    text_init(&list, converter->arena->memory);
    for (uint32_t i = 0; i < totals.millicores.count; i++)
        text_printf(&list, "%s%lldm", i ? ", " : "", (long long)totals.millicores.items[i]);
    convert_add(converter, &converter->events,
                "{name: load, workload: %s, initial: %lldm, total: [%s], atMost: %u}",
                converter_name(converter, workload), (long long)totals.millicores.items[0],
                text_content(&list), totals.millicores.count);
    convert_add(converter, &converter->remarks,
                "the pods of %s share what all of them used; CPU only", workload->name);
    if (totals.too_many)
        convert_add(converter, &converter->left_out,
                    "the pods of %s used more than %d different amounts in all", workload->name,
                    TOTALS_MOST);
    text_release(&list);
}

const struct thing *converter_scaled(struct converter *converter, const struct thing *thing)
{
    const struct version *first = strcmp(thing->kind, "HorizontalPodAutoscaler") == 0
                                      ? converter_first(converter, thing)
                                      : NULL;
    const struct value *root = first ? restore_value(&converter->restorer, first) : NULL;
    const struct value *target = value_find(value_find(root, "spec"), "scaleTargetRef");
    const char *kind = value_find_string(target, "kind");
    const char *name = value_find_string(target, "name");
    return kind && name ? recording_find(converter->recording, kind, thing->namespace, name) : NULL;
}

void convert_load(struct converter *converter)
{
    const struct recording *recording = converter->recording;
    for (uint32_t t = 0; t < recording->things.count; t++) {
        const struct thing *workload = converter_scaled(converter, recording->things.items[t]);
        if (workload)
            convert_workload_load(converter, workload);
    }
}
