/* SPDX-License-Identifier: Apache-2.0 */
/* What `fathom fix` found, for people and for programs. */
#ifndef FATHOM_REPORT_REPAIR_REPORT_H
#define FATHOM_REPORT_REPAIR_REPORT_H

#include "base/json_out.h"
#include "repair/repair.h"

struct repaired {
    const char *check;
    const char *file; /* NULL: there is no Check */
    const struct repair *repair;
    struct string_list limits; /* that were reached */
};

struct repairs {
    struct repaired *items;
    uint32_t count;
    uint32_t capacity;
    const char *version; /* of this program */
};

/* Holds if everything that is violated has a patch; undecided if a limit came first. */
enum verdict repairs_verdict(const struct repairs *repairs);

/* "range, requests" */
const char *repair_loss_names(struct arena *arena, unsigned losses);
/* What a patch costs more or less than before: "+1 pod, +500m CPU"; NULL: nothing. */
const char *repair_cost_words(struct arena *arena, const struct repair_cost *before,
                              const struct repair_cost *after);

/* What `fathom verify --fix` adds to its report. */
void repair_best_text(struct arena *arena, const struct repair *repair, struct text *text);
void repair_best_json(struct arena *arena, struct json_out *json, const struct repair *repair);
/* The member "fixes" of a SARIF result. */
void repair_fixes_json(struct arena *arena, struct json_out *json, const struct repair *repair);

/* What giving up the protection means for this patch. */
const char *repair_loss_words(struct arena *arena, const struct repair_patch *patch,
                              enum protection protection);
/* What it gives up, a line each. */
void repair_losses_text(struct arena *arena, const struct repair_patch *patch, const char *indent,
                        struct text *text);
void repair_cost_json(struct json_out *json, const char *key, const struct repair_cost *cost);

/* One patch as an object of an array, and as lines. */
void repair_patch_json(struct arena *arena, struct json_out *json, const struct repair *repair,
                       const struct repair_patch *patch);
void repair_patch_text(struct arena *arena, const struct repair *repair,
                       const struct repair_patch *patch, const char *indent, struct text *text);

#endif
