/* SPDX-License-Identifier: Apache-2.0 */
/* Between whom the message of a step goes, for sequence diagrams. */
#include "reconcile/tell_internal.h"

#define USER        "user"
#define CONTROLLER  "controller"
#define SERVER      "API server"
#define APPLICATION "application"
#define COLLECTOR   "garbage collector"
#define STATUS      "status controller"

const char *const controller_lanes[CONTROLLER_LANE_COUNT] = {USER,        CONTROLLER, SERVER,
                                                             APPLICATION, COLLECTOR,  STATUS};

/* Requests to the application go there instead of to the API server. */
static const struct lanes {
    const char *from;
    const char *to; /* NULL: there is no message */
} lanes_of[ACTION_COUNT] = {
    [ACTION_USER] = {USER, SERVER},
    [ACTION_CRASH] = {CONTROLLER, NULL},
    [ACTION_LAG] = {SERVER, NULL},
    [ACTION_SCHEDULE] = {SERVER, CONTROLLER},
    [ACTION_STALE_SCHEDULE] = {SERVER, CONTROLLER},
    [ACTION_RUN] = {CONTROLLER, NULL},
    [ACTION_CONTINUE] = {CONTROLLER, SERVER},
    [ACTION_END] = {CONTROLLER, NULL},
    [ACTION_SERVE_CONTROLLER] = {SERVER, CONTROLLER},
    [ACTION_STALE_READ] = {SERVER, CONTROLLER},
    [ACTION_FAIL_CONTROLLER] = {SERVER, CONTROLLER},
    [ACTION_SERVE_ORPHAN] = {SERVER, NULL},
    [ACTION_FAIL_ORPHAN] = {SERVER, NULL},
    [ACTION_SERVE_USER] = {SERVER, USER},
    [ACTION_FAIL_USER] = {SERVER, USER},
    [ACTION_COLLECT] = {COLLECTOR, SERVER},
    [ACTION_SERVE_COLLECTOR] = {SERVER, COLLECTOR},
    [ACTION_FAIL_COLLECTOR] = {SERVER, COLLECTOR},
    [ACTION_REPORT_STATUS] = {STATUS, SERVER},
    [ACTION_SERVE_STATUS] = {SERVER, STATUS},
    [ACTION_FAIL_STATUS] = {SERVER, STATUS},
    [ACTION_STABILIZE] = {STATUS, NULL},
};

static bool is_external(const struct world_round *round)
{
    return round->has_request && round->request.verb == API_EXTERNAL;
}

void tell_lanes(const struct run_telling *telling, enum action action, uint32_t which,
                struct controller_step *step)
{
    step->from = lanes_of[action].from;
    step->to = lanes_of[action].to;
    switch (action) {
    case ACTION_CONTINUE:
        if (!telling->after->rounds[which].has_request)
            step->to = NULL;
        else if (is_external(&telling->after->rounds[which]))
            step->to = APPLICATION;
        break;
    case ACTION_SERVE_CONTROLLER:
    case ACTION_FAIL_CONTROLLER:
        if (is_external(&telling->before->rounds[which]))
            step->from = APPLICATION;
        break;
    case ACTION_SERVE_ORPHAN:
    case ACTION_FAIL_ORPHAN:
        if (telling->before->orphans[which].verb == API_EXTERNAL)
            step->from = APPLICATION;
        break;
    default: break;
    }
}
