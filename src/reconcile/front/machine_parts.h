/* SPDX-License-Identifier: Apache-2.0 */
/* What a machine consists of, between reading (machine_read.c) and running (machine.c). */
#ifndef FATHOM_RECONCILE_FRONT_MACHINE_PARTS_H
#define FATHOM_RECONCILE_FRONT_MACHINE_PARTS_H

#include "fathom/parts.h"
#include "object/meta.h"
#include "reconcile/front/machine.h"

enum machine_found { FOUND_UPDATE, FOUND_KEEP, FOUND_DONE };
enum machine_missing { MISSING_CREATE, MISSING_ERROR };

struct machine_resource {
    const char *kind;
    const char *name;
    const struct value *template;
    const struct datum *form;   /* the same, as a value */
    const struct value *update; /* NULL: everything */
    const struct value *remember;
    unsigned found;   /* enum machine_found */
    unsigned missing; /* enum machine_missing */
    bool owned_only;
};

struct machine_minimum {
    const char *path;
    int64_t least;
};

struct machine {
    const char *name;
    struct machine_resource *resources;
    uint32_t resource_count;
    const struct value *status_template;
    const struct datum *status;
    struct string_list immutable;
    struct machine_minimum *minimums;
    uint32_t minimum_count;
    struct fathom_parts parts;
};

extern const struct fathom_controller machine_table;

const char *machine_part_name(const struct fathom_round *round);
const struct fathom_value *machine_part_make(const struct fathom_round *round);
const struct fathom_value *machine_status_make(const struct fathom_round *round);

#endif
