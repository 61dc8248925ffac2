/* SPDX-License-Identifier: Apache-2.0 */
/* A machine as a plugin: the parts of fathom/parts.h, made of templates. */
#include "reconcile/front/machine_parts.h"

static const struct machine *machine_of(struct fathom_call *call)
{
    return plugin_call_of(call)->plugin->machine;
}

static struct template_source source_of(const struct fathom_round *round)
{
    return (struct template_source){plugin_call_of(round->call), plugin_datum(round->cr),
                                    plugin_datum(round->local)};
}

/* --- Parts ------------------------------------------------------------------ */

const char *machine_part_name(const struct fathom_round *round)
{
    const struct machine_resource *resource = round->part->context;
    struct template_source source = source_of(round);
    return template_fill_text(&source, resource->name);
}

const struct fathom_value *machine_part_make(const struct fathom_round *round)
{
    const struct machine_resource *resource = round->part->context;
    struct template_source source = source_of(round);
    return plugin_value(template_fill(&source, resource->form));
}

const struct fathom_value *machine_status_make(const struct fathom_round *round)
{
    struct template_source source = source_of(round);
    return plugin_value(template_fill(&source, machine_of(round->call)->status));
}

/* --- The table ---------------------------------------------------------------- */

static struct fathom_answer machine_step(struct fathom_call *call, const struct fathom_value *cr,
                                         const struct fathom_response *response,
                                         const struct fathom_value *local)
{
    struct fathom_round round = fathom_round_of(call, cr, local);
    return fathom_parts_step(&machine_of(call)->parts, &round, response);
}

static bool machine_match(struct fathom_call *call, const struct fathom_store *store,
                          const struct fathom_value *cr)
{
    return fathom_parts_match(&machine_of(call)->parts, call, store, cr);
}

static const char *machine_validate(struct fathom_call *call, const struct fathom_value *cr)
{
    const struct machine *machine = machine_of(call);
    for (uint32_t i = 0; i < machine->minimum_count; i++) {
        const struct machine_minimum *minimum = &machine->minimums[i];
        if (fathom_number(call, cr, minimum->path, minimum->least) < minimum->least)
            return fathom_print(call, "%s: must be at least %lld", minimum->path,
                                (long long)minimum->least);
    }
    return NULL;
}

static const char *machine_validate_change(struct fathom_call *call, const struct fathom_value *cr,
                                           const struct fathom_value *before)
{
    const struct machine *machine = machine_of(call);
    for (uint32_t i = 0; i < machine->immutable.count; i++) {
        const char *path = machine->immutable.items[i];
        if (!fathom_equal(call, fathom_at(call, cr, path), fathom_at(call, before, path)))
            return fathom_print(call, "%s: field is immutable", path);
    }
    return NULL;
}

const struct fathom_controller machine_table = {
    FATHOM_CONTROLLER_HEADER,      .name = "machine",
    .init = fathom_parts_init,     .step = machine_step,
    .status = fathom_parts_status, .match = machine_match,
    .validate = machine_validate,  .validate_change = machine_validate_change,
};
