// Many squares in one geometry, four corners each. Not as instances: software renderers draw each
// instance by itself, which takes ten times as long as a small square.
import * as THREE from 'three';

/** In shaders: the corner of a square, each coordinate −1 or 1. */
export const CORNER = `
  vec2 corner() { return vec2((0x6 >> (gl_VertexID & 3) & 1) * 2 - 1, (gl_VertexID >> 1 & 1) * 2 - 1); }`;

export class Quads extends THREE.BufferGeometry {
  #capacity = 0;

  /** `columns` has the kind of array and the number of components of each attribute; bytes are
   *  numbers from 0 to 1. */
  constructor(columns) {
    super();
    this.columns = columns;
    this.setDrawRange(0, 0);
  }

  /** Shows a square for each of these rows of the values: arrays by name of the attribute. */
  show(values, rows) {
    const count = rows.length;
    this.setDrawRange(0, 6 * count);
    if (count === 0) return;
    if (count > this.#capacity) this.#reserve(count);
    for (const [name, [, components]] of Object.entries(this.columns)) {
      const attribute = this.attributes[name],
        { array } = attribute,
        from = values[name];
      for (let k = 0, at = 0; k < count; ++k)
        for (let corner = 0; corner < 4; ++corner)
          for (let c = 0; c < components; ++c) array[at++] = from[rows[k] * components + c];
      attribute.clearUpdateRanges();
      attribute.addUpdateRange(0, 4 * count * components);
      attribute.needsUpdate = true;
    }
  }

  #reserve(count) {
    this.#capacity = Math.ceil(1.2 * count);
    this.dispose();
    const triangles = new Uint32Array(6 * this.#capacity);
    for (let k = 0; k < this.#capacity; ++k)
      triangles.set([4 * k, 4 * k + 1, 4 * k + 2, 4 * k, 4 * k + 2, 4 * k + 3], 6 * k);
    this.setIndex(new THREE.BufferAttribute(triangles, 1));
    for (const [name, [Kind, components]] of Object.entries(this.columns)) {
      const made = new THREE.BufferAttribute(
        new Kind(4 * this.#capacity * components),
        components,
        Kind === Uint8Array,
      );
      this.setAttribute(name, made.setUsage(THREE.DynamicDrawUsage));
    }
  }
}
