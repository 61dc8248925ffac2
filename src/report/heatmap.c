/* SPDX-License-Identifier: Apache-2.0 */
/* The verdict of every scale, as a picture: in text, HTML and SVG. */
#include "report/formats.h"
#include "report/heatmap_cells.h"
#include "report/report.h"

#include <inttypes.h>
#include <string.h>

/* ---- text ---- */

static void write_text_map(const struct heatmap *map, struct text *text)
{
    static const char signs[] = {' ', '.', '?', '#'};
    for (int32_t pods = map->pods_most; pods >= map->pods_least; pods--) {
        text_printf(text, "  %5d |", pods);
        for (int32_t nodes = map->nodes_least; nodes <= map->nodes_most; nodes++)
            text_printf(text, "  %c", signs[heatmap_cell_at(map, nodes, pods)->verdict]);
        text_append_char(text, '\n');
    }
    text_append_string(text, "   pods +");
    for (int32_t nodes = map->nodes_least; nodes <= map->nodes_most; nodes++)
        text_append_string(text, "---");
    text_append_string(text, "\n         ");
    for (int32_t nodes = map->nodes_least; nodes <= map->nodes_most; nodes++)
        text_printf(text, "%2d ", nodes);
    text_append_string(text, "nodes\n");
}

void report_write_heatmap(struct arena *arena, const struct report *report, struct text *text)
{
    const struct verify_report *found = report->found;
    for (uint32_t i = 0; i < found->result_count && found->setups.count > 0; i++) {
        const struct arena_mark mark = arena_mark(arena);
        const struct heatmap map = heatmap_of(arena, report, i);
        text_printf(text, "\n%s by scale: # violated, . holds, ? not decided\n\n",
                    report_intent_label(arena, found->results[i].intent));
        write_text_map(&map, text);
        arena_rewind(arena, mark);
    }
}

/* ---- HTML ---- */

/* A key of the legend: its looks, its sign, and what it means. */
static void put_key(struct text *text, const char *looks, const char *sign, const char *meaning)
{
    text_printf(text, "<span><span class=\"key %s\">%s</span>%s</span> ", looks, sign, meaning);
}

static void put_keys(struct text *text, bool beyond)
{
    text_append_string(text, "<p class=\"keys\">");
    put_key(text, "v", "#", "violated");
    put_key(text, "h", ".", "holds");
    if (beyond) {
        put_key(text, "w", "#", "violated, known from other sizes");
        put_key(text, "b", ".", "holds, known from other sizes");
    }
    put_key(text, "u", "?", "not decided");
    put_key(text, "none", "", "not explored");
    text_append_string(text, "</p>\n");
}

static const char *html_cell(const struct heatmap_cell *cell)
{
    static const char *const explored[] = {"<td></td>", "<td class=\"h\">.</td>",
                                           "<td class=\"u\">?</td>", "<td class=\"v\">#</td>"};
    static const char *const beyond[] = {"<td></td>", "<td class=\"b\">.</td>",
                                         "<td class=\"u\">?</td>", "<td class=\"w\">#</td>"};
    return (cell->explored ? explored : beyond)[cell->verdict];
}

void report_heatmap_html(struct arena *arena, const struct report *report, uint32_t intent,
                         struct text *text)
{
    if (report->found->setups.count == 0)
        return;
    const struct heatmap map = heatmap_of(arena, report, intent);
    put_keys(text, map.beyond);
    text_append_string(
        text, "<table class=\"map\"><caption>By pods (rows) and nodes (columns)</caption>\n");
    for (int32_t pods = map.pods_most; pods >= map.pods_least; pods--) {
        text_printf(text, "<tr><th scope=\"row\">%d</th>", pods);
        for (int32_t nodes = map.nodes_least; nodes <= map.nodes_most; nodes++)
            text_append_string(text, html_cell(heatmap_cell_at(&map, nodes, pods)));
        text_append_string(text, "</tr>\n");
    }
    text_append_string(text, "<tr><th scope=\"row\">pods, nodes</th>");
    for (int32_t nodes = map.nodes_least; nodes <= map.nodes_most; nodes++)
        text_printf(text, "<th scope=\"col\">%d</th>", nodes);
    text_append_string(text, "</tr>\n</table>\n");
}

/* ---- SVG ---- */

enum {
    SIDE = 14,
    LEFT = 60,
    LEGEND = 18, /* between the label and the map */
    TOP = 40 + LEGEND,
    BOTTOM = 40,
    LINE_MOST = 110,
    LINE_WIDTH = 640,
};

/* By enum cell_verdict. What is known from other sizes is paler. */
static const char *const colours[] = {NULL, "#7fbf7b", "#dddddd", "#d7301f"};
static const char *const colours_beyond[] = {NULL, "#bfdfbd", "#dddddd", "#eb988f"};

static void write_svg_cell(const struct heatmap_cell *cell, int64_t x, int64_t y, struct text *text)
{
    if (cell->verdict != CELL_NONE)
        text_printf(
            text,
            "<rect x=\"%" PRId64 "\" y=\"%" PRId64 "\" width=\"%d\" height=\"%d\" fill=\"%s\"/>\n",
            x, y, SIDE - 1, SIDE - 1, (cell->explored ? colours : colours_beyond)[cell->verdict]);
}

static void write_svg_legend(int64_t top, bool beyond, struct text *text)
{
    static const struct {
        struct heatmap_cell cell;
        const char *meaning;
    } keys[] = {
        {{CELL_VIOLATED, 1}, "violated"},
        {{CELL_HOLDS, 1}, "holds"},
        {{CELL_UNDECIDED, 1}, "not decided"},
        {{CELL_VIOLATED, 0}, "violated, known from other sizes"},
        {{CELL_HOLDS, 0}, "holds, known from other sizes"},
    };
    enum { ALWAYS = 3, LETTER = 5 };
    int64_t x = LEFT;
    for (uint32_t i = 0; i < (beyond ? sizeof(keys) / sizeof(*keys) : ALWAYS); i++) {
        write_svg_cell(&keys[i].cell, x, top, text);
        text_printf(text, "<text x=\"%" PRId64 "\" y=\"%" PRId64 "\">%s</text>\n", x + SIDE + 2,
                    top + SIDE - 4, keys[i].meaning);
        x += (int64_t)2 * SIDE + LETTER * (int64_t)strlen(keys[i].meaning);
    }
}

/* Labels come from names, which have no characters that XML minds. */
static void write_svg_map(const struct heatmap *map, const char *label, int64_t top,
                          struct text *text)
{
    const int64_t rows = map->pods_most - map->pods_least + 1;
    const int64_t columns = map->nodes_most - map->nodes_least + 1;
    text_printf(text, "<text x=\"%d\" y=\"%" PRId64 "\" font-weight=\"bold\">%s</text>\n", LEFT,
                top - LEGEND - 12, label);
    write_svg_legend(top - LEGEND - 4, map->beyond, text);
    for (int32_t pods = map->pods_least; pods <= map->pods_most; pods++) {
        const int64_t y = top + (map->pods_most - pods) * (int64_t)SIDE;
        if (pods == map->pods_least || pods == map->pods_most || pods % 6 == 0)
            text_printf(text, "<text x=\"%d\" y=\"%" PRId64 "\" text-anchor=\"end\">%d</text>\n",
                        LEFT - 6, y + SIDE - 3, pods);
        for (int32_t nodes = map->nodes_least; nodes <= map->nodes_most; nodes++)
            write_svg_cell(heatmap_cell_at(map, nodes, pods),
                           LEFT + (nodes - map->nodes_least) * (int64_t)SIDE, y, text);
    }
    for (int64_t c = 0; c < columns; c++)
        text_printf(text, "<text x=\"%" PRId64 "\" y=\"%" PRId64 "\">%" PRId64 "</text>\n",
                    LEFT + c * SIDE, top + rows * SIDE + 12, map->nodes_least + c);
    text_printf(text, "<text x=\"%d\" y=\"%" PRId64 "\">nodes; pods upwards</text>\n", LEFT,
                top + rows * SIDE + 26);
}

/* A sentence in lines; gives where the next one begins. */
static int64_t write_svg_note(struct arena *arena, const char *note, int64_t top, struct text *text)
{
    for (; *note; top += SIDE) {
        size_t length = strlen(note);
        for (size_t i = LINE_MOST; length > LINE_MOST && i > 0; i--)
            length = note[i] == ' ' ? i : length;
        text_printf(text, "<text x=\"%d\" y=\"%" PRId64 "\">", SIDE, top);
        report_append_escaped(text, arena_strndup(arena, note, length));
        text_append_string(text, "</text>\n");
        note += length + strspn(note + length, " ");
    }
    return top;
}

static int64_t write_svg_notes(struct arena *arena, const char *heading,
                               const struct string_list *notes, int64_t top, struct text *text)
{
    for (uint32_t i = 0; i < notes->count; i++)
        top = write_svg_note(arena, arena_printf(arena, "%s: %s", heading, notes->items[i]), top,
                             text);
    return top;
}

void report_write_svg(const struct writer_context *how, const struct reports *reports,
                      struct text *text)
{
    struct arena *arena = how->arena;
    struct text body;
    int64_t top = TOP;
    int64_t width = LINE_WIDTH;
    text_init(&body, text->memory);
    for (uint32_t r = 0; r < reports->count; r++) {
        const struct verify_report *found = reports->items[r].found;
        for (uint32_t i = 0; i < found->result_count && found->setups.count > 0; i++) {
            const struct heatmap map = heatmap_of(arena, &reports->items[r], i);
            write_svg_map(&map,
                          arena_printf(arena, "%s: %s", reports->items[r].check,
                                       report_intent_label(arena, found->results[i].intent)),
                          top, &body);
            top += (map.pods_most - map.pods_least + 1) * (int64_t)SIDE + TOP + BOTTOM;
            const int64_t right = LEFT + (map.nodes_most - map.nodes_least + 2) * (int64_t)SIDE;
            width = right > width ? right : width;
        }
        top = write_svg_notes(arena, "Assumed", &reports->items[r].assumptions, top - BOTTOM / 2,
                              &body);
        const struct string_list trials = report_trial_lines(arena, &reports->items[r]);
        top = write_svg_notes(arena, "Trial", &trials, top, &body);
        top = write_svg_notes(arena, "Premise", &reports->items[r].premises, top, &body) + TOP;
    }
    text_printf(text,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %" PRId64 " %" PRId64
                "\" width=\"%" PRId64 "\" height=\"%" PRId64
                "\" font-family=\"sans-serif\" font-size=\"10\">\n"
                "<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n",
                width, top, width, top);
    text_append(text, text_content(&body), body.length);
    text_append_string(text, "</svg>\n");
    text_release(&body);
}
