// Straight ribbons that face the camera, shaded like rods: force chains, arrows of forces, joints.
import * as THREE from 'three';
import { CORNER, Quads } from './quads.js';

const VERTEX = `
  precision highp float;
  uniform mat4 modelViewMatrix, projectionMatrix;
  in vec3 from, to;
  in vec4 look;  // colour, half width
  out vec3 colour;
  out float across;
  ${CORNER}
  void main() {
    vec3 a = (modelViewMatrix * vec4(from, 1.0)).xyz, b = (modelViewMatrix * vec4(to, 1.0)).xyz;
    vec3 here = mix(a, b, 0.5 + 0.5 * corner().x);
    vec3 side = normalize(cross(b - a, here) + vec3(1e-12, 0.0, 0.0));
    colour = look.rgb;
    across = corner().y;
    gl_Position = projectionMatrix * vec4(here + across * look.w * side, 1.0);
  }`;

const FRAGMENT = `
  precision highp float;
  in vec3 colour;
  in float across;
  out vec4 shown;
  void main() { shown = vec4(colour * (1.0 - 0.6 * across * across), 1.0); }`;

export class Ribbons extends THREE.Mesh {
  constructor({ inFront = false } = {}) {
    super(
      new Quads({ from: [Float32Array, 3], to: [Float32Array, 3], look: [Float32Array, 4] }),
      new THREE.RawShaderMaterial({
        glslVersion: THREE.GLSL3,
        vertexShader: VERTEX,
        fragmentShader: FRAGMENT,
        side: THREE.DoubleSide,
        depthTest: !inFront,
      }),
    );
    this.frustumCulled = false;
    this.renderOrder = inFront ? 3 : 0;
  }

  /** `ends` has six numbers for each ribbon, `looks` its colour and half width. */
  show(ends, looks) {
    this.ends = ends;
    this.looks = looks;
    const half = side => ends.filter((_, k) => Math.floor(k / 3) % 2 === side);
    this.geometry.show({ from: half(0), to: half(1), look: looks }, [
      ...Array(ends.length / 6).keys(),
    ]);
    this.visible = ends.length > 0;
  }

  hide() {
    this.ends = new Float32Array();
    this.visible = false;
  }
}
