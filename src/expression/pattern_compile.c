/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From the tree of a pattern to instructions. They are written from the end to the beginning, so
 * that each knows where it goes on.
 */
#include "expression/pattern.h"
#include "expression/pattern_program.h"

#include "base/vec.h"

#include <string.h>

struct compiler {
    struct arena *arena;
    VEC(struct instruction) instructions;
    uint32_t steps; /* of compiling: what is empty may be repeated, too */
    bool too_large;
};

enum { COMPILE_STEPS_MOST = 100000, PATTERN_BYTES_MOST = 4096 };

static uint32_t compile(struct compiler *compiler, const struct pattern_node *node, uint32_t next);

static uint32_t emit(struct compiler *compiler, struct instruction instruction)
{
    if (compiler->instructions.count == PATTERN_INSTRUCTIONS_MOST) {
        compiler->too_large = true;
        return 0;
    }
    VEC_PUSH(compiler->arena, &compiler->instructions, instruction);
    return compiler->instructions.count - 1;
}

/* Takes the body or goes on behind it. */
static struct instruction choice(bool lazy, uint32_t body, uint32_t behind)
{
    return (struct instruction){
        .kind = INSTRUCTION_SPLIT, .first = lazy ? behind : body, .next = lazy ? body : behind};
}

/* Once or more. */
static uint32_t compile_loop(struct compiler *compiler, const struct pattern_node *node,
                             uint32_t next)
{
    const uint32_t again = emit(compiler, choice(node->lazy, 0, next));
    const uint32_t body = compile(compiler, node->items[0], again);
    if (!compiler->too_large)
        compiler->instructions.items[again] = choice(node->lazy, body, next);
    return body;
}

/* Not at all or once or more is a choice before a loop, so that a body that may be empty is still
 * preferred to none. */
static uint32_t compile_repeat(struct compiler *compiler, const struct pattern_node *node,
                               uint32_t next)
{
    int least = node->least;
    if (node->most == REPEAT_WITHOUT_END) {
        const uint32_t loop = compile_loop(compiler, node, next);
        next = least > 0 ? loop : emit(compiler, choice(node->lazy, loop, next));
        least--;
    } else {
        const uint32_t behind = next;
        for (int i = least; i < node->most && !compiler->too_large; i++) {
            const uint32_t body = compile(compiler, node->items[0], next);
            next = emit(compiler, choice(node->lazy, body, behind));
        }
    }
    for (; least > 0 && !compiler->too_large; least--)
        next = compile(compiler, node->items[0], next);
    return next;
}

static uint32_t compile_alternatives(struct compiler *compiler, const struct pattern_node *node,
                                     uint32_t next)
{
    uint32_t start = compile(compiler, node->items[node->count - 1], next);
    for (uint32_t i = node->count - 1; i-- > 0 && !compiler->too_large;)
        start = emit(compiler, choice(false, compile(compiler, node->items[i], next), start));
    return start;
}

static uint32_t compile(struct compiler *compiler, const struct pattern_node *node, uint32_t next)
{
    compiler->too_large |= ++compiler->steps > COMPILE_STEPS_MOST;
    if (compiler->too_large)
        return next;
    switch (node->kind) {
    case NODE_SET:
        return emit(compiler,
                    (struct instruction){.kind = INSTRUCTION_SET, .next = next, .set = node->set});
    case NODE_ASSERT:
        return emit(compiler, (struct instruction){.kind = INSTRUCTION_ASSERT,
                                                   .next = next,
                                                   .assertion = node->assertion});
    case NODE_SEQUENCE:
        for (uint32_t i = node->count; i-- > 0 && !compiler->too_large;)
            next = compile(compiler, node->items[i], next);
        return next;
    case NODE_ALTERNATIVES: return compile_alternatives(compiler, node, next);
    case NODE_REPEAT: return compile_repeat(compiler, node, next);
    }
    return next;
}

const struct pattern *pattern_compile(struct arena *arena, const char *text, const char **why)
{
    struct compiler compiler = {.arena = arena};
    if (strnlen(text, PATTERN_BYTES_MOST + 1) > PATTERN_BYTES_MOST) {
        *why = "it is too long";
        return NULL;
    }
    const struct pattern_node *tree = pattern_parse(arena, text, why);
    if (!tree)
        return NULL;
    const uint32_t match = emit(&compiler, (struct instruction){.kind = INSTRUCTION_MATCH});
    const uint32_t start = compile(&compiler, tree, match);
    if (compiler.too_large) {
        *why = "it is too large";
        return NULL;
    }
    struct pattern *pattern = ARENA_NEW(arena, struct pattern);
    *pattern = (struct pattern){compiler.instructions.items, compiler.instructions.count, start};
    return pattern;
}
