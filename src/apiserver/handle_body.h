/* SPDX-License-Identifier: Apache-2.0 */
/* What is in the body of a request. */
#ifndef FATHOM_APISERVER_HANDLE_BODY_H
#define FATHOM_APISERVER_HANDLE_BODY_H

#include "apiserver/call.h"
#include "manifest/manifest.h"

/* The object in the body; NULL after a refusal. */
const struct datum *call_read_body(const struct call *call);
/* JSON that is no object of the API: a patch. It lives as long as the reader. */
const struct value *call_read_patch(const struct call *call, struct manifest_reader *reader);
/* What was put together otherwise, as if it had come over the wire. */
const struct datum *call_read_again(const struct call *call, const struct datum *object);
bool call_is_media_type(const char *content_type, const char *wanted);
void call_refuse_media_type(const struct call *call, const char *accepted);

#endif
