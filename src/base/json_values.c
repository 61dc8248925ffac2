/* SPDX-License-Identifier: Apache-2.0 */
#include "base/json_values.h"

/* Each value but the first comes after a comma or opens what it is in. Of a text that is no JSON,
 * the number makes no difference. */
bool json_has_more_values(const char *text, size_t length, size_t most)
{
    bool quoted = false;
    size_t values = 0;
    for (size_t i = 0; i < length && values <= most; i++) {
        if (quoted && text[i] == '\\')
            i++;
        else if (text[i] == '"')
            quoted = !quoted;
        else if (!quoted)
            values += text[i] == ',' || text[i] == '{' || text[i] == '[';
    }
    return values > most;
}
