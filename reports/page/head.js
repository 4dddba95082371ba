/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* The head of the page: title, backends and what they ran with, totals, and the legend of the signs. */
function showTitle() {
    const names = data.backends.map((backend) => backend.name);
    const some = names.slice(0, 5).join(', ') + (names.length > 5 ? ' and ' + (names.length - 5) + ' more' : '');
    const title = data.title || 'assay: parity' + (some ? ' of ' + some : '');
    byId('title').textContent = title;
    document.title = title;
}

const when = (text) => (text || '').replace('T', ' ').replace(/:\d\dZ$/, ' UTC');
const version = (backend) => [backend.assay, backend.commit].filter((part) => part).join(', ');

function showBackends() {
    const body = byId('backends-table').tBodies[0];
    data.backends.forEach((backend, k) => {
        body.append(tableRow(
            numberCell('#', String(k + 1)), rowHead(backend.name), tableCell('runtime', backend.driver || 'unknown'),
            tableCell('API', backend.api || '–'), tableCell('device', backend.device || 'unknown'),
            tableCell('started', make('span', {class: 'date'}, when(backend.started) || 'unknown')),
            tableCell('level', backend.level || 'unknown'), tableCell('seed', backend.seed || 'unknown'),
            tableCell('assay', version(backend) || 'unknown')));
    });
}

function showSummary() {
    const body = byId('summary-table').tBodies[0];
    for (const backend of data.backends) {
        const count = backend.summary.count;
        const all = sum(count);
        const failed = GATE.reduce((so, status) => so + count[status], 0);
        const other = all - failed - count[STATUS.pass] - count[STATUS.vacuous] - count[STATUS.unsupported];
        const verdict = failed ? mark(STATUS.fail, ' ' + failed) : String(failed);
        body.append(tableRow(
            rowHead(backend.name), numberCell('cases', String(all)), numberCell('pass', String(count[STATUS.pass])),
            make('td', {role: 'cell', class: 'number'}, narrow('fail'), verdict),
            numberCell('vacuous', String(count[STATUS.vacuous])),
            numberCell('unsupported', String(count[STATUS.unsupported])), numberCell('other', String(other)),
            numberCell('resolution', seen(real(backend.summary.resolution))),
            numberCell('implausible', String(backend.summary.implausible)),
            numberCell('range', String(backend.summary.range))));
    }
    for (const loss of data.losses) byId('losses').append(make('p', {class: 'loss'}, 'Incomplete. ' + loss + '.'));
}

/* The signs that occur on this page, and the numbers of the backends. */
function showLegend() {
    const cells = data.backends.flatMap((backend) => backend.cells.filter((cell) => cell));
    const list = [];
    if (cells.some(inRange)) list.push([data.range[0], 'warn', data.range[1]]);
    data.statuses.forEach((name, status) => {
        if (cells.some((cell) => cell.verdict === status && !inRange(cell)))
            list.push([data.signs[status], LOOK[name] || 'warn', data.meanings[status]]);
    });
    for (const [sign, look, meaning] of list)
        byId('signs').append(
            make('span', {class: 'sign'}, make('span', {class: 'chip ' + look}, sign), ' ' + meaning), ' ');
    if (data.before)
        byId('signs').append(make(
            'span', {class: 'sign'}, make('span', {class: 'chip pass changed'}, data.signs[STATUS.pass]),
            ' framed: changed since the earlier release'));
    if (data.backends.length > 1) {
        byId('key').append('The signs of a cell, from left to right: ');
        data.backends.forEach(
            (backend, k) => byId('key').append(
                make('span', {class: 'sign'}, make('b', {}, String(k + 1)), ' ' + backend.name), ' '));
    }
    const legend = byId('legend');
    const box = make('details', {open: 'open'}, make('summary', {}, 'How to read a cell'), ...legend.childNodes);
    legend.append(box);
}
