/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/live_cluster.h"

#include "base/map.h"
#include "base/vec.h"
#include "cli/run_program.h"
#include "manifest/manifest.h"

#include <string.h>

enum live_reach {
    LIVE_CHOSEN, /* of the namespace and the labels that are asked for */
    LIVE_ALL,    /* of all namespaces, or of the cluster */
};

static const struct {
    const char *resource;
    enum live_reach reach;
    bool needed; /* without it nothing can be said */
} resources[] = {
    {"nodes", LIVE_ALL, true},
    {"pods", LIVE_ALL, true},
    {"deployments.apps", LIVE_CHOSEN, true},
    {"statefulsets.apps", LIVE_CHOSEN, true},
    {"daemonsets.apps", LIVE_CHOSEN, true},
    {"replicasets.apps", LIVE_ALL, true},
    {"jobs.batch", LIVE_CHOSEN, false},
    {"cronjobs.batch", LIVE_CHOSEN, false},
    {"horizontalpodautoscalers.autoscaling", LIVE_ALL, false},
    {"poddisruptionbudgets.policy", LIVE_ALL, false},
    {"priorityclasses.scheduling.k8s.io", LIVE_ALL, false},
    {"runtimeclasses.node.k8s.io", LIVE_ALL, false},
    {"persistentvolumeclaims", LIVE_ALL, false},
    {"persistentvolumes", LIVE_ALL, false},
    {"storageclasses.storage.k8s.io", LIVE_ALL, false},
    {"resourcequotas", LIVE_ALL, false},
    {"limitranges", LIVE_ALL, false},
};

bool live_cluster_is_meant(const struct session *session)
{
    const struct options *options = &session->options;
    const bool asked =
        options->all_namespaces || options->selector || options->context || options->kubeconfig;
    const bool given =
        options->filename.count > 0 || options->kustomize.count > 0 || options->helm.count > 0;
    const bool by_kubectl = strcmp(session->program, "kubectl fathom") == 0;
    return (session->line.command == COMMAND_VERIFY || session->line.command == COMMAND_INIT) &&
           !given && (asked || (by_kubectl && session->line.operands.count == 0));
}

/* ---- kubectl ---- */

static struct option_list kubectl_words(struct session *session)
{
    struct arena *arena = &session->arena;
    struct option_list words = {0};
    VEC_PUSH(arena, &words, "kubectl");
    if (session->options.context)
        VEC_PUSH(arena, &words, arena_printf(arena, "--context=%s", session->options.context));
    if (session->options.kubeconfig)
        VEC_PUSH(arena, &words,
                 arena_printf(arena, "--kubeconfig=%s", session->options.kubeconfig));
    return words;
}

static struct option_list get_words(struct session *session, const char *resource,
                                    enum live_reach reach)
{
    struct arena *arena = &session->arena;
    const struct options *options = &session->options;
    struct option_list words = kubectl_words(session);
    VEC_PUSH(arena, &words, "get");
    VEC_PUSH(arena, &words, resource);
    VEC_PUSH(arena, &words, "--output=json");
    VEC_PUSH(arena, &words, "--ignore-not-found");
    if (reach == LIVE_ALL || options->all_namespaces)
        VEC_PUSH(arena, &words, "--all-namespaces");
    else if (options->name_space)
        VEC_PUSH(arena, &words, arena_printf(arena, "--namespace=%s", options->name_space));
    if (reach == LIVE_CHOSEN && options->selector)
        VEC_PUSH(arena, &words, arena_printf(arena, "--selector=%s", options->selector));
    VEC_PUSH(arena, &words, NULL);
    return words;
}

static bool read_resource(struct session *session, size_t number, struct text *output,
                          struct problems *problems)
{
    struct arena *arena = &session->arena;
    const struct option_list words =
        get_words(session, resources[number].resource, resources[number].reach);
    struct text complaint;
    text_init(&complaint, &session->memory);
    const bool good = program_run(words.items, output, &complaint);
    const char *why = program_complaint(arena, &complaint);
    /* An older cluster does not know all of them. */
    const bool unknown = strstr(why, "doesn't have a resource type") != NULL;
    if (!good && resources[number].needed)
        problem_error(problems, (struct place){0}, NULL, "kubectl get %s: %s",
                      resources[number].resource, *why ? why : "failed");
    else if (!good && !unknown)
        problem_warning(problems, (struct place){0}, NULL,
                        "kubectl get %s: %s; what depends on them is not known",
                        resources[number].resource, why);
    text_release(&complaint);
    return good;
}

/* ---- what belongs together ---- */

/* Was it made by something that was not chosen? Then it is no workload to ask about. */
static bool is_of_others(const struct map *uids, const struct value *root)
{
    const struct value *owners = value_find(value_find(root, "metadata"), "ownerReferences");
    const char *kind = value_find_string(root, "kind");
    if (!kind || strcmp(kind, "Pod") == 0 || !owners || owners->kind != VALUE_SEQUENCE)
        return false;
    VALUE_EACH_ITEM(owners, owner)
    {
        const char *uid = value_find_string(owner, "uid");
        if (uid && !map_get(uids, uid))
            return true;
    }
    return false;
}

/* "Deployment/shop/web" */
static const char *name_of(struct arena *arena, const char *kind, const char *name_space,
                           const char *name)
{
    return arena_printf(arena, "%s/%s/%s", kind ? kind : "", name_space ? name_space : "",
                        name ? name : "");
}

static bool targets_chosen(struct arena *arena, const struct map *names, const struct value *root)
{
    const char *kind = value_find_string(root, "kind");
    if (!kind || strcmp(kind, "HorizontalPodAutoscaler") != 0)
        return true;
    const struct value *target = value_find(value_find(root, "spec"), "scaleTargetRef");
    return map_get(names, name_of(arena, value_find_string(target, "kind"),
                                  value_find_string(value_find(root, "metadata"), "namespace"),
                                  value_find_string(target, "name"))) != NULL;
}

/* By uid and by name. */
struct chosen {
    struct map uids;
    struct map names;
};

static void chosen_add(struct arena *arena, const struct value *root, struct chosen *chosen)
{
    static bool there = true;
    const struct value *meta = value_find(root, "metadata");
    const char *uid = value_find_string(meta, "uid");
    const char *name =
        name_of(arena, value_find_string(root, "kind"), value_find_string(meta, "namespace"),
                value_find_string(meta, "name"));
    if (uid)
        map_put(&chosen->uids, uid)->value = &there;
    map_put(&chosen->names, name)->value = &there;
}

/* All objects as one list, without those of workloads that were not chosen. */
static void add_objects(struct session *session, const struct text *all, struct input_texts *texts,
                        struct problems *problems)
{
    struct arena *arena = &session->arena;
    struct documents documents = {0};
    struct chosen chosen;
    struct text kept;
    struct json_out json;
    if (!manifest_parse(arena, "<kubectl get>", text_content(all), all->length, &documents,
                        problems))
        return;
    map_init(&chosen.uids, arena);
    map_init(&chosen.names, arena);
    for (uint32_t i = 0; i < documents.count; i++)
        chosen_add(arena, &documents.items[i].root, &chosen);
    text_init(&kept, &session->memory);
    json_out_init(&json, &kept, 1);
    json_object_begin(&json, NULL);
    json_string(&json, "apiVersion", "v1");
    json_string(&json, "kind", "List");
    json_array_begin(&json, "items");
    for (uint32_t i = 0; i < documents.count; i++)
        if (!is_of_others(&chosen.uids, &documents.items[i].root) &&
            targets_chosen(arena, &chosen.names, &documents.items[i].root))
            value_write_json(&json, NULL, &documents.items[i].root);
    json_array_end(&json);
    json_object_end(&json);
    VEC_PUSH(arena, texts,
             ((struct input_text){.name = "<kubectl get>",
                                  .bytes = arena_strndup(arena, text_content(&kept), kept.length),
                                  .length = kept.length}));
    text_release(&kept);
}

/* ---- the version ---- */

static const char *read_version(struct session *session)
{
    struct arena *arena = &session->arena;
    struct option_list words = kubectl_words(session);
    struct text output;
    struct text complaint;
    struct documents documents = {0};
    VEC_PUSH(arena, &words, "get");
    VEC_PUSH(arena, &words, "--raw=/version");
    VEC_PUSH(arena, &words, NULL);
    text_init(&output, &session->memory);
    text_init(&complaint, &session->memory);
    if (program_run(words.items, &output, &complaint)) {
        const char *copy = arena_strndup(arena, text_content(&output), output.length);
        struct problems unheard;
        problems_init(&unheard, arena);
        manifest_parse(arena, "<kubectl get --raw /version>", copy, output.length, &documents,
                       &unheard);
    }
    text_release(&output);
    text_release(&complaint);
    return documents.count ? value_find_string(&documents.items[0].root, "gitVersion") : NULL;
}

bool live_cluster_read(struct session *session, struct input_texts *texts, const char **version,
                       struct problems *problems)
{
    const uint32_t errors = problems->errors;
    struct text all;
    text_init(&all, &session->memory);
    for (size_t i = 0; i < sizeof(resources) / sizeof(*resources); i++) {
        text_append_string(&all, all.length > 0 ? "\n---\n" : "");
        if (!read_resource(session, i, &all, problems) && resources[i].needed)
            break;
    }
    if (problems->errors == errors) {
        add_objects(session, &all, texts, problems);
        *version = read_version(session);
    }
    text_release(&all);
    return problems->errors == errors;
}
