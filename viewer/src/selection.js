// What is selected, in words and numbers: a body with its contacts, a contact, a joint.
import { element, number, vector, withUnit } from './words.js';

function table(rows) {
  return element(
    'table',
    {},
    element(
      'tbody',
      {},
      ...rows.map(([name, value]) =>
        element(
          'tr',
          {},
          element('th', { scope: 'row', textContent: name }),
          element('td', {}, value),
        ),
      ),
    ),
  );
}

function link(text, onClick) {
  const made = element('button', { type: 'button', className: 'link', textContent: text });
  made.addEventListener('click', onClick);
  return made;
}

const force = contact =>
  contact.force === null
    ? withUnit(Math.hypot(...contact.impulse), 'N s')
    : withUnit(contact.force, 'N');

/** A body. `onBody(id)` and `onContact(index)` are called for its neighbours and contacts. */
export function bodyInWords(body, onBody, onContact) {
  const other = contact => (contact.a.id === body.id ? contact.b : contact.a);
  const rows = body.contacts.map(contact => {
    const { id, name } = other(contact);
    return element(
      'tr',
      {},
      element('td', {}, id === undefined ? name : link(name, () => onBody(id))),
      element(
        'td',
        {},
        link(force(contact), () => onContact(contact.contact)),
      ),
      element('td', { textContent: contact.class }),
      element('td', { textContent: withUnit(contact.residual, 'm/s') }),
    );
  });
  const heads = ['by', 'force', 'class', 'residual'].map(name =>
    element('th', { scope: 'col', textContent: name }),
  );
  return [
    element('h2', { textContent: `Body ${body.id}` }),
    table([
      ['material', body.material || '–'],
      ['speed', withUnit(body.speed, 'm/s')],
      ['velocity', `${vector(body.velocity)} m/s`],
      ['spin', `${vector(body.angular_velocity)} rad/s`],
      ['position', `${vector(body.position)} m`],
      ['radius', withUnit(body.radius, 'm')],
      ['mass', withUnit(body.mass, 'kg')],
    ]),
    element('p', {
      textContent:
        rows.length === 0
          ? 'Nothing touches it.'
          : `It has ${rows.length} contact${rows.length === 1 ? '' : 's'}, the largest force first:`,
    }),
    ...(rows.length === 0
      ? []
      : [
          element(
            'table',
            {},
            element('thead', {}, element('tr', {}, ...heads)),
            element('tbody', {}, ...rows),
          ),
        ]),
  ];
}

export function contactInWords(contact, time, onBody) {
  const side = ({ id, name, material }) =>
    element(
      'span',
      {},
      id === undefined ? name : link(name, () => onBody(id)),
      material ? `, ${material}` : '',
    );
  return [
    element('h2', { textContent: `Contact at t = ${number(time)} s` }),
    table([
      ['between', side(contact.a)],
      ['and', side(contact.b)],
      ['law', contact.law || '–'],
      ['class', contact.class],
      ['force', force(contact)],
      ['impulse', `${vector(contact.impulse)} N s`],
      ['gap', withUnit(contact.gap, 'm')],
      ['residual', withUnit(contact.residual, 'm/s')],
      ['cone violation', withUnit(contact.cone_violation, 'N s')],
      ['complementarity violation', withUnit(contact.complementarity_violation, 'J')],
      ['dissipated energy', withUnit(contact.dissipated_energy, 'J')],
      ['Painlevé number', number(contact.painleve_number)],
    ]),
  ];
}

const size = values => Math.hypot(...values);

/** All joints, the largest force first. `onJoint(name)` selects one. */
export function jointsInWords(joints, onJoint) {
  const heads = ['joint', 'force', 'torque', 'error'].map(name =>
    element('th', { scope: 'col', textContent: name }),
  );
  const rows = joints
    .toSorted((a, b) => size(b.force) - size(a.force))
    .map(joint =>
      element(
        'tr',
        {},
        element(
          'td',
          {},
          link(joint.name, () => onJoint(joint.name)),
        ),
        element('td', { textContent: withUnit(size(joint.force), 'N') }),
        element('td', { textContent: withUnit(size(joint.torque), 'N m') }),
        element('td', { textContent: withUnit(joint.error, 'm') }),
      ),
    );
  return element(
    'table',
    {},
    element('thead', {}, element('tr', {}, ...heads)),
    element('tbody', {}, ...rows),
  );
}
