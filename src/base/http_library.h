/* SPDX-License-Identifier: Apache-2.0 */
/* libmicrohttpd, loaded when a server starts (see base/late_library.h). */
#ifndef FATHOM_BASE_HTTP_LIBRARY_H
#define FATHOM_BASE_HTTP_LIBRARY_H

#include <microhttpd.h>
#include <stdbool.h>

#define HTTP_FUNCTIONS                      \
    FUNCTION(add_response_header)           \
    FUNCTION(create_response_from_buffer)   \
    FUNCTION(create_response_from_callback) \
    FUNCTION(destroy_response)              \
    FUNCTION(get_connection_info)           \
    FUNCTION(get_daemon_info)               \
    FUNCTION(lookup_connection_value)       \
    FUNCTION(queue_response)                \
    FUNCTION(quiesce_daemon)                \
    FUNCTION(resume_connection)             \
    FUNCTION(start_daemon)                  \
    FUNCTION(stop_daemon)                   \
    FUNCTION(suspend_connection)

struct http_library {
#define FUNCTION(name) __typeof__(MHD_##name) *name;
    HTTP_FUNCTIONS
#undef FUNCTION
};

/* False, and `*error` a sentence, if it is not installed. It stays loaded. */
bool http_library_load(struct http_library *library, const char **error);

#endif
