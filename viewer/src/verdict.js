// How the run ended, and how well it was solved, in words.
import { byId, element } from './words.js';

const OUTCOMES = {
  done: 'done',
  failed: 'failed',
  interrupted: 'interrupted',
  open: 'has no end: it still runs, or was killed',
};

export function showVerdict({ outcome, verdict, certified, objections }) {
  const met = certified?.verdict === 'met';
  const badge = byId('outcome');
  badge.textContent =
    OUTCOMES[outcome] + (certified?.verdict ? `, verdict ${certified.verdict}` : '');
  badge.dataset.good = outcome === 'open' || (outcome === 'done' && met);
  const lines = [
    ...objections.map(objection => `Do not trust this run: ${objection}.`),
    ...verdict.split('\n').filter(line => line),
  ];
  byId('verdict').replaceChildren(
    ...(lines.length > 0 ? lines : ['A run has its verdict at its end.']).map(textContent =>
      element('p', { textContent }),
    ),
  );
  byId('worst-step').hidden = !certified?.residual;
  byId('worst-contact').hidden = !certified?.contacts?.worst;
}
