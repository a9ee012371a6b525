// The colours of bodies: the value, its limits, and the bodies of its extremes.
import { COLOURS, PALETTE, percentiles } from './colours.js';
import { byId, element, number, withUnit, words } from './words.js';

export class Legend {
  /** `onValue()` is called for another value, `onLimits()` for other limits. */
  constructor(onValue, onLimits) {
    byId('legend')
      .getContext('2d')
      .putImageData(new ImageData(new Uint8ClampedArray(PALETTE), COLOURS, 1), 0, 0);
    byId('colour').addEventListener('change', onValue);
    for (const id of ['percentile-low', 'percentile-high', 'hold-limits'])
      byId(id).addEventListener('change', onLimits);
    this.limits = null;
  }

  offer(values) {
    const select = byId('colour');
    if (select.options.length > 0) return;
    this.units = Object.fromEntries(values.map(({ name, unit }) => [name, unit]));
    select.append(
      ...values.map(({ name }) => element('option', { value: name, textContent: words(name) })),
    );
  }

  get value() {
    return byId('colour').value;
  }

  /** Limits of a frame's colours; those of the frame before, if they are held. */
  limitsOf(frame) {
    const isHeld = byId('hold-limits').checked && this.limits?.value === this.value;
    if (!isHeld) {
      const percent = id => Number(byId(id).value);
      const [low, high] = percentiles(
        frame.columns.value,
        percent('percentile-low'),
        percent('percentile-high'),
      );
      this.limits = { value: this.value, low, high };
    }
    this.#say(frame);
    return [this.limits.low, this.limits.high];
  }

  #say({ highest, lowest }) {
    const unit = this.units[this.value];
    byId('legend-low').textContent = withUnit(this.limits.low, unit);
    byId('legend-high').textContent = withUnit(this.limits.high, unit);
    byId('legend').setAttribute(
      'aria-label',
      `${words(this.value)} from ${byId('legend-low').textContent} to ${byId('legend-high').textContent}`,
    );
    for (const [which, extreme] of Object.entries({ highest, lowest })) {
      const button = byId(`select-${which}`);
      button.disabled = !extreme;
      button.textContent = extreme
        ? `${which}: body ${extreme.id}, ${number(extreme.value)}`
        : which;
      button.dataset.id = extreme?.id ?? '';
    }
  }
}
