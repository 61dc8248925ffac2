/* SPDX-License-Identifier: Apache-2.0 */
/* --kubernetes-version and --feature-gates: whose rules apply. */
#ifndef FATHOM_CLI_KUBERNETES_FEATURES_H
#define FATHOM_CLI_KUBERNETES_FEATURES_H

#include "base/error.h"
#include "cli/options.h"
#include "decide/features.h"
#include "object/input.h"

/* Without an option the version is 1.`otherwise`. A version or a gate that is not known is a
 * problem of the command line. */
struct features kubernetes_features_read(const struct options *options, int otherwise,
                                         struct problems *problems);

/* The same; without an option the rules are `*otherwise`. */
struct features kubernetes_features_read_or(const struct options *options,
                                            const struct features *otherwise,
                                            struct problems *problems);

struct kubernetes_rules {
    struct features features;
    const char *sentence; /* where a dumped cluster's version is from; NULL: elsewhere */
};

/* The rules of each unit: what the input says where the command line does not, the version of the
 * dumped cluster, else the Check's; `usual` where nothing says it. NULL, after problems of the
 * input, if a Check names an unknown version. */
const struct kubernetes_rules *kubernetes_rules_settle(struct arena *arena,
                                                       const struct options *options,
                                                       struct input *input,
                                                       const struct features *usual);

/* The same for a command whose units must have one version: `*features`, usual before, and
 * `*sentence` are set. False, after problems of the input, also if the units differ. */
bool kubernetes_features_settle(struct arena *arena, const struct options *options,
                                struct input *input, struct features *features,
                                const char **sentence);

#endif
