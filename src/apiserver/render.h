/* SPDX-License-Identifier: Apache-2.0 */
/* Objects as clients want them: as they are, or as rows of a table for people. */
#ifndef FATHOM_APISERVER_RENDER_H
#define FATHOM_APISERVER_RENDER_H

#include "apiserver/apiserver.h"

struct rendering {
    struct arena *arena; /* scratch */
    const struct resource_type *type;
    const struct resource_version_served *version; /* that the client speaks */
    bool table;
    const char *include; /* of a table: what comes with each row: "Metadata", "Object", "None" */
    int64_t now;         /* seconds, from which ages count */
};

/* Reads Accept and includeObject. */
struct rendering rendering_of(const struct apiserver *server, struct arena *arena,
                              const struct resource_type *type,
                              const struct resource_version_served *version,
                              const struct http_request *request);

void render_object(struct text *text, const struct rendering *rendering,
                   const struct datum *object);
void render_list(struct text *text, const struct rendering *rendering,
                 struct snapshot *const *snapshots, uint32_t count, uint64_t version);

/* Columns and rows (table.c). */
void render_table(struct text *text, const struct rendering *rendering,
                  const struct datum *const *objects, uint32_t count, const char *version);

#endif
