// A plot of a column against time, with a cursor at the time of the frame.
import * as server from './server.js';
import { byId, element, number, words } from './words.js';

const COLOURS = [
  '#1f5fa8',
  '#c2571a',
  '#2e7d4f',
  '#8a3ea6',
  '#8c6d1f',
  '#b0315f',
  '#3b7f8c',
  '#555555',
];
const LEFT = 64,
  RIGHT = 8,
  TOP = 6,
  BOTTOM = 18; // margins [px]
const SVG = 'http://www.w3.org/2000/svg';

function draw(parent, tag, attributes, text) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (text !== undefined) made.textContent = text;
  parent.append(made);
  return made;
}

const byValue = (a, b) => a.value - b.value;

export class Plots {
  /** `onTime(time)` is called for a click on the plot, or on one of its extremes. */
  constructor(onTime) {
    this.select = byId('plot-column');
    this.picture = byId('plot-picture');
    this.shown = null;
    this.time = 0;
    this.select.addEventListener('change', () => this.load());
    this.picture.addEventListener('click', event => {
      if (this.shown) onTime(this.timeAt(event.offsetX));
    });
    for (const which of ['highest', 'lowest'])
      byId(`plot-${which}`).addEventListener('click', () => onTime(this.extreme(which).time));
    new ResizeObserver(() => this.draw()).observe(this.picture);
  }

  offer(tables) {
    const offered = JSON.stringify(tables);
    if (offered === this.offered) return;
    this.offered = offered;
    const { value } = this.select;
    this.select.replaceChildren(
      element('option', { value: '', textContent: 'nothing' }),
      ...tables.map(({ name, columns }) =>
        element(
          'optgroup',
          { label: name },
          ...columns.map(column =>
            element('option', { value: `${name}/${column}`, textContent: words(column) }),
          ),
        ),
      ),
    );
    this.select.value = value;
  }

  async load() {
    const [table, column] = this.select.value.split('/');
    const shown = column
      ? await server.series(table, column).catch(error => ({ error: error.message }))
      : null;
    if (`${table}/${column ?? ''}` !== `${this.select.value}${column ? '' : '/'}`) return;
    this.shown = shown?.series?.length ? shown : null;
    this.message = shown?.error ?? (shown ? 'The table has no rows yet.' : '');
    this.draw();
  }

  extreme(which) {
    const all = this.shown.series
      .map(series => ({ ...series[which], owner: series.owner }))
      .sort(byValue);
    return which === 'highest' ? all.at(-1) : all[0];
  }

  setTime(time) {
    this.time = time;
    this.draw();
  }

  timeAt(x) {
    const { from, to, width } = this.frame;
    return from + ((x - LEFT) / (width - LEFT - RIGHT)) * (to - from);
  }

  draw() {
    this.picture.replaceChildren();
    this.picture.toggleAttribute('hidden', !this.shown);
    this.#say();
    if (!this.shown) return;
    this.#fitFrame();
    this.#drawScales();
    this.#drawSeries();
    this.#drawCursor();
  }

  /** Times and values that the plot spans, and its size [px]. */
  #fitFrame() {
    const { series } = this.shown;
    let low = this.extreme('lowest').value,
      high = this.extreme('highest').value;
    if (low === high) [low, high] = [low - (Math.abs(low) || 1), high + (Math.abs(high) || 1)];
    const from = Math.min(...series.map(({ times }) => times[0]));
    const to = Math.max(...series.map(({ times }) => times.at(-1)));
    const { clientWidth: width, clientHeight: height } = this.picture;
    this.frame = { from, to, low, high, width, height };
  }

  #x(time) {
    const { from, to, width } = this.frame;
    return LEFT + ((time - from) / (to - from || 1)) * (width - LEFT - RIGHT);
  }
  #y(value) {
    const { low, high, height } = this.frame;
    return height - BOTTOM - ((value - low) / (high - low)) * (height - TOP - BOTTOM);
  }

  #drawScales() {
    const { from, to, low, high, width, height } = this.frame;
    const anchors = ['start', 'middle', 'end'];
    anchors.forEach((anchor, k) => {
      const value = low + (k / 2) * (high - low),
        time = from + (k / 2) * (to - from),
        y = this.#y(value);
      draw(this.picture, 'line', { x1: LEFT, x2: width - RIGHT, y1: y, y2: y, stroke: '#e0e4ea' });
      draw(this.picture, 'text', { x: LEFT - 4, y: y + 4, 'text-anchor': 'end' }, number(value));
      draw(
        this.picture,
        'text',
        { x: this.#x(time), y: height - 4, 'text-anchor': anchor },
        `${number(time)} s`,
      );
    });
  }

  #drawSeries() {
    let label = LEFT + 6; // place of the next owner's name
    this.shown.series.forEach(({ owner, times, values }, k) => {
      const colour = COLOURS[k % COLOURS.length];
      const points = times.map(
        (time, i) => `${this.#x(time).toFixed(1)},${this.#y(values[i]).toFixed(1)}`,
      );
      const line = draw(this.picture, 'polyline', {
        points: points.join(' '),
        fill: 'none',
        'stroke-width': 1.5,
        stroke: colour,
      });
      draw(line, 'title', {}, owner);
      if (owner) draw(this.picture, 'text', { x: label, y: TOP + 8, fill: colour }, owner);
      label += 14 + 6 * owner.length;
    });
  }

  #drawCursor() {
    const { from, to, height } = this.frame,
      x = this.#x(this.time);
    if (this.time < from || this.time > to) return;
    draw(this.picture, 'line', {
      x1: x,
      x2: x,
      y1: TOP,
      y2: height - BOTTOM,
      stroke: '#d0342c',
      'stroke-width': 1.5,
    });
  }

  /** The plot in words, for all who cannot see it. */
  #say() {
    const value = byId('plot-value');
    value.textContent = this.message ?? '';
    for (const which of ['highest', 'lowest']) {
      const button = byId(`plot-${which}`);
      button.hidden = !this.shown;
      if (!this.shown) continue;
      const { time, value: at, owner } = this.extreme(which);
      button.textContent = `${which}: ${number(at)}${owner ? ` (${owner})` : ''} at ${number(time)} s`;
    }
    if (!this.shown) return this.picture.setAttribute('aria-label', 'No column is chosen');
    value.textContent =
      'now: ' +
      this.shown.series
        .slice(0, 4)
        .map(({ owner, times, values }) => {
          let k = times.findIndex(time => time > this.time);
          if (k < 0) k = times.length;
          return `${owner ? owner + ' ' : ''}${number(values[Math.max(k - 1, 0)])}`;
        })
        .join(', ');
    this.picture.setAttribute(
      'aria-label',
      `${words(this.shown.column)} against time; ${byId('plot-highest').textContent}; ${byId('plot-lowest').textContent}`,
    );
  }
}
