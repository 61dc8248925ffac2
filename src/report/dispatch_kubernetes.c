/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A ConfigMap with the files, and an Indexed Job with one pod for each shard.
 *
 * A pod finds each file under the name that the command line has it by, because the volume gives
 * each key of the ConfigMap a path. The report of a shard is the pod's log: nothing has to be
 * shared, and kubectl gets it. A pod that is evicted or preempted is started again; one whose input
 * is wrong ends the Job, because it would be wrong again.
 */
#include "base/json_out.h"
#include "report/dispatch.h"

#include <inttypes.h>
#include <string.h>

enum { MEBIBYTE = 1 << 20 };

/* ---- texts ---- */

static void write_quoted(struct text *text, const char *content, size_t length)
{
    struct json_out json;
    json_out_init(&json, text, 0);
    json_string_of(&json, NULL, content, length);
}

/* Can it be written line by line, and read as it was? */
static bool is_plain(const char *content, size_t length)
{
    if (length < 2 || content[0] == ' ' || content[0] == '\n' || content[length - 1] != '\n' ||
        content[length - 2] == '\n')
        return false;
    for (size_t i = 0; i < length; i++)
        if (content[i] != '\n' && (content[i] < ' ' || content[i] > '~'))
            return false;
    return true;
}

static void write_content(struct text *text, const struct dispatch_file *file)
{
    const char *content = text_content(&file->content);
    const char *end = content + file->content.length;
    if (!is_plain(content, file->content.length)) {
        write_quoted(text, content, file->content.length);
        text_append_char(text, '\n');
        return;
    }
    text_printf(text, "|\n");
    for (const char *line = content; line < end;) {
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        if (stop > line)
            text_printf(text, "    %.*s", (int)(stop - line), line);
        text_append_char(text, '\n');
        line = stop + 1;
    }
}

/* ---- objects ---- */

static void write_metadata(const struct dispatch *dispatch, const char *suffix, struct text *text)
{
    text_printf(text, "metadata:\n  name: %s%s\n", dispatch->name, suffix);
    if (dispatch->name_space)
        text_printf(text, "  namespace: %s\n", dispatch->name_space);
    text_printf(text,
                "  labels: {app.kubernetes.io/name: fathom, app.kubernetes.io/instance: %s}\n",
                dispatch->name);
}

static void write_map(const struct dispatch *dispatch, struct text *text)
{
    text_printf(text, "apiVersion: v1\nkind: ConfigMap\n");
    write_metadata(dispatch, "-input", text);
    text_printf(text, "immutable: true\ndata:\n");
    for (uint32_t i = 0; i < dispatch->file_count; i++) {
        text_printf(text, "  file-%u: ", i + 1);
        write_content(text, &dispatch->files[i]);
    }
}

/* Kubernetes replaces $(NAME), and takes $$ before it for a plain $. */
static void write_argument(struct arena *arena, struct text *text, const char *argument)
{
    const char *escaped = "";
    for (const char *at; (at = strstr(argument, "$(")); argument = at + 1)
        escaped = arena_printf(arena, "%s%.*s$$", escaped, (int)(at - argument), argument);
    escaped = arena_printf(arena, "%s%s", escaped, argument);
    text_printf(text, "        - ");
    write_quoted(text, escaped, strlen(escaped));
    text_append_char(text, '\n');
}

static void write_command(struct arena *arena, const struct dispatch *dispatch, struct text *text)
{
    text_printf(text, "        command:\n        - fathom\n        - verify\n");
    for (uint32_t i = 0; i < dispatch->arguments.count; i++)
        write_argument(arena, text, dispatch->arguments.items[i]);
    write_argument(arena, text, arena_printf(arena, "--jobs=%u", dispatch->cpus));
    write_argument(arena, text,
                   arena_printf(arena, "--memory=%s", dispatch_memory(arena, dispatch)));
    write_argument(arena, text, "--quiet");
    write_argument(arena, text, "--no-config");
    write_argument(arena, text, "--progress=never");
    write_argument(arena, text, arena_printf(arena, "--shard=auto/%u", dispatch->shards));
    if (dispatch->claim)
        write_argument(arena, text, "--shard-notes=/notes");
}

static void write_container(struct arena *arena, const struct dispatch *dispatch, struct text *text)
{
    const uint64_t memory = dispatch->memory_bytes / MEBIBYTE;
    text_printf(text, "      - name: shard\n        image: ");
    write_quoted(text, dispatch->image, strlen(dispatch->image));
    text_printf(text, "\n        workingDir: /input\n");
    write_command(arena, dispatch, text);
    text_printf(text,
                "        resources:\n"
                "          requests: {cpu: \"%u\", memory: %" PRIu64 "Mi}\n"
                "          limits: {memory: %" PRIu64 "Mi}\n"
                "        securityContext:\n"
                "          allowPrivilegeEscalation: false\n"
                "          readOnlyRootFilesystem: true\n"
                "          capabilities: {drop: [ALL]}\n"
                "        volumeMounts:\n"
                "        - {name: input, mountPath: /input, readOnly: true}\n",
                dispatch->cpus, memory, memory);
    if (dispatch->claim)
        text_printf(text, "        - {name: notes, mountPath: /notes}\n");
}

static void write_volumes(const struct dispatch *dispatch, struct text *text)
{
    text_printf(text,
                "      volumes:\n      - name: input\n        configMap:\n          name: "
                "%s-input\n          items:\n",
                dispatch->name);
    for (uint32_t i = 0; i < dispatch->file_count; i++) {
        text_printf(text, "          - key: file-%u\n            path: ", i + 1);
        write_quoted(text, dispatch->files[i].name, strlen(dispatch->files[i].name));
        text_append_char(text, '\n');
    }
    if (dispatch->claim)
        text_printf(text, "      - name: notes\n        persistentVolumeClaim: {claimName: %s}\n",
                    dispatch->claim);
}

static void write_job(struct arena *arena, const struct dispatch *dispatch, struct text *text)
{
    text_printf(text, "apiVersion: batch/v1\nkind: Job\n");
    write_metadata(dispatch, "", text);
    text_printf(text,
                "spec:\n"
                "  completionMode: Indexed\n"
                "  completions: %u\n"
                "  parallelism: %u\n"
                "  podFailurePolicy:\n"
                "    rules:\n"
                "    - action: Ignore\n"
                "      onPodConditions: [{type: DisruptionTarget, status: \"True\"}]\n"
                "    - action: FailJob\n"
                "      onExitCodes: {containerName: shard, operator: In, values: [2, 70]}\n"
                "  template:\n"
                "    metadata:\n"
                "      labels: {app.kubernetes.io/name: fathom, app.kubernetes.io/instance: %s}\n"
                "    spec:\n"
                "      restartPolicy: Never\n"
                "      automountServiceAccountToken: false\n"
                "      containers:\n",
                dispatch->shards, dispatch->shards, dispatch->name);
    write_container(arena, dispatch, text);
    write_volumes(dispatch, text);
}

/* ---- how to use it ---- */

static void write_manual(struct arena *arena, const struct dispatch *dispatch, struct text *text)
{
    const char *in =
        dispatch->name_space ? arena_printf(arena, " -n %s", dispatch->name_space) : "";
    text_printf(text,
                "# A verification over %u pods. From the folder of its files:\n"
                "#\n"
                "#   kubectl%s apply -f FILE        # this file\n"
                "#   kubectl%s wait --for=condition=complete --timeout=24h job/%s\n"
                "#   for pod in $(kubectl%s get pods -l job-name=%s \\\n"
                "#       --field-selector=status.phase=Succeeded -o name); do\n"
                "#     kubectl%s logs \"$pod\" >\"%s-${pod##*/}.json\"\n"
                "#   done\n"
                "#   fathom join %s-*.json\n"
                "#   kubectl%s delete job/%s configmap/%s-input\n"
                "#\n"
                "# fathom join must be the build of the image.\n",
                dispatch->shards, in, in, dispatch->name, in, dispatch->name, in, dispatch->name,
                dispatch->name, in, dispatch->name, dispatch->name);
}

void dispatch_write_kubernetes(struct arena *arena, const struct dispatch *dispatch,
                               struct text *text)
{
    write_manual(arena, dispatch, text);
    write_map(dispatch, text);
    text_printf(text, "---\n");
    write_job(arena, dispatch, text);
}
