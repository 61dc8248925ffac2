/* SPDX-License-Identifier: Apache-2.0 */
/* What an `apply` event may bring: workloads, new ones or others in place of
 * those that are there. Everything else is refused. */
#include "cluster/build/supports_applied.h"
#include "setup/setup.h"

void supports_applied(const struct scope *scope, struct problems *problems)
{
    for (uint32_t e = 0; scope->check && e < scope->check->event_count; e++)
        for (uint32_t i = 0; i < scope->applied[e].count; i++) {
            const struct object *object = &scope->applied[e].items[i];
            switch (object->kind) {
            case OBJECT_NAMESPACE:
            case OBJECT_PRIORITY_CLASS:
            case OBJECT_LIMIT_RANGE: break;
            default:
                if (!workload_template(object))
                    problem_error(problems, object->place, NULL,
                                  "verify does not model that %s objects are applied during a "
                                  "run; nothing is verified",
                                  object->kind_name);
            }
        }
}
