/* SPDX-License-Identifier: Apache-2.0 */
/* `fathom controller run`: a controller against a real API server. */
#include "cli/input.h"
#include "cli/interrupt.h"
#include "cli/limit_options.h"
#include "cli/plugin_ward.h"
#include "cli/session.h"
#include "reconcile/check_file.h"
#include "reconcile/front/controller_open.h"
#include "runtime/runtime.h"

#include <unistd.h>

static bool open_controller(struct session *session, struct controller *controller,
                            struct problems *problems)
{
    struct input input;
    session_read(session, &input_controller, &input);
    session_problems(session, &input_controller, &input, problems);
    if (problems->errors)
        return false;
    plugin_ward_start(&input);
    const struct value *document = input.units.items[0].root;
    const struct controller_options options = {
        .timeout_ns = limit_read_duration("--controller-timeout",
                                          session->options.controller_timeout, problems),
    };
    if (!controller_open(&session->arena, document, &options, controller, problems))
        return false;
    if (!controller->custom_kinds)
        controller->custom_kinds = controller_check_script_kinds(&session->arena, document);
    if (controller->custom_kinds[0])
        return true;
    problem_error(problems, value_place(value_find(value_find(document, "spec"), "controller")),
                  "spec.controller.customKinds",
                  "expected the kinds of the custom resources, which the controller does not say");
    controller->release(controller);
    return false;
}

static bool read_settings(struct session *session, struct runtime_settings *settings,
                          struct kube_access *access, struct problems *problems)
{
    const struct options *options = &session->options;
    const struct kube_access_request request = {
        .kubeconfig = options->kubeconfig,
        .context = options->context,
    };
    settings->access = access;
    settings->name_space = options->name_space ? options->name_space : "";
    settings->resync_ns = limit_read_duration("--resync", options->resync, problems);
    settings->timeout_ns = limit_read_duration("--timeout", options->timeout, problems);
    settings->requests_per_second = (uint32_t)options->qps;
    settings->once = options->once;
    settings->model_external = options->model_external;
    settings->log = options->verbose ? RUNTIME_REQUESTS
                    : options->quiet ? RUNTIME_SILENT
                                     : RUNTIME_ROUNDS;
    if (options->timeout && !options->once)
        problem_error(problems, (struct place){0}, NULL, "--timeout is for --once");
    return !problems->errors && kube_access_find(&session->arena, &request, access, problems);
}

static int run(struct session *session, const struct runtime_settings *settings,
               struct problems *problems)
{
    switch (runtime_run(&session->memory, settings, problems)) {
    case RUNTIME_STOPPED: return session_exit_code(VERDICT_HOLDS);
    case RUNTIME_TIMEOUT:
        session_say(session, "there was still something to do when the time was over");
        return session_exit_code(VERDICT_UNDECIDED);
    case RUNTIME_BROKEN: break;
    }
    return EXIT_INPUT;
}

int cmd_controller_run(struct session *session)
{
    struct problems problems;
    struct controller controller = {0};
    struct kube_access access;
    atomic_bool stop;
    struct runtime_settings settings = {.controller = &controller, .stop = &stop};
    atomic_init(&stop, false);
    problems_init(&problems, &session->arena);
    if (!session->line.operands.count)
        problem_error(&problems, (struct place){0}, NULL, "%s", input_controller.nothing_given);
    if (problems.errors || !read_settings(session, &settings, &access, &problems) ||
        !open_controller(session, &controller, &problems)) {
        session_complain(session, &problems);
        return EXIT_INPUT;
    }
    /* Only now: programs that were started before keep their signals. */
    settings.stop_descriptor = interrupt_descriptor();
    const int code = run(session, &settings, &problems);
    session_complain(session, &problems);
    close(settings.stop_descriptor);
    controller.release(&controller);
    return code;
}
