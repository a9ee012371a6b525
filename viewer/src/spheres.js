// Spheres as squares that face the camera: the shader finds the point of the sphere at each pixel,
// so that outline, light and depth are those of a sphere.
import * as THREE from 'three';
import { LIGHT_FROM } from './body_data.js';
import { CORNER, Quads } from './quads.js';

const VERTEX = `
  precision highp float;
  const vec3 LIGHT = ${LIGHT_FROM};
  ${CORNER}
  uniform mat4 modelViewMatrix, projectionMatrix;
  uniform float size;
  in vec4 body;  // centre and radius
  in vec4 paint;
  flat out vec3 colour;
  flat out vec3 light;   // along right, up and towards the camera
  flat out vec4 depths;  // of the centre and before it, and how they become depths of the picture
  out vec2 place;
  void main() {
    vec3 centre = (modelViewMatrix * vec4(body.xyz, 1.0)).xyz;
    float radius = body.w * size, distance = length(centre);
    vec3 ahead = centre / distance;
    vec3 right = normalize(cross(ahead, vec3(0.0, 1.0, 0.0))), up = cross(right, ahead);
    // The square holds the circle in which the cone of rays that touch the sphere cuts its plane.
    float reach = radius * distance / sqrt(max(distance * distance - radius * radius, 1e-12));
    place = corner();
    colour = paint.rgb;
    light = 0.65 * vec3(dot(right, LIGHT), dot(up, LIGHT), -dot(ahead, LIGHT));
    depths = vec4(centre.z, -radius * ahead.z, 0.5 - 0.5 * projectionMatrix[2][2], -0.5 * projectionMatrix[3][2]);
    gl_Position = projectionMatrix * vec4(centre + reach * (place.x * right + place.y * up), 1.0);
  }`;

const FRAGMENT = `
  precision highp float;
  flat in vec3 colour, light;
  flat in vec4 depths;
  in vec2 place;
  out vec4 shown;
  void main() {
    float inside = 1.0 - dot(place, place);
    if (inside < 0.0) discard;
    vec3 normal = vec3(place, sqrt(inside));
    gl_FragDepth = depths.z + depths.w / (depths.x + normal.z * depths.y);
    shown = vec4(colour * (0.35 + max(0.0, dot(normal, light))), 1.0);
  }`;

export class Spheres extends THREE.Mesh {
  constructor(data) {
    super(
      new Quads({ body: [Float32Array, 4], paint: [Uint8Array, 4] }),
      new THREE.RawShaderMaterial({
        glslVersion: THREE.GLSL3,
        vertexShader: VERTEX,
        fragmentShader: FRAGMENT,
        uniforms: data.uniforms,
      }),
    );
    this.data = data;
    this.frustumCulled = false;
  }

  /** Shows these rows of the bodies. */
  show(rows) {
    this.geometry.show({ body: this.data.places, paint: this.data.paint }, rows);
  }
}
