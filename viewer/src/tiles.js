// The picture in small tiles, with a bit for each: whether something covers it.

export class Tiles {
  #bits = new Uint32Array();

  /** Uncovers all tiles. */
  clear(across, down) {
    Object.assign(this, { across, down, words: Math.ceil(across / 32) });
    const size = this.words * down;
    if (this.#bits.length < size) this.#bits = new Uint32Array(size);
    this.#bits.fill(0);
  }

  /** True if all tiles of the picture that a circle meets are covered. */
  hide(x, y, r) {
    const bottom = Math.min(this.down - 1, Math.floor(y + r));
    for (let v = Math.max(0, Math.floor(y - r)); v <= bottom; ++v) {
      const dy = Math.max(v - y, y - v - 1, 0),
        half = Math.sqrt(Math.max(r * r - dy * dy, 0));
      const left = Math.max(0, Math.floor(x - half)),
        right = Math.min(this.across - 1, Math.floor(x + half));
      for (let w = left >> 5; w <= right >> 5 && left <= right; ++w)
        if (maskOf(w, left, right) & ~this.#bits[v * this.words + w]) return false;
    }
    return true;
  }

  /** Covers the tiles that lie in a circle. */
  cover(x, y, r) {
    const bottom = Math.min(this.down, Math.floor(y + r));
    for (let v = Math.max(0, Math.ceil(y - r)); v < bottom; ++v) {
      const dy = Math.max(Math.abs(v - y), Math.abs(v + 1 - y)),
        half = Math.sqrt(Math.max(r * r - dy * dy, 0));
      const left = Math.max(0, Math.ceil(x - half)),
        right = Math.min(this.across, Math.floor(x + half)) - 1;
      for (let w = left >> 5; w <= right >> 5 && left <= right; ++w)
        this.#bits[v * this.words + w] |= maskOf(w, left, right);
    }
  }
}

/** Bits of the tiles from left to right in a word. */
function maskOf(word, left, right) {
  let mask = -1;
  if (word === left >> 5) mask &= -1 << (left & 31);
  if (word === right >> 5) mask &= -1 >>> (31 - (right & 31));
  return mask;
}
