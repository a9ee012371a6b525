// Questions to the server of the page. Addresses are relative, so each has the token.
import { decode } from './frame_message.js';

async function ask(name, parameters) {
  let response;
  try {
    response = await fetch(`${name}?${new URLSearchParams(parameters)}`);
  } catch {
    throw new Error('The viewer has ended. Start `scree view` again.');
  }
  if (!response.ok) throw new Error(await response.text());
  return response;
}

const json = async (name, parameters) => (await ask(name, parameters)).json();

export const run = firstFrame => json('run', { first_frame: firstFrame });
export const shapes = frame => json('shapes', { frame });
export const body = (frame, id) => json('body', { frame, id });
export const bodyInRow = (frame, row) => json('body', { frame, row });
export const contact = (frame, index) => json('contact', { frame, contact: index });
export const series = (table, column) => json('series', { table, column });

/** A frame: its header, and its columns as typed arrays. */
export const frame = async question => decode(await (await ask('frame', question)).arrayBuffer());
