// Bodies of other shapes: instances of a mesh for each shape, and of a cube for all boxes.
import * as THREE from 'three';
import { toCreasedNormals } from 'three/addons/utils/BufferGeometryUtils.js';
import { LIGHT, READ_BODY, RowsGeometry } from './body_data.js';

/** Numbers in the column `mesh` of a frame: src/view/frame_answer.cpp. */
export const SPHERE = 0,
  BOX = 1,
  FIRST_MESH = 2;

const CREASE = Math.PI / 5; // edges that bend less look round [rad]

const vertexShader = isBox => `${READ_BODY}
  uniform mat4 modelViewMatrix, projectionMatrix;
  in vec3 position, normal;
  in uint row;
  flat out vec3 colour;
  out vec3 facing;
  vec3 turned(vec4 q, vec3 v) { return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v); }
  void main() {
    vec4 place = texelFetch(places, cell(row), 0);
    vec4 q = normalize(texelFetch(orientations, cell(row), 0));
    vec3 scale = size * ${isBox ? 'texelFetch(extents, cell(row), 0).xyz' : 'vec3(place.w)'};
    facing = mat3(modelViewMatrix) * turned(q, normal);
    colour = texelFetch(paints, cell(row), 0).rgb;
    gl_Position = projectionMatrix * modelViewMatrix * vec4(place.xyz + turned(q, scale * position), 1.0);
  }`;

const FRAGMENT = `
  precision highp float;
  flat in vec3 colour;
  in vec3 facing;
  out vec4 shown;
  ${LIGHT}
  void main() { shown = vec4(lit(colour, normalize(facing)), 1.0); }`;

function solid(geometry, data, isBox) {
  const creased = toCreasedNormals(geometry, CREASE),
    count = creased.attributes.position.count;
  const rows = new RowsGeometry(creased.attributes.position.array, [...Array(count).keys()]);
  rows.setAttribute('normal', creased.attributes.normal);
  const mesh = new THREE.Mesh(
    rows,
    new THREE.RawShaderMaterial({
      glslVersion: THREE.GLSL3,
      vertexShader: vertexShader(isBox),
      fragmentShader: FRAGMENT,
      uniforms: data.uniforms,
    }),
  );
  mesh.frustumCulled = false;
  return mesh;
}

function geometryOf({ points, triangles }) {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.BufferAttribute(Float32Array.from(points), 3));
  geometry.setIndex(triangles);
  return geometry;
}

export class Solids extends THREE.Group {
  /** `shapes` has a mesh for each shape of the run; null for spheres and boxes. */
  constructor(shapes, data) {
    super();
    this.triangles = shapes.map(shape => shape && geometryOf(shape));
    this.byMesh = [
      null,
      solid(new THREE.BoxGeometry(2, 2, 2), data, true),
      ...this.triangles.map(geometry => geometry && solid(geometry, data, false)),
    ];
    for (const mesh of this.byMesh) if (mesh) this.add(mesh);
  }

  /** Shows these rows; those of spheres are left out. */
  show(rows, mesh) {
    const of = this.byMesh.map(() => []);
    for (const row of rows) of[mesh[row]]?.push(row);
    this.byMesh.forEach((solids, k) => solids?.geometry.show(Uint32Array.from(of[k])));
  }
}
