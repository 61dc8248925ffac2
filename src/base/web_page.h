/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Requests that a page in a browser makes to a server on the user's machine.
 *
 * A page from elsewhere can send requests to addresses of this machine, and its owner can make a
 * name point here (DNS rebinding), so that the browser takes the answer for the page's own. A
 * browser says under which name it asks (Host), and for which page (Origin). A server that
 * identifies its clients by nothing else answers only to names that nobody else can own, and only
 * to pages of its own.
 */
#ifndef FATHOM_BASE_WEB_PAGE_H
#define FATHOM_BASE_WEB_PAGE_H

#include <stdbool.h>

/* Is the Host `localhost` or an address, with or without a port? NULL and "" are: only programs
 * leave it out. */
bool web_host_is_local(const char *host);

/* Does a page of the server itself ask: is the Origin the Host? NULL and "" are no page. */
bool web_origin_is_own(const char *origin, const char *host);

/* Is an Authorization "Bearer TOKEN" with this token? NULL is none. */
bool web_token_is_given(const char *authorization, const char *token);

#endif
