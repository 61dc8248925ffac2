/* SPDX-License-Identifier: Apache-2.0 */
#include "base/web_page.h"

#include "base/secret.h"

#include <arpa/inet.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

static const char digits[] = "0123456789";

static bool is_address(const char *name, size_t length)
{
    char text[INET6_ADDRSTRLEN + 1];
    unsigned char bytes[sizeof(struct in6_addr)];
    const bool bracketed = length > 2 && name[0] == '[' && name[length - 1] == ']';
    if (bracketed) {
        name++;
        length -= 2;
    }
    if (length >= sizeof(text))
        return false;
    memcpy(text, name, length);
    text[length] = '\0';
    return inet_pton(bracketed ? AF_INET6 : AF_INET, text, bytes) == 1;
}

bool web_host_is_local(const char *host)
{
    static const char local[] = "localhost";
    if (!host || !*host)
        return true;
    const char *bracket = strrchr(host, ']');
    const char *colon = strchr(bracket ? bracket : host, ':');
    const size_t length = colon ? (size_t)(colon - host) : strlen(host);
    if (colon && strspn(colon + 1, digits) != strlen(colon + 1))
        return false;
    return (length == strlen(local) && strncasecmp(host, local, length) == 0) ||
           is_address(host, length);
}

bool web_origin_is_own(const char *origin, const char *host)
{
    static const char *const schemes[] = {"http://", "https://"};
    if (!origin || !*origin)
        return true;
    for (size_t i = 0; host && i < sizeof(schemes) / sizeof(*schemes); i++) {
        const size_t length = strlen(schemes[i]);
        if (strncasecmp(origin, schemes[i], length) == 0 && strcasecmp(origin + length, host) == 0)
            return *host != '\0';
    }
    return false;
}

bool web_token_is_given(const char *authorization, const char *token)
{
    static const char scheme[] = "Bearer ";
    return authorization && strncasecmp(authorization, scheme, sizeof(scheme) - 1) == 0 &&
           secret_is_same(authorization + sizeof(scheme) - 1, token);
}
