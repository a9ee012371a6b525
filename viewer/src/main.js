// The page: it asks the server for the run, shows frames, and connects controls and pictures.
import { Legend } from './legend.js';
import { arrowsOn, axesOf, looksOfChains } from './forces.js';
import { bodyAt, ribbonAt } from './picking.js';
import { Plots } from './plots.js';
import { bodyInWords, contactInWords, jointsInWords } from './selection.js';
import * as server from './server.js';
import { SliceControls } from './slice_controls.js';
import { Solids } from './solids.js';
import { Stage } from './stage.js';
import { Timeline } from './timeline.js';
import { showVerdict } from './verdict.js';
import { byId, element, number } from './words.js';

const SECONDS_BETWEEN_LOOKS = 2; // at a run in progress

let run = null;
let frame = null; // that is shown
let selected = { kind: 'none' }; // or a body by id, a joint by name, a contact by its words

const stage = stageOf(byId('picture'));
const timeline = new Timeline(showFrame);
const legend = new Legend(reload, paint);
const plots = new Plots(time => timeline.goToTime(time));
const slice = new SliceControls((axis, low, high) => stage.setSlice(axis, low, high));

function notice(text) {
  byId('notice').textContent = text;
  byId('notice').hidden = text === '';
}

// Frames

function question(number) {
  return {
    frame: number,
    colour: legend.value,
    contacts: byId('chains').checked ? 1 : 0,
    known_obstacles: stage.obstacles.key,
  };
}

async function showFrame(number) {
  try {
    const next = await server.frame(question(number));
    if (next.columns.mesh && !stage.solids)
      stage.setSolids(new Solids(await server.shapes(number), stage.data));
    const isFirst = frame === null;
    frame = next;
    stage.takeFrame(frame);
    if (isFirst) resetView();
    paint();
    showParts();
    showChains();
    showJoints();
    slice.setExtent(stage.box, frame.origin);
    plots.setTime(frame.time);
    notice(frame.faults.length > 0 ? `Left out of this frame: ${frame.faults.join('; ')}` : '');
    byId('picture').setAttribute('aria-label', `${frame.bodies} bodies at ${timeText()}`);
    await refreshSelection();
    document.body.dataset.frame = number;
  } catch (error) {
    notice(error.message);
    document.body.dataset.frame = 'failed';
  }
}

function stageOf(canvas) {
  try {
    return new Stage(canvas, sayDrawn);
  } catch (error) {
    notice(
      'This browser has no WebGL 2. If there is no graphics card, start Chromium with ' +
        '--enable-unsafe-swiftshader.',
    );
    throw error;
  }
}

const timeText = () => byId('time-text').textContent;
function reload() {
  return timeline.go(timeline.frame);
}

function resetView() {
  const down = run.gravity.map(Math.abs),
    axis = Math.max(...down) > 0 ? down.indexOf(Math.max(...down)) : 2;
  const up = [0, 0, 0];
  up[axis] = run.gravity[axis] > 0 ? -1 : 1;
  stage.resetView(up);
}

function paint() {
  if (!frame) return;
  stage.paint({ limits: legend.limitsOf(frame) });
}

function sayDrawn() {
  if (stage.scale < 1) return;
  const hidden = stage.drawn < stage.data.rows ? `, ${stage.drawn} of them in sight` : '';
  byId('drawn').textContent = `${stage.data.rows} bodies${hidden}`;
}

// Parts, forces, joints

function showParts() {
  const { names, hidden } = stage.obstacles,
    list = byId('parts');
  if (list.dataset.names === names.join()) return;
  list.dataset.names = names.join();
  list.replaceChildren(
    list.firstElementChild,
    ...names.map((name, k) => {
      const box = element('input', { type: 'checkbox', checked: true });
      box.addEventListener('change', () => {
        hidden[box.checked ? 'delete' : 'add'](k);
        stage.obstacles.rebuild();
        stage.request();
      });
      return element('label', {}, box, ` ${name || `part ${k}`}`);
    }),
  );
}

function showChains() {
  const { chain_ends: ends, chain_force: force, chain_class: kind } = frame.columns;
  byId('chains-text').textContent = '';
  if (!ends) return stage.hideChains();
  const byClass = byId('chains-by').value === 'class';
  stage.showChains(ends, looksOfChains(force, kind, byClass, stage.radiusOfBodies()));
  const largest = force.reduce((a, b) => Math.max(a, b), 0);
  byId('chains-text').textContent =
    `${frame.chains.shown} of ${frame.chains.contacts} contacts bear load, at most ${number(largest)} N`;
}

function showJoints() {
  byId('joints-section').hidden = frame.joints.length === 0;
  byId('joints-table').replaceChildren(
    jointsInWords(frame.joints, name => select({ kind: 'joint', name })),
  );
  if (!byId('joints').checked || frame.joints.length === 0) return stage.joints.hide();
  stage.joints.show(...axesOf(frame.joints, stage.radiusOfBodies(), selected.name));
}

// Selection

async function select(wanted) {
  selected = wanted;
  await refreshSelection();
}

const selectBody = id => select({ kind: 'body', id });
const selectContact = async index => {
  try {
    const contact = await server.contact(timeline.frame, index);
    await select({ kind: 'contact', text: contactInWords(contact, frame.time, selectBody) });
  } catch (error) {
    notice(error.message);
  }
};

/** Shows the selection in the frame, where a body may be at another place, or gone. */
async function refreshSelection() {
  const panel = byId('selection');
  let row = -1;
  stage.arrows.hide();
  if (selected.kind === 'none') panel.textContent = 'Nothing is selected.';
  if (selected.kind === 'contact') panel.replaceChildren(...selected.text);
  if (selected.kind === 'joint') {
    panel.replaceChildren(
      jointsInWords(
        frame.joints.filter(({ name }) => name === selected.name),
        () => {},
      ),
    );
    showJoints();
  }
  if (selected.kind === 'body') row = await refreshBody(panel);
  if (row !== stage.data.selected) stage.paint({ selected: row });
}

/** Describes the selected body, and returns its row; −1 if it is not in the frame. */
async function refreshBody(panel) {
  try {
    const body = await server.body(timeline.frame, selected.id);
    panel.replaceChildren(...bodyInWords(body, selectBody, selectContact));
    panel.dataset.id = body.id;
    stage.arrows.show(...arrowsOn(body, frame.origin));
    return body.row;
  } catch (error) {
    panel.textContent = error.message;
    return -1;
  }
}

async function pick(x, y) {
  if (!frame) return;
  const ray = stage.rayAt(x, y),
    size = stage.data.uniforms.size.value;
  const body =
    size > 0 ? bodyAt(ray, stage.data, stage.solids, size, row => stage.accepts(row)) : null;
  const chain = stage.chains.visible
    ? ribbonAt(ray, stage.chains, 3 * stage.lengthOfPixel())
    : null;
  if (chain && (!body || chain.distance < body.distance))
    return selectContact(frame.columns.chain_contact[stage.shownChains[chain.index]]);
  if (!body) return select({ kind: 'none' });
  try {
    await selectBody((await server.bodyInRow(timeline.frame, body.row)).id);
  } catch (error) {
    notice(error.message);
  }
}

// Verdict

async function goToWorstContact() {
  const worst = run.certified.contacts.worst;
  await timeline.goToTime(worst.time);
  await selectBody(worst.id_a);
}

// Controls

function listen() {
  const canvas = byId('picture');
  let pressed = [0, 0];
  canvas.addEventListener('pointerdown', event => (pressed = [event.offsetX, event.offsetY]));
  canvas.addEventListener('click', event => {
    const isDrag = Math.hypot(event.offsetX - pressed[0], event.offsetY - pressed[1]) > 4;
    if (!isDrag) pick(event.offsetX, event.offsetY);
  });
  canvas.addEventListener('keydown', event => {
    if (onKey(event.key)) event.preventDefault();
  });
  byId('bodies-as').addEventListener('change', event => {
    stage.data.uniforms.size.value = Number(event.target.value);
    stage.changed();
  });
  byId('chains').addEventListener('change', () => {
    if (byId('chains').checked && byId('bodies-as').value === '1') byId('bodies-as').value = '0.3';
    if (!byId('chains').checked) byId('bodies-as').value = '1';
    byId('bodies-as').dispatchEvent(new Event('change'));
    reload();
  });
  byId('chains-by').addEventListener('change', reload);
  byId('joints').addEventListener('change', reload);
  byId('turn').addEventListener('click', () => turn(!stage.turning));
  byId('reset-view').addEventListener('click', () => frame && resetView());
  for (const which of ['highest', 'lowest'])
    byId(`select-${which}`).addEventListener('click', event =>
      selectBody(Number(event.currentTarget.dataset.id)),
    );
  byId('find').addEventListener('submit', event => {
    event.preventDefault();
    selectBody(Number(byId('find-id').value));
  });
  byId('worst-step').addEventListener('click', () =>
    timeline.goToTime(run.certified.residual.time),
  );
  byId('worst-contact').addEventListener('click', goToWorstContact);
  byId('follow').addEventListener('change', () => byId('follow').checked && timeline.go(Infinity));
}

function onKey(key) {
  const actions = {
    ' ': () => timeline.play(!timeline.playing),
    ',': () => timeline.go(timeline.frame - 1),
    '.': () => timeline.go(timeline.frame + 1),
    Home: resetView,
  };
  if (!frame) return false;
  actions[key]?.();
  return key in actions || stage.step(key);
}

function turn(on) {
  stage.turning = on;
  byId('turn').setAttribute('aria-pressed', on);
  stage.request();
}

// The run

function takeRun(description) {
  run = description;
  document.title = `${run.name} – scree view`;
  byId('run-name').textContent = run.name;
  byId('run-name').title = run.directory;
  showVerdict(run);
  legend.offer(run.values);
  plots.offer(run.tables);
  byId('follow-label').hidden = run.outcome !== 'open';
  timeline.add(run.first_frame, run.times);
}

async function watch() {
  while (run.outcome === 'open') {
    await new Promise(resolve => setTimeout(resolve, 1000 * SECONDS_BETWEEN_LOOKS));
    try {
      const before = timeline.times.length;
      takeRun(await server.run(before));
      if (before === 0 && timeline.times.length > 0) await timeline.go(0);
      if (run.outcome !== 'open' || timeline.times.length > before) await plots.load();
    } catch (error) {
      notice(error.message);
    }
  }
}

async function start() {
  listen();
  try {
    takeRun(await server.run(0));
  } catch (error) {
    return notice(error.message);
  }
  if (timeline.times.length === 0) document.body.dataset.frame = 'none';
  await timeline.go(0);
  document.body.dataset.ready = 'true';
  watch();
}

start();
