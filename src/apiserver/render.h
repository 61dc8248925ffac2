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
/* A list is its head, its items with commas between them, and its tail. */
void render_list_head(struct text *text, const struct rendering *rendering, uint64_t version);
void render_list_item(struct text *text, const struct rendering *rendering,
                      const struct datum *object);
void render_list_tail(struct text *text);

/* The same of a table, whose rows are the items (table.c). */
void render_table_head(struct text *text, const struct rendering *rendering, const char *version);
void render_table_row(struct text *text, const struct rendering *rendering,
                      const struct datum *object);

#endif
