/* SPDX-License-Identifier: Apache-2.0 */
/* The classes of intents, by kind. */
#include "cluster/intent/registry.h"
#include "cluster/intent_class.h"

static const struct intent_class *const classes[] = {
#define INTENT(constant, class, name, takes, needs, violated) [constant] = &class,
#include "object/intents.def"
#undef INTENT
};

const struct intent_class *intent_class_of(const struct check_intent *source)
{
    const struct intent_class *class = classes[source->kind];
    return class->form ? class->form(source) : class;
}

enum intent_kind intent_kind_usual(uint32_t place)
{
    int kind = 0;
    while (kind < INTENT_KIND_COUNT && classes[kind]->usual != place)
        kind++;
    return (enum intent_kind)kind;
}
