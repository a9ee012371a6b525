// Which spheres the camera can see. Drawing a pixel's sphere costs the same whether it is hidden or
// not, so hidden ones are left out before: a bed shows a few of its layers.
//
// Spheres are looked at from the nearest to the farthest. A bitmap has a bit for each small tile of
// the picture: whether nearer spheres cover it. A sphere is hidden if they cover all tiles that its
// outline meets. It covers the tiles inside a circle of 0.98 of its outline: there its surface is
// nearer than its centre by 0.19 radii, so all spheres whose nearest point lies behind that are
// hidden there.
//
// Rows are in the order of a curve that fills space, so a small ball holds some that follow each
// other. If it is hidden, they are, and nobody looks at them.
import { Tiles } from './tiles.js';

const COVER = 0.98,
  COVER_DEPTH = 0.19; // of the radius: circle, and its distance before the centre
const TILES = 6; // in a typical radius
const ROWS = 32; // of a ball
const SLABS = 2048; // of distance
const NONE = -1;

/** Middle and radius of a ball around each ROWS spheres. */
function ballsAround({ position, radius, rows }) {
  const balls = new Float32Array(4 * Math.ceil(rows / ROWS));
  for (let first = 0, at = 0; first < rows; first += ROWS, at += 4) {
    const last = Math.min(first + ROWS, rows);
    for (let i = 3 * first; i < 3 * last; ++i)
      balls[at + (i % 3)] += position[i] / (last - first);
    for (let i = first; i < last; ++i) {
      const x = position[3 * i] - balls[at],
        y = position[3 * i + 1] - balls[at + 1],
        z = position[3 * i + 2] - balls[at + 2];
      balls[at + 3] = Math.max(balls[at + 3], Math.sqrt(x * x + y * y + z * z) + radius[i]);
    }
  }
  return balls;
}

/** Where balls are in the picture. */
class Sight {
  constructor(camera, width, height) {
    Object.assign(this, { width, height });
    this.matrix = camera.matrixWorldInverse.elements;
    this.focal = (height / 2) * camera.projectionMatrix.elements[5];
  }

  /** From now on lengths are in tiles of so many pixels. */
  setTile(pixels) {
    this.focal /= pixels;
    this.width /= pixels;
    this.height /= pixels;
  }

  look(x, y, z) {
    const m = this.matrix;
    this.ahead = -(m[2] * x + m[6] * y + m[10] * z + m[14]);
    const right = m[0] * x + m[4] * y + m[8] * z + m[12],
      up = m[1] * x + m[5] * y + m[9] * z + m[13];
    this.aside = Math.sqrt(right * right + up * up);
    this.distance = Math.sqrt(this.aside * this.aside + this.ahead * this.ahead);
    this.x = this.width / 2 + (this.focal * right) / this.ahead;
    this.y = this.height / 2 - (this.focal * up) / this.ahead;
  }

  /** Radius of a circle in the outline of the ball: half its width across the picture's radius. */
  inner(r) {
    return (this.focal * r) / this.ahead;
  }

  /** Radius of a circle around the outline; Infinity if the ball reaches behind the camera. */
  outer(r) {
    const { distance, ahead } = this,
      toEdge = distance * distance - r * r;
    if (toEdge <= 0) return Infinity;
    const cosine = ahead * Math.sqrt(toEdge) - this.aside * r; // of the edge's direction
    return cosine > 0 ? (this.focal * r * distance * distance) / (ahead * cosine) : Infinity;
  }
}

/** Numbers 0 … n − 1, each in at most one slab. */
class Slabs {
  #first = new Int32Array(SLABS);
  constructor(n) {
    this.next = new Int32Array(n);
  }
  clear() {
    this.#first.fill(NONE);
  }
  add(slab, item) {
    this.next[item] = this.#first[slab];
    this.#first[slab] = item;
  }
  /** Takes an item out of the slab; NONE if it is empty. */
  take(slab) {
    const item = this.#first[slab];
    if (item !== NONE) this.#first[slab] = this.next[item];
    return item;
  }
}

export class Occlusion {
  #tiles = new Tiles();

  /** Takes the bodies of another frame. */
  take(data) {
    const { rows } = data;
    this.data = data;
    this.balls = ballsAround(data);
    for (const name of ['x', 'y', 'distance', 'inner', 'outer'])
      this[name] = new Float32Array(rows);
    this.tests = new Slabs(rows + this.balls.length / 4); // of rows, then of balls
    this.covers = new Slabs(rows);
    this.seen = new Uint32Array(rows);
  }

  /**
   * Rows that may be seen, of bodies of `size` times their radius. `accepts(row)` says which bodies
   * are shown at all; `hides(row)` which of them are full spheres.
   */
  find(size, camera, width, height, accepts, hides) {
    const { tests, covers, x, y, outer, inner } = this,
      { rows, radius } = this.data;
    let count = 0;
    this.#begin(new Sight(camera, width, height), size);
    for (let slab = 0; slab < SLABS; ++slab) {
      for (let item = tests.take(slab); item !== NONE; item = tests.take(slab)) {
        if (item >= rows) this.#open(item - rows, slab, size, accepts);
        else if (!this.#tiles.hide(x[item], y[item], outer[item])) {
          this.seen[count++] = item;
          const before = this.distance[item] - COVER_DEPTH * size * radius[item];
          if (hides(item)) covers.add(Math.max(slab, this.#slabOf(before)), item);
        }
      }
      for (let item = covers.take(slab); item !== NONE; item = covers.take(slab))
        this.#tiles.cover(x[item], y[item], COVER * inner[item]);
    }
    return this.seen.subarray(0, count);
  }

  /** Uncovers all tiles, and has the balls as the first that are looked at. */
  #begin(sight, size) {
    this.sight = sight;
    sight.setTile(Math.min(16, Math.max(0.5, this.#typicalRadius() * size / TILES)));
    this.#tiles.clear(Math.ceil(sight.width), Math.ceil(sight.height));
    const nearest = new Float32Array(this.balls.length / 4).map((_, k) => {
      this.#lookAtBall(k);
      return sight.distance - this.balls[4 * k + 3];
    });
    this.low = nearest.reduce((a, b) => Math.min(a, b), Infinity);
    const high = nearest.reduce((a, b) => Math.max(a, b), -Infinity);
    this.scale = (SLABS - 1) / Math.max(high - this.low, 1e-30);
    this.tests.clear();
    this.covers.clear();
    nearest.forEach((distance, k) => this.tests.add(this.#slabOf(distance), this.data.rows + k));
  }

  #slabOf(distance) {
    return Math.min(Math.floor((distance - this.low) * this.scale), SLABS - 1);
  }

  /** Mean radius of some bodies [px]. */
  #typicalRadius() {
    const { sight } = this,
      { rows, radius } = this.data,
      stride = Math.ceil(rows / 1000);
    let sum = 0;
    for (let row = 0; row < rows; row += stride) {
      this.#lookAt(row);
      if (sight.ahead > 0) sum += sight.inner(radius[row]);
    }
    return (sum * stride) / rows;
  }

  #lookAt(row) {
    const { position } = this.data;
    this.sight.look(position[3 * row], position[3 * row + 1], position[3 * row + 2]);
  }

  #lookAtBall(k) {
    this.sight.look(this.balls[4 * k], this.balls[4 * k + 1], this.balls[4 * k + 2]);
  }

  /** Has the bodies in a ball looked at, unless it is hidden. */
  #open(ball, slab, size, accepts) {
    const { sight, tests } = this,
      { rows, radius } = this.data,
      last = Math.min((ball + 1) * ROWS, rows);
    this.#lookAtBall(ball);
    const outer = sight.outer(this.balls[4 * ball + 3]);
    if (outer < Infinity && this.#tiles.hide(sight.x, sight.y, outer)) return;
    for (let row = ball * ROWS; row < last; ++row) {
      const r = size * radius[row];
      if (!accepts(row)) continue;
      this.#lookAt(row);
      if (sight.ahead <= r) continue;
      this.x[row] = sight.x;
      this.y[row] = sight.y;
      this.distance[row] = sight.distance;
      this.inner[row] = sight.inner(r);
      this.outer[row] = sight.outer(r);
      tests.add(Math.max(slab, this.#slabOf(sight.distance - r)), row);
    }
  }
}
