// Reads the message of a frame; src/view/frame_message.hpp describes it.

const ROWS_OF_BLOCK = 4096;

const padded = bytes => (bytes + 3) & ~3;

function dequantised(buffer, offset, rows, components) {
  const values = new Float32Array(rows * components);
  for (let begin = 0; begin < rows; begin += ROWS_OF_BLOCK) {
    const count = Math.min(ROWS_OF_BLOCK, rows - begin);
    const ranges = new Float32Array(buffer, offset, 2 * components);
    offset += ranges.byteLength;
    const steps = new Uint16Array(buffer, offset, count * components);
    offset += padded(steps.byteLength);
    for (let c = 0; c < components; ++c) {
      const low = ranges[2 * c],
        step = ranges[2 * c + 1];
      for (
        let i = c, at = begin * components + c;
        i < steps.length;
        i += components, at += components
      )
        values[at] = low + step * steps[i];
    }
  }
  return values;
}

export function decode(buffer) {
  const length = new DataView(buffer).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  const columns = {};
  for (const { name, kind, offset, rows, components } of header.columns) {
    const at = 4 + length + offset;
    if (kind === 'float32') columns[name] = new Float32Array(buffer, at, rows * components);
    else if (kind === 'uint32') columns[name] = new Uint32Array(buffer, at, rows * components);
    else columns[name] = dequantised(buffer, at, rows, components);
  }
  return { ...header, columns };
}
