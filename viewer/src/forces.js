// Forces as ribbons: chains between all bodies, arrows on the selected one, axes of joints.
import { COLOURS, PALETTE, percentiles } from './colours.js';

const OF_CLASS = [
  [0.6, 0.6, 0.6],
  [0.15, 0.4, 0.75],
  [0.85, 0.3, 0.1],
]; // separating, sticking, sliding

const colourAt = t => {
  const at = 4 * Math.round(Math.min(Math.max(t, 0), 1) * (COLOURS - 1));
  return [PALETTE[at] / 255, PALETTE[at + 1] / 255, PALETTE[at + 2] / 255];
};

/** Colours and half widths of chains; the 99th percentile of the forces is half a radius wide. */
export function looksOfChains(force, kind, byClass, radius) {
  const limit = Math.max(percentiles(force, 0, 99)[1], 1e-30),
    looks = new Float32Array(4 * force.length);
  for (let k = 0; k < force.length; ++k) {
    const t = force[k] / limit;
    looks.set(
      [
        ...(byClass ? OF_CLASS[kind[k]] : colourAt(t)),
        radius * Math.min(Math.max(0.5 * t, 0.06), 1),
      ],
      4 * k,
    );
  }
  return looks;
}

/** Arrows of the forces on a body: each ends at its contact, and is longer for a larger force. */
export function arrowsOn(body, origin) {
  const pushes = body.contacts.filter(contact => contact.impulse.some(x => x !== 0));
  const size = contact => Math.hypot(...contact.impulse),
    largest = Math.max(...pushes.map(size), 0);
  const ends = [],
    looks = [];
  for (const contact of pushes) {
    const sign = contact.b.id === body.id ? 1 : -1,
      length = (2 * body.radius) / largest;
    const point = contact.point.map((x, axis) => x - origin[axis]);
    ends.push(...point.map((x, axis) => x - sign * length * contact.impulse[axis]), ...point);
    looks.push(0.75, 0.05, 0.15, body.radius * (0.04 + (0.12 * size(contact)) / largest));
  }
  return [Float32Array.from(ends), Float32Array.from(looks)];
}

/** The axes of joints, as long as the bodies are large. */
export function axesOf(joints, radius, selected) {
  const ends = [],
    looks = [];
  for (const { name, position, axis } of joints) {
    ends.push(
      ...position.map((x, k) => x - radius * axis[k]),
      ...position.map((x, k) => x + radius * axis[k]),
    );
    looks.push(...(name === selected ? [1, 0.35, 0.1] : [0.1, 0.1, 0.1]), 0.12 * radius);
  }
  return [Float32Array.from(ends), Float32Array.from(looks)];
}
