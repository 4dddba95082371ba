/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* The state of the page stands in the fragment of its address, so that the address is a link to what is shown:
 * #family=linalg&status=fail&cell=linalg/logdet/float32&on=vulkan. A fragment without "=" names a part of the page. */
const CONTROLS = ['text', 'backend', 'status', 'family', 'order', 'show', 'changed'];
const state = {
    filter: {},
    cell: '',
    on: ''
};

/* Characters that a fragment may have and that encodeURIComponent escapes nevertheless stay readable. */
const encoded = (text) => encodeURIComponent(text).replace(/%(2F|3A|40|2C)/g, (code) => decodeURIComponent(code));

function decoded(text) {
    try {
        return decodeURIComponent(text.replace(/\+/g, ' '));
    } catch (fault) {
        return text; /* not what this page writes: shown as it is */
    }
}

/* The fragment of a filter and a cell; defaults are left out. */
function fragment(filter, cell, on) {
    const parts = CONTROLS.filter((name) => filter[name]).map((name) => name + '=' + encoded(filter[name]));
    if (cell) parts.push('cell=' + encoded(cell), 'on=' + encoded(on));
    return parts.join('&');
}

function parsed(text) {
    const found = {};
    for (const part of text.split('&')) {
        const at = part.indexOf('=');
        if (at > 0) found[decoded(part.slice(0, at))] = decoded(part.slice(at + 1));
    }
    return found;
}

const defaultShow = () => data.backends.length > 2 ? 'signs' : 'nu';

/* The values of the controls, as far as they are not the defaults. */
function controlValues() {
    const values = {};
    for (const name of CONTROLS) {
        const control = byId(name);
        values[name] = control.type === 'checkbox' ? (control.checked ? '1' : '') : control.value.trim();
    }
    if (values.show === defaultShow()) values.show = '';
    return values;
}

/* Sets the controls. Returns what the page does not have. */
function setControls(values) {
    const unknown = [];
    for (const name of CONTROLS) {
        const control = byId(name);
        const value = values[name] || (name === 'show' ? defaultShow() : '');
        if (control.type === 'checkbox') {
            control.checked = value === '1';
            continue;
        }
        control.value = value;
        if (control.value !== value) {
            unknown.push(name + ' ' + value);
            control.selectedIndex = 0;
        }
    }
    return unknown;
}

const cellKey = (row) => data.rows[row].join('/');
const rowOfKey = (key) => data.rows.findIndex((row, index) => cellKey(index) === key);
const address = () => location.href.split('#')[0] + '#' + fragment(state.filter, state.cell, state.on);

/* Replaces the address without a new entry in the history. */
function writeAddress() {
    try {
        history.replaceState(null, '', '#' + fragment(state.filter, state.cell, state.on));
    } catch (fault) {
        location.replace('#' + fragment(state.filter, state.cell, state.on));
    }
}
