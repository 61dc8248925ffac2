/* SPDX-License-Identifier: Apache-2.0 */
#include "apiserver/http_message.h"

#include <string.h>
#include <strings.h>

const char *http_parameter(const struct http_request *request, const char *name)
{
    for (uint32_t i = 0; i < request->parameter_count; i++)
        if (strcmp(request->parameters[i].name, name) == 0)
            return request->parameters[i].value;
    return "";
}

bool http_parameter_true(const struct http_request *request, const char *name)
{
    for (uint32_t i = 0; i < request->parameter_count; i++)
        if (strcmp(request->parameters[i].name, name) == 0) {
            const char *value = request->parameters[i].value;
            return *value && strcmp(value, "0") != 0 && strcasecmp(value, "f") != 0 &&
                   strcasecmp(value, "false") != 0;
        }
    return false;
}
