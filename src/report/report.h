/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a verification found, for people and for programs.
 *
 * A `struct report` is everything there is to say about one Check (or about
 * manifests without one). formats.def lists the ways to write it down.
 */
#ifndef FATHOM_REPORT_REPORT_H
#define FATHOM_REPORT_REPORT_H

#include "base/json_out.h"
#include "report/severity.h"
#include "verify/made_from.h"
#include "verify/trial.h"
#include "verify/verify.h"

struct answers;
struct repair;

struct report {
    const char *check;           /* its name */
    const char *file;            /* that it is in; NULL: there is no Check */
    const char *question;        /* that was asked instead, "drain"; NULL: none */
    const struct objects *given; /* of a question: all manifests, also those that it leaves out */
    const struct scope *scope;
    struct features features; /* the rules of the Kubernetes version */
    const char *kubernetes;   /* where a dumped cluster's version is from; NULL: elsewhere */
    const struct verify_report *found;
    const struct intent_trials *trials; /* by intent; NULL: nothing was tried */
    struct string_list assumptions;     /* what was assumed, in sentences */
    struct string_list premises;        /* what the model relies on */
    struct string_list idle;            /* what had no effect in any run */
    struct string_list warnings;        /* "file:line:column: ..." */
    struct string_list limits;          /* that were reached; empty: none */
    const struct repair *repair;        /* --fix: what would make it hold; NULL: nobody asked */
    uint64_t peak_bytes;
    struct made_from input;
};

struct reports {
    struct report *items;
    uint32_t count;
    uint32_t capacity;
    bool heatmap;         /* the text draws the verdicts by nodes and pods, too */
    const char *version;  /* of this program */
    const char *homepage; /* of this program; "": it has none */
    const char *drawn;    /* --setup: the setup that -o dot draws; NULL: the first violation's, or
                             the usual one */
    const struct population_options *population; /* what was verified with, but for the
                                                    features, which are those of each report */
    const struct severities *severities;         /* of intents; NULL: not asked for */
    const struct accepted *accepted;             /* violations; NULL: there are no exceptions */
    const struct answers *answers; /* to questions (answers.h); NULL: there are Checks */
};

/* Violated if any Check is; else undecided if any is; else holds. */
enum verdict reports_verdict(const struct reports *reports);

/* Why the report's verdict is vacuous: its intents that are, then what had no effect. */
struct string_list report_of_nothing(struct arena *arena, const struct report *report);

/* ---- trials with stronger settings (report_trial.c) ---- */

/* "also under --interleaving full", or "not under ..." with the reason and a command that shows it;
 * NULL: the intent was not tried. */
const char *report_trial_line(struct arena *arena, const struct report *report, uint32_t intent);
/* The lines of all intents, each with the name of its intent. */
struct string_list report_trial_lines(struct arena *arena, const struct report *report);
/* The trial that violates the intent; NULL: none does. */
const struct intent_trial *report_violated_trial(const struct report *report, uint32_t intent);
/* The same report with what was found in the trial instead, to write its counterexample. */
struct report report_of_trial(const struct report *report, const struct intent_trial *trial);

/* ---- workload by workload (report_workloads.c) ---- */

/* How intents were decided, if workloads were verified in parts (verify_report.components). */
const char *report_decided_by(struct arena *arena, const struct report *report);
/* Is it known of some workloads whether an intent holds for them that does not hold for all? */
bool report_knows_workloads(const struct report *report, uint32_t intent);
enum verdict report_part_verdict(const struct decided_part *part, uint32_t intent);
/* "holds for 11 of 12 workloads: Deployment/shop/web, ..."; NULL: nothing is known of them. */
const char *report_workloads_line(struct arena *arena, const struct report *report,
                                  uint32_t intent);
/* What is known of an intent that is undecided: the same, the workloads that it is open for, with
 * what is in the way, or why all were explored together. */
struct string_list report_undecided_lines(struct arena *arena, const struct report *report,
                                          uint32_t intent);
/* Why all workloads were explored together; NULL: they were not, or all is decided. */
const char *report_together(struct arena *arena, const struct report *report);
/* What to change for a verdict on what is undecided (report_advice.c). */
struct string_list report_to_decide(struct arena *arena, const struct report *report);

const char *report_workload_name(const struct scope *scope, uint32_t workload);
/* "Deployment/shop/cart", "Deployment/shop/cart with Deployment/shop/db" */
const char *report_part_name(struct arena *arena, const struct scope *scope,
                             const struct decided_part *part);
/* What is in the way of the part with this number. */
const char *report_obstacle(struct arena *arena, const struct report *report, uint32_t number,
                            enum part_obstacle obstacle);
/* The members "components" and "together" of a report. */
void report_components_json(struct arena *arena, struct json_out *json,
                            const struct report *report);
/* The member "workloads" of an intent. */
void report_intent_workloads_json(struct json_out *json, const struct report *report,
                                  uint32_t intent);

/* The warnings among problems, each as one line. */
struct string_list problems_warnings(struct arena *arena, const struct problems *problems);

/* The verdict by total nodes and pods; the run must have been exhaustive. */
void report_write_heatmap(struct arena *arena, const struct report *report, struct text *text);

/* ---- parts that several formats need ---- */

/* For XML and HTML, in elements and in attributes with double quotes. */
void report_append_escaped(struct text *text, const char *string);
/* An attribute of an XML element: ` name="value"`. */
void report_append_attribute(struct text *text, const char *name, const char *value);

/* The verdicts of one intent by scale, as a table. */
void report_heatmap_html(struct arena *arena, const struct report *report, uint32_t intent,
                         struct text *text);

/* "replicasAtLeast (Deployment/default/web, value min)" */
const char *report_intent_label(struct arena *arena, const struct check_intent *intent);
/* What a search for violations did: "12 runs with 4000 steps; 1 violation was found". */
const char *report_searched(struct arena *arena, const struct verify_search *search);
/* What it means that the intent is violated. */
/* The name of the user's own for it, or that of the library. */
const char *report_intent_name(const struct check_intent *intent);
const char *report_intent_violated(enum intent_kind kind);

/* Where in the manifests a violation goes back to (source.c). */
struct report_source {
    struct place place;
    const char *path;
    const char *note; /* what is missing there; NULL */
};

enum { REPORT_SOURCES_MOST = 3 };

/* The one that matters most first. */
struct report_sources {
    struct report_source items[REPORT_SOURCES_MOST];
    uint32_t count;
};

void report_find_sources(struct arena *arena, const struct report *report,
                         const struct verify_result *result, struct report_sources *sources);
/* A field of the object, alone, if it is there. */
void report_source_at(struct arena *arena, const struct object *object, const char *path,
                      struct report_sources *sources);
/* The first of them; false: there is none. */
bool report_find_source(struct arena *arena, const struct report *report,
                        const struct verify_result *result, struct report_source *source);
/* The line of the file; NULL if it cannot be read. */
const char *report_quote(struct arena *arena, struct place place);

/* "3 nodes (zone-1: 1, zone-2: 2), 3 pods (Deployment/default/web: 3)" */
const char *report_scale(struct arena *arena, const struct scope *scope, const struct setup *setup);

/* For which sizes an intent that holds was shown: "in all 3 setups of 1 to 3 nodes and 2 pods". */
const char *report_holding(struct arena *arena, const struct report *report);

/* The texts of a list as a member. */
void report_write_strings(struct json_out *json, const char *key, const struct string_list *list);
/* Where to look: file, line, column and path. */
void report_write_source(struct json_out *json, const char *key,
                         const struct report_source *source);

struct counterexample;
/* The run as changes with their causes, in the form of a trace server's records. */
void report_changes_json(struct arena *arena, struct json_out *json,
                         const struct counterexample *run);

/* Nodes with their pods, then what the workloads want, a line each. */
void report_write_picture(struct arena *arena, const struct story_picture *picture,
                          const char *indent, struct text *text);

/* The same as members "nodes" and "workloads" of an object. */
void report_picture_json(struct json_out *json, const char *key,
                         const struct story_picture *picture);

/* One step as an object of an array. */
void report_step_json(struct arena *arena, struct json_out *json, uint32_t number,
                      const struct verify_step *step);

/* "scale": an object, or null without a setup. */
void report_scale_json(struct json_out *json, const struct scope *scope, const struct setup *setup);

/* What is not known of a loop, in a sentence; NULL: nothing. */
const char *report_reservation(const struct verify_result *result);
/* What a loop costs: "up to 24 node-hours of group pool a day, or 4.80 a day; ..." */
const char *report_cost(struct arena *arena, const struct node_cost *cost);
/* The counterexample: one line a step, with what explains it below. */
void report_write_steps(struct arena *arena, const struct verify_result *result, const char *indent,
                        struct text *text);

#endif
