// A perceptual colour map: lightness rises evenly from dark violet through green to yellow, so that
// equal steps of a value look equal, also in grey.

export const COLOURS = 256;

/** sRGB in 0 … 1 of a colour by its lightness, chroma and hue [degrees] in the space OKLab. */
function srgb(lightness, chroma, hue) {
  const a = chroma * Math.cos((hue * Math.PI) / 180),
    b = chroma * Math.sin((hue * Math.PI) / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ].map(x => (x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055));
}

const isShown = colour => colour.every(x => x >= 0 && x <= 1);

/** The strongest colour of this lightness and hue that a screen shows. */
function strongest(lightness, hue) {
  let chroma = 0.17;
  while (chroma > 0 && !isShown(srgb(lightness, chroma, hue))) chroma -= 0.005;
  return srgb(lightness, Math.max(chroma, 0), hue);
}

/** Bytes of the map: red, green, blue, 255 of each colour. */
export const PALETTE = new Uint8Array(4 * COLOURS);
for (let k = 0; k < COLOURS; ++k) {
  const t = k / (COLOURS - 1);
  const colour = strongest(0.3 + 0.62 * t, 295 - 190 * t);
  PALETTE.set([...colour.map(x => Math.round(255 * x)), 255], 4 * k);
}

/** Values below which the given percentages lie, of at most 10000 samples of the values. */
export function percentiles(values, low, high) {
  if (values.length === 0) return [0, 1];
  const stride = Math.ceil(values.length / 10000);
  const samples = Float32Array.from(
    { length: Math.ceil(values.length / stride) },
    (_, k) => values[k * stride],
  ).sort();
  const at = percent => samples[Math.round((percent / 100) * (samples.length - 1))];
  return [at(low), at(high)];
}
