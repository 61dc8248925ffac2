/* SPDX-License-Identifier: Apache-2.0 */
/* Which objects a list or a watch is about: labelSelector and fieldSelector. */
#ifndef FATHOM_APISERVER_SELECTION_H
#define FATHOM_APISERVER_SELECTION_H

#include "apiserver/http_message.h"
#include "apiserver/resource_type.h"
#include "object/selector.h"

struct field_requirement {
    const char *path; /* one of those that the kind allows */
    const char *value;
    bool unequal;
};

struct selection {
    struct label_selector labels;
    struct field_requirement *fields;
    uint32_t field_count;
    uint32_t field_capacity;
};

/* False, and `*why`, if a selector is not understood. All lives in the arena. */
bool selection_read(struct arena *arena, const struct resource_type *type,
                    const struct http_request *request, struct selection *selection,
                    const char **why);
/* `scratch` is as before afterwards. */
bool selection_matches(struct arena *scratch, const struct selection *selection,
                       const struct datum *object);

#endif
