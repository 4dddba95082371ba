/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* An earlier release of the backends: which cells changed. */
const earlier = new Map(); /* by backend: that of the earlier release which stands beside it */
if (data.before) {
    for (const other of data.before.backends) {
        if (other.of >= 0) earlier.set(data.backends[other.of], other);
    }
}

const unpacked = ([verdict, nu, range, count]) => ({verdict, max_nu: nu, range, count});

/* The cell of the earlier release; null where there is none. */
function earlierCell(backend, row) {
    const other = earlier.get(backend);
    return other && other.cells[row] ? unpacked(other.cells[row]) : null;
}

/* True if verdict, counts or RANGE findings differ from the earlier release, or one of both has no such cell. */
function changed(backend, row) {
    if (!earlier.has(backend)) return false;
    const now = cellOf(backend, row);
    const then = earlierCell(backend, row);
    if (!now || !then) return Boolean(now) !== Boolean(then);
    return now.verdict !== then.verdict || now.range !== then.range ||
        now.count.some((count, status) => count !== then.count[status]);
}

function countWords(cell) {
    if (!cell) return 'no case';
    const words =
        cell.count.map((count, status) => count ? count + ' ' + statusName(status) : '').filter((word) => word);
    if (cell.range) words.push(cell.range + ' range');
    return statusName(cell.verdict) + (words.length > 1 ? ' (' + words.join(', ') + ')' : ' ' + sum(cell.count));
}

const changeWords = (backend, row) => changed(backend, row) ? '; before: ' + countWords(earlierCell(backend, row)) : '';

/* A verdict with its sign, or that there is none. */
const verdictMark = (cell) => cell ? make(
                                         'span', {class: 'mark ' + lookOf(cell)},
                                         make('span', {'aria-hidden': 'true'}, signOf(cell)), ' ' + countWords(cell)) :
                                     make('span', {class: 'soft'}, 'no case');

function changedCells() {
    const list = [];
    for (const backend of data.backends) {
        data.rows.forEach((names, row) => {
            if (changed(backend, row))
                list.push({backend, names, row, now: cellOf(backend, row) || null, then: earlierCell(backend, row)});
        });
    }
    for (const [family, operator, dtype, k, cell] of data.before.gone) {
        const other = data.before.backends[k];
        const backend = other.of >= 0 ? data.backends[other.of] : other;
        list.push({backend, names: [family, operator, dtype], row: -1, now: null, then: unpacked(cell)});
    }
    /* What got worse comes first, then by the verdict now. */
    const rank = (cell) => cell ? data.severity[cell.verdict] : -0.5;
    const worse = (item) => rank(item.now) - rank(item.then);
    return list.sort((a, b) => worse(b) - worse(a) || rank(b.now) - rank(a.now));
}

function changeRow({backend, names, row, now, then}) {
    const name = names[0] + '/' + names[1];
    return tableRow(
        rowHead(now ? make('a', {href: '#' + fragment(state.filter, cellKey(row), backend.name)}, name) : name),
        tableCell('dtype', names[2]), tableCell('backend', backend.name), tableCell('before', verdictMark(then)),
        tableCell('now', verdictMark(now)), numberCell('error/bound before', then ? digits(real(then.max_nu)) : '–'),
        numberCell('error/bound now', now ? digits(real(now.max_nu)) : '–'));
}

function showChanges() {
    if (!data.before) return;
    byId('changes').hidden = byId('to-changes').hidden = false;
    const about = (backend) => backend.name + ' (' +
        [
            backend.driver, backend.device, backend.level && 'level ' + backend.level,
            backend.seed && 'seed ' + backend.seed, when(backend.started),
            version(backend) && 'assay ' + version(backend)
        ].filter((part) => part)
            .join(', ') +
        ')';
    const list = changedCells();
    const alone = data.backends.filter((backend) => !earlier.has(backend)).map((backend) => backend.name);
    byId('changes-about').textContent = 'Before: ' + data.before.backends.map(about).join('; ') + '. ' +
        (list.length === 1 ? '1 cell' : list.length.toLocaleString('en') + ' cells') + ' changed.' +
        (alone.length ? ' Without an earlier release: ' + alone.join(', ') + '.' : '');
    if (!list.length) byId('changes-table').parentElement.hidden = true;
    lazily(list, byId('changes-table').tBodies[0], byId('more-changes'), changeRow);
}
