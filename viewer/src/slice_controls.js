// The controls of a slice: an axis, and two coordinates between which bodies and parts are shown.
import { byId, number } from './words.js';

export class SliceControls {
  /** `onSlice(axis, low, high)`: axis −1 … 2, coordinates from the picture's origin on [m]. */
  constructor(onSlice) {
    this.onSlice = onSlice;
    this.low = this.high = this.origin = [0, 0, 0];
    for (const id of ['slice-axis', 'slice-low', 'slice-high'])
      byId(id).addEventListener('input', () => this.apply());
  }

  /** The box that the sliders span, from an origin on [m]. */
  setExtent([low, high], origin) {
    Object.assign(this, { low, high, origin });
    this.apply();
  }

  apply() {
    const axis = 'xyz'.indexOf(byId('slice-axis').value || '?');
    for (const id of ['slice-low', 'slice-high']) byId(id).disabled = axis < 0;
    const at = id =>
      this.low[axis] + (Number(byId(id).value) / 100) * (this.high[axis] - this.low[axis]);
    const [from, to] = axis < 0 ? [0, 0] : [at('slice-low'), at('slice-high')];
    byId('slice-text').textContent =
      axis < 0
        ? ''
        : `${number(from + this.origin[axis])} m to ${number(to + this.origin[axis])} m`;
    this.onSlice(axis, from, to);
  }
}
