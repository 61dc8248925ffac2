/* SPDX-License-Identifier: Apache-2.0 */
/* The JSON Schema of reports, from report.schema.json. */
#ifndef FATHOM_REPORT_REPORT_SCHEMA_H
#define FATHOM_REPORT_REPORT_SCHEMA_H

extern const char report_schema[];

#endif
