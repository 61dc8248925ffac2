/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/render.h"

#include "base/vec.h"
#include "cli/run_program.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- what a folder is ---- */

static const struct {
    const char *file;
    enum render_kind kind;
} signs[] = {
    {"kustomization.yaml", RENDER_KUSTOMIZE},
    {"kustomization.yml", RENDER_KUSTOMIZE},
    {"Kustomization", RENDER_KUSTOMIZE},
    {"Chart.yaml", RENDER_HELM},
};

enum render_kind render_kind_of(struct arena *arena, const char *folder)
{
    for (size_t i = 0; i < sizeof(signs) / sizeof(*signs); i++) {
        struct stat status;
        const char *path = arena_printf(arena, "%s/%s", folder, signs[i].file);
        if (stat(path, &status) == 0 && S_ISREG(status.st_mode))
            return signs[i].kind;
    }
    return RENDER_NOTHING;
}

/* ---- the tools ---- */

struct tool {
    const char *program;
    struct option_list words; /* of its command line; the last one is NULL */
};

static struct tool tool_of(struct session *session, enum render_kind kind, const char *path)
{
    struct arena *arena = &session->arena;
    struct tool tool = {.program = "helm"};
    if (kind == RENDER_KUSTOMIZE)
        tool.program = program_exists("kustomize") ? "kustomize" : "kubectl";
    VEC_PUSH(arena, &tool.words, tool.program);
    if (kind == RENDER_HELM)
        VEC_PUSH(arena, &tool.words, "template");
    else
        VEC_PUSH(arena, &tool.words, strcmp(tool.program, "kubectl") == 0 ? "kustomize" : "build");
    VEC_PUSH(arena, &tool.words, path);
    for (uint32_t i = 0; kind == RENDER_HELM && i < session->options.values.count; i++) {
        VEC_PUSH(arena, &tool.words, "--values");
        VEC_PUSH(arena, &tool.words, session->options.values.items[i]);
    }
    if (kind == RENDER_HELM && session->options.name_space) {
        VEC_PUSH(arena, &tool.words, "--namespace");
        VEC_PUSH(arena, &tool.words, session->options.name_space);
    }
    VEC_PUSH(arena, &tool.words, NULL);
    return tool;
}

static const char *command_text(struct arena *arena, const struct tool *tool)
{
    const char *text = tool->program;
    for (uint32_t i = 1; i + 1 < tool->words.count; i++)
        text = arena_printf(arena, "%s %s", text, tool->words.items[i]);
    return text;
}

static const char *noun(enum render_kind kind)
{
    return kind == RENDER_HELM ? "a Helm chart" : "a kustomization";
}

static void refuse(struct session *session, enum render_kind kind, const char *path,
                   const struct tool *tool, const char *why, struct problems *problems)
{
    problem_error(problems, (struct place){.file = path}, NULL,
                  "is %s, which is not read as it is%s: %s | %s %s -f -", noun(kind), why,
                  command_text(&session->arena, tool), session->program,
                  command_table[session->line.command].name);
}

bool render(struct session *session, enum render_kind kind, const char *path,
            struct input_texts *texts, struct problems *problems)
{
    struct arena *arena = &session->arena;
    const struct tool tool = tool_of(session, kind, path);
    struct text output;
    struct text complaint;
    if (!program_exists(tool.program)) {
        refuse(session, kind, path, &tool,
               kind == RENDER_HELM
                   ? ", and helm is not installed; where it is"
                   : ", and neither kustomize nor kubectl is installed; where one is",
               problems);
        return false;
    }
    text_init(&output, &session->memory);
    text_init(&complaint, &session->memory);
    const bool good = program_run(tool.words.items, &output, &complaint);
    if (good)
        VEC_PUSH(arena, texts,
                 ((struct input_text){
                     .name = arena_printf(arena, "<%s>", command_text(arena, &tool)),
                     .bytes = arena_strndup(arena, text_content(&output), output.length),
                     .length = output.length,
                 }));
    else
        problem_error(problems, (struct place){.file = path}, NULL,
                      "is %s that cannot be rendered: %s: %s", noun(kind),
                      command_text(arena, &tool), program_complaint(arena, &complaint));
    text_release(&output);
    text_release(&complaint);
    return good;
}

/* ---- inside of folders ---- */

static bool refuse_inside(struct session *session, const char *folder, uint32_t depth,
                          struct problems *problems)
{
    enum { DEPTH_MOST = 64 };
    struct arena *arena = &session->arena;
    struct dirent **entries = NULL;
    const int count = depth < DEPTH_MOST ? scandir(folder, &entries, NULL, alphasort) : 0;
    bool good = true;
    for (int i = 0; i < count; i++) {
        struct stat status;
        const char *path = arena_printf(arena, "%s/%s", folder, entries[i]->d_name);
        const bool inside =
            entries[i]->d_name[0] != '.' && lstat(path, &status) == 0 && S_ISDIR(status.st_mode);
        const enum render_kind kind = inside ? render_kind_of(arena, path) : RENDER_NOTHING;
        if (kind != RENDER_NOTHING) {
            const struct tool tool = tool_of(session, kind, path);
            refuse(session, kind, path, &tool, "", problems);
            good = false;
        } else if (inside) {
            good = refuse_inside(session, path, depth + 1, problems) && good;
        }
        free(entries[i]);
    }
    free(entries);
    return good;
}

bool render_refuse_inside(struct session *session, const char *folder, struct problems *problems)
{
    return refuse_inside(session, folder, 0, problems);
}
