// Numbers and elements as text.

/** A number with four digits. */
export function number(value) {
  if (value === null || value === undefined) return '–';
  if (value === 0) return '0';
  const size = Math.abs(value);
  return size >= 1e-3 && size < 1e5
    ? String(Number(value.toPrecision(4)))
    : value.toExponential(3).replace('e+', 'e');
}

export const withUnit = (value, unit) => (unit ? `${number(value)} ${unit}` : number(value));
export const vector = values => values.map(number).join(', ');
export const words = name => name.replaceAll('_', ' ');

/** An element with properties and children; children may be texts. */
export function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

export const byId = id => document.getElementById(id);
