/* SPDX-License-Identifier: Apache-2.0 */
#include "setup/group_names.h"

#include <string.h>

int32_t group_ordinal(const struct setup_group *group, const char *name)
{
    const size_t length = strlen(group->name);
    int64_t ordinal = 0;
    if (strncmp(name, group->name, length) != 0 || name[length] != '-' || name[length + 1] == '0')
        return 0;
    for (const char *digit = name + length + 1; *digit; digit++) {
        if (*digit < '0' || *digit > '9' || ordinal > INT32_MAX / 10)
            return 0;
        ordinal = 10 * ordinal + (*digit - '0');
    }
    return ordinal <= INT32_MAX ? (int32_t)ordinal : 0;
}
