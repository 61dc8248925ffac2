/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is to be run for a ControllerCheck: itself, or (--grow) with budgets that
 * grow step by step, or (--matrix) with scripts made of all pairs of desired
 * states.
 */
#ifndef FATHOM_CLI_CONTROLLER_PLANS_H
#define FATHOM_CLI_CONTROLLER_PLANS_H

#include "cli/session.h"
#include "reconcile/check_file.h"
#include "report/controller_report.h"

/* A number of the command line, if it is given. */
struct plan_number {
    bool given;
    uint32_t value;
};

struct plan_settings {
    struct judge_options how;
    int64_t controller_timeout_ns;
    struct plan_number crashes, failures, stale_reads;
    bool status_flap, timeout_applied, client_async, fuse_schedule, merge;
    bool grow, matrix;
    bool tells_progress, to_terminal;
};

struct plan_checks {
    struct controller_check **items;
    uint32_t count;
    uint32_t capacity;
};

/* Adds the reports. What goes wrong with the controller becomes a problem. */
void plan_run(struct session *session, struct plan_settings *settings,
              struct controller_check *check, struct controller_reports *reports,
              struct problems *problems);

#endif
