// Which spheres the camera can see. Drawing a pixel's sphere costs the same whether it is hidden or
// not, so hidden ones are left out before: a bed shows a few of its layers.
//
// Spheres are looked at from the nearest to the farthest. A bitmap has a bit for each small tile of
// the picture: whether nearer spheres cover it. A sphere is hidden if they cover all tiles that its
// outline meets. It covers the tiles inside a circle of 0.86 of its outline: there its surface is
// nearer than its centre by half a radius, so all spheres whose nearest point lies behind that are
// hidden there.

const COVER = 0.86,
  COVER_DEPTH = 0.5; // of the radius: circle, and its depth before the centre
const OUTLINE = 1.03; // of the radius, because perspective stretches outlines a little
const TILES = 6; // in a typical radius
const SLABS = 2048; // of depth, into which spheres are sorted

/** Indices 0 … count − 1 sorted by slab; those with slab < 0 are left out. */
function sorted(slab, count, first, order) {
  first.fill(0);
  for (let i = 0; i < count; ++i) if (slab[i] >= 0) ++first[slab[i] + 1];
  for (let s = 0; s < SLABS; ++s) first[s + 1] += first[s];
  const next = first.slice();
  for (let i = 0; i < count; ++i) if (slab[i] >= 0) order[next[slab[i]]++] = i;
}

export class Occlusion {
  #capacity = 0;
  #bits = new Uint32Array();
  #firstTest = new Uint32Array(SLABS + 1);
  #firstCover = new Uint32Array(SLABS + 1);

  /**
   * Rows that may be seen. `accepts(row)` says which bodies are shown at all; `hides(row)` which of
   * them are full spheres.
   */
  find({ rows, position, radius, size, camera, width, height, accepts, hides }) {
    this.#reserve(rows);
    this.#project(rows, position, radius, size, camera, width, height, accepts);
    this.#sort(rows, radius, size);
    let count = 0;
    for (let slab = 0; slab < SLABS; ++slab) {
      for (let k = this.#firstTest[slab]; k < this.#firstTest[slab + 1]; ++k) {
        const row = this.testOrder[k];
        const isHidden = this.#isCovered(this.x[row], this.y[row], OUTLINE * this.pixels[row] + 1);
        this.coverSlab[row] = isHidden ? -1 : this.coverSlab[row];
        if (!isHidden) this.visible[count++] = row;
      }
      for (let k = this.#firstCover[slab]; k < this.#firstCover[slab + 1]; ++k) {
        const row = this.coverOrder[k];
        if (this.coverSlab[row] >= 0 && hides(row))
          this.#cover(this.x[row], this.y[row], COVER * this.pixels[row]);
      }
    }
    return this.visible.subarray(0, count);
  }

  #reserve(rows) {
    if (this.#capacity >= rows) return;
    this.#capacity = rows;
    for (const name of ['x', 'y', 'depth', 'pixels']) this[name] = new Float32Array(rows);
    for (const name of ['testSlab', 'coverSlab']) this[name] = new Int32Array(rows);
    for (const name of ['visible', 'testOrder', 'coverOrder']) this[name] = new Uint32Array(rows);
  }

  /** Tiles, radii in tiles, and depths of the spheres; depth 0 for what is not shown. */
  #project(rows, position, radius, size, camera, width, height, accepts) {
    const m = camera.matrixWorldInverse.elements,
      { x, y, depth, pixels } = this;
    const focal = (height / 2) * camera.projectionMatrix.elements[5];
    let sum = 0,
      shown = 0;
    for (let i = 0; i < rows; ++i) {
      depth[i] = 0;
      if (!accepts(i)) continue;
      const px = position[3 * i],
        py = position[3 * i + 1],
        pz = position[3 * i + 2],
        r = radius[i] * size;
      const d = -(m[2] * px + m[6] * py + m[10] * pz + m[14]);
      if (d <= r) continue;
      depth[i] = d;
      x[i] = width / 2 + (focal * (m[0] * px + m[4] * py + m[8] * pz + m[12])) / d;
      y[i] = height / 2 - (focal * (m[1] * px + m[5] * py + m[9] * pz + m[13])) / d;
      pixels[i] = (focal * r) / Math.sqrt(d * d - r * r);
      sum += pixels[i];
      ++shown;
    }
    const tile = Math.min(16, Math.max(0.5, shown > 0 ? sum / shown / TILES : 1));
    for (let i = 0; i < rows; ++i) {
      x[i] /= tile;
      y[i] /= tile;
      pixels[i] /= tile;
    }
    this.across = Math.ceil(width / tile);
    this.down = Math.ceil(height / tile);
    this.words = Math.ceil(this.across / 32);
    if (this.#bits.length < this.words * this.down)
      this.#bits = new Uint32Array(this.words * this.down);
    this.#bits.fill(0);
  }

  #sort(rows, radius, size) {
    const { depth, testSlab, coverSlab } = this;
    let low = Infinity,
      high = 0;
    for (let i = 0; i < rows; ++i) {
      if (depth[i] === 0) continue;
      low = Math.min(low, depth[i] - radius[i] * size);
      high = Math.max(high, depth[i]);
    }
    const scale = (SLABS - 2) / Math.max(high - low, 1e-30);
    for (let i = 0; i < rows; ++i) {
      const isShown = depth[i] > 0,
        r = radius[i] * size;
      testSlab[i] = isShown ? Math.floor((depth[i] - r - low) * scale) : -1;
      coverSlab[i] = isShown ? Math.ceil((depth[i] - COVER_DEPTH * r - low) * scale) : -1;
    }
    sorted(testSlab, rows, this.#firstTest, this.testOrder);
    sorted(coverSlab, rows, this.#firstCover, this.coverOrder);
  }

  /** True if all tiles of the picture that a circle meets are covered. */
  #isCovered(x, y, r) {
    const top = Math.max(0, Math.floor(y - r)),
      bottom = Math.min(this.down - 1, Math.floor(y + r));
    for (let v = top; v <= bottom; ++v) {
      const dy = v + 0.5 - y,
        half = Math.sqrt(Math.max(r * r - dy * dy, 0));
      const left = Math.max(0, Math.floor(x - half)),
        right = Math.min(this.across - 1, Math.floor(x + half));
      for (let w = left >> 5; w <= right >> 5 && left <= right; ++w) {
        let mask = -1;
        if (w === left >> 5) mask &= -1 << (left & 31);
        if (w === right >> 5) mask &= -1 >>> (31 - (right & 31));
        if (mask & ~this.#bits[v * this.words + w]) return false;
      }
    }
    return true;
  }

  /** Covers the tiles that lie in a circle. */
  #cover(x, y, r) {
    const top = Math.max(0, Math.ceil(y - r)),
      bottom = Math.min(this.down, Math.floor(y + r));
    for (let v = top; v < bottom; ++v) {
      const dy = Math.max(Math.abs(v - y), Math.abs(v + 1 - y)),
        half = Math.sqrt(Math.max(r * r - dy * dy, 0));
      const left = Math.max(0, Math.ceil(x - half)),
        right = Math.min(this.across, Math.floor(x + half)) - 1;
      for (let w = left >> 5; w <= right >> 5 && left <= right; ++w) {
        let mask = -1;
        if (w === left >> 5) mask &= -1 << (left & 31);
        if (w === right >> 5) mask &= -1 >>> (31 - (right & 31));
        this.#bits[v * this.words + w] |= mask;
      }
    }
  }
}
