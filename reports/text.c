/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reports/text.h"
#include "reports/utf8.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

bool text_same(const char *a, const char *b)
{
    return !strcmp(a ? a : "", b ? b : "");
}

const char *text_number(double value, char out[TEXT_NUMBER])
{
    double size = fabs(value);
    if (isnan(value)) {
        return strcpy(out, "-");
    }
    if (isinf(value) || value == 0) {
        return strcpy(out, value == 0 ? "0" : value > 0 ? "inf" : "-inf");
    }
    if (size >= 0.001 && size < 999.5) {
        snprintf(out, TEXT_NUMBER, "%.3g", value);
        return out;
    }
    snprintf(out, TEXT_NUMBER, "%.1e", value);
    char *exponent = strchr(out, 'e') + 2, *digits = exponent;
    while (*digits == '0' && digits[1]) {
        digits++;
    }
    memmove(exponent, digits, strlen(digits) + 1);
    return out;
}

const char *text_resolution(double value, char out[TEXT_NUMBER])
{
    if (isnan(value) || isinf(value)) {
        return strcpy(out, isnan(value) ? "–" : "none");
    }
    return text_number(value, out);
}

const char *text_exact(double value, char out[TEXT_NUMBER])
{
    if (isnan(value)) {
        return strcpy(out, "nan");
    }
    if (isinf(value)) {
        return strcpy(out, value > 0 ? "inf" : "-inf");
    }
    char text[TEXT_NUMBER] = "";
    /* %.15g prints every decimal of up to 15 digits that reads back as this double, without trailing zeros; a
     * subnormal has fewer digits. */
    for (int digits = fabs(value) < DBL_MIN ? 1 : DBL_DIG; digits <= DBL_DECIMAL_DIG; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value) {
            break;
        }
    }
    return strcpy(out, text);
}

void text_metrics(FILE *to, const struct record *record)
{
    char ulp[TEXT_NUMBER], bias[TEXT_NUMBER], nu[TEXT_NUMBER], sees[TEXT_NUMBER];
    fprintf(to, "max %s ulp, bias %s ulp, max err/bound %s, sees %s, %" PRId64 " element%s, device %.3f ms",
            text_number(record->max_ulp, ulp), text_number(record->bias_ulp, bias),
            text_number(record->max_nu, nu), text_resolution(record->resolution, sees), record->elements,
            record->elements == 1 ? "" : "s", (double)record->device_ns * 1e-6);
    if (record->distinct > 1) {
        fprintf(to, ", %d distinct outputs", record->distinct);
    }
    if (record->range_findings > 0) {
        fprintf(to, ", %" PRId64 " RANGE finding%s", record->range_findings,
                record->range_findings == 1 ? "" : "s");
    }
    if (record->validation > 0) {
        fprintf(to, ", %d validation message%s", record->validation, record->validation == 1 ? "" : "s");
    }
}

const char *text_statistic(const char *name)
{
    static const char *const words[][2] = {
        {"Q", "one element"}, {"T", "root mean square"}, {"G", "common scale error"}};
    for (size_t w = 0; name && w < sizeof words / sizeof *words; w++) {
        if (!strcmp(name, words[w][0])) {
            return words[w][1];
        }
    }
    return name ? name : "";
}

void text_implausible(FILE *to, const struct record *record)
{
    char factor[TEXT_NUMBER], *by = text_one_line(text_statistic(record->implausible_by));
    char *step = record->implausible_step ? text_one_line(record->implausible_step) : NULL;
    if (record->implausible > 0) {
        fprintf(to, "implausible: %s times the limit of independent rounding%s%s%s%s%s",
                text_number(record->implausible, factor), by && *by ? " (" : "", by ? by : "",
                by && *by ? ")" : "", step ? " in " : "", step ? step : "");
    }
    free(step);
    free(by);
}

static enum colour colour_when; /* set once, from --color on the command line */

void text_colour_when(enum colour when)
{
    colour_when = when;
}

/* The value of an environment variable; NULL where it is unset or empty. */
static const char *variable(const char *name)
{
    const char *value = getenv(name);
    return value && *value ? value : NULL;
}

bool text_colour(FILE *to)
{
    const char *force = variable("CLICOLOR_FORCE"), *terminal = getenv("TERM");
    if (colour_when != COLOUR_AUTO) {
        return colour_when == COLOUR_ALWAYS;
    }
    if (variable("NO_COLOR")) {
        return false;
    }
    if (force && strcmp(force, "0")) {
        return true;
    }
    return to && isatty(fileno(to)) && !(terminal && strcmp(terminal, "dumb") == 0);
}

int text_columns(FILE *to)
{
    struct winsize window;
    int file = to ? fileno(to) : -1;
    if (file < 0 || !isatty(file)) {
        return 0;
    }
    int columns = ioctl(file, TIOCGWINSZ, &window) == 0 && window.ws_col ? window.ws_col : 80;
    return columns < 40 ? 40 : columns;
}

char *text_one_line(const char *text)
{
    char *line = utf8_visible(text);
    for (char *c = line; c && (c = strpbrk(c, "\n\t"));) {
        *c = ' ';
    }
    return line;
}

void text_put_line(FILE *to, const char *text)
{
    char *line = text_one_line(text);
    fputs(line ? line : "", to);
    free(line);
}

bool record_judged(const struct record *record)
{
    switch (record->status) {
    case STATUS_PASS:
    case STATUS_FAIL:
    case STATUS_VACUOUS:
    case STATUS_EXPECTED_FAIL:
    case STATUS_UNEXPECTED_PASS:
    case STATUS_FLAKE:
        return true;
    default:
        return false;
    }
}

double record_nu(const struct record *record)
{
    bool failed = record->status == STATUS_FAIL || record->status == STATUS_EXPECTED_FAIL;
    if (!record_judged(record)) {
        return -1;
    }
    return isnan(record->max_nu) ? (failed ? INFINITY : 0) : record->max_nu;
}
