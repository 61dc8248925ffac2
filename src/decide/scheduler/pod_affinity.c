/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/scheduler/pod_affinity.h"

#include "object/policy.h"

#include <string.h>

static const struct namespace_object *find_namespace(const struct catalog *catalog,
                                                     const char *name)
{
    for (uint32_t i = 0; i < catalog->surroundings.namespaces.count; i++)
        if (strcmp(catalog->surroundings.namespaces.items[i]->meta.name, name) == 0)
            return catalog->surroundings.namespaces.items[i];
    return NULL;
}

static bool selector_is_empty(const struct label_selector *selector)
{
    return selector->match_labels.count == 0 && selector->match_expression_count == 0;
}

/*
 * Whether the term is about pods of this namespace. For a term of the incoming
 * pod only namespaces that exist can match a selector; for a term of an
 * existing pod a namespace that does not exist is one without labels.
 */
static bool term_covers(const struct catalog *catalog, const struct affinity_term *term,
                        const char *namespace, bool of_incoming)
{
    for (uint32_t i = 0; i < term->namespaces.count; i++)
        if (strcmp(term->namespaces.items[i], namespace) == 0)
            return true;
    if (!term->namespace_selector)
        return false;
    if (selector_is_empty(term->namespace_selector))
        return true;
    static const struct labels none;
    const struct namespace_object *object = find_namespace(catalog, namespace);
    if (!object && of_incoming)
        return false;
    return label_selector_matches(term->namespace_selector, object ? &object->meta.labels : &none);
}

bool affinity_term_matches(const struct catalog *catalog, const struct affinity_term *term,
                           const struct pod *pod, bool of_incoming)
{
    return term->selector && label_selector_matches(term->selector, &pod->meta.labels) &&
           term_covers(catalog, term, pod->meta.namespace, of_incoming);
}

void affinity_sum(const struct cycle *cycle, struct domain_table *table, uint32_t key,
                  uint32_t counter)
{
    const struct catalog *catalog = cycle->plan->catalog;
    domain_table_clear(table, catalog->arena, catalog->topology_keys.items[key]->domain_count);
    for (uint32_t entry = 0; entry < cycle->view->node_count; entry++) {
        const struct load *load = &cycle->records[entry]->load;
        int64_t value = load->counters[counter];
        uint32_t domain = load->template->domains.items[key];
        if (value != 0 && domain < DOMAIN_OWN)
            domain_table_add(table, domain, value * cycle->view->nodes[entry].count);
    }
}
