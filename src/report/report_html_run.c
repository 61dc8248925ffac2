/* SPDX-License-Identifier: Apache-2.0 */
#include "report/report_html_run.h"

#include "base/json_out.h"
#include "object/time.h"
#include "report/report_html_data.h"

/* So many steps in a row in which nothing but time passes are folded, and reasons beyond so many.
 */
enum { IDLE_LEAST = 3, REASONS_SHOWN = 6 };

/* ---- the cluster at the end, for readers without a script ---- */

static void put_node(const struct page *page, const struct story_node *node)
{
    page_put(page, *node->condition ? "<div class=\"node off\">" : "<div class=\"node\">");
    page_put_text(page, "<strong>", node->name, "</strong>");
    if (*node->condition)
        page_put_text(page, " (", node->condition, ")");
    page_put(page, "<br>");
    for (uint32_t p = 0; p < node->pods.count; p++)
        page_put_text(page, "<span class=\"pod\">", node->pods.items[p], "</span>");
    page_put(page, "</div>");
}

static void put_cluster(const struct page *page, const struct story_picture *picture)
{
    page_put(page,
             "<div class=\"at-end\">\n<h3>The cluster at the end</h3>\n<div class=\"cluster\" "
             "role=\"group\" aria-label=\"the cluster at the end\">");
    for (uint32_t n = 0; n < picture->node_count; n++)
        put_node(page, &picture->nodes[n]);
    for (uint32_t w = 0; w < picture->workload_count; w++) {
        const struct story_workload *workload = &picture->workloads[w];
        page_put_text(page, "<div class=\"node\">", workload->name, "");
        text_printf(page->text, "<br>wants %d", workload->replicas);
        for (uint32_t p = 0; p < workload->waiting.count; p++)
            page_put_text(page, "<span class=\"pod waiting\" title=\"waits for a node\">",
                          workload->waiting.items[p], "</span>");
        page_put(page, "</div>");
    }
    page_put(page, "</div>\n</div>\n");
}

/* ---- the steps ---- */

static bool is_among(const struct story_causes *causes, uint32_t number)
{
    for (uint32_t i = 0; i < causes->count; i++)
        if (causes->items[i] == number)
            return true;
    return false;
}

static void put_causes(const struct page *page, const struct story_causes *causes)
{
    bool any = false;
    for (uint32_t i = 0; i < causes->count; i++)
        if (causes->items[i] > 0) {
            text_printf(page->text, "%s<a href=\"#i%u-s%u\">%u</a>",
                        any ? ", " : "<div class=\"causes\">needs ", page->number, causes->items[i],
                        causes->items[i]);
            any = true;
        }
    if (any)
        page_put(page, "</div>\n");
}

static bool goes_round(const struct verify_result *result)
{
    return result->loops && !result->rests;
}

/* Long lists, such as what each node lacks, are there for those who open them. */
static void put_reasons(const struct page *page, const struct string_list *why)
{
    const bool many = why->count > REASONS_SHOWN;
    if (many)
        text_printf(page->text, "<details class=\"why\"><summary>%u reasons</summary>\n",
                    why->count);
    for (uint32_t w = 0; w < why->count; w++)
        page_put_text(page, "<div class=\"why\">", why->items[w], "</div>\n");
    if (many)
        page_put(page, "</details>\n");
}

static void put_step(const struct page *page, const struct verify_result *result, uint32_t index)
{
    const struct verify_step *step = &result->steps[index];
    const bool loop = goes_round(result) && index >= result->loop_from;
    text_printf(page->text, "<li id=\"i%u-s%u\" data-step=\"%u\" tabindex=\"0\" class=\"%s%s\">",
                page->number, index + 1, index + 1, loop ? "loop" : "",
                is_among(&result->causes, index + 1) ? " blamed" : "");
    text_printf(page->text, "<span class=\"number\">%u.</span> ", index + 1);
    page_put_text(page,
                  step->told.outside ? "<span class=\"actor event\">" : "<span class=\"actor\">",
                  step->told.outside ? "event" : step->told.actor, "</span> ");
    page_put_text(page, "<span class=\"detail\">", step->told.detail, "</span>");
    if (step->time_ns > 0)
        page_put_text(page, "<span class=\"time\">", duration_format(page->arena, step->time_ns),
                      "</span>");
    page_put(page, "\n");
    put_reasons(page, &step->told.why);
    put_causes(page, &step->told.causes);
    page_put(page, "</li>\n");
}

/* How many steps from here on only let time pass. None of them begins a loop but the first. */
static uint32_t count_idle(const struct verify_result *result, uint32_t from)
{
    uint32_t end = from;
    while (end < result->step_count && result->steps[end].told.quiet &&
           (end == from || !goes_round(result) || end != result->loop_from))
        end++;
    return end - from;
}

static void put_idle(const struct page *page, const struct verify_result *result, uint32_t from,
                     uint32_t count)
{
    const int64_t before = from > 0 ? result->steps[from - 1].time_ns : 0;
    const int64_t passed = result->steps[from + count - 1].time_ns - before;
    text_printf(page->text,
                "<li><details class=\"idle\"><summary>steps %u to %u: %s passes, and nothing else "
                "happens</summary>\n<ol class=\"steps\">\n",
                from + 1, from + count, duration_format(page->arena, passed));
    for (uint32_t i = from; i < from + count; i++)
        put_step(page, result, i);
    page_put(page, "</ol></details></li>\n");
}

static void put_steps(const struct page *page, const struct verify_result *result)
{
    page_put(page, "<ol class=\"steps\">\n");
    for (uint32_t i = 0; i < result->step_count;) {
        const uint32_t idle = count_idle(result, i);
        if (goes_round(result) && i == result->loop_from)
            page_put(page, "<li class=\"loop\">from here it repeats for ever:</li>\n");
        if (idle >= IDLE_LEAST)
            put_idle(page, result, i, idle);
        else
            put_step(page, result, i);
        i += idle >= IDLE_LEAST ? idle : 1;
    }
    page_put(page, "</ol>\n");
    if (result->loops && result->rests)
        page_put(
            page,
            "<p class=\"note\">and there it stays: no controller does anything any more</p>\n");
    else if (result->loops)
        text_printf(page->text,
                    "<p class=\"note\">and again from step <a href=\"#i%u-s%u\">%u</a></p>\n",
                    page->number, result->loop_from + 1, result->loop_from + 1);
    if (report_reservation(result))
        page_put_text(page, "<p class=\"note\">", report_reservation(result), "</p>\n");
}

static void put_data(const struct page *page, const struct verify_result *result)
{
    struct text data;
    struct json_out json;
    text_init(&data, page->text->memory);
    json_out_init(&json, &data, 0);
    run_data_write(page->arena, &json, NULL, page->report->scope, result);
    page_put(page, "<script type=\"application/json\" class=\"run-data\">");
    json_append_to_html(page->text, text_content(&data), data.length);
    page_put(page, "</script>\n");
    text_release(&data);
}

void page_put_run(const struct page *page, const struct verify_result *result)
{
    page_put(page, "<div class=\"run\">\n<div class=\"stage\" hidden></div>\n<div class=\"list\">\n"
                   "<h3>How it comes about</h3>\n");
    put_steps(page, result);
    put_cluster(page, &result->picture);
    page_put(page, "</div>\n");
    if (result->start.nodes)
        put_data(page, result);
    page_put(page, "</div>\n");
}
