/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The views that a writer may have had. First come views in which all watches
 * have the same commit, from the latest back into the past; then views in which
 * one kind lags behind another by a few changes. All are bounded: in age, and
 * in number.
 */
#include "recording/follow_internal.h"

#include <string.h>

bool view_spend(struct follower *follower)
{
    if (follower->views_left == 0)
        return false;
    follower->views_left--;
    return true;
}

/* The newest version of what the deed changes, for rules that demand it. */
static struct version *own_version(const struct recording *recording,
                                   const struct follow_rule_row *row, const struct deed *deed)
{
    const char *namespace = strcmp(deed->kind, "Node") == 0 ? NULL : deed->namespace;
    const struct thing *thing = strchr(row->sees, '=')
                                    ? recording_find(recording, deed->kind, namespace, deed->name)
                                    : NULL;
    return thing ? thing_at(thing, deed->rv - 1) : NULL;
}

static bool matters(const struct follow_rule_row *row, const char *kind)
{
    static const struct {
        const char *kind;
        char letter;
    } letters[] = {{"Pod", 'P'},        {"Node", 'N'},       {"PodDisruptionBudget", 'B'},
                   {"Deployment", 'D'}, {"ReplicaSet", 'R'}, {"StatefulSet", 'S'},
                   {"DaemonSet", 'A'},  {"Job", 'J'}};
    if (strchr(row->sees, '*'))
        return true;
    for (size_t i = 0; i < sizeof(letters) / sizeof(*letters); i++)
        if (strcmp(letters[i].kind, kind) == 0)
            return strchr(row->sees, letters[i].letter) != NULL;
    return false;
}

/* ---- one question ---- */

struct judgement {
    struct follower *follower;
    const struct follow_rule_row *row;
    const struct deed *deed;
    struct foresight foresight;
};

static bool explains(const struct judgement *judgement, const struct outlook *outlook)
{
    struct follower *follower = judgement->follower;
    struct glimpse glimpse;
    const struct arena_mark mark = arena_mark(&follower->scratch);
    const bool good =
        view_spend(follower) &&
        glimpse_at(follower, outlook, judgement->deed->time, &judgement->foresight, &glimpse) &&
        judgement->row->rule(follower, judgement->deed, &glimpse);
    arena_rewind(&follower->scratch, mark);
    return good;
}

/* ---- all watches equally far ---- */

static bool judge_even(const struct judgement *judgement, double *lag)
{
    const struct recording *recording = judgement->follower->recording;
    uint32_t at = versions_before(recording, judgement->deed->rv);
    *lag = 0;
    while (at > 0 && *lag <= judgement->row->lag_most &&
           judgement->follower->problems->errors == 0) {
        const struct outlook outlook = {.rv = recording->order.items[at - 1]->rv};
        if (explains(judgement, &outlook))
            return true;
        /* The view before the last change that matters. */
        do {
            const double age = judgement->deed->time - recording->order.items[at - 1]->time;
            *lag = age > *lag ? age : *lag;
            at--;
        } while (at > 0 && !matters(judgement->row, recording->order.items[at]->thing->kind));
    }
    return false;
}

/* ---- some further behind than others ---- */

/* The changes of one kind that may not have been seen, the latest first. With
 * so many in all, five kinds make 1,287 views, and two make 45. */
enum { UNSEEN_MOST = 8 };
struct unseen {
    const char *kind;
    uint32_t count;
    const struct version *items[UNSEEN_MOST];
};

static struct unseen *unseen_of(struct unseen *kinds, uint32_t *count, const char *kind)
{
    for (uint32_t i = 0; i < *count; i++)
        if (strcmp(kinds[i].kind, kind) == 0)
            return &kinds[i];
    if (*count == VIEW_KINDS_MOST)
        return NULL;
    kinds[*count] = (struct unseen){.kind = kind};
    return &kinds[(*count)++];
}

static uint32_t find_unseen(const struct judgement *judgement, struct unseen *kinds)
{
    const struct recording *recording = judgement->follower->recording;
    uint32_t count = 0;
    for (uint32_t at = versions_before(recording, judgement->deed->rv); at > 0; at--) {
        const struct version *version = recording->order.items[at - 1];
        if (judgement->deed->time - version->time > judgement->row->lag_most)
            break;
        struct unseen *kind = matters(judgement->row, version->thing->kind)
                                  ? unseen_of(kinds, &count, version->thing->kind)
                                  : NULL;
        if (kind && kind->count < UNSEEN_MOST)
            kind->items[kind->count++] = version;
    }
    return count;
}

/* Views in which `total` changes have not been seen, however they are spread
 * over the kinds from `kind` on. */
static bool judge_uneven(const struct judgement *judgement, const struct unseen *kinds,
                         uint32_t count, uint32_t kind, uint32_t total, struct outlook *outlook,
                         double *lag)
{
    if (kind == count)
        return total == 0 && explains(judgement, outlook);
    const struct unseen *unseen = &kinds[kind];
    const uint32_t most = total < unseen->count ? total : unseen->count;
    for (uint32_t n = kind + 1 == count ? most : 0; n <= most; n++) {
        const double before = *lag;
        outlook->behind[kind].kind = unseen->kind;
        outlook->behind[kind].rv = n > 0 ? unseen->items[n - 1]->rv - 1 : outlook->rv;
        outlook->count = kind + 1;
        for (uint32_t i = 0; i < n; i++) {
            const double age = judgement->deed->time - unseen->items[i]->time;
            *lag = age > *lag ? age : *lag;
        }
        if (judge_uneven(judgement, kinds, count, kind + 1, total - n, outlook, lag))
            return true;
        *lag = before;
        if (judgement->follower->views_left == 0)
            return false;
    }
    return false;
}

bool follow_judge(struct follower *follower, const struct follow_rule_row *row,
                  const struct deed *deed, double *lag)
{
    struct version *own = own_version(follower->recording, row, deed);
    const struct judgement judgement = {follower, row, deed, {&own, own ? 1 : 0}};
    text_reset(&follower->would);
    follower->views_left = VIEWS_MOST;
    follower->blind = false;
    if (judge_even(&judgement, lag))
        return true;
    const struct arena_mark mark = arena_mark(&follower->scratch);
    struct unseen *kinds = ARENA_ARRAY(&follower->scratch, struct unseen, VIEW_KINDS_MOST);
    const bool by_kind = !follower->blind && !strchr(row->sees, '*');
    const uint32_t count = by_kind ? find_unseen(&judgement, kinds) : 0;
    uint32_t changes = 0;
    bool good = false;
    for (uint32_t i = 0; i < count; i++)
        changes += kinds[i].count;
    for (uint32_t total = 1; count > 1 && !good && total <= changes && total <= UNSEEN_MOST;
         total++) {
        struct outlook outlook = {.rv = deed->rv - 1};
        *lag = 0;
        good = judge_uneven(&judgement, kinds, count, 0, total, &outlook, lag);
    }
    arena_rewind(&follower->scratch, mark);
    return good;
}
