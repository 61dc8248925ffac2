/* SPDX-License-Identifier: Apache-2.0 */
/* Random intents in users' own words: expressions over pods, nodes and workloads, some of which
 * fail in some states, in every temporal form. */
#include "twin/random_check.h"

static void state_expression(struct generator *generator, struct dice *dice, int depth);
static void node_condition(struct generator *generator, struct dice *dice, int depth);

static void put(struct generator *generator, const char *text)
{
    text_append_string(generator->text, text);
}

/* Of the pod `p`. */
static void pod_condition(struct generator *generator, struct dice *dice, int depth)
{
    static const char *const simple[] = {
        "p.ready",
        "p.terminating",
        "has(p.node)",
        "p.current",
        "p.phase == 'Running'",
        "p.labels.app == 'web'",
        "p.labels.tier == 'front'", /* which no pod has */
        "p.requests.cpu.isGreaterThan(quantity('1'))",
        "!p.ready",
    };
    switch (depth > 0 ? dice_roll(dice, 5) : 4) {
    case 0:
    case 1:
        put(generator, "(");
        pod_condition(generator, dice, depth - 1);
        put(generator, dice_hit(dice, 2) ? " && " : " || ");
        pod_condition(generator, dice, depth - 1);
        put(generator, ")");
        break;
    case 2:
        put(generator, "has(p.node) && [p.node].exists(n, ");
        node_condition(generator, dice, depth - 1);
        put(generator, ")");
        break;
    default: put(generator, simple[dice_roll(dice, sizeof(simple) / sizeof(*simple))]);
    }
}

/* Of the node `n`. */
static void node_condition(struct generator *generator, struct dice *dice, int depth)
{
    static const char *const simple[] = {
        "n.ready",
        "n.cordoned",
        "n.labels.zone == 'south'",
        "n.taints.size() > 0",
        "n.taints.exists(t, t.key == 'node.kubernetes.io/unreachable')",
        "n.pods.size() > 1",
        "!n.ready",
    };
    switch (depth > 0 ? dice_roll(dice, 5) : 4) {
    case 0:
        put(generator, "(");
        node_condition(generator, dice, depth - 1);
        put(generator, dice_hit(dice, 2) ? " && " : " || ");
        node_condition(generator, dice, depth - 1);
        put(generator, ")");
        break;
    case 1:
    case 2:
        put(generator, dice_hit(dice, 2)   ? "n.pods.exists(p, "
                       : dice_hit(dice, 2) ? "n.pods.all(p, "
                                           : "n.pods.exists_one(p, ");
        pod_condition(generator, dice, depth - 1);
        put(generator, ")");
        break;
    default: put(generator, simple[dice_roll(dice, sizeof(simple) / sizeof(*simple))]);
    }
}

static void over_pods(struct generator *generator, struct dice *dice, int depth)
{
    static const char *const ways[] = {"all", "exists", "exists_one"};
    const bool counted = dice_hit(dice, 2);
    put(generator,
        dice_hit(dice, 4) ? "workloads.filter(w, workloads[w].exists).all(w, workloads[w]." : "(");
    text_printf(generator->text, "pods.%s(p, ", counted ? "filter" : ways[dice_roll(dice, 3)]);
    pod_condition(generator, dice, depth);
    if (counted)
        text_printf(generator->text, ").size() %s %d)", dice_hit(dice, 2) ? "<=" : ">",
                    (int)dice_roll(dice, 4));
    else
        put(generator, "))");
}

static void over_nodes(struct generator *generator, struct dice *dice, int depth)
{
    static const char *const ways[] = {"all", "exists", "exists_one"};
    const bool counted = dice_hit(dice, 2);
    text_printf(generator->text, "nodes.%s(n, ", counted ? "filter" : ways[dice_roll(dice, 3)]);
    node_condition(generator, dice, depth);
    if (counted)
        text_printf(generator->text, ").size() %s %d",
                    dice_hit(dice, 2) ? "<" : ">=", (int)dice_between(dice, 1, 3));
    else
        put(generator, ")");
}

/* What is true or false of a whole state. */
static void state_expression(struct generator *generator, struct dice *dice, int depth)
{
    static const char *const simple[] = {
        "nodes.map(n, n.pods.size()).max() - nodes.map(n, n.pods.size()).min() <= 1",
        "nodes.map(n, n.pods.filter(p, p.ready).size()).sum() >= 2",
        "nodes.all(n, n.pods.map(p, p.requests.cpu).sum().compareTo(quantity('3')) < 0)",
        "workloads.all(w, workloads[w].converged)",
        "workloads.exists(w, workloads[w].ready < workloads[w].replicas)",
        "2 in nodes.map(n, n.pods.size())",
        "events.exists(e, events[e].active)",
        "events.all(e, !events[e].happened || events[e].active)",
        "events.all(e, events[e].count == 0)",
        "pods.size() / (nodes.filter(n, n.ready).size() - 1) <= 2", /* fails with one node */
    };
    switch (dice_roll(dice, depth > 0 ? 6 : 5)) {
    case 0:
    case 1: over_pods(generator, dice, 2); break;
    case 2:
    case 3: over_nodes(generator, dice, 2); break;
    case 4: put(generator, simple[dice_roll(dice, sizeof(simple) / sizeof(*simple))]); break;
    default:
        put(generator, "(");
        state_expression(generator, dice, depth - 1);
        put(generator, dice_hit(dice, 2) ? ") && (" : ") || (");
        state_expression(generator, dice, depth - 1);
        put(generator, ")");
    }
}

void write_expression(struct generator *generator, struct dice *dice)
{
    state_expression(generator, dice, 1);
}

static void write_one(struct generator *generator, struct dice *dice, const char *key)
{
    text_printf(generator->text, "%s: \"", key);
    write_expression(generator, dice);
    put(generator, "\"");
}

/* In clocked time an intent may count only for some time, or something has to come in time. Few
 * ticks make few states. */
static void write_times(struct generator *generator, struct dice *dice, bool both)
{
    const int after = both && dice_hit(dice, 2) ? 20 * (int)dice_between(dice, 1, 3) : 0;
    const int within = dice_hit(dice, 2) ? after + 20 * (int)dice_roll(dice, 4) : 0;
    if (!generator->clocked || !(generator->parts & (UINT64_C(1) << PART_TIMES)))
        return;
    if (after > 0)
        text_printf(generator->text, ", after: %ds", after);
    if (within > 0)
        text_printf(generator->text, ", within: %ds", within);
}

void write_expressions(struct generator *generator, struct dice *dice)
{
    static const char *const forms[] = {"always", "never",  "eventually",     "reachable",
                                        "always", "always", "alwaysPossible", "stable"};
    enum { TIMED = 4 }; /* the first ones may have times */
    /* Only the second one takes `after`. */
    static const char *const pairs[][2] = {{"leadsTo: {from", "to"}, {"until: {hold", "to"}};
    put(generator, "  intents:\n  - {name: converges}\n");
    for (uint32_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
        text_printf(generator->text, "  - {name: own-%u, ", i);
        write_one(generator, dice, forms[i]);
        if (i < 2 && dice_hit(dice, 2)) {
            put(generator, ", ");
            write_one(generator, dice, "when");
        }
        if (i < TIMED)
            write_times(generator, dice, true);
        put(generator, "}\n");
    }
    for (uint32_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++) {
        text_printf(generator->text, "  - {name: pair-%u, ", i);
        write_one(generator, dice, pairs[i][0]);
        put(generator, ", ");
        write_one(generator, dice, pairs[i][1]);
        put(generator, "}");
        write_times(generator, dice, i == 1);
        put(generator, "}\n");
    }
}
