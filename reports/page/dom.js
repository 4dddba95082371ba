/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Elements are made one by one and texts are set as text, so that no name is parsed as markup. */
const byId = (id) => document.getElementById(id);

function make(tag, attributes, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) {
        if (value !== undefined && value !== null) element.setAttribute(name, value);
    }
    element.append(...children.filter((child) => child !== null && child !== undefined && child !== ''));
    return element;
}

function draw(tag, attributes, text) {
    const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    if (text !== undefined) element.textContent = text;
    return element;
}

function pressed(element, act) {
    element.addEventListener('click', act);
    return element;
}

/* On a narrow screen rows are stacked and each cell names its column; the roles keep the table a table for
 * screen readers. */
function stacked(table) {
    table.classList.add('stack');
    table.setAttribute('role', 'table');
    table.querySelectorAll('thead, tbody').forEach((part) => part.setAttribute('role', 'rowgroup'));
    table.querySelectorAll('thead tr').forEach((row) => row.setAttribute('role', 'row'));
    table.querySelectorAll('thead th').forEach((head) => head.setAttribute('role', 'columnheader'));
}

const narrow = (text) => make('span', {class: 'narrow', 'aria-hidden': 'true'}, text + ': ');
const rowHead = (...children) => make('th', {scope: 'row', role: 'rowheader'}, ...children);
const tableCell = (label, ...children) => make('td', {role: 'cell'}, label ? narrow(label) : null, ...children);
const numberCell = (label, text) => make('td', {role: 'cell', class: 'number'}, narrow(label), text);
const tableRow = (...cells) => make('tr', {role: 'row'}, ...cells);

function mark(status, extra) {
    return make(
        'span', {class: 'mark ' + (LOOK[data.statuses[status]] || 'warn')},
        make('span', {'aria-hidden': 'true'}, data.signs[status]), ' ' + statusName(status) + (extra || ''));
}

/* Makes the rows of a long table a hundred at a time. */
function lazily(list, body, button, row) {
    const step = 100;
    let next = 0;
    const more = () => {
        const part = document.createDocumentFragment();
        const end = Math.min(list.length, next + step);
        for (; next < end; next++) part.append(row(list[next]));
        body.append(part);
        button.hidden = next >= list.length;
        button.textContent = 'Show more (' + (list.length - next).toLocaleString('en') + ' left)';
    };
    body.replaceChildren();
    button.onclick = () => {
        const first = body.rows.length;
        more();
        const focus = body.rows[first] && body.rows[first].querySelector('button');
        if (focus) focus.focus();
    };
    more();
}
