/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Edits: the rows of edits.def, and what becomes of them in the documents of a Check.
 *
 * An edit changes one object in one respect. If the manifests of an event have the object, too, it
 * is changed there as well: who applies the old manifest afterwards would undo the repair.
 */
#ifndef FATHOM_REPAIR_EDIT_H
#define FATHOM_REPAIR_EDIT_H

#include "base/vec.h"
#include "object/object.h"
#include "repair/tree.h"

enum protection {
#define PROTECTION(constant, name, guarded, words) PROTECTION_NUMBER_##constant,
#include "repair/protections.def"
#undef PROTECTION
    PROTECTION_COUNT
};

enum protections {
    PROTECTION_NOTHING = 0,
#define PROTECTION(constant, name, guarded, words) \
    PROTECTION_##constant = 1 << PROTECTION_NUMBER_##constant,
#include "repair/protections.def"
#undef PROTECTION
};

const char *protection_name(enum protection protection);
const char *protection_words(enum protection protection);
/* Those that a repair must not give up unless somebody allows it. */
unsigned protections_guarded(void);

enum edit_target {
    EDIT_DEPLOYMENT,
    EDIT_SCALED,   /* with spec.replicas */
    EDIT_WORKLOAD, /* with a template of pods */
    EDIT_BUDGETED, /* whose pods a PodDisruptionBudget can count */
    EDIT_CONTAINER,
    EDIT_STATEFUL_SET,
    EDIT_DAEMON_SET,
    EDIT_UPDATED, /* StatefulSets and DaemonSets */
    EDIT_JOB,     /* and those of CronJobs */
    EDIT_CRON_JOB,
    EDIT_AUTOSCALER,
    EDIT_BUDGET,
    EDIT_QUOTA,
    EDIT_LIMIT_RANGE,
    EDIT_WEBHOOK,
    EDIT_DESCHEDULER,
    EDIT_SCHEDULER,
    EDIT_CONTROLLER_MANAGER,
    EDIT_CLUSTER_AUTOSCALER,
    EDIT_SERVICE,
    EDIT_NODE,
    EDIT_NODE_GROUP,
    EDIT_RANGE_OF_PODS, /* of a workload, as the Check has it */
};

struct edit_row {
    const char *name;
    enum edit_target target;
    const char *path;
    const char *when;
    const char *values;
    unsigned loss; /* of enum protections */
    const char *words;
};

extern const struct edit_row edit_rows[];
extern const uint32_t edit_row_count;

/* A field that a violation goes back to. */
struct edit_cause {
    struct place place;
    const char *path; /* "spec.minAvailable", or the name of a plugin of the descheduler */
};

/* A document that a repair may change. */
struct edit_document {
    const struct document *source;
    const struct object *object;
    const char *name; /* Kind/namespace/name */
    uint32_t event;   /* of the Check, whose manifests have it; UINT32_MAX: it is there at first */
    bool near;        /* the counterexamples are about it */
    VEC(const char *) causes; /* fields of it that violations go back to */
};

enum change_kind { CHANGE_SET, CHANGE_DROP, CHANGE_ITEM, CHANGE_OBJECT, CHANGE_DELETE };

struct edit_change {
    enum change_kind kind;
    uint32_t document; /* that is changed, or beside which the object is put */
    const char *file;  /* of that document */
    const char *path;
    struct value value; /* of a new item: the item */
};

struct edit {
    const struct edit_row *row;
    const char *object; /* that it changes: Kind/namespace/name */
    const char *path;
    uint32_t document;
    const struct edit_change *changes;
    uint32_t change_count;
    uint32_t distance; /* from the present value: 0 is the nearest */
    bool near;
    bool at_cause; /* it changes a field that a violation goes back to */
    /* Of a number that is changed by a factor or a term: it can be approached by halves. */
    bool numeric;
    double before, after;
};

struct edit_case {
    struct arena *arena;
    const struct objects *objects; /* that are there at first */
    VEC(struct edit_document) documents;
};

struct edits {
    struct edit *items;
    uint32_t count;
    uint32_t capacity;
};

/* Every row wherever it can be applied, in the order of the table. */
void edits_make(const struct edit_case *of, struct edits *edits);

/* The same edit with another number; false: that cannot be. */
bool edit_with_number(const struct edit_case *of, const struct edit *edit, double number,
                      struct edit *other);

/* The document as the edits leave it. False: they do not fit together. `gone`: it is deleted. */
bool edit_apply(struct arena *arena, const struct edit *const *edits, uint32_t count,
                uint32_t document, const struct document *source, struct document *result,
                bool *gone);

/* Does the PodDisruptionBudget select the pods of the workload? */
bool edit_budget_guards(const struct object *budget, const struct object *workload);

/* ---- for edits.c ---- */

/* Is there no Node object before it whose node is like its own, but for the name? */
bool edit_node_is_first(const struct edit_case *of, const struct object *object);
/* A new Node object like that of the document, as the text behind "object", with what the drivers
 * of volumes say of it. */
const char *edit_node_like(const struct edit_case *of, const struct edit_document *document,
                           uint32_t number);

/* Where a row can be applied: a document and a path in it. */
struct edit_site {
    uint32_t document;
    const char *base; /* the path of the target: "", "spec.nodeGroups[1]" */
    const char *pod;  /* of $pod, $job and $template; NULL: none */
    const char *job;
    const char *template;
};

struct edit_sites {
    struct edit_site *items;
    uint32_t count;
    uint32_t capacity;
};

void edit_sites_find(const struct edit_case *of, enum edit_target target, uint32_t document,
                     struct edit_sites *sites);
/* Does the row's `when` hold there? */
bool edit_condition(const struct edit_case *of, const struct edit_site *site, const char *path,
                    const char *when);
/* A path of a row with its names, "$pod" and the like, as a path of the document. */
const char *edit_full_path(struct arena *arena, const struct edit_site *site, const char *path);

/* The text with its words in place: one text for each meaning; none if a word means nothing here.
 */
struct string_list edit_words_expand(const struct edit_case *of, const struct edit_site *site,
                                     const char *path, const char *text);

#endif
