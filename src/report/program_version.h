/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FATHOM_REPORT_PROGRAM_VERSION_H
#define FATHOM_REPORT_PROGRAM_VERSION_H

/* What `fathom version` tells. */
struct program_version {
    const char *number; /* "0.2.0" */
};

#endif
