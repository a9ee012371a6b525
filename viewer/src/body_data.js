// The bodies of a frame: places and colours of all, and textures with a texel for each body, which
// the shaders of solids read by the number of its row.
import * as THREE from 'three';
import { COLOURS, PALETTE } from './colours.js';

const WIDTH = 2048;
const SELECTED = [255, 89, 26, 255];

/** Gives a texture of four components these values of so many rows. */
function fill(texture, values, components, rows) {
  const height = Math.max(1, Math.ceil(rows / WIDTH)),
    Kind = values.constructor;
  if (texture.image.data?.length !== 4 * WIDTH * height) {
    texture.dispose();
    texture.image = { data: new Kind(4 * WIDTH * height), width: WIDTH, height };
  }
  for (let i = 0; i < rows; ++i)
    for (let c = 0; c < components; ++c) texture.image.data[4 * i + c] = values[components * i + c];
  texture.needsUpdate = true;
}

export class BodyData {
  constructor() {
    const texture = type => new THREE.DataTexture(null, WIDTH, 1, THREE.RGBAFormat, type);
    this.rows = 0;
    this.selected = -1;
    this.limits = [0, 1];
    this.radius = new Float32Array();
    this.uniforms = {
      places: { value: texture(THREE.FloatType) },
      paints: { value: texture(THREE.UnsignedByteType) },
      orientations: { value: texture(THREE.FloatType) },
      extents: { value: texture(THREE.FloatType) },
      size: { value: 1 },
    };
  }

  /** The median of the positions along each axis, of at most 1000 bodies. */
  middle() {
    const stride = Math.ceil(this.rows / 1000);
    return [0, 1, 2].map(axis => {
      const along = [];
      for (let i = 0; i < this.rows; i += stride) along.push(this.position[3 * i + axis]);
      return along.sort((a, b) => a - b)[along.length >> 1] ?? 0;
    });
  }

  take({ position, radius, value, mesh, orientation, half_extent: extent }) {
    Object.assign(this, {
      position,
      radius,
      value,
      mesh,
      orientation,
      extent,
      rows: radius.length,
    });
    this.places = new Float32Array(4 * this.rows);
    for (let i = 0; i < this.rows; ++i) {
      this.places.set(position.subarray(3 * i, 3 * i + 3), 4 * i);
      this.places[4 * i + 3] = radius[i];
    }
    this.selected = -1;
    this.repaint();
    if (!mesh) return;
    fill(this.uniforms.places.value, this.places, 4, this.rows);
    fill(this.uniforms.orientations.value, orientation, 4, this.rows);
    fill(this.uniforms.extents.value, extent, 3, this.rows);
  }

  /** Colours all bodies by their values between the limits. */
  repaint() {
    const [low, high] = this.limits,
      scale = (COLOURS - 1) / Math.max(high - low, 1e-30);
    this.paint = new Uint8Array(4 * this.rows);
    const words = new Uint32Array(this.paint.buffer),
      palette = new Uint32Array(PALETTE.buffer);
    for (let i = 0; i < this.rows; ++i)
      words[i] =
        palette[Math.min(Math.max(Math.round((this.value[i] - low) * scale), 0), COLOURS - 1)];
    if (this.selected >= 0) this.paint.set(SELECTED, 4 * this.selected);
    if (this.mesh) fill(this.uniforms.paints.value, this.paint, 4, this.rows);
  }
}

/** Functions of shaders that read a body. */
export const READ_BODY = `
  precision highp float;
  precision highp int;
  precision highp sampler2D;
  uniform sampler2D places, paints, orientations, extents;
  uniform float size;
  ivec2 cell(uint row) { return ivec2(int(row % ${WIDTH}u), int(row / ${WIDTH}u)); }`;

/** Light from the camera, a little from above: a unit vector of shaders. */
export const LIGHT_FROM = 'vec3(0.246, 0.394, 0.886)';
export const LIGHT = `
  vec3 lit(vec3 colour, vec3 normal) {
    return colour * (0.35 + 0.65 * max(0.0, dot(normal, ${LIGHT_FROM})));
  }`;

/** A geometry whose instances are rows of bodies. */
export class RowsGeometry extends THREE.InstancedBufferGeometry {
  constructor(corners, triangles) {
    super();
    this.setAttribute('position', new THREE.BufferAttribute(corners, 3));
    this.setIndex(triangles);
    this.instanceCount = 0;
  }
  show(rows) {
    const count = rows.length;
    if (!this.attributes.row || this.attributes.row.array.length < count) {
      this.dispose();
      const made = new THREE.InstancedBufferAttribute(new Uint32Array(Math.max(count, 16)), 1);
      made.gpuType = THREE.IntType;
      made.setUsage(THREE.DynamicDrawUsage);
      this.setAttribute('row', made);
    }
    this.attributes.row.array.set(rows);
    this.attributes.row.clearUpdateRanges();
    this.attributes.row.addUpdateRange(0, count);
    this.attributes.row.needsUpdate = true;
    this.instanceCount = count;
  }
}
