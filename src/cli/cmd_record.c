/* SPDX-License-Identifier: Apache-2.0 */
/* `fathom record`: what a cluster does, written down for `replay --observed`. */
#include "cli/cmd_record_check.h"
#include "cli/interrupt.h"
#include "cli/kubernetes_features.h"
#include "cli/limit_options.h"
#include "cli/session.h"
#include "recording/record_cluster.h"

int cmd_record(struct session *session)
{
    const struct options *options = &session->options;
    struct record_made made;
    struct problems problems;
    problems_init(&problems, &session->arena);
    const uint64_t most_ms = limit_read_timeout(options->timeout, &problems);
    kubernetes_features_read(options, FEATURES_MINOR_LAST, &problems);
    session_complain(session, &problems);
    if (problems.errors || !session->line.operands.count) {
        if (!problems.errors)
            session_say(session, "record: expected a folder, found nothing");
        session_point_at_help(session);
        return EXIT_INPUT;
    }
    if (options->as_check)
        return cmd_record_check(session, session->line.operands.items[0]);
    const struct record_order order = {
        .folder = session->line.operands.items[0],
        .kubectl = options->kubectl,
        .name_space = options->name_space,
        .audit_log = options->audit_log,
        .kubernetes = options->kubernetes_version,
        .milliseconds = most_ms > INT64_MAX ? INT64_MAX : (int64_t)most_ms,
        .interrupted = interrupt_listen(),
    };
    const bool good = record_cluster(&session->arena, &order, &made, &problems);
    if (good)
        session_say(session, "record: run %u of %s has %u versions of objects", made.run,
                    order.folder, made.versions);
    session_complain(session, &problems);
    return good ? EXIT_HOLDS : EXIT_INPUT;
}
