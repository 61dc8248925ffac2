/* SPDX-License-Identifier: Apache-2.0 */
/* Each class of intents, in every form that their parameters can ask for, has what it needs
 * to be judged. */
#include "cluster/intent/registry.h"
#include "cluster/intent_class.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* All combinations of parameters that may change the form. */
enum { FORMS = 8 };

static struct check_intent source_of(int kind, int form)
{
    return (struct check_intent){
        .kind = (enum intent_kind)kind,
        .mode = form & 1 ? INTENT_MODE_EVENTUALLY : INTENT_MODE_ALWAYS,
        .when = form & 2 ? INTENT_WHEN_ALWAYS : INTENT_WHEN_SETTLED,
        .loop = form & 4,
    };
}

/* A violation needs whatever it is made of. */
static void check_class(const struct intent_class *class, enum intent_kind kind)
{
    switch (class->violated_by) {
    case VIOLATED_BY_STEP:
    case VIOLATED_BY_LOOP: assert_true(class->mark || class->minds_rest); break;
    case VIOLATED_BY_STATE:
    case VIOLATED_BY_STAYING:
    case VIOLATED_BY_NO_WAY:
    case VIOLATED_BY_LEAVING: assert_true(class->atom || class->displeases); break;
    default: fail_msg("%s is violated by nothing", intent_kind_name(kind));
    }
    if (class->minds_rest) /* it marks the step of rest itself */
        assert_null(class->mark);
    if (class->begin) /* it has something to set */
        assert_non_null(class->monitor_words);
    if (class->ignores_focus) /* somebody would ask it otherwise */
        assert_non_null(class->displeases);
    if (class->ignores & IGNORES_READINESS)
        assert_false(class->needs_endpoints);
    if (class->needs_endpoints)
        assert_true(class->needs_services);
}

static void every_class_can_be_judged_in_every_form(void **state)
{
    (void)state;
    for (int kind = 0; kind < INTENT_KIND_COUNT; kind++)
        for (int form = 0; form < FORMS; form++) {
            const struct check_intent source = source_of(kind, form);
            const struct intent_class *class = intent_class_of(&source);
            check_class(class, source.kind);
        }
}

static void parameters_choose_the_form(void **state)
{
    (void)state;
    static const struct {
        enum intent_kind kind;
        int form;
        enum intent_violation violated_by;
    } forms[] = {
        {INTENT_PODS_SCHEDULABLE, 0, VIOLATED_BY_STEP},
        {INTENT_PODS_SCHEDULABLE, 1, VIOLATED_BY_STAYING},
        {INTENT_BALANCED, 0, VIOLATED_BY_STEP},
        {INTENT_BALANCED, 2, VIOLATED_BY_STATE},
        {INTENT_NODES_HEALTHY, 0, VIOLATED_BY_STEP},
        {INTENT_NODES_HEALTHY, 4, VIOLATED_BY_LOOP},
    };
    for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
        const struct check_intent source = source_of(forms[i].kind, forms[i].form);
        assert_int_equal(intent_class_of(&source)->violated_by, forms[i].violated_by);
    }
}

/* A gap would end the list early, and of two at one place only the first is found. */
static void usual_intents_stand_one_after_the_other(void **state)
{
    uint32_t listed = 0;
    uint32_t usual = 0;
    (void)state;
    while (intent_kind_usual(listed + 1) != INTENT_KIND_COUNT)
        listed++;
    for (int kind = 0; kind < INTENT_KIND_COUNT; kind++) {
        const struct check_intent source = source_of(kind, 0);
        const struct intent_class *class = intent_class_of(&source);
        if (class->usual == 0)
            continue;
        usual++;
        assert_int_equal(intent_kind_usual(class->usual), kind);
    }
    assert_true(listed > 0);
    assert_int_equal(usual, listed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_class_can_be_judged_in_every_form),
        cmocka_unit_test(parameters_choose_the_form),
        cmocka_unit_test(usual_intents_stand_one_after_the_other),
    };
    return cmocka_run_group_tests_name("intent_registry", tests, NULL, NULL);
}
