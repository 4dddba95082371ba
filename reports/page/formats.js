/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* The table as CSV and Markdown, with the same text as `assay report` writes; reports/html/test compares them. */

/* The digits and the exponent of a number rounded to a precision; of two equally near it takes the even one, as C does.
 */
function rounded(value, precision) {
    const [mantissa, power] = value.toExponential(precision - 1).split('e');
    const [all, exactPower] = value.toExponential(100).split('e');
    const exact = all.replace('.', '');
    const tie = /^50*$/.test(exact.slice(precision)) && Number(exact[precision - 1]) % 2 === 0;
    return tie ? [exact.slice(0, precision), Number(exactPower)] : [mantissa.replace('.', ''), Number(power)];
}

/* A number as C's %.15g, with more digits where these are not the same double. */
function exactText(value) {
    if (isNaN(value)) return '';
    if (!isFinite(value)) return value > 0 ? 'inf' : '-inf';
    if (value === 0) return Object.is(value, -0) ? '-0' : '0';
    const size = Math.abs(value);
    let precision = size < 2.2250738585072014e-308 ? 1 : 15;
    const same = ([digit, exponent]) => Number(digit + 'e' + (exponent - digit.length + 1)) === size;
    while (precision < 17 && !same(rounded(size, precision))) precision++;
    const [digit, exponent] = rounded(size, precision);
    const sign = value < 0 ? '-' : '';
    const bare = (text) => text.includes('.') ? text.replace(/\.?0*$/, '') : text;
    if (exponent < -4 || exponent >= precision)
        return sign + bare(digit[0] + '.' + digit.slice(1)) + 'e' + (exponent < 0 ? '-' : '+') +
            String(Math.abs(exponent)).padStart(2, '0');
    if (exponent < 0)
        return sign +
            bare('0.' +
                 '0'.repeat(-exponent - 1) + digit);
    return sign + bare(digit.slice(0, exponent + 1) + '.' + digit.slice(exponent + 1));
}

/* A field of RFC 4180; a text that a spreadsheet would evaluate gets an apostrophe in front. */
function csvField(text) {
    const shown = text === undefined || text === null ? '' : text;
    const safe = (/^[=+\-@\t\n\uff1d\uff0b\uff0d\uff20]/.test(shown) ? '\'' : '') + shown;
    return /[,;"\t\n]/.test(shown) ? '"' + safe.replace(/"/g, '""') + '"' : safe;
}

const CSV_NUMBERS = {
    max_ulp: 'max_ulp',
    mean_ulp: 'mean_ulp',
    bias_ulp: 'bias_ulp',
    bit_exact: 'bit_exact',
    faithful: 'faithful',
    allowed_ulp: 'allowed_ulp',
    max_error_over_bound: 'max_nu',
    quality: 'quality',
    median_resolution: 'resolution'
};

function csvLine(backend, row) {
    const cell = cellOf(backend, row);
    const known = sum(cell.count.filter((count, status) => judged(status)));
    return [
        ...data.rows[row].map(csvField), csvField(backend.name), csvField(backend.device), csvField(backend.driver),
        data.statuses[cell.verdict], sum(cell.count), ...cell.count,
        ...Object.values(CSV_NUMBERS).map((name) => exactText(real(cell[name]))), cell.implausible,
        exactText(real(cell.most_implausible)), known ? exactText(cell.count[STATUS.vacuous] / known) : '',
        csvField(caseId(cell.worst)), cell.range
    ].join(',');
}

/* A row without family, operator and dtype says what a backend lacks. */
function csvLoss([name, lost], index) {
    const backend = data.backends.find((one) => one.name === name) || {};
    const counts = data.statuses.map((status) => status === 'missing' ? lost : 0);
    const none = Object.keys(CSV_NUMBERS).map(() => '');
    return [
        '', '', '', csvField(name), csvField(backend.device), csvField(backend.driver), 'missing', lost, ...counts,
        ...none, 0, '', '', csvField(data.losses[index]), 0
    ].join(',');
}

function csvText() {
    const lines = [[
        'family', 'operator', 'dtype', 'backend', 'device', 'driver', 'verdict', 'cases', ...data.statuses,
        ...Object.keys(CSV_NUMBERS), 'implausible', 'most_implausible', 'vacuous_share', 'worst_case', 'range'
    ].join(',')];
    data.rows.forEach((names, row) => {
        for (const backend of data.backends) {
            if (cellOf(backend, row)) lines.push(csvLine(backend, row));
        }
    });
    lines.push(...data.lost.map(csvLoss));
    return lines.map((line) => line + '\r\n').join('');
}

/* The Markdown of the report: totals, and the rows of the matrix whose operators are shown. */
function markdownText(shown) {
    const places = new Set(shown.map((operator) => operator.place));
    const lines = data.markdown.split('\n');
    const first = lines.indexOf('### Operators');
    let place = -2; /* the heading of the table and the line below it come before the first operator */
    return lines
        .filter((line, at) => {
            if (at < first || !line.startsWith('|')) return true;
            place++;
            return place <= 0 || places.has(place - 1);
        })
        .join('\n');
}

/* Copies a text; where the browser forbids that, shows it, selected. */
async function copyText(text, what) {
    const area = byId('copied');
    area.hidden = true;
    let done = false;
    try {
        await navigator.clipboard.writeText(text);
        done = true;
    } catch (fault) {
        area.value = text;
        area.hidden = false;
        area.focus();
        area.select();
        done = document.execCommand('copy');
        area.hidden = done;
    }
    byId('shown').textContent = done ? what + ' copied.' : what + ': press Ctrl+C to copy the selected text.';
}

function download(name, type, text) {
    const place = URL.createObjectURL(new Blob([text], {type}));
    const link = make('a', {href: place, download: name});
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(place), 10000);
    byId('shown').textContent = name + ' was saved.';
}
