// Soft shadows: a pixel is darker if the picture around it is nearer to the camera (ambient
// occlusion). Two pixels on opposite sides together tell a hollow from a slope. Directions differ
// from pixel to pixel, so that no pattern of them is seen.
import * as THREE from 'three';

const VERTEX = `
  precision highp float;
  void main() {  // a triangle that holds the picture
    gl_Position = vec4(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0, 0.0, 1.0);
  }`;

const FRAGMENT = `
  precision highp float;
  precision highp sampler2D;
  const int DIRECTIONS = 5;
  const float FAR_BEFORE = 3.0;  // what is so many reaches before a pixel is something else
  const float DARKNESS = 0.9;
  uniform sampler2D colours, depths;
  uniform vec2 range;    // of distances along the camera's axis [m]
  uniform float radius;  // of a typical body [m]
  uniform float focal;   // [px]
  out vec4 shown;

  float distanceAt(ivec2 pixel) {
    pixel = clamp(pixel, ivec2(0), textureSize(depths, 0) - 1);
    return range.x * range.y / mix(range.y, range.x, texelFetch(depths, pixel, 0).r);
  }
  float before(float here, ivec2 pixel, float reach) {
    float nearer = (here - distanceAt(pixel)) / reach;
    return nearer < FAR_BEFORE ? nearer : 0.0;
  }
  float hidden(ivec2 pixel, float here, float reach, float turn) {
    float sum = 0.0, pixels = max(1.0, 0.5 * reach * focal / here);
    for (int k = 0; k < DIRECTIONS; ++k) {
      float angle = 3.14159265 * (float(k) + turn) / float(DIRECTIONS);
      // Some look nearer by, others farther away.
      float away = pixels * (0.4 + 1.2 * fract(turn + 0.618 * float(k)));
      ivec2 side = ivec2(round(max(away, 1.0) * vec2(cos(angle), sin(angle))));
      float nearer = before(here, pixel + side, reach) + before(here, pixel - side, reach);
      sum += clamp(0.5 * nearer - 0.05, 0.0, 1.0);
    }
    return sum / float(DIRECTIONS);
  }
  void main() {
    ivec2 pixel = ivec2(gl_FragCoord.xy);
    float here = distanceAt(pixel), light = 1.0;
    float turn = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
    if (texelFetch(depths, pixel, 0).r < 1.0)
      light -= 0.5 * DARKNESS *
        (hidden(pixel, here, radius, turn) + hidden(pixel, here, 3.0 * radius, 1.0 - turn));
    shown = vec4(texelFetch(colours, pixel, 0).rgb * light, 1.0);
  }`;

export class Shadows {
  constructor() {
    this.target = new THREE.WebGLRenderTarget(1, 1, { depthTexture: new THREE.DepthTexture(1, 1) });
    this.uniforms = {
      colours: { value: this.target.texture },
      depths: { value: this.target.depthTexture },
      range: { value: new THREE.Vector2() },
      radius: { value: 1 },
      focal: { value: 1 },
    };
    const triangle = new THREE.BufferGeometry();
    triangle.setDrawRange(0, 3);
    this.pass = new THREE.Mesh(
      triangle,
      new THREE.RawShaderMaterial({
        glslVersion: THREE.GLSL3,
        vertexShader: VERTEX,
        fragmentShader: FRAGMENT,
        uniforms: this.uniforms,
        depthTest: false,
      }),
    );
    this.pass.frustumCulled = false;
  }

  /** Draws a scene with shadows among bodies of this radius. */
  render(renderer, scene, camera, radius) {
    const { width, height } = renderer.getDrawingBufferSize(new THREE.Vector2());
    this.target.setSize(width, height);
    this.uniforms.range.value.set(camera.near, camera.far);
    this.uniforms.radius.value = radius;
    this.uniforms.focal.value = (height / 2) * camera.projectionMatrix.elements[5];
    renderer.setRenderTarget(this.target);
    renderer.render(scene, camera);
    renderer.setRenderTarget(null);
    renderer.render(this.pass, camera);
  }
}
