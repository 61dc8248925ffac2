/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A plugin that is given as C source is compiled once and kept.
 *
 * The compiler is `cc` (or what CC names). What comes out is kept in the user's cache
 * folder, under the hash of the source with everything that it includes, so that the
 * second run only has to preprocess. The folder must belong to the user and be
 * writable by no other user, because its content is executed. Without such a folder
 * the plugin is compiled into a temporary folder, which is removed once the plugin is
 * loaded.
 *
 * fathom/controller.h is found beside the program: build/fathom has ../include in the
 * source tree, bin/fathom where it was installed.
 */
#include "base/hash.h"
#include "reconcile/front/child.h"
#include "reconcile/front/plugin.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { COMPILE_ERRORS_MOST = 5 };
#define COMPILE_TIMEOUT_NS INT64_C(60000000000)
#define COMPILE_OPTIONS    "-std=gnu17", "-O2", "-fPIC"

struct compilation {
    struct arena *arena;
    const struct controller_plugin *plugin;
    const char *file;
    const char *compiler;
    const char *include;
    struct problems *problems;
};

static const char *include_folder(struct arena *arena)
{
    char program[4096];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length > 0) {
        program[length] = '\0';
        char *slash = strrchr(program, '/');
        if (slash) {
            *slash = '\0';
            /* The benchmarks lie a folder deeper than the program. */
            static const char *const beside[] = {"..", "../.."};
            for (uint32_t i = 0; i < sizeof(beside) / sizeof(*beside); i++) {
                const char *folder = arena_printf(arena, "%s/%s/include", program, beside[i]);
                if (access(arena_printf(arena, "%s/fathom/controller.h", folder), R_OK) == 0)
                    return folder;
            }
        }
    }
    return "/usr/include";
}

/* --- What the compiler says ------------------------------------------------- */

/* "mine.c:12:5: error: ..." becomes a problem at that place. */
static bool report_line(const struct compilation *compilation, char *line)
{
    char *mark = strstr(line, ": error: ");
    if (!mark)
        mark = strstr(line, ": fatal error: ");
    if (!mark)
        return false;
    *mark = '\0';
    const char *message = strchr(mark + 2, ' ') + 1;
    if (strncmp(message, "error: ", 7) == 0)
        message += 7;
    struct place place = {0};
    char *column = strrchr(line, ':');
    if (column) {
        *column = '\0';
        char *row = strrchr(line, ':');
        if (row) {
            *row = '\0';
            place.line = (uint32_t)strtoul(row + 1, NULL, 10);
            place.column = (uint32_t)strtoul(column + 1, NULL, 10);
        }
    }
    place.file = arena_strdup(compilation->arena, line);
    problem_error(compilation->problems, place, NULL, "%s", message);
    return true;
}

static void report_failure(const struct compilation *compilation, struct child *child,
                           const char *how)
{
    char *said = arena_strdup(compilation->arena, text_content(&child->said));
    char *last = NULL;
    int reported = 0;
    char *rest = NULL;
    for (char *line = strtok_r(said, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        last = line;
        if (reported < COMPILE_ERRORS_MOST && report_line(compilation, line))
            reported++;
    }
    const char *tail = !reported && last ? last : "";
    problem_error(compilation->problems, compilation->plugin->place, compilation->plugin->path,
                  "%s: does not compile with %s (%s)%s%s", compilation->file, compilation->compiler,
                  how, *tail ? ": " : "", tail);
}

/* Runs it to its end; what it writes is in `child->received`. */
static bool compiler_run(const struct compilation *compilation, struct child *child,
                         const char *const *arguments)
{
    /* argv is not written to, whatever its type says. */
    char *const *argv = (char *const *)(const void *)arguments;
    if (!child_start(child, compilation->arena->memory, argv, NULL)) {
        problem_error(compilation->problems, compilation->plugin->place, compilation->plugin->path,
                      "%s: the compiler %s cannot be run: %s", compilation->file,
                      compilation->compiler, strerror(errno));
        return false;
    }
    int exit_code = -1;
    bool in_time = child_finish(child, COMPILE_TIMEOUT_NS) == CHILD_FINE;
    const char *how = child_end(child, compilation->arena, &exit_code);
    if (in_time && exit_code == 0)
        return true;
    report_failure(compilation, child, in_time ? how : "it took too long");
    return false;
}

/* --- Where it is kept ---------------------------------------------------------- */

/* A folder of ours, made if need be. */
static bool own_folder(const char *folder)
{
    struct stat status;
    if (mkdir(folder, 0700) != 0 && errno != EEXIST)
        return false;
    return lstat(folder, &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == geteuid() &&
           (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

static const char *cache_folder(struct arena *arena)
{
    const char *base = getenv("XDG_CACHE_HOME");
    if (!base || base[0] != '/') {
        const char *home = getenv("HOME");
        if (!home || home[0] != '/')
            return NULL;
        base = arena_printf(arena, "%s/.cache", home);
    }
    const char *fathom = arena_printf(arena, "%s/fathom", base);
    const char *folder = arena_printf(arena, "%s/plugins", fathom);
    return own_folder(base) && own_folder(fathom) && own_folder(folder) ? folder : NULL;
}

static bool hash_of_source(const struct compilation *compilation, uint64_t *hash)
{
    struct child child;
    const char *argv[] = {
        compilation->compiler, COMPILE_OPTIONS,   "-E", "-I",
        compilation->include,  compilation->file, NULL,
    };
    bool preprocessed = compiler_run(compilation, &child, argv);
    if (preprocessed) {
        *hash = hash_bytes(text_content(&child.received), child.received.length);
        *hash = hash_bytes_seeded(compilation->compiler, strlen(compilation->compiler), *hash);
    }
    child_release(&child);
    return preprocessed;
}

static bool compile_to(const struct compilation *compilation, const char *shared)
{
    struct child child;
    const char *argv[] = {
        compilation->compiler,
        COMPILE_OPTIONS,
        "-shared",
        "-I",
        compilation->include,
        "-o",
        shared,
        compilation->file,
        NULL,
    };
    bool compiled = compiler_run(compilation, &child, argv);
    child_release(&child);
    return compiled;
}

static const char *compile_into_cache(const struct compilation *compilation, const char *folder)
{
    uint64_t hash = 0;
    if (!hash_of_source(compilation, &hash))
        return NULL;
    const char *shared = arena_printf(compilation->arena, "%s/%016" PRIx64 ".so", folder, hash);
    if (access(shared, R_OK) == 0)
        return shared;
    /* Another process may compile the same plugin: the last one to finish replaces the file. */
    char *unfinished = arena_printf(compilation->arena, "%s.%ld", shared, (long)getpid());
    if (!compile_to(compilation, unfinished))
        return NULL;
    if (rename(unfinished, shared) != 0) {
        problem_error(compilation->problems, compilation->plugin->place, compilation->plugin->path,
                      "%s: %s", shared, strerror(errno));
        unlink(unfinished);
        return NULL;
    }
    return shared;
}

static const char *compile_once(const struct compilation *compilation,
                                struct controller_plugin *plugin)
{
    const char *base = getenv("TMPDIR");
    char *folder =
        arena_printf(compilation->arena, "%s/fathom-plugin-XXXXXX", base && *base ? base : "/tmp");
    if (!mkdtemp(folder)) {
        problem_error(compilation->problems, plugin->place, plugin->path, "%s: %s", folder,
                      strerror(errno));
        return NULL;
    }
    plugin->temporary = folder;
    const char *shared = arena_printf(compilation->arena, "%s/plugin.so", folder);
    return compile_to(compilation, shared) ? shared : NULL;
}

const char *plugin_compile(struct arena *arena, struct controller_plugin *plugin, const char *file,
                           struct problems *problems)
{
    const char *compiler = getenv("CC");
    struct compilation compilation = {
        .arena = arena,
        .plugin = plugin,
        .file = file,
        .compiler = compiler && *compiler && !strchr(compiler, ' ') ? compiler : "cc",
        .include = include_folder(arena),
        .problems = problems,
    };
    const char *folder = cache_folder(arena);
    return folder ? compile_into_cache(&compilation, folder) : compile_once(&compilation, plugin);
}

void plugin_forget_temporary(struct arena *arena, struct controller_plugin *plugin)
{
    if (!plugin->temporary)
        return;
    unlink(arena_printf(arena, "%s/plugin.so", plugin->temporary));
    rmdir(plugin->temporary);
    plugin->temporary = NULL;
}
