/* SPDX-License-Identifier: Apache-2.0 */
/* `fathom check-manifests -f ...`: what was understood of the manifests. */
#include "cli/input.h"
#include "report/inventory.h"

int cmd_check_manifests(struct session *session)
{
    struct input input;
    struct problems problems;
    const struct objects none = {0};
    session_read(session, &input_listed, &input);
    session_problems(session, &input_listed, &input, &problems);
    const struct inventory inventory = inventory_take(
        &session->arena, input.units.count > 0 ? &input.units.items[0].objects : &none, &problems);
    const int code = session_report(session, RESULT_MANIFESTS, &inventory, VERDICT_HOLDS);
    session_complain(session, &problems);
    return problems.errors == 0 ? code : EXIT_INPUT;
}
