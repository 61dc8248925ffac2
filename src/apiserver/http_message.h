/* SPDX-License-Identifier: Apache-2.0 */
/* A request and its response, whoever carries them: sockets, a test, a fuzzer. */
#ifndef FATHOM_APISERVER_HTTP_MESSAGE_H
#define FATHOM_APISERVER_HTTP_MESSAGE_H

#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

struct http_parameter {
    const char *name;
    const char *value;
};

/* Texts are decoded and never NULL. */
struct http_request {
    const char *method;
    const char *path;
    const struct http_parameter *parameters; /* of the query */
    uint32_t parameter_count;
    const char *accept; /* "" when not given, as the next */
    const char *content_type;
    const char *body; /* body_length bytes and a NUL */
    size_t body_length;
};

struct watch;
struct list_stream;

struct http_response {
    unsigned status;
    const char *content_type; /* static */
    struct text body;
    /* Not NULL: the body comes from one of these, as long as it may. */
    struct watch *watch;      /* watch.h */
    struct list_stream *list; /* list_stream.h */
};

/* The value of a parameter of the query; "" if it is not there. */
const char *http_parameter(const struct http_request *request, const char *name);
/* As Kubernetes reads booleans: "", "0", "f", "F", "false", "FALSE" and "False" are false. */
bool http_parameter_true(const struct http_request *request, const char *name);

#endif
