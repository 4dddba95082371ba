/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* The error of a function of one number against its input: negative inputs to the left, small magnitudes in
 * the middle. */
const UNTOLD = 2 ** -10; /* errors below this are drawn on the floor */

function errorSide(side, negative) {
    if (!side) return [];
    return side.ulp
        .map((ulp, k) => ({negative, exponent: side.from + k, ulp: real(ulp), allowed: real(side.allowed[k])}))
        .filter((place) => !isNaN(place.ulp));
}

/* Coordinates: the exponent from the middle outwards, log2 of the error in ulp upwards. */
function errorScales(places) {
    const exponents = places.map((place) => place.exponent);
    const low = Math.min(...exponents);
    const high = Math.max(...exponents, low + 1);
    const finite = places.flatMap((place) => [place.ulp, place.allowed]).filter((value) => isFinite(value));
    const top = Math.log2(Math.max(2, ...finite.map((value) => Math.min(value, 4096))));
    const middle = WIDTH / 2;
    const reach = middle - EDGE.right - 6;
    const floor = HEIGHT - EDGE.bottom;
    const bottom = Math.log2(UNTOLD);
    return {
        low,
        high,
        x: (place) => middle + (place.negative ? -1 : 1) * (6 + reach * (place.exponent - low) / (high - low)),
        y: (ulp) => {
            const log = Math.min(top, Math.log2(Math.max(ulp, UNTOLD)));
            return floor - 4 - (floor - 4 - EDGE.top) * (log - bottom) / (top - bottom);
        }
    };
}

/* The tick marks that there is room for. */
function errorTicks(scale) {
    let below = HEIGHT;
    return [0.5, 1, 8, 64, 512].map((ulp) => ({ulp, y: scale.y(ulp)})).filter(({ulp, y}) => {
        if (scale.y(ulp / 2) === y || below - y < 9) return false; /* above the top, or no room for its label */
        below = y;
        return true;
    });
}

/* Writes the labels of both axes. */
function errorWords(svg, scale) {
    const label = (x, y, anchor, text) => svg.append(draw('text', {x, y, 'text-anchor': anchor, class: 'small'}, text));
    for (const {ulp, y} of errorTicks(scale)) label(EDGE.left, y - 2, 'start', (ulp === 0.5 ? '½' : ulp) + ' ulp');
    label(EDGE.left, HEIGHT - 6, 'start', '−2^' + scale.high);
    label(WIDTH / 2, HEIGHT - 6, 'middle', '±2^' + scale.low);
    label(WIDTH - EDGE.right, HEIGHT - 6, 'end', '2^' + scale.high);
}

function errorFigure(errors, title) {
    const places = [...errorSide(errors.negative, true), ...errorSide(errors.positive, false)];
    if (!places.length) return null;
    const worst = places.reduce((most, place) => place.ulp > most.ulp ? place : most);
    const scale = errorScales(places);
    const at = (place) => (place.negative ? '−' : '') + '2^' + place.exponent;
    const text = title + ': at most ' + digits(worst.ulp) + ' ulp, from ' + at(worst) + ' on, where ' +
        digits(worst.allowed) + ' are allowed';
    const svg = draw('svg', {viewBox: '0 0 ' + WIDTH + ' ' + HEIGHT, role: 'img', 'aria-label': text});
    const floor = HEIGHT - EDGE.bottom;
    svg.append(draw('line', {class: 'axis', x1: EDGE.left, x2: WIDTH - EDGE.right, y1: floor, y2: floor}));
    for (const {y} of errorTicks(scale))
        svg.append(draw('line', {class: 'grid', x1: EDGE.left, x2: WIDTH - EDGE.right, y1: y, y2: y}));
    for (const negative of [true, false]) {
        const side = places.filter((place) => place.negative === negative);
        svg.append(draw('path', {
            class: 'limit',
            d: path(side.map((place) => [scale.x(place), isFinite(place.allowed) ? scale.y(place.allowed) : NaN]))
        }));
    }
    for (const place of places) {
        const beyond = place.ulp > place.allowed;
        svg.append(draw(
            'circle', {class: beyond ? 'point beyond' : 'point', cx: scale.x(place), cy: scale.y(place.ulp), r: 1.6}));
        if (beyond)
            svg.append(draw(
                'text', {class: 'over', x: scale.x(place), y: scale.y(place.ulp) - 4, 'text-anchor': 'middle'}, '✗'));
    }
    errorWords(svg, scale);
    return make(
        'figure', {}, svg,
        make(
            'figcaption', {},
            text + '. A point is the greatest error in a binade of inputs (below 2^-10 ulp: on the floor), ' +
                'the dashed line what the bound allows there.'));
}
