/* SPDX-License-Identifier: Apache-2.0 */
/* A program that speaks JSON lines as a `struct controller`. */
#include "reconcile/front/program.h"

#include <string.h>

/* One question on its way: a process, and what it is asked. */
struct asking {
    struct program *program;
    struct program_process *process; /* NULL: none could be had */
    struct text *text;
    struct arena *arena;
    struct problems *problems;
    bool failed;
};

static struct asking ask_start(const struct controller *controller, struct arena *arena,
                               const char *operation, struct problems *problems)
{
    struct program *program = controller->context;
    struct asking asking = {.program = program, .arena = arena, .problems = problems};
    asking.process = program_process_take(program, problems);
    asking.failed = !asking.process;
    if (asking.process) {
        asking.text = &asking.process->question;
        text_printf(asking.text, "{\"op\":\"%s\"", operation);
    }
    return asking;
}

static void ask_with(struct asking *asking, const char *name, const struct datum *value)
{
    if (asking->failed)
        return;
    text_printf(asking->text, ",\"%s\":", name);
    datum_write(asking->text, DATUM_TAGGED, value);
}

static void ask_with_store(struct asking *asking, const char *name, const struct object_list *store)
{
    if (asking->failed)
        return;
    text_printf(asking->text, ",\"%s\":[", name);
    for (uint32_t i = 0; i < store->count; i++) {
        if (i > 0)
            text_append_char(asking->text, ',');
        datum_write(asking->text, DATUM_TAGGED, store->items[i]);
    }
    text_append_char(asking->text, ']');
}

static const struct datum *ask_put(struct asking *asking, const char *needed)
{
    if (asking->failed)
        return NULL;
    text_append_char(asking->text, '}');
    const struct datum *answer =
        program_ask(asking->program, asking->process, asking->arena, needed, asking->problems);
    asking->failed = !answer;
    return answer;
}

static bool answer_truth(struct asking *asking, const struct datum *answer, const char *name)
{
    const struct datum *value = datum_member(answer, name);
    if (!asking->failed && (!value || (value->kind != DATUM_TRUE && value->kind != DATUM_FALSE))) {
        program_complain(asking->program, asking->process, asking->problems,
                         "answered %.300s, whose %s is neither true nor false",
                         text_content(&asking->process->answer), name);
        asking->failed = true;
    }
    return value && value->kind == DATUM_TRUE;
}

/* The text of a member that may be null; NULL then. */
static const char *answer_text(struct asking *asking, const struct datum *answer, const char *name)
{
    const struct datum *value = datum_member(answer, name);
    if (!asking->failed && value && value->kind != DATUM_STRING) {
        program_complain(asking->program, asking->process, asking->problems,
                         "answered %.300s, whose %s is neither a text nor null",
                         text_content(&asking->process->answer), name);
        asking->failed = true;
    }
    return datum_text(value, NULL);
}

static bool ask_end(struct asking *asking)
{
    if (asking->process)
        program_process_give(asking->program, asking->process, asking->failed);
    return !asking->failed;
}

/* --- The operations --------------------------------------------------------- */

static bool program_init(const struct controller *controller, struct arena *arena,
                         const struct datum **local, struct problems *problems)
{
    struct asking asking = ask_start(controller, arena, "init", problems);
    *local = datum_member(ask_put(&asking, "local"), "local");
    return ask_end(&asking);
}

static bool program_step(const struct controller *controller, struct arena *arena,
                         const struct datum *custom_resource,
                         const struct controller_response *response, const struct datum *local,
                         struct controller_answer *answer, struct problems *problems)
{
    struct asking asking = ask_start(controller, arena, "step", problems);
    ask_with(&asking, "cr", custom_resource);
    if (!asking.failed) {
        text_append_string(asking.text, ",\"resp\":");
        program_write_response(asking.text, response);
    }
    ask_with(&asking, "local", local);
    const struct datum *said = ask_put(&asking, "local");
    const struct datum *request = datum_member(said, "req");
    *answer = (struct controller_answer){.local = datum_member(said, "local"),
                                         .has_request = request != NULL};
    if (request && !program_read_request(asking.program, asking.process, arena, request,
                                         custom_resource, &answer->request, problems))
        asking.failed = true;
    return ask_end(&asking);
}

static bool program_status(const struct controller *controller, struct arena *arena,
                           const struct datum *local, bool *done, bool *error,
                           struct problems *problems)
{
    struct asking asking = ask_start(controller, arena, "status", problems);
    ask_with(&asking, "local", local);
    const struct datum *said = ask_put(&asking, "done");
    *done = answer_truth(&asking, said, "done");
    *error = answer_truth(&asking, said, "error");
    return ask_end(&asking);
}

static bool program_match(const struct controller *controller, struct arena *arena,
                          const struct object_list *store, const struct datum *custom_resource,
                          bool *matches, struct problems *problems)
{
    struct asking asking = ask_start(controller, arena, "match", problems);
    ask_with(&asking, "cr", custom_resource);
    ask_with_store(&asking, "store", store);
    *matches = answer_truth(&asking, ask_put(&asking, "match"), "match");
    return ask_end(&asking);
}

static bool program_safety(const struct controller *controller, struct arena *arena,
                           const struct object_list *before, const struct object_list *after,
                           const struct datum *external, const char **violated,
                           struct problems *problems)
{
    struct asking asking = ask_start(controller, arena, "safety", problems);
    ask_with_store(&asking, "before", before);
    ask_with_store(&asking, "after", after);
    if (controller->external)
        ask_with(&asking, "external", external);
    *violated = answer_text(&asking, ask_put(&asking, "violated"), "violated");
    return ask_end(&asking);
}

static bool take_verdict(struct asking *asking, bool *valid, const char **why)
{
    const struct datum *said = ask_put(asking, "valid");
    *valid = answer_truth(asking, said, "valid");
    const char *reason = answer_text(asking, said, "why");
    if (why)
        *why = *valid ? NULL : reason;
    return ask_end(asking);
}

static bool program_validate(const struct controller *controller, struct arena *arena,
                             const struct datum *custom_resource, bool *valid, const char **why,
                             struct problems *problems)
{
    struct asking asking = ask_start(controller, arena, "validate", problems);
    ask_with(&asking, "cr", custom_resource);
    return take_verdict(&asking, valid, why);
}

static bool program_validate_change(const struct controller *controller, struct arena *arena,
                                    const struct datum *custom_resource, const struct datum *before,
                                    bool *valid, const char **why, struct problems *problems)
{
    struct asking asking = ask_start(controller, arena, "validateChange", problems);
    ask_with(&asking, "cr", custom_resource);
    ask_with(&asking, "before", before);
    return take_verdict(&asking, valid, why);
}

static bool program_external(const struct controller *controller, struct arena *arena,
                             const struct datum *request, const struct object_list *store,
                             const struct datum *state, uint64_t fresh,
                             struct controller_response *response, const struct datum **state_after,
                             struct problems *problems)
{
    struct asking asking = ask_start(controller, arena, "external", problems);
    ask_with(&asking, "content", request);
    ask_with_store(&asking, "store", store);
    ask_with(&asking, "state", state);
    ask_with(&asking, "fresh", datum_version(arena, fresh));
    const struct datum *said = ask_put(&asking, "resp");
    *state_after = datum_member(said, "state");
    if (!asking.failed)
        asking.failed = !program_read_response(asking.program, asking.process,
                                               datum_member(said, "resp"), response, problems);
    return ask_end(&asking);
}

static bool program_desired(const struct controller *controller, struct arena *arena,
                            const struct object_list *store, const struct datum *custom_resource,
                            bool *desired, struct problems *problems)
{
    struct asking asking = ask_start(controller, arena, "desired", problems);
    ask_with(&asking, "cr", custom_resource);
    ask_with_store(&asking, "store", store);
    *desired = answer_truth(&asking, ask_put(&asking, "desired"), "desired");
    return ask_end(&asking);
}

static void program_controller_release(struct controller *controller)
{
    program_release(controller->context);
}

/* --- What it knows ------------------------------------------------------------ */

static bool knows(const struct datum *operations, const char *name)
{
    for (uint32_t i = 0; operations && i < operations->count; i++)
        if (strcmp(datum_text(operations->items[i], ""), name) == 0)
            return true;
    return false;
}

static bool is_list_of_texts(const struct datum *list)
{
    if (list && list->kind != DATUM_LIST)
        return false;
    for (uint32_t i = 0; list && i < list->count; i++)
        if (list->items[i]->kind != DATUM_STRING)
            return false;
    return true;
}

static const char *const *texts_of(struct arena *arena, const struct datum *list)
{
    if (!list)
        return NULL;
    const char **texts = ARENA_ARRAY(arena, const char *, list->count + 1);
    for (uint32_t i = 0; i < list->count; i++)
        texts[i] = list->items[i]->text;
    return texts;
}

static bool take_hello(struct arena *arena, struct controller *controller,
                       const struct program *program, const struct datum *hello,
                       struct problems *problems)
{
    static const char *const lists[] = {"operations", "customKinds", "userKinds", "safetyNames"};
    static const char *const known[] = {"init",    "step",     "status",         "match",
                                        "safety",  "validate", "validateChange", "external",
                                        "desired", NULL};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        if (!is_list_of_texts(datum_member(hello, lists[i]))) {
            problem_error(problems, program->place, program->path,
                          "the program's answer to {\"op\":\"hello\"} has %s that are no list of "
                          "texts",
                          lists[i]);
            return false;
        }
    }
    const struct datum *operations = datum_member(hello, "operations");
    for (uint32_t i = 0; i < operations->count; i++) {
        const char *const *name = known;
        while (*name && strcmp(*name, operations->items[i]->text) != 0)
            name++;
        if (!*name) {
            problem_error(problems, program->place, program->path,
                          "the program's answer to {\"op\":\"hello\"} names the unknown operation "
                          "\"%s\"",
                          operations->items[i]->text);
            return false;
        }
    }
    controller->name = datum_text(datum_member(hello, "name"), controller->name);
    controller->custom_kinds = texts_of(arena, datum_member(hello, "customKinds"));
    controller->user_kinds = texts_of(arena, datum_member(hello, "userKinds"));
    controller->safety_names = texts_of(arena, datum_member(hello, "safetyNames"));
    controller->external_initial = datum_member(hello, "externalInitial");
    controller->match = knows(operations, "match") ? program_match : NULL;
    controller->safety = knows(operations, "safety") ? program_safety : NULL;
    controller->validate = knows(operations, "validate") ? program_validate : NULL;
    controller->validate_change =
        knows(operations, "validateChange") ? program_validate_change : NULL;
    controller->external = knows(operations, "external") ? program_external : NULL;
    controller->desired = knows(operations, "desired") ? program_desired : NULL;
    return true;
}

bool program_controller_init(struct arena *arena, struct controller *controller,
                             struct program *program, struct problems *problems)
{
    const char *slash = strrchr(program->argv[0], '/');
    pthread_mutex_init(&program->mutex, NULL);
    *controller = (struct controller){
        .name = slash ? slash + 1 : program->argv[0],
        .context = program,
        .init = program_init,
        .step = program_step,
        .status = program_status,
        .match = program_match,
        .release = program_controller_release,
    };
    /* The first real question says what is wrong with a program that cannot be run. */
    const struct datum *local;
    const struct datum *hello = NULL;
    const struct datum *safety = NULL;
    bool fine = program_init(controller, arena, &local, problems) &&
                program_probe(program, arena, "{\"op\":\"hello\"}", "operations", &hello, problems);
    if (fine && hello)
        fine = take_hello(arena, controller, program, hello, problems);
    else if (fine)
        fine = program_probe(program, arena, "{\"op\":\"safety\",\"before\":[],\"after\":[]}",
                             "violated", &safety, problems);
    if (fine && safety)
        controller->safety = program_safety;
    if (!fine)
        program_release(program);
    return fine;
}
