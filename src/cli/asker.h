/* SPDX-License-Identifier: Apache-2.0 */
/* Who asks the questions of verify_questions.c: what has been asked so far, of which objects, on
 * which nodes. */
#ifndef FATHOM_CLI_ASKER_H
#define FATHOM_CLI_ASKER_H

#include "cli/verify_settings.h"
#include "setup/default_nodes.h"
#include "verify/questions.h"

struct asked_question {
    struct question_check question;
    struct verify_report found; /* of a question that was made */
};

struct asker {
    struct session *session;
    const struct verify_settings *settings;
    struct scope_options scope; /* without --nodes, which says how many nodes are made */
    struct input_unit *unit;
    struct verify_options options; /* with what is left of the limits */
    struct budget budget;
    bool limited;      /* by the command line */
    bool at_any_time;  /* --start empty */
    bool asks_largest; /* of autoscaled workloads with maxReplicas pods, too */
    bool drops_pods;   /* they are manifests, and not those of a cluster */
    VEC(struct asked_question) asked;
    VEC(struct object_name) failing; /* workloads that never become ready */
    VEC(const char *) assumptions;
    VEC(const char *) left_out;
    VEC(const char *) claims;       /* that are not among the manifests */
    const struct node_needs *needs; /* NULL: nodes are given */
    const char *nodes;              /* the same in words */
};

/* Runs one Check with its own limit, unless the command line gives one for all. */
void asker_run(struct asker *asker, const struct verify_plan *plan, uint64_t states_most,
               struct verify_report *found);

/* Asks one question; what the asker knows of it need not be said in `about`. */
void asker_ask(struct asker *asker, enum question_topic kind, const struct objects *objects,
               const struct question_options *about);

/* ---- any number of nodes (asker_sizes.c) ---- */

/* Asks the question of every size from that of the nodes that were made on, if it holds with them
 * and that is worth it. */
void asker_ask_sizes(struct asker *asker, struct asked_question *asked);

/* ---- autoscaled workloads at their largest (asker_largest.c) ---- */

/* Asks what happens to nodes once more, with maxReplicas pods of each autoscaled workload, if room
 * counts and all of them find a node. `asked` has bits of enum question_topic. */
void asker_ask_largest(struct asker *asker, unsigned asked);

/* ---- objects (asker_objects.c) ---- */

bool objects_have_kind(const struct objects *objects, enum object_kind kind);
/* Are there pods of a cluster among them? */
bool objects_have_live_pods(const struct objects *objects);
/* Is there anything that pods come from, or a pod of a cluster? */
bool objects_have_workload(const struct objects *objects);

/* All that is asked about but these workloads, and their autoscalers. */
void asker_copy_objects(const struct asker *asker, const struct object_name *without,
                        uint32_t count, struct objects *to);
/* Pods by themselves are moved by nobody: no question is about them. */
void asker_leave_out_pods(struct asker *asker);
/* Puts the Job that a CronJob stands for in its place, so that nodes and claims are made for it as
 * for any other workload. */
void asker_take_cron_jobs(struct asker *asker);
/* A claim that the manifests name and do not have is one that the cluster has: it may be on any
 * number of nodes, because nobody says otherwise. */
void asker_assume_claims(struct asker *asker);
/* Nobody said how much load there is: says which was tried. */
void asker_assume_load(struct asker *asker);

/* ---- workloads that never become ready (asker_failing.c) ---- */

bool object_names_equal(const struct object_name *left, const struct object_name *right);
/* Those that the first question has findings of. */
void asker_find_failing(struct asker *asker);
/* Says that nothing else is asked of them, so that nobody takes what holds of the others for more
 * than it is. */
void asker_tell_failing(struct asker *asker);

/* ---- nodes (asker_nodes.c) ---- */

/* Reads the options, and finds out how many nodes the pods need. False, after a complaint, if an
 * option is wrong. */
bool asker_find_needs(struct asker *asker);
/* Adds nodes that are needed and not given; fewer if none of them goes. */
void asker_add_nodes(struct asker *asker, bool one_goes, struct objects *objects);

#endif
