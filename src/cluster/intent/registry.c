/* SPDX-License-Identifier: Apache-2.0 */
/* The classes of intents, by kind. */
#include "cluster/intent/registry.h"
#include "cluster/intent_class.h"

static const struct intent_class *const classes[INTENT_KIND_COUNT] = {
#define CLASS(kind, class) [kind] = &class,
#include "cluster/intent/registry.def"
#undef CLASS
};

const struct intent_class *intent_class_of(const struct check_intent *source)
{
    const struct intent_class *class = classes[source->kind];
    return class && class->form ? class->form(source) : class;
}

const struct intent_class *intent_class_usual(uint32_t place)
{
    for (int kind = 0; kind < INTENT_KIND_COUNT; kind++)
        if (classes[kind] && classes[kind]->usual == place)
            return classes[kind];
    return NULL;
}
