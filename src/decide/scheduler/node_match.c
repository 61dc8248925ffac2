/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/scheduler/node_match.h"

/* An anonymous node gets a name that no object mentions, because it is not a valid name. */
static const char *node_name(const struct node_template *template)
{
    return template->anonymous ? "?" : template->node->meta.name;
}

bool node_match_term(const struct node_selector_term *term, const struct node_template *template)
{
    return node_selector_term_matches(term, &template->node->meta.labels, node_name(template));
}

bool node_match_selector(const struct node_selector *selector, const struct node_template *template)
{
    return node_selector_matches(selector, &template->node->meta.labels, node_name(template));
}

bool node_match_pod(const struct pod *pod, const struct node_template *template)
{
    if (!labels_include(&template->node->meta.labels, &pod->spec.node_selector))
        return false;
    const struct affinity *affinity = pod->spec.affinity;
    if (!affinity || !affinity->node_affinity || !affinity->node_affinity->required)
        return true;
    return node_match_selector(affinity->node_affinity->required, template);
}

bool node_match_taints(const struct pod *pod, const struct node_template *template)
{
    for (uint32_t i = 0; i < template->node->spec.taint_count; i++) {
        const struct taint *taint = &template->node->spec.taints[i];
        if (taint->effect != TAINT_PREFER_NO_SCHEDULE &&
            !tolerations_find(pod->spec.tolerations, pod->spec.toleration_count, taint))
            return false;
    }
    return true;
}
