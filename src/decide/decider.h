/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A controller as `fathom decide` sees it: a name, and what it would do.
 *
 * Every controller of the model offers one `const struct decider`, at the end
 * of a file of its own folder, and one row in deciders.def. The
 * command line does the reading and the printing; a decider turns what was
 * read into an answer. It keeps nothing between calls: the same input gives
 * the same answer. All memory comes from the arena given, which is emptied
 * after the answer has been printed.
 *
 * To add one: write `const struct decider decider_x = {...};`, and the row
 * DECIDER(x) in deciders.def.
 */
#ifndef FATHOM_DECIDE_DECIDER_H
#define FATHOM_DECIDE_DECIDER_H

#include "base/error.h"
#include "base/json_out.h"
#include "decide/features.h"

struct value;   /* manifest/document.h */
struct objects; /* object/object.h */

/* What the user chose on the command line. */
struct decide_choice {
    const char *pod;          /* --pod NAMESPACE/NAME; NULL: not given */
    struct features features; /* of --kubernetes-version; 1.26 is the default */
};

struct decider {
    const char *name;    /* as written after `fathom decide`: "scheduler" */
    const char *summary; /* for the help: "which node a pod goes to, and why" */

    /* One scenario of `decide NAME --batch`. Writes exactly one value, under
     * the key "result" ("loops" if the scenario asks for several decisions). When the scenario is
     * wrong: a problem for each mistake, and false; what was written by then is thrown away.
     * `features` are the rules of a scenario that states no version of its own. */
    bool (*decide_scenario)(struct arena *arena, const struct value *scenario,
                            const struct features *features, struct json_out *json,
                            struct problems *problems);

    /* `decide NAME -f ...`: the objects are a cluster's state. Writes one value
     * under the key "result", and the same in sentences, each line ended; the
     * user's choice of format decides which is shown. NULL: batches only. */
    bool (*decide_objects)(struct arena *arena, const struct objects *objects,
                           const struct decide_choice *choice, struct json_out *json,
                           struct text *sentences, struct problems *problems);
    bool asks_for_a_pod; /* --pod says which */
};

#define DECIDER(name) extern const struct decider decider_##name;
#include "decide/deciders.def"
#undef DECIDER

/* All deciders, then NULL. */
extern const struct decider *const decider_registry[];

/* NULL when there is none of that name. */
const struct decider *decider_find(const char *name);

#endif
