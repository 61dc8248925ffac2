/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The structs that headers of the cluster model name without looking inside: those of the model
 * itself, and those of the folders before it. A header that needs the inside of one includes
 * the header that defines it.
 */
#ifndef FATHOM_CLUSTER_FORWARD_H
#define FATHOM_CLUSTER_FORWARD_H

struct actor;
struct arena;
struct autoscaler;
struct catalog;
struct check_event;
struct check_intent;
struct class_info;
struct crew;
struct daemon_set;
struct event_type;
struct expansion;
struct happening;
struct intent;
struct intent_expressions;
struct job_rules;
struct memory;
struct model;
struct node;
struct node_config;
struct node_kind;
struct object;
struct object_meta;
struct observed_pod;
struct focus_proof;
struct pod;
struct pod_spec;
struct pod_template;
struct population;
struct population_event;
struct event_condition;
struct population_options;
struct population_shelf;
struct problems;
struct reads;
struct rest_loop;
struct revision;
struct scope;
struct setup;
struct state;
struct step;
struct step_sink;
struct story_telling;
struct storyteller;
struct template_info;
struct text;
struct worker;
struct workload;

#endif
