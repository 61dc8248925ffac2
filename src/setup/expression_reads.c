/* SPDX-License-Identifier: Apache-2.0 */
#include "setup/expression_reads.h"

#include "expression/expression_token.h"

#include <string.h>

static bool is_symbol(struct expression_token token, const char *symbol)
{
    return token.kind == TOKEN_SYMBOL && strcmp(token.content, symbol) == 0;
}

/* In backquotes it is the same name. */
static bool is_any_name(struct expression_token token)
{
    return token.kind == TOKEN_NAME || token.kind == TOKEN_QUOTED_NAME;
}

static bool is_name(struct expression_token token, const char *name)
{
    return is_any_name(token) && strcmp(token.content, name) == 0;
}

/* Is it written there, and not made of something, and another label than the host name? */
static bool is_other_label(struct expression_token token)
{
    return token.kind == TOKEN_STRING && strcmp(token.content, LABEL_HOSTNAME) != 0;
}

/* What a name of an expression may be: a member that is read by its name, whatever it is read of.
 */
static void read_member(struct reads *reads, const char *name)
{
    if (strcmp(name, "labels") == 0) {
        reads->all_node_labels = true;
        reads->all_pod_labels = true;
    } else if (strcmp(name, "requests") == 0 || strcmp(name, "allocatable") == 0) {
        reads->all_resources = true;
    } else if (strcmp(name, "zone") == 0 || strcmp(name, "zones") == 0) {
        reads_node_label(reads, "topology.kubernetes.io/zone");
    } else if (strcmp(name, "group") == 0) {
        /* It tells nodes apart that are alike otherwise. */
        reads_everything(reads);
    }
}

/* ---- host names ---- */

struct host_name_walk {
    struct reads *reads;
    const char *text;
    struct expression_token before[2]; /* the last ones, the latest first */
    bool is_sought; /* `'key' in a.b.c`, up to here, where the key is another label */
};

static struct expression_token token_behind(const struct host_name_walk *walk,
                                            struct expression_token token)
{
    return expression_token_at(walk->reads->arena, walk->text, token.end);
}

/* Behind `labels`: does it read one label, which is not the host name, or only how many there are?
 */
static bool reads_other_label(const struct host_name_walk *walk, struct expression_token labels)
{
    const struct expression_token next = token_behind(walk, labels);
    const struct expression_token key = token_behind(walk, next);
    const struct expression_token end = token_behind(walk, key);
    if (is_symbol(next, "."))
        return !is_name(key, LABEL_HOSTNAME) && (!is_symbol(end, "(") || is_name(key, "size"));
    if (is_symbol(next, "["))
        return is_other_label(key) && is_symbol(end, "]");
    return walk->is_sought;
}

static void note_word(struct host_name_walk *walk, struct expression_token token)
{
    const bool begins = is_name(token, "in");
    const bool continues = is_any_name(token) || is_symbol(token, ".");
    if (begins)
        walk->is_sought = is_other_label(walk->before[0]) && !is_symbol(walk->before[1], "+");
    else if (!continues)
        walk->is_sought = false;
    walk->before[1] = walk->before[0];
    walk->before[0] = token;
}

void reads_add_expression(struct reads *reads, const char *text)
{
    struct host_name_walk walk = {.reads = reads, .text = text};
    bool has_nodes = false;
    bool has_hostnames = false;
    for (struct expression_token token = {0};;) {
        token = expression_token_at(reads->arena, text, token.end);
        if (token.kind == TOKEN_END || token.kind == TOKEN_WRONG)
            break;
        if (is_any_name(token))
            read_member(reads, token.content);
        has_nodes |= is_name(token, "node") || is_name(token, "nodes");
        has_hostnames |= is_name(token, "labels") && !reads_other_label(&walk, token);
        note_word(&walk, token);
    }
    reads->mentions.all_hostnames |= has_nodes && has_hostnames;
}
