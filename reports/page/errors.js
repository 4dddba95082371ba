/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* The error of a function of one number against its input: negative inputs to the left, zero in the middle. */
const UNTOLD = 2 ** -10; /* errors below stand on the floor */

function errorSide(side, negative) {
    if (!side) return [];
    return side.ulp
        .map((ulp, k) => ({negative, exponent: side.from + k, ulp: real(ulp), allowed: real(side.allowed[k])}))
        .filter((place) => !isNaN(place.ulp));
}

/* The exponent's place from the middle outwards, and log2 of ulp upwards. */
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

function errorTicks(svg, scale) {
    let below = HEIGHT;
    for (const ulp of [0.5, 1, 8, 64, 512]) {
        const y = scale.y(ulp);
        if (scale.y(ulp / 2) === y || below - y < 9) continue; /* above the top, or no room for its name */
        below = y;
        svg.append(draw('line', {class: 'grid', x1: EDGE.left, x2: WIDTH - EDGE.right, y1: y, y2: y}));
        svg.append(draw('text', {class: 'small', x: EDGE.left, y: y - 2}, ulp === 0.5 ? '½ ulp' : ulp + ' ulp'));
    }
    const label = (x, anchor, text) =>
        svg.append(draw('text', {x, y: HEIGHT - 6, 'text-anchor': anchor, class: 'small'}, text));
    label(EDGE.left, 'start', '−2^' + scale.high);
    label(WIDTH / 2, 'middle', '±2^' + scale.low);
    label(WIDTH - EDGE.right, 'end', '2^' + scale.high);
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
    errorTicks(svg, scale);
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
    return make(
        'figure', {}, svg,
        make(
            'figcaption', {},
            text + '. A point is the greatest error in a binade of inputs (below 2^-10 ulp: on the floor), ' +
                'the dashed line what the bound allows there.'));
}
