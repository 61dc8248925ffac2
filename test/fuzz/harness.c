/* SPDX-License-Identifier: Apache-2.0 */
/* libFuzzer's entry point: an arena for each input, empty again afterwards. */
#include "harness.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct memory memory;
    struct arena arena;
    memory_init(&memory, SIZE_MAX);
    arena_init(&arena, &memory);
    fuzz_one(&arena, (const char *)data, size);
    arena_release(&arena);
    FUZZ_REQUIRE(memory.used_bytes == 0);
    return 0;
}
