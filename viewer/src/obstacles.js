// Obstacles from their triangles. A wall that stands between the camera and the bodies is glass.
import * as THREE from 'three';
import { LIGHT } from './body_data.js';

const VERTEX = `
  precision highp float;
  uniform mat4 modelViewMatrix, projectionMatrix;
  uniform vec3 middle, boxMiddle, cameraPosition, sliceAxis;
  uniform bool glass;
  in vec3 position, normal;  // of the triangle
  flat out vec3 colour;
  out vec3 beside;           // place along the triangle's plane, from the middle of the scene on
  out float along;
  ${LIGHT}
  void main() {
    bool between = dot(normal, middle - position) * dot(normal, cameraPosition - position) < 0.0;
    vec3 eye = (modelViewMatrix * vec4(position, 1.0)).xyz, facing = mat3(modelViewMatrix) * normal;
    colour = lit(vec3(0.62, 0.67, 0.74), dot(facing, eye) < 0.0 ? facing : -facing);
    beside = position - boxMiddle - dot(position - boxMiddle, normal) * normal;
    along = dot(position, sliceAxis);
    gl_Position = between == glass ? projectionMatrix * vec4(eye, 1.0) : vec4(2.0, 2.0, 2.0, 1.0);
  }`;

const FRAGMENT = `
  precision highp float;
  uniform vec3 boxReach;
  uniform vec2 slice;
  uniform bool glass;
  flat in vec3 colour;
  in vec3 beside;
  in float along;
  out vec4 shown;
  void main() {
    if (along < slice.x || along > slice.y) discard;
    // Planes end where the rest of the scene does.
    if (any(greaterThan(abs(beside), boxReach))) discard;
    shown = vec4(colour, glass ? 0.18 : 1.0);
  }`;

/** Corners and normals of triangles, three of each for every triangle. */
function cornersAndNormals(points, triangles) {
  const corners = new Float32Array(3 * triangles.length),
    normals = new Float32Array(3 * triangles.length);
  const triangle = new THREE.Triangle(),
    normal = new THREE.Vector3();
  for (let k = 0; k < triangles.length; k += 3) {
    triangle.setFromAttributeAndIndices(
      { getX: i => points[3 * i], getY: i => points[3 * i + 1], getZ: i => points[3 * i + 2] },
      triangles[k],
      triangles[k + 1],
      triangles[k + 2],
    );
    triangle.getNormal(normal);
    [triangle.a, triangle.b, triangle.c].forEach((corner, c) => {
      corner.toArray(corners, 3 * (k + c));
      normal.toArray(normals, 3 * (k + c));
    });
  }
  return [corners, normals];
}

export class Obstacles extends THREE.Group {
  constructor() {
    super();
    this.uniforms = {
      middle: { value: new THREE.Vector3() },
      boxMiddle: { value: new THREE.Vector3() },
      boxReach: { value: new THREE.Vector3() },
      sliceAxis: { value: new THREE.Vector3() },
      slice: { value: new THREE.Vector2(-1e30, 1e30) },
    };
    this.key = '';
    this.names = [];
    this.hidden = new Set();
    this.geometry = new THREE.BufferGeometry();
    for (const glass of [false, true]) {
      const surface = new THREE.Mesh(
        this.geometry,
        new THREE.RawShaderMaterial({
          glslVersion: THREE.GLSL3,
          vertexShader: VERTEX,
          fragmentShader: FRAGMENT,
          uniforms: { ...this.uniforms, glass: { value: glass } },
          side: THREE.DoubleSide,
          transparent: glass,
          depthWrite: !glass,
          polygonOffset: true,
          polygonOffsetFactor: 1,
          polygonOffsetUnits: 1,
        }),
      );
      surface.frustumCulled = false;
      this.add(surface);
    }
  }

  /** Takes the obstacles of a frame, whose surfaces it has only if they are new. */
  take(obstacles, columns) {
    this.visible = obstacles !== undefined;
    if (!obstacles) return;
    if (obstacles.key !== this.key && columns.obstacle_points) {
      this.key = obstacles.key;
      this.names = obstacles.names;
      this.points = columns.obstacle_points;
      this.triangles = columns.obstacle_triangles;
      this.owner = columns.obstacle_of_triangle;
      this.rebuild();
    }
  }

  /** The box of all but planes, which are drawn a little beyond it. */
  setBox([low, high]) {
    const size = Math.hypot(...low.map((x, k) => high[k] - x));
    this.uniforms.boxMiddle.value.set(...low.map((x, k) => (x + high[k]) / 2));
    this.uniforms.boxReach.value.set(...low.map((x, k) => (high[k] - x) / 2 + 0.1 * size));
  }

  /** Corners of the box of all parts but planes, which are two large triangles each; or null. */
  extent() {
    const low = [Infinity, Infinity, Infinity],
      high = [-Infinity, -Infinity, -Infinity];
    const triangles = new Map();
    for (const part of this.owner ?? []) triangles.set(part, (triangles.get(part) ?? 0) + 1);
    for (let k = 0; k < 3 * (this.owner?.length ?? 0); ++k) {
      if (triangles.get(this.owner[Math.floor(k / 3)]) <= 2) continue;
      for (let axis = 0; axis < 3; ++axis) {
        const x = this.points[3 * this.triangles[k] + axis];
        low[axis] = Math.min(low[axis], x);
        high[axis] = Math.max(high[axis], x);
      }
    }
    return low[0] <= high[0] ? [low, high] : null;
  }

  /** Leaves out the hidden parts. */
  rebuild() {
    const shown = [];
    for (let k = 0; k < this.owner.length; ++k)
      if (!this.hidden.has(this.owner[k])) shown.push(...this.triangles.subarray(3 * k, 3 * k + 3));
    const [corners, normals] = cornersAndNormals(this.points, shown);
    this.geometry.dispose();
    this.geometry.setAttribute('position', new THREE.BufferAttribute(corners, 3));
    this.geometry.setAttribute('normal', new THREE.BufferAttribute(normals, 3));
  }
}
