/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* The summary, and the matrix with its filter. */
const filter = {
    text: '',
    backend: -1,
    status: -1,
    family: ''
};

function readFilter() {
    filter.text = byId('text').value.trim().toLowerCase();
    filter.backend = byId('backend').value === '' ? -1 : Number(byId('backend').value);
    filter.status = byId('status').value === '' ? -1 : Number(byId('status').value);
    filter.family = byId('family').value;
}

const filtered = () => filter.text !== '' || filter.backend >= 0 || filter.status >= 0 || filter.family !== '';
const asked = (backend) => filter.backend < 0 || data.backends[filter.backend] === backend;
const takes = (backend, c) => backend.status[c] >= 0 && (filter.status < 0 || backend.status[c] === filter.status);
const namedRow = (row) => filter.family === '' || data.rows[row][0] === filter.family;
const namedCase = (c) => filter.text === '' || caseId(c).toLowerCase().includes(filter.text);

/* True if a case of the row passes the filter. */
function rowIsShown(row) {
    if (!namedRow(row)) return false;
    if (!filtered()) return true;
    const end = rowFirst[row] + data.cases.in[row];
    const backends = data.backends.filter(asked);
    for (let c = rowFirst[row]; c < end; c++) {
        if (namedCase(c) && backends.some((backend) => takes(backend, c))) return true;
    }
    return false;
}

const cellOf = (backend, row) => backend.cells[row];
const rowSeverity = (row) => Math.max(...data.backends.filter(asked).map(
    (backend) => cellOf(backend, row) ? data.severity[cellOf(backend, row).verdict] : -1));
function cellExcess(cell) {
    if (!cell) return -1;
    const nu = real(cell.max_nu);
    return isNaN(nu) ? (cell.verdict === STATUS.fail ? Infinity : -1) : nu;
}
const rowExcess = (row) => Math.max(...data.backends.filter(asked).map((backend) => cellExcess(cellOf(backend, row))));

function ordered(rows) {
    const by = {worst: rowSeverity, nu: rowExcess}[byId('order').value];
    if (!by) return rows;
    const key = new Map(rows.map((row) => [row, by(row)]));
    return rows.sort((a, b) => key.get(b) === key.get(a) ? a - b : key.get(b) > key.get(a) ? 1 : -1);
}

const cases = (count) => count.reduce((sum, one) => sum + one, 0);

function matrixCell(backend, row) {
    const cell = cellOf(backend, row);
    const label = data.backends.length > 1 ? backend.name : '';
    if (!cell) return tableCell(label, make('span', {class: 'soft'}, 'no case'));
    const name = data.statuses[cell.verdict];
    const [shape, look] = LOOK[name] || ['?', 'warn'];
    const all = cases(cell.count);
    const some = cell.count[cell.verdict];
    const counts = some === all ? String(all) : some + ' of ' + all;
    const button = make(
        'button', {type: 'button', class: 'cell ' + look}, make('span', {'aria-hidden': 'true'}, shape),
        ' ' + name.replace('_', ' ') + ' ' + counts,
        make(
            'small', {},
            'error/limit ' + digits(real(cell.max_nu)) +
                (cell.implausible ? ', ' + cell.implausible + ' implausible' : '') +
                (cell.range ? ', ' + cell.range + ' range' : '')));
    pressed(button, () => openCell(backend, row, button));
    return tableCell(label, button);
}

function showMatrix() {
    const backends = data.backends.filter(asked);
    const head = byId('matrix-table').tHead.rows[0];
    while (head.cells.length > 2) head.deleteCell(2);
    for (const backend of backends) {
        head.append(make(
            'th', {scope: 'col', role: 'columnheader'}, backend.name, make('br'),
            make('small', {class: 'soft'}, backend.device || '')));
    }
    const rows = ordered(data.rows.map((names, row) => row).filter(rowIsShown));
    const body = document.createDocumentFragment();
    for (const row of rows) {
        body.append(tableRow(
            rowHead(rowName(row)), tableCell('', data.rows[row][2]),
            ...backends.map((backend) => matrixCell(backend, row))));
    }
    byId('matrix-table').tBodies[0].replaceChildren(body);
    byId('shown').textContent =
        rows.length.toLocaleString('en') + ' of ' + data.rows.length.toLocaleString('en') + ' rows of the matrix';
}

function showSummary() {
    const body = byId('summary-table').tBodies[0];
    for (const backend of data.backends) {
        const count = backend.summary.count;
        const all = cases(count);
        const failed = GATE.reduce((sum, status) => sum + count[status], 0);
        const other = all - failed - count[STATUS.pass] - count[STATUS.vacuous];
        const verdict = failed ? mark(STATUS.fail, ' ' + failed) : String(failed);
        body.append(tableRow(
            rowHead(backend.name), tableCell('device', backend.device || 'unknown'), numberCell('cases', String(all)),
            numberCell('pass', String(count[STATUS.pass])),
            make('td', {role: 'cell', class: 'number'}, narrow('fail'), verdict),
            numberCell('vacuous', String(count[STATUS.vacuous])), numberCell('other', String(other)),
            numberCell('resolution', seen(real(backend.summary.resolution))),
            numberCell('implausible', String(backend.summary.implausible)),
            numberCell('range', String(backend.summary.range))));
    }
    for (const loss of data.losses) byId('losses').append(make('p', {class: 'loss'}, 'Incomplete. ' + loss + '.'));
}

function offerFilters() {
    data.backends.forEach((backend, k) => byId('backend').append(make('option', {value: k}, backend.name)));
    const used = data.statuses.filter((name, status) => data.backends.some((backend) => backend.summary.count[status]));
    used.forEach((name) => byId('status').append(make('option', {value: STATUS[name]}, name.replace('_', ' '))));
    [...new Set(data.rows.map((row) => row[0]))].forEach(
        (family) => byId('family').append(make('option', {value: family}, family)));
}
