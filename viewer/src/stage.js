// The scene, its camera, and when it is drawn: only after something changed.
import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { Occlusion } from './occlusion.js';
import { Obstacles } from './obstacles.js';
import { Ribbons } from './ribbons.js';
import { Shadows } from './shadows.js';
import { Spheres } from './spheres.js';
import { BodyData } from './body_data.js';
import { SPHERE } from './solids.js';

const TURN = Math.PI / 36; // by a key [rad]
const MANY = 20000; // bodies from which on hidden ones are looked for
const SLOW = 50; // time for a picture from which on the next ones are coarse [ms]
const COARSE = Math.SQRT1_2; // of the pixels along each axis; coarse pictures have no shadows
const REST = 300; // time after the last movement until the picture is fine again [ms]

THREE.ColorManagement.enabled = false; // colours are those of the screen

export class Stage {
  constructor(canvas, onDrawn) {
    this.canvas = canvas;
    this.onDrawn = onDrawn;
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: false });
    this.renderer.setClearColor(0xeef1f5);
    this.scene = new THREE.Scene();
    this.data = new BodyData();
    this.spheres = new Spheres(this.data);
    this.solids = null;
    this.obstacles = new Obstacles();
    this.chains = new Ribbons();
    this.arrows = new Ribbons({ inFront: true });
    this.joints = new Ribbons({ inFront: true });
    this.scene.add(this.spheres, this.obstacles, this.chains, this.arrows, this.joints);
    for (const ribbons of [this.chains, this.arrows, this.joints]) ribbons.hide();
    this.camera = new THREE.PerspectiveCamera(30, 1, 0.1, 10);
    this.occlusion = new Occlusion();
    this.shadows = new Shadows();
    this.rowsChanged = true;
    this.turning = false;
    this.scale = 1;
    this.drawnAt = 0;
    this.slice = { axis: -1, low: -Infinity, high: Infinity };
    new ResizeObserver(() => this.request()).observe(canvas.parentElement);
  }

  /** Looks at all that was shown so far, from the side. `up` is a unit vector. */
  resetView(up) {
    const [low, high] = this.box;
    const middle = low.map((x, k) => (x + high[k]) / 2);
    this.reach = Math.max(Math.hypot(...low.map((x, k) => high[k] - x)) / 2, 1e-6);
    this.camera.up.set(...up);
    this.controls?.dispose();
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.addEventListener('change', () => this.request());
    const side = new THREE.Vector3(0.35, -1, 0.3);
    if (Math.abs(up[1]) > 0.9) side.set(0.35, 0.3, 1);
    if (Math.abs(up[0]) > 0.9) side.set(0.3, -1, 0.35);
    this.controls.target.set(...middle);
    this.camera.position.copy(side.setLength(3.9 * this.reach)).add(this.controls.target);
    this.controls.update();
    this.request();
  }

  takeFrame(frame) {
    this.data.take(frame.columns);
    if (this.data.rows > MANY) this.occlusion.take(this.data);
    this.obstacles.take(frame.obstacles, frame.columns);
    this.obstacles.uniforms.middle.value.set(...this.data.middle());
    const fromOrigin = corner => corner.map((x, k) => x - frame.origin[k]);
    if (frame.bodies > 0) this.#grow(fromOrigin(frame.low), fromOrigin(frame.high));
    const parts = this.obstacles.extent();
    if (parts) this.#grow(...parts);
    this.box ??= [
      [-1, -1, -1],
      [1, 1, 1],
    ];
    this.obstacles.setBox(this.box);
    this.changed();
  }

  /** Colours bodies by their values between limits; the selected row (−1: none) by its own. */
  paint({ limits = this.data.limits, selected = this.data.selected }) {
    Object.assign(this.data, { limits, selected });
    this.data.repaint();
    this.changed();
  }

  /** Lets the box of all that was shown so far hold this box, too. */
  #grow(low, high) {
    this.box ??= [low, high];
    this.box = [
      this.box[0].map((x, k) => Math.min(x, low[k])),
      this.box[1].map((x, k) => Math.max(x, high[k])),
    ];
  }

  /** Shows bodies and obstacles between two coordinates of an axis (0 … 2); −1: all. */
  setSlice(axis, low, high) {
    this.slice = { axis, low: axis < 0 ? -1e30 : low, high: axis < 0 ? 1e30 : high };
    this.obstacles.uniforms.sliceAxis.value.set(...[0, 1, 2].map(k => (k === axis ? 1 : 0)));
    this.obstacles.uniforms.slice.value.set(this.slice.low, this.slice.high);
    if (this.allChains) this.showChains(...this.allChains);
    this.changed();
  }

  /** Shows those of these force chains that have their middle in the slice. */
  showChains(ends, looks) {
    this.allChains = [ends, looks];
    const { axis, low, high } = this.slice,
      shown = [];
    for (let k = 0; k < ends.length / 6; ++k) {
      const along = axis < 0 ? 0 : (ends[6 * k + axis] + ends[6 * k + 3 + axis]) / 2;
      if (along >= low && along <= high) shown.push(k);
    }
    const rowsOf = (values, length) =>
      Float32Array.from(
        { length: length * shown.length },
        (_, i) => values[length * shown[Math.floor(i / length)] + (i % length)],
      );
    this.shownChains = shown;
    this.chains.show(rowsOf(ends, 6), rowsOf(looks, 4));
    this.request();
  }

  hideChains() {
    this.allChains = null;
    this.chains.hide();
    this.request();
  }

  accepts(row) {
    const { axis, low, high } = this.slice;
    if (axis < 0) return true;
    const along = this.data.position[3 * row + axis];
    return along >= low && along <= high;
  }

  changed() {
    this.rowsChanged = true;
    this.request();
  }

  request() {
    if (this.pending) return;
    const since = performance.now();
    this.pending = requestAnimationFrame(() => {
      this.pending = undefined;
      this.draw();
      this.#chooseScale(since);
    });
  }

  draw() {
    if (!this.controls) return;
    if (this.turning) this.rotate(TURN / 4, 0);
    this.#fitCanvas();
    this.#fitDepths();
    this.#chooseRows();
    this.spheres.aim(this.camera, this.canvas.height, this.camera.aspect);
    if (this.scale < 1) this.renderer.render(this.scene, this.camera);
    else this.shadows.render(this.renderer, this.scene, this.camera, this.radiusOfBodies());
    this.onDrawn();
    if (this.turning) this.request();
  }

  /** After a slow picture of a movement, wanted since then, the next ones are coarse. */
  #chooseScale(since) {
    const now = performance.now(),
      moves = since - this.drawnAt < REST;
    if (moves && now - since > SLOW) this.scale = COARSE;
    this.drawnAt = now;
    clearTimeout(this.fineAgain);
    if (this.scale < 1) this.fineAgain = setTimeout(() => this.#refine(), REST);
  }

  #refine() {
    if (this.pending) return;
    this.scale = 1;
    this.drawnAt = -Infinity; // nothing moves
    this.request();
  }

  #fitCanvas() {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    const ratio = this.scale * Math.min(devicePixelRatio, 2),
      size = this.renderer.getSize(new THREE.Vector2());
    if (size.x === width && size.y === height && this.renderer.getPixelRatio() === ratio) return;
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / Math.max(height, 1);
  }

  #fitDepths() {
    const distance = this.camera.position.distanceTo(this.controls.target);
    this.camera.near = Math.max(distance - 6 * this.reach, distance / 200);
    this.camera.far = distance + 20 * this.reach;
    this.camera.updateProjectionMatrix();
    this.camera.updateMatrixWorld();
  }

  /** Rows to draw: after each move of the camera if there are so many bodies that it pays. */
  #chooseRows() {
    const { data } = this,
      many = data.rows > MANY;
    if (!this.rowsChanged && !many) return;
    this.rowsChanged = false;
    const isSphere = row => !data.mesh || data.mesh[row] === SPHERE;
    const rows =
      data.uniforms.size.value === 0
        ? new Uint32Array()
        : many
          ? this.#rowsInSight(isSphere)
          : this.#acceptedRows();
    this.drawn = rows.length;
    this.spheres.show(data.mesh ? rows.filter(isSphere) : rows);
    if (!data.mesh) return;
    this.solids?.show(rows, data.mesh);
  }

  #acceptedRows() {
    return Uint32Array.from({ length: this.data.rows }, (_, row) => row).filter(row =>
      this.accepts(row),
    );
  }

  #rowsInSight(isSphere) {
    return this.occlusion.find(
      this.data.uniforms.size.value,
      this.camera,
      this.canvas.clientWidth,
      this.canvas.clientHeight,
      row => this.accepts(row),
      isSphere,
    );
  }

  setSolids(solids) {
    this.solids = solids;
    this.scene.add(solids);
    this.changed();
  }

  /** Radius of some body [m]. */
  radiusOfBodies() {
    const { rows, radius } = this.data;
    return rows > 0 ? radius[rows >> 1] : this.reach / 50;
  }

  /** Ray through a point of the canvas [px]. */
  rayAt(x, y) {
    const caster = new THREE.Raycaster();
    caster.setFromCamera(
      new THREE.Vector2(
        (2 * x) / this.canvas.clientWidth - 1,
        1 - (2 * y) / this.canvas.clientHeight,
      ),
      this.camera,
    );
    return caster.ray;
  }
  /** Length that a pixel spans, per unit of distance. */
  lengthOfPixel() {
    return 2 / (this.camera.projectionMatrix.elements[5] * this.canvas.clientHeight);
  }

  rotate(right, up) {
    const arm = this.camera.position.clone().sub(this.controls.target);
    const across = new THREE.Vector3().crossVectors(this.camera.up, arm).normalize();
    const height = arm.angleTo(this.camera.up) - up;
    if (height > 0.02 && height < Math.PI - 0.02) arm.applyAxisAngle(across, -up);
    arm.applyAxisAngle(this.camera.up, right);
    this.#moveTo(arm);
  }
  zoom(factor) {
    this.#moveTo(this.camera.position.clone().sub(this.controls.target).divideScalar(factor));
  }
  #moveTo(arm) {
    this.camera.position.copy(this.controls.target).add(arm);
    this.camera.lookAt(this.controls.target);
    this.camera.updateMatrixWorld();
    this.request();
  }
  step(key) {
    const steps = {
      ArrowLeft: () => this.rotate(-TURN, 0),
      ArrowRight: () => this.rotate(TURN, 0),
      ArrowUp: () => this.rotate(0, TURN),
      ArrowDown: () => this.rotate(0, -TURN),
      '+': () => this.zoom(1.2),
      '-': () => this.zoom(1 / 1.2),
    };
    steps[key]?.();
    return key in steps;
  }
}
