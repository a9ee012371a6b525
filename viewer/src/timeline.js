// The time of the shown frame: slider, play, speed, and following a run in progress.
import { byId, element, number } from './words.js';

const SPEEDS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];
const SECONDS_OF_PLAY = 20; // a run takes about so long to play at first

export class Timeline {
  /** `show(frame)` shows a frame, and resolves when it is drawn. */
  constructor(show) {
    this.show = show;
    this.times = [];
    this.frame = 0;
    this.slider = byId('time');
    this.playing = false;
    this.slider.addEventListener('input', () => this.go(Number(this.slider.value)));
    byId('play').addEventListener('click', () => this.play(!this.playing));
    byId('previous').addEventListener('click', () => this.go(this.frame - 1));
    byId('next').addEventListener('click', () => this.go(this.frame + 1));
    byId('speed').append(
      ...SPEEDS.map(speed => element('option', { value: speed, textContent: `${speed} ×` })),
    );
  }

  /** Frames that are new, the first of them number `first`. */
  add(first, times) {
    const were = this.times.length;
    this.times.splice(first, Infinity, ...times);
    this.slider.max = Math.max(this.times.length - 1, 0);
    this.slider.disabled = this.times.length < 2;
    if (were === 0) this.#chooseSpeed();
    this.#say();
    if (this.times.length > were && byId('follow').checked) this.go(this.times.length - 1);
  }

  #chooseSpeed() {
    const wanted = (this.times.at(-1) - this.times[0]) / SECONDS_OF_PLAY;
    byId('speed').value = SPEEDS.findLast(speed => speed <= wanted) ?? SPEEDS[0];
  }

  /** Shows a frame; of several calls while one is being loaded, the last counts. */
  async go(frame) {
    this.wanted = Math.min(Math.max(frame, 0), this.times.length - 1);
    if (this.loading || this.wanted < 0) return;
    this.loading = true;
    while (this.wanted !== undefined) {
      this.frame = this.wanted;
      this.wanted = undefined;
      this.#say();
      await this.show(this.frame);
    }
    this.loading = false;
  }

  goToTime(time) {
    const after = this.times.findIndex(t => t >= time);
    if (after < 0) return this.go(this.times.length - 1);
    const isNearer = after > 0 && time - this.times[after - 1] < this.times[after] - time;
    return this.go(isNearer ? after - 1 : after);
  }

  async play(on) {
    byId('play').textContent = on ? 'Pause' : 'Play';
    byId('play').setAttribute('aria-pressed', on);
    if (this.playing === on) return;
    this.playing = on;
    if (!on) return;
    if (this.frame === this.times.length - 1) await this.go(0);
    let time = this.times[this.frame],
      clock = performance.now();
    while (this.playing) {
      await new Promise(requestAnimationFrame);
      const now = performance.now();
      time += ((now - clock) / 1000) * Number(byId('speed').value);
      clock = now;
      const next = this.times.findLastIndex(t => t <= time);
      if (next > this.frame) await this.go(next);
      if (this.frame === this.times.length - 1) this.play(false);
    }
  }

  #say() {
    const time = this.times[this.frame],
      text =
        time === undefined
          ? 'no frames'
          : `t = ${number(time)} s, frame ${this.frame + 1} of ${this.times.length}`;
    this.slider.value = this.frame;
    this.slider.setAttribute('aria-valuetext', text);
    byId('time-text').textContent = text;
  }
}
