/* SPDX-License-Identifier: Apache-2.0 */
/* `fathom version`, and `fathom --version` */
#include "cli/session.h"
#include "cli/version.h"
#include "report/program_version.h"

int cmd_version(struct session *session)
{
    const struct program_version version = {FATHOM_VERSION};
    return session_report(session, RESULT_VERSION, &version, VERDICT_HOLDS);
}
