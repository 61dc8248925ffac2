/* SPDX-License-Identifier: Apache-2.0 */
/* `fathom decide CONTROLLER`: what one controller would do in this very state. */
#include "base/suggest.h"
#include "cli/decide_batch.h"
#include "cli/session.h"
#include "model/decider.h"

/* The names of all controllers, for the message that one of them is expected. */
static const char *known_controllers(struct arena *arena)
{
    const char *names = NULL;
    for (const struct decider *const *decider = decider_registry; *decider; decider++)
        names =
            arena_printf(arena, "%s%s%s", names ? names : "", names ? ", " : "", (*decider)->name);
    return names ? names : "none in this version";
}

static const struct decider *find_controller(struct session *session)
{
    const char *known = known_controllers(&session->arena);
    if (!session->line.operands.count) {
        session_say(session, "decide: expected a controller (known: %s), found nothing", known);
        return NULL;
    }
    const char *name = session->line.operands.items[0];
    const struct decider *decider = decider_find(name);
    if (decider)
        return decider;
    struct suggestion suggestion = {.word = name};
    for (const struct decider *const *other = decider_registry; *other; other++)
        suggestion_offer(&suggestion, (*other)->name);
    session_say(session, "decide: unknown controller \"%s\"%s%s%s (known: %s)", name,
                suggestion.nearest ? "; did you mean \"" : "",
                suggestion.nearest ? suggestion.nearest : "", suggestion.nearest ? "\"?" : "",
                known);
    return NULL;
}

int cmd_decide(struct session *session)
{
    const struct decider *decider = find_controller(session);
    if (!decider)
        return EXIT_INPUT;
    if (!session->options.batch) {
        session_say(session, "decide: expected --batch");
        return EXIT_INPUT;
    }
    return decide_batch(session, decider, stdin, stdout);
}
