/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reports/html/test/page.h"
#include "reports/test/hostile.h"

#include <libxml/HTMLparser.h>
#include <libxml/xpath.h>

/* Tests of the page as a document: markup, accessibility, colours, hostile texts. */

/* page_of has checked that no part of the results is outside the data block; this checks that nothing in the
 * block can end its element. */
Test(html_page, hostile_names_do_nothing)
{
    struct results results = {0};
    fill_hostile(&results);
    struct page page = page_of(&results);
    cr_expect_null(strpbrk(page.block, "<>&"), "markup: %.40s", strpbrk(page.block, "<>&"));
    for (const unsigned char *c = (const unsigned char *)page.block; *c; c++) {
        cr_assert((*c >= 0x20 || *c == '\n') && *c != 0x7f, "byte %02x", *c);
    }
    cr_expect_null(strstr(page.block, "\xe2\x80\xae"), "an override stays unseen");
    cr_expect_null(strstr(page.block, "\xe2\x80\xa8"), "a line separator ends a line of JavaScript");
    for (int i = 0; i < HOSTILE; i++) {
        cr_expect(page_find(&page, hostile[i], results.record[i].id).backend, "%s is found again",
                  hostile[i]);
    }
    page_close(&page);
    results_destroy(&results);
}

/* The script never parses a text as markup, evaluates it, or makes a link or style of it. */
Test(html_page, the_script_takes_texts_for_texts)
{
    static const char *const never[] = {"innerHTML",      "outerHTML",      "insertAdjacentHTML",
                                        "document.write", "eval(",          "Function(",
                                        "setTimeout('",   ".href =",        "import(",
                                        "fetch(",         "XMLHttpRequest", "localStorage",
                                        "cssText",        ".style",         "srcdoc",
                                        "Worker("};
    char *script = strndup((const char *)page_after, page_after_size);
    for (size_t i = 0; i < sizeof never / sizeof *never; i++) {
        cr_expect_null(strstr(script, never[i]), "%s", never[i]);
    }
    /* Every link leads to a fragment of the page, which begins with "#", or to a file that the page made. */
    static const char *const leads[] = {"'#' + ", "hash,", "place,"};
    cr_expect(strstr(script, "const hash = '#' + fragment(") &&
              strstr(script, "const place = URL.createObjectURL("));
    int links = 0;
    for (const char *at = script; (at = strstr(at, "href: ")); links++) {
        at += strlen("href: ");
        bool known = false;
        for (size_t i = 0; i < sizeof leads / sizeof *leads; i++) {
            known = known || !strncmp(at, leads[i], strlen(leads[i]));
        }
        cr_expect(known, "a link to %.40s", at);
    }
    cr_expect_gt(links, 2);
    free(script);
}

static int complaints;

static void complain(void *user, const char *format, ...)
{
    (void)user;
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    complaints++;
}

static xmlXPathContextPtr xpath;

static int count(const char *expression)
{
    xmlXPathObjectPtr found = xmlXPathEvalExpression((const xmlChar *)expression, xpath);
    int n = found && found->nodesetval ? found->nodesetval->nodeNr : 0;
    xmlXPathFreeObject(found);
    return n;
}

Test(html_page, another_parser_reads_it)
{
    struct results results = {0};
    fill_hostile(&results);
    struct page page = page_of(&results);
    xmlSetGenericErrorFunc(NULL, complain);
    htmlDocPtr document = htmlReadMemory(page.text, (int)page.size, "page", "UTF-8", HTML_PARSE_NONET);
    cr_assert(document);
    cr_expect_eq(complaints, 0, "%d complaints", complaints);
    xpath = xmlXPathNewContext(document);
    cr_expect_eq(count("//script"), 2, "the data and the script, and no third");
    cr_expect_eq(count("//script[@type='application/json'][@id='data']"), 1);
    cr_expect_eq(count("//html[@lang]"), 1);
    cr_expect_eq(count("//title"), 1);
    cr_expect_eq(count("//h1"), 1);
    cr_expect_eq(count("//table"), 7);
    cr_expect_eq(count("//table[caption and thead/tr/th]"), count("//table"), "each has a caption and heads");
    cr_expect_eq(count("//th[@scope]"), count("//th"), "each head says of what");
    cr_expect_eq(count("//div[@role='region'][@tabindex='0'][@aria-labelledby]"), count("//table"),
                 "what scrolls can be scrolled by keyboard, and has a name");
    cr_expect_eq(count("//*[@aria-labelledby=//*/@id]"), count("//*[@aria-labelledby]"));
    cr_expect_eq(count("//input[@id=//label/@for] | //select[@id=//label/@for]"),
                 count("//input | //select"));
    cr_expect_gt(count("//select"), 3);
    cr_expect_eq(count("//*[@id][@id=preceding::*/@id]"), 0, "no id comes twice");
    cr_expect_eq(count("//*[@tabindex > 0]"), 0, "the order of focus is that of the page");
    cr_expect_eq(count("//*[@role='main']"), 1);
    cr_expect_eq(count("//*[@role='status'][@aria-live='polite']"), 1);
    cr_expect_eq(count("//*[@src] | //link | //img | //iframe | //base | //object | //embed"), 0,
                 "no network");
    cr_expect_eq(count("//a[not(starts-with(@href, '#'))]"), 0);
    cr_expect_eq(count("//a[substring(@href, 2)=//*/@id]"), count("//a"), "each leads somewhere");
    cr_expect_eq(count("//@*[starts-with(name(), 'on')] | //@style"), 0, "no handler and no style in markup");
    cr_expect_eq(count("//meta[contains(@content, \"default-src 'none'\")]"), 1,
                 "and the browser holds it to that");
    xmlXPathFreeContext(xpath);
    xmlFreeDoc(document);
    page_close(&page);
    results_destroy(&results);
}

/* --- colours: WCAG 2.2, relative luminance and contrast ratio */

static double channel(int value)
{
    double c = value / 255.0;
    return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

/* The value of a colour in a scheme; that of the light scheme where the dark one has none. */
static double luminance(const char *block, const char *end, const char *name)
{
    char wanted[40];
    unsigned rgb;
    snprintf(wanted, sizeof wanted, "--%s: #", name);
    const char *found = strstr(block, wanted);
    cr_assert(found && found < end, "no colour %s", name);
    cr_assert_eq(sscanf(found + strlen(wanted), "%6x", &rgb), 1);
    return 0.2126 * channel(rgb >> 16 & 255) + 0.7152 * channel(rgb >> 8 & 255) + 0.0722 * channel(rgb & 255);
}

Test(html_page, colours_that_meet_can_be_distinguished)
{
    static const struct {
        const char *front, *back;
        double least; /* 4.5 for text (1.4.3), 3 for graphics and borders of controls (1.4.11) */
    } pairs[] = {{"fg", "bg", 4.5},        {"fg", "panel", 4.5},     {"soft", "bg", 4.5},
                 {"soft", "panel", 4.5},   {"accent", "bg", 4.5},    {"accent", "panel", 4.5},
                 {"pass", "pass-bg", 4.5}, {"fail", "fail-bg", 4.5}, {"warn", "warn-bg", 4.5},
                 {"none", "none-bg", 4.5}, {"fail", "panel", 4.5},   {"soft", "pass-bg", 3},
                 {"fg", "pass-bg", 4.5},   {"fg", "fail-bg", 4.5},   {"fg", "warn-bg", 4.5},
                 {"fg", "none-bg", 4.5},   {"accent", "pass-bg", 3}, {"accent", "fail-bg", 3},
                 {"accent", "warn-bg", 3}, {"accent", "none-bg", 3}};
    char *css = strndup((const char *)page_before, page_before_size);
    char *light = strstr(css, ":root {"), *dark = strstr(css, "prefers-color-scheme: dark");
    cr_assert(light && dark && light < dark);
    const char *const blocks[] = {light, dark};
    for (int scheme = 0; scheme < 2; scheme++) {
        const char *end = strchr(blocks[scheme] + (scheme ? 40 : 0), '}');
        for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
            double a = luminance(blocks[scheme], end, pairs[i].front);
            double b = luminance(blocks[scheme], end, pairs[i].back);
            double contrast = (fmax(a, b) + 0.05) / (fmin(a, b) + 0.05);
            cr_expect_geq(contrast, pairs[i].least, "%s: %s on %s has %.2f", scheme ? "dark" : "light",
                          pairs[i].front, pairs[i].back, contrast);
        }
    }
    /* No other place in the styles names a colour. */
    const char *rest = strchr(dark + 40, '}');
    for (const char *c = rest; (c = strstr(c, "color:"));) {
        c += strlen("color:") + 1;
        cr_expect(!strncmp(c, "var(--", 6) || !strncmp(c, "transparent", 11), "%.20s", c);
    }
    cr_expect_null(strstr(rest, "rgb("));
    free(css);
}

/* If node is installed, it reads the data with the page's own script, and the result is compared with the
 * records. */
Test(html_page, its_script_reads_its_data)
{
    if (system("command -v node > /dev/null 2>&1")) {
        cr_skip_test("skipped: node is not here, so the script is not run");
    }
    struct results results = {0};
    fill(&results);
    struct page page = page_of(&results);
    char *name = temporary(page.text, page.size), command[300], said[4096] = "";
    snprintf(command, sizeof command, "node reports/html/test/page_reader.js %s 2>&1", name);
    FILE *reader = popen(command, "r");
    said[fread(said, 1, sizeof said - 1, reader)] = 0;
    cr_expect_eq(pclose(reader), 0, "%s", said);
    for (int i = 0; i < results.records; i++) {
        const struct record *record = &results.record[i];
        char line[300], *id = utf8_visible(record->id);
        snprintf(line, sizeof line, "%s / %s / %s / %g\n", record->backend, id, status_name(record->status),
                 record->max_nu);
        cr_expect(strstr(said, line), "%s is not in:\n%s", line, said);
        free(id);
    }
    unlink(name);
    free(name);
    page_close(&page);
    results_destroy(&results);
}
