/* SPDX-License-Identifier: Apache-2.0 */
/* `fathom verify --learn-scale FOLDER`: up to which size failures show at all. */
#include "cli/cmd_learn_scale.h"

#include "cli/input.h"
#include "cli/interrupt.h"
#include "cli/kubernetes_features.h"
#include "manifest/manifest.h"
#include "verify/learn_scale.h"

#include <string.h>

/* A file of the folder is an operand if it has a Check. */
static void add_operands(struct session *session, const char *folder, struct problems *problems)
{
    const struct manifest_paths paths = {.items = &folder, .count = 1, .recursive = true};
    struct documents documents = {0};
    struct option_list operands = {0};
    /* What is wrong elsewhere in the folder is none of our business. */
    struct problems ignored;
    problems_init(&ignored, &session->arena);
    manifest_load(&session->arena, &paths, &documents, &ignored);
    for (uint32_t i = 0; i < documents.count; i++) {
        const struct value *root = &documents.items[i].root;
        const char *version = value_find_string(root, "apiVersion");
        const char *kind = value_find_string(root, "kind");
        if (!version || !kind || strcmp(version, "fathom/v1") != 0 || strcmp(kind, "Check") != 0)
            continue;
        if (operands.count == 0 || strcmp(operands.items[operands.count - 1], root->file) != 0)
            VEC_PUSH(&session->arena, &operands, root->file);
    }
    if (operands.count == 0)
        problem_error(problems, (struct place){.file = folder}, "--learn-scale",
                      "expected a folder with Checks of known failures, found none");
    session->line.operands = operands;
}

/* The command has more formats for verifications. */
static bool formats_are_known(struct session *session)
{
    for (uint32_t i = 0; i < session->options.output.count; i++) {
        const char *format = session->options.output.items[i].format;
        if (format_find(RESULT_LEARNT_SCALE, format))
            continue;
        session_say(session, "-o: expected text or json with --learn-scale, found \"%s\"", format);
        return false;
    }
    return true;
}

int cmd_learn_scale(struct session *session, const struct verify_settings *settings)
{
    struct input input;
    struct problems problems;
    struct learnt_scale learnt;
    struct verify_options options = settings->run;
    options.search = (struct verify_search_options){0};
    if (!formats_are_known(session))
        return EXIT_INPUT;
    problems_init(&problems, &session->arena);
    add_operands(session, session->options.learn_scale, &problems);
    if (problems.errors > 0) {
        session_complain(session, &problems);
        return EXIT_INPUT;
    }
    const char *sentence;
    bool good = session_read(session, &input_checks, &input);
    good = kubernetes_features_settle(&session->arena, &session->options, &input,
                                      &options.population.features, &sentence) &&
           good;
    struct verify_plan *plans =
        ARENA_ARRAY(&session->arena, struct verify_plan, input.units.count + 1);
    good = verify_plans_make(&session->arena, &input, &settings->scope, plans) && good;
    if (!session_accepts(session, &input_checks, &input) || !good)
        return EXIT_INPUT;
    options.interrupted = interrupt_listen();
    scale_learn(&session->arena, &session->memory, plans, input.units.count, &options, &learnt);
    return session_report(session, RESULT_LEARNT_SCALE, &learnt,
                          learnt.complete ? VERDICT_HOLDS : VERDICT_UNDECIDED);
}
