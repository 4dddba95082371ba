/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reports/html/html_data.h"
#include "reports/page/page.h"
#include "reports/report.h"

/* The page consists of the files of reports/page/, the same for all results, around one block of data. The
 * script sets names as text only, and no part of the results is outside the block. */
static bool write_page(FILE *to, const struct results *results, const struct parity *parity,
                       const struct parity *before, const char *title)
{
    struct html_data data;
    struct losses losses;
    bool ok = losses_find(results, false, &losses);
    ok = html_data_build(results, parity, &data) && ok;
    if (ok) {
        fwrite(page_before, 1, page_before_size, to);
        ok = html_data_write(to, &data, &losses, title, before);
        fwrite(page_after, 1, page_after_size, to);
    }
    html_data_destroy(&data);
    losses_destroy(&losses);
    return ok;
}

bool report_html(FILE *to, const struct results *results, const struct html_options *options,
                 struct error *error)
{
    struct parity parity, before = {.rows = 0};
    const struct results *earlier = options ? options->before : NULL;
    if (!parity_build(results, &parity, error)) {
        return false;
    }
    bool built = !earlier || parity_build(earlier, &before, error);
    bool ok =
        built && write_page(to, results, &parity, earlier ? &before : NULL, options ? options->title : NULL);
    parity_destroy(&before);
    parity_destroy(&parity);
    if (!built) {
        return false;
    }
    if (!ok) {
        return error_set(error, "HTML page: out of memory");
    }
    return (fflush(to) == 0 && !ferror(to)) || error_set(error, "HTML page: could not write the file");
}
