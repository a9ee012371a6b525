// Spheres, of which the shaders find the point at each pixel, so that outline, light and depth are
// those of a sphere. Small ones are points of the graphics library, a vertex each. Points vanish if
// their centre is outside of the picture, and have a largest size; those spheres are squares that
// face the camera.
import * as THREE from 'three';
import { LIGHT_FROM } from './body_data.js';
import { CORNER, Quads } from './quads.js';

const LARGEST_POINT = 30; // radius [px]; every graphics card draws this size

/** Begins a vertex shader: what both kinds of sphere tell the fragments. */
const SPHERE = `
  precision highp float;
  const vec3 LIGHT = ${LIGHT_FROM};
  uniform mat4 modelViewMatrix, projectionMatrix;
  uniform float size;
  in vec4 body;  // centre and radius
  in vec4 paint;
  flat out vec3 colour;
  flat out vec3 light;   // along right, up and towards the camera
  flat out vec3 forward; // depth of the surface before the centre along the same three
  flat out vec3 depths;  // of the centre, and how depths become those of the picture
  vec3 centre, ahead, right, up;
  float reach;  // of the circle in which the cone of rays that touch the sphere cuts its plane
  void look() {
    centre = (modelViewMatrix * vec4(body.xyz, 1.0)).xyz;
    float radius = body.w * size, distance = length(centre);
    ahead = centre / distance;
    right = normalize(cross(ahead, vec3(0.0, 1.0, 0.0)));
    up = cross(right, ahead);
    reach = radius * distance / sqrt(max(distance * distance - radius * radius, 1e-12));
    colour = paint.rgb;
    light = 0.65 * vec3(dot(right, LIGHT), dot(up, LIGHT), -dot(ahead, LIGHT));
    forward = radius * vec3(right.z, up.z, -ahead.z);
    depths = vec3(centre.z, 0.5 - 0.5 * projectionMatrix[2][2], -0.5 * projectionMatrix[3][2]);
  }`;

const SQUARE = `${SPHERE}
  ${CORNER}
  out vec2 square;
  void main() {
    look();
    square = corner();
    gl_Position = projectionMatrix * vec4(centre + reach * (square.x * right + square.y * up), 1.0);
  }`;

// Away from the middle of the picture the outline is an ellipse, and `toPlace` makes it a circle.
const POINT = `${SPHERE}
  uniform float focal;  // [px]
  flat out mat2 toPlace;
  void main() {
    look();
    float slant = -ahead.z;
    gl_PointSize = 2.0 * focal * reach / (-centre.z * slant);
    toPlace = mat2(right.x, up.x, right.y, up.y) / slant;
    gl_Position = projectionMatrix * vec4(centre, 1.0);
  }`;

const fragmentShader = place => `
  precision highp float;
  flat in vec3 colour, light, forward, depths;
  ${place}
  out vec4 shown;
  void main() {
    vec2 at = place();
    float inside = 1.0 - dot(at, at);
    if (inside < 0.0) discard;
    vec3 normal = vec3(at, sqrt(inside));
    gl_FragDepth = depths.y + depths.z / (depths.x + dot(normal, forward));
    shown = vec4(colour * (0.35 + max(0.0, dot(normal, light))), 1.0);
  }`;
const IN_SQUARE = 'in vec2 square; vec2 place() { return square; }';
const IN_POINT = `flat in mat2 toPlace;
  vec2 place() { return toPlace * (vec2(2.0, -2.0) * (gl_PointCoord - 0.5)); }`;

const material = (vertexShader, place, uniforms) =>
  new THREE.RawShaderMaterial({
    glslVersion: THREE.GLSL3,
    vertexShader,
    fragmentShader: fragmentShader(place),
    uniforms,
  });

export class Spheres extends THREE.Group {
  #rows = new Uint32Array();
  #small = new THREE.BufferAttribute(new Uint32Array(), 1);
  #large = [];

  constructor(data) {
    super();
    this.data = data;
    this.focal = { value: 1 };
    this.points = new THREE.Points(
      new THREE.BufferGeometry(),
      material(POINT, IN_POINT, { ...data.uniforms, focal: this.focal }),
    );
    this.squares = new THREE.Mesh(
      new Quads({ body: [Float32Array, 4], paint: [Uint8Array, 4] }),
      material(SQUARE, IN_SQUARE, data.uniforms),
    );
    for (const spheres of [this.points, this.squares]) spheres.frustumCulled = false;
    this.add(this.points, this.squares);
  }

  /** Shows these rows of the bodies from the next draw on. */
  show(rows) {
    this.#rows = rows;
    const { places, paint } = this.data,
      { geometry } = this.points;
    if (geometry.attributes.paint?.array === paint) return;
    geometry.dispose();
    geometry.setAttribute('body', new THREE.BufferAttribute(places, 4));
    geometry.setAttribute('paint', new THREE.BufferAttribute(paint, 4, true));
  }

  /** Chooses how to draw each row, for a picture of this height [px] and the ratio of its sides. */
  aim(camera, height, aspect) {
    this.focal.value = (height / 2) * camera.projectionMatrix.elements[5];
    this.#reserve();
    this.#large.length = 0;
    const count = this.#split(camera, LARGEST_POINT / this.focal.value, aspect);
    this.points.geometry.setDrawRange(0, count);
    this.#small.clearUpdateRanges();
    this.#small.addUpdateRange(0, count);
    this.#small.needsUpdate = true;
    this.squares.geometry.show({ body: this.data.places, paint: this.data.paint }, this.#large);
  }

  #reserve() {
    if (this.#small.array.length >= this.#rows.length && this.points.geometry.index) return;
    this.#small = new THREE.BufferAttribute(new Uint32Array(1.2 * this.#rows.length + 16), 1);
    this.#small.setUsage(THREE.DynamicDrawUsage);
    this.points.geometry.setIndex(this.#small);
  }

  /** Sorts the rows into small and large ones, and returns the number of the small ones. */
  #split(camera, limit, aspect) {
    const m = camera.matrixWorldInverse.elements,
      up = 0.999 / camera.projectionMatrix.elements[5],
      right = aspect * up,
      small = this.#small.array,
      { places } = this.data,
      size = this.data.uniforms.size.value;
    let count = 0;
    for (const row of this.#rows) {
      const x = places[4 * row],
        y = places[4 * row + 1],
        z = places[4 * row + 2];
      const ahead = -(m[2] * x + m[6] * y + m[10] * z + m[14]);
      const isSmall =
        size * places[4 * row + 3] < limit * ahead &&
        Math.abs(m[0] * x + m[4] * y + m[8] * z + m[12]) < right * ahead &&
        Math.abs(m[1] * x + m[5] * y + m[9] * z + m[13]) < up * ahead;
      if (isSmall) small[count++] = row;
      else this.#large.push(row);
    }
    return count;
  }
}
