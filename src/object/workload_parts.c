/* SPDX-License-Identifier: Apache-2.0 */
#include "object/workload_parts.h"

#include "object/names.h"

void template_validate(struct reading *reading, const struct path *path,
                       const struct pod_template *template)
{
    const struct path field = path_field(path, "template");
    const struct path meta = path_field(&field, "metadata");
    const struct path spec = path_field(&field, "spec");
    template_meta_validate(reading, &meta, &template->meta);
    pod_spec_validate(reading, &spec, &template->spec);
}

void service_template_validate(struct reading *reading, const struct path *path,
                               const struct pod_template *template)
{
    const struct path field = path_field(path, "template");
    const struct path spec = path_field(&field, "spec");
    const struct path restart_policy = path_field(&spec, "restartPolicy");
    const struct path deadline = path_field(&spec, "activeDeadlineSeconds");
    template_validate(reading, path, template);
    if (template->spec.restart_policy != RESTART_ALWAYS)
        text_unexpected(reading, &restart_policy,
                        template->spec.restart_policy == RESTART_NEVER ? "Never" : "OnFailure",
                        "Always");
    if (template->spec.active_deadline_seconds.set)
        reading_error(reading, &deadline,
                      "expected no deadline for pods that are to stay, found %lld",
                      (long long)template->spec.active_deadline_seconds.value);
}

void workload_selector_validate(struct reading *reading, const struct path *path,
                                const struct label_selector *selector,
                                const struct pod_template *template)
{
    const struct path field = path_field(path, "selector");
    const struct path template_field = path_field(path, "template");
    const struct path meta = path_field(&template_field, "metadata");
    const struct path labels = path_field(&meta, "labels");
    const uint32_t errors = reading->problems->errors;
    if (!selector)
        return;
    label_selector_validate(reading, &field, selector);
    if (!selector->match_labels.count && !selector->match_expression_count)
        reading_error(reading, &field,
                      "expected a selector that says something, found an empty one");
    else if (reading->problems->errors == errors && reading_is_sound(reading, &field) &&
             !label_selector_matches(selector, &template->meta.labels))
        reading_error(reading, &labels, "expected labels that spec.selector matches, found %s",
                      template->meta.labels.count ? "others" : "none");
}

void percent_most_validate(struct reading *reading, const struct path *path,
                           struct int_or_percent value)
{
    if (value.percent && value.value > 100)
        reading_error(reading, path, "expected at most 100%%, found %lld%%",
                      (long long)value.value);
}

void strategy_forbids(struct reading *reading, const struct path *path, const char *strategy)
{
    if (!value_is_null(path_value(reading->root, path)))
        reading_error(reading, path, "expected nothing here with %s, found a mapping", strategy);
}
