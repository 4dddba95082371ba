/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* The list of cases, of one cell or of the filter, and the details of each. */
let scope = null; /* { backend, row }: the opened cell; null: no cell is open */
const sorting = {
    column: 0,
    down: false,
    chosen: false
};

const COLUMNS = [
    (backend, c) => caseId(c), (backend) => backend.name, (backend, c) => data.severity[backend.status[c]], excess,
    ...['max_ulp', 'bias_ulp', 'quality', 'resolution', 'elements', 'device_us'].map(
        (name) => (backend, c) => measured(backend, c, name))
];

function inOrder(x, y) {
    if (x === y) return 0;
    if (typeof x === 'string') return x < y ? -1 : 1;
    return isNaN(x) ? (isNaN(y) ? 0 : -1) : isNaN(y) || x > y ? 1 : -1;
}

/* Sorts worst first, until a heading is chosen. */
function sortCases(list) {
    const key = COLUMNS[sorting.column];
    const sign = sorting.down ? -1 : 1;
    for (const item of list) {
        item.key = sorting.chosen ? key(item.backend, item.c) : data.severity[item.backend.status[item.c]];
        item.nu = sorting.chosen ? 0 : excess(item.backend, item.c);
    }
    return list.sort(
        (a, b) => (sorting.chosen ? sign * inOrder(a.key, b.key) : b.key - a.key || inOrder(b.nu, a.nu)) || a.c - b.c);
}

function gathered() {
    const list = [];
    const plain = !scope && !filtered();
    const rows = scope ? [scope.row] : data.rows.map((names, row) => row).filter(namedRow);
    for (const row of rows) {
        const end = rowFirst[row] + data.cases.in[row];
        for (let c = rowFirst[row]; c < end; c++) {
            if (!plain && !namedCase(c)) continue;
            for (const backend of scope ? [scope.backend] : data.backends.filter(asked)) {
                if (filter.changed && !changed(backend, row)) continue;
                if (takes(backend, c) && !(plain && backend.status[c] === STATUS.pass)) list.push({backend, c});
            }
        }
    }
    return list;
}

function term(list, name, value) {
    if (value !== undefined && value !== null && value !== '') list.append(make('dt', {}, name), make('dd', {}, value));
}

const code = (text, look) => text === undefined || text === '' ? null : make('code', {class: look}, text);

function worstTerms(list, worst) {
    const at = worst.index >= 0 ? 'element ' + worst.index + (worst.where ? ' at ' + worst.where : '') : worst.where;
    term(list, 'worst element', at);
    term(list, 'inputs', code(worst.inputs));
    term(list, 'truth', code(worst.truth));
    term(list, 'got (bits)', code(worst.got));
    const ulp = real(worst.ulp);
    term(list, 'error', worst.whole ? 'judged as a whole' : isNaN(ulp) ? 'a special value' : digits(ulp) + ' ulp');
    if (!isNaN(real(worst.nu))) term(list, 'error/bound', digits(real(worst.nu)));
}

function explain(backend, c) {
    const told = backend.told.get(c) || {};
    const list = make('dl');
    const reason = textOf(told.reason);
    term(list, 'reason', reason);
    term(list, 'rule', textOf(told.rule));
    if (told.implausible !== undefined)
        term(
            list, 'implausible',
            digits(real(told.implausible)) + ' times the limit of independent rounding' +
                (told.by ? ' (' + statistic(told.by) + ')' : ''));
    if (told.outside) term(list, 'outside', told.outside + ' of ' + measured(backend, c, 'elements') + ' elements');
    if (told.worst)
        worstTerms(list, told.worst);
    else if (!told.repro && judged(backend.status[c]) && measured(backend, c, 'max_nu') > 0)
        term(list, 'worst element', 'not on this page; the results file has it, and the replay prints it');
    if (told.detail) term(list, 'detail', make('pre', {}, told.detail));
    term(list, 'source', textOf(data.cases.source[c]));
    term(list, 'replay', code(replay(backend, c), 'replay'));
    const box = make('div', {class: 'detail'}, list);
    const counts = histogram(backend, c);
    if (!counts.length && judged(backend.status[c]) && measured(backend, c, 'elements') > 0)
        term(list, 'histogram', '–'); /* the record is older, or has only special values */
    if (counts.length) box.append(histogramFigure(counts, measured(backend, c, 'elements'), 'Errors of ' + caseId(c)));
    return box;
}

/* A row whose name opens the details of the case in a row beneath. */
function openingRow(backend, c, name, ...cells) {
    const button = make('button', {type: 'button', class: 'link', 'aria-expanded': 'false'}, name);
    const row = tableRow(rowHead(button), tableCell('backend', backend.name), ...cells);
    let detail = null;
    pressed(button, () => {
        if (detail) {
            detail.remove();
            detail = null;
        } else {
            detail = tableRow(make('td', {role: 'cell', colspan: row.cells.length}, explain(backend, c)));
            row.after(detail);
        }
        button.setAttribute('aria-expanded', detail ? 'true' : 'false');
    });
    return row;
}

function caseRowOf({backend, c}) {
    const number = (column) => digits(measured(backend, c, column));
    return openingRow(
        backend, c, scope ? caseName(c) : caseId(c), tableCell('status', mark(backend.status[c])),
        numberCell('error/bound', number('max_nu')), numberCell('max ulp', number('max_ulp')),
        numberCell('bias ulp', number('bias_ulp')), numberCell('quality', number('quality')),
        numberCell('resolution', seen(measured(backend, c, 'resolution'))),
        numberCell('elements', String(measured(backend, c, 'elements'))), numberCell('device µs', number('device_us')));
}

function percent(part) {
    const value = 100 * real(part);
    return isNaN(value) ? '–' : value === 100 ? '100 %' : value > 99.9 ? '>99.9 %' : digits(value) + ' %';
}

function accuracyOf(cell) {
    const list = make('dl');
    term(list, 'greatest error', digits(real(cell.max_ulp)) + ' ulp');
    term(list, 'mean error', digits(real(cell.mean_ulp)) + ' ulp');
    term(list, 'bias', digits(real(cell.bias_ulp)) + ' ulp');
    term(list, 'bit-exact', percent(cell.bit_exact));
    term(list, 'faithful', percent(cell.faithful));
    term(list, 'allowed', digits(real(cell.allowed_ulp)) + ' ulp where the error comes nearest to it');
    return list;
}

function aboutCell(box) {
    const {backend, row} = scope;
    const cell = cellOf(backend, row);
    const end = rowFirst[row] + data.cases.in[row];
    const buckets = [];
    let elements = 0;
    for (let c = rowFirst[row]; c < end; c++) {
        const counts = backend.index[c] >= 0 ? histogram(backend, c) : [];
        counts.forEach((count, bucket) => {
            buckets[bucket] = (buckets[bucket] || 0) + count;
        });
        if (counts.length) elements += measured(backend, c, 'elements');
    }
    box.append(make('p', {}, verdictMark(cell), ' ', changed(backend, row) ? changeWords(backend, row).slice(2) : ''));
    if (!isNaN(real(cell.mean_ulp))) box.append(make('div', {class: 'detail'}, accuracyOf(cell)));
    box.append(make('h3', {}, 'The case to look at first: ' + caseId(cell.worst)), explain(backend, cell.worst));
    if (buckets.length)
        box.append(
            histogramFigure(Array.from(buckets, (count) => count || 0), elements, 'Errors of all cases of this cell'));
    const errors = (backend.errors || []).find((one) => one.row === row);
    if (errors) box.append(errorFigure(errors, 'Error against input, all cases of this cell'));
    if (backend.left_out[row]) {
        box.append(make(
            'p', {class: 'soft'},
            backend.left_out[row] +
                ' more cases did not pass or are findings; only the results file has their worst elements.'));
    }
}

function showCases() {
    const list = sortCases(gathered());
    const about = scope ?
        (filtered() ? 'Only those that pass the filter of the matrix.' : '') :
        filtered() ?
        'All cases that pass the filter of the matrix.' :
        'The cases that did not pass. The filter of the matrix shows others, and each cell of the matrix opens its own.';
    byId('cases-title').textContent = scope ?
        'Cases of ' + rowName(scope.row) + ', ' + data.rows[scope.row][2] + ', on ' + scope.backend.name :
        'Cases';
    byId('cases-about').textContent =
        list.length.toLocaleString('en') + (list.length === 1 ? ' case. ' : ' cases. ') + about;
    byId('back').hidden = !scope;
    byId('cell').replaceChildren();
    if (scope) aboutCell(byId('cell'));
    lazily(list, byId('cases-table').tBodies[0], byId('more'), caseRowOf);
}

function openCell(backend, row) {
    scope = {backend, row};
    showCases();
    byId('cases-title').focus();
    byId('cases').scrollIntoView();
}

/* Shows the cases of the filter; the focus returns to the link of the cell, if one was open. */
function closeCell(from) {
    scope = null;
    showCases();
    const link = from && chips.get(from);
    if (link) link.focus();
}

function offerSorting() {
    const heads = [...byId('cases-table').tHead.rows[0].cells];
    heads.forEach((head, column) => {
        const button = make('button', {type: 'button'}, head.textContent);
        if (column > 2) head.classList.add('number');
        head.replaceChildren(button);
        pressed(button, () => {
            sorting.down = sorting.chosen && sorting.column === column ? !sorting.down : column > 1;
            sorting.column = column;
            sorting.chosen = true;
            heads.forEach((other) => other.removeAttribute('aria-sort'));
            head.setAttribute('aria-sort', sorting.down ? 'descending' : 'ascending');
            showCases();
        });
    });
}

function showFindings() {
    const list = [];
    for (const backend of data.backends) {
        for (const told of backend.told.values()) {
            if (told.implausible !== undefined) list.push({backend, told, factor: real(told.implausible)});
        }
    }
    list.sort((a, b) => inOrder(b.factor, a.factor) || a.told.case -b.told.case);
    if (!list.length) {
        byId('findings-about').textContent = 'No error was larger than independent rounding explains.';
        byId('findings-table').parentElement.hidden = true;
        return;
    }
    lazily(
        list, byId('findings-table').tBodies[0], byId('more-findings'),
        ({backend, told, factor}) => openingRow(
            backend, told.case, caseId(told.case), numberCell('times the limit', digits(factor)),
            tableCell('limit', statistic(told.by || '')), tableCell('status', mark(backend.status[told.case]))));
}
