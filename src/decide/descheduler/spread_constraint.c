/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/descheduler/spread_constraint.h"

#include "decide/fingerprint.h"

#include <string.h>

/* ---- which constraints are the same ---- */

static void put_requirement(struct text *text, const char *key, enum selector_operator operator,
                            const struct string_list * values)
{
    fingerprint_string(text, key);
    fingerprint_number(text, operator);
    fingerprint_strings(text, values);
}

static void put_requirements(struct text *text, const struct selector_requirement *list,
                             uint32_t count)
{
    fingerprint_number(text, count);
    for (uint32_t i = 0; i < count; i++)
        put_requirement(text, list[i].key, list[i].operator, & list[i].values);
}

/* As written: {app: web} and {app in (web)} differ. */
static void put_selector(struct text *text, const struct label_selector *selector)
{
    fingerprint_number(text, selector != NULL);
    if (!selector)
        return;
    fingerprint_labels(text, &selector->match_labels);
    put_requirements(text, selector->match_expressions, selector->match_expression_count);
}

/* As parsed: requirements by key, with those that the carrier's labels add. */
static void put_parsed_selector(struct arena *arena, struct text *text,
                                const struct topology_spread_constraint *spread,
                                const struct pod *carrier)
{
    const struct label_selector *selector = spread->label_selector;
    fingerprint_number(text, selector != NULL);
    if (!selector)
        return;
    const uint32_t labels = selector->match_labels.count;
    const uint32_t count = labels + selector->match_expression_count;
    struct selector_requirement *sorted =
        ARENA_ARRAY(arena, struct selector_requirement, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        const struct selector_requirement next =
            i < labels ? (struct selector_requirement){selector->match_labels.items[i].key,
                                                       SELECTOR_IN,
                                                       {&selector->match_labels.items[i].value, 1}}
                       : selector->match_expressions[i - labels];
        uint32_t at = i;
        for (; at > 0 && strcmp(sorted[at - 1].key, next.key) > 0; at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = next;
    }
    put_requirements(text, sorted, count);
    for (uint32_t i = 0; i < spread->match_label_keys.count; i++) {
        const char *value = labels_find(&carrier->meta.labels, spread->match_label_keys.items[i]);
        if (value) {
            fingerprint_string(text, spread->match_label_keys.items[i]);
            fingerprint_string(text, value);
        }
    }
}

static void put_carrier(struct text *text, const struct pod *carrier)
{
    const struct pod_spec *spec = &carrier->spec;
    const struct node_selector *required = spec->affinity && spec->affinity->node_affinity
                                               ? spec->affinity->node_affinity->required
                                               : NULL;
    fingerprint_labels(text, &spec->node_selector);
    fingerprint_number(text, required ? (int64_t)required->term_count : -1);
    for (uint32_t i = 0; required && i < required->term_count; i++) {
        put_requirements(text, required->terms[i].match_expressions,
                         required->terms[i].match_expression_count);
        put_requirements(text, required->terms[i].match_fields,
                         required->terms[i].match_field_count);
    }
    fingerprint_tolerations(text, spec->tolerations, spec->toleration_count);
}

static bool ignores_affinity(const struct topology_spread_constraint *spread)
{
    return spread->node_affinity_policy == INCLUSION_IGNORE;
}

static bool honours_taints(const struct topology_spread_constraint *spread)
{
    return spread->node_taints_policy == INCLUSION_HONOR;
}

/* v0.27 compares constraints as they are written. v0.28 compares what it
 * parsed, which includes the affinity and tolerations of the pod that has the
 * constraint. */
static const char *key_of(struct cycle *cycle, const struct topology_spread_constraint *spread,
                          const struct pod *carrier)
{
    struct text text;
    text_init(&text, cycle->arena->memory);
    fingerprint_number(&text, spread->max_skew);
    fingerprint_string(&text, spread->topology_key);
    if (cycle->setup->features.spread_node_policies) {
        put_parsed_selector(cycle->arena, &text, spread, carrier);
        fingerprint_number(&text, ignores_affinity(spread));
        fingerprint_number(&text, honours_taints(spread));
        put_carrier(&text, carrier);
    } else {
        put_selector(&text, spread->label_selector);
        fingerprint_number(&text, spread->when_unsatisfiable);
        fingerprint_optional(&text, spread->min_domains);
        fingerprint_number(&text, spread->node_affinity_policy);
        fingerprint_number(&text, spread->node_taints_policy);
        fingerprint_strings(&text, &spread->match_label_keys);
    }
    const char *key = arena_strndup(cycle->arena, text_content(&text), text.length);
    text_release(&text);
    return key;
}

void spread_constraints_add(struct cycle *cycle, spread_constraints *list, const struct pod *pod)
{
    const struct topology_spread_arguments *arguments = &cycle->profile->topology_spread;
    for (uint32_t i = 0; i < pod->spec.topology_spread_constraint_count; i++) {
        const struct topology_spread_constraint *spread = &pod->spec.topology_spread_constraints[i];
        if (spread->when_unsatisfiable == SCHEDULE_ANYWAY ? !arguments->soft_constraints
                                                          : !arguments->hard_constraints)
            continue;
        const struct spread_constraint added = {spread, pod, key_of(cycle, spread, pod)};
        bool known = false;
        for (uint32_t j = 0; j < list->count && !known; j++)
            known = strcmp(list->items[j].key, added.key) == 0;
        if (!known)
            VEC_PUSH(cycle->arena, list, added);
    }
}

/* ---- whom they concern ---- */

bool spread_selects(const struct cycle *cycle, const struct spread_constraint *constraint,
                    const struct pod *pod)
{
    const struct topology_spread_constraint *spread = constraint->constraint;
    if (!spread->label_selector ||
        !label_selector_matches(spread->label_selector, &pod->meta.labels))
        return false;
    if (!cycle->setup->features.spread_node_policies)
        return true;
    for (uint32_t i = 0; i < spread->match_label_keys.count; i++) {
        const char *key = spread->match_label_keys.items[i];
        const char *wanted = labels_find(&constraint->carrier->meta.labels, key);
        const char *found = labels_find(&pod->meta.labels, key);
        if (wanted && (!found || strcmp(wanted, found) != 0))
            return false;
    }
    return true;
}

bool spread_includes(const struct cycle *cycle, const struct spread_constraint *constraint,
                     const struct node *node)
{
    const struct topology_spread_constraint *spread = constraint->constraint;
    if (!cycle->setup->features.spread_node_policies)
        return true;
    return (ignores_affinity(spread) || fit_labels(constraint->carrier, node)) &&
           (!honours_taints(spread) || fit_taints(constraint->carrier, node));
}
