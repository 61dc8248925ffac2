/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Gives a checkpoint that was changed a checksum that is right again: forge_checkpoint FILE.
 * The checksum is of all but the second half of the footer (verify/checkpoint.h), where it stands.
 */
#include "base/bytes.h"

#include <stdio.h>

enum { CHECKSUM_FROM_END = 16 };

int main(int argc, char **argv)
{
    FILE *file = argc == 2 ? fopen(argv[1], "r+b") : NULL;
    uint64_t hash = 0;
    if (!file || fseek(file, 0, SEEK_END) != 0)
        return 2;
    const long end = ftell(file);
    if (end < CHECKSUM_FROM_END)
        return 1;
    rewind(file);
    if (!bytes_checksum(file, (uint64_t)end - CHECKSUM_FROM_END, &hash) ||
        fseek(file, -CHECKSUM_FROM_END, SEEK_END) != 0 || fwrite(&hash, sizeof(hash), 1, file) != 1)
        return 1;
    return fclose(file) == 0 ? 0 : 1;
}
