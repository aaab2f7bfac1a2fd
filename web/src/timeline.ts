// Which motion plays, and where it is.
import { element, fill } from './dom';
import type { Figure } from './figure';
import type { Motion } from './motion';

export class Timeline {
  readonly element: HTMLElement;
  onChange: () => void = () => {};
  onPlay: (playing: boolean) => void = () => {};
  frame = 0;

  private readonly choice = element('select', { id: 'motion', 'aria-label': 'motion' });
  private readonly button = element('button', { id: 'play', title: 'Space' }, 'Play');
  private readonly slider = element('input', { id: 'frame', type: 'range', min: 0, max: 0, step: 'any', 'aria-label': 'frame' });
  private readonly label = element('output', { class: 'time' });
  private readonly cost = element('output', { id: 'frame-time', class: 'time', title: 'time of the page per frame' });
  private figure: Figure | null = null;
  private motions: Motion[] = [];
  private running = false;

  constructor() {
    this.choice.addEventListener('change', () => this.goTo(0));
    this.button.addEventListener('click', () => this.toggle());
    this.slider.addEventListener('input', () => {
      this.play(false);
      this.goTo(Number(this.slider.value));
    });
    this.element = element('footer', { class: 'timeline' }, this.choice, this.button, this.slider, this.label, this.cost);
  }

  get motion(): Motion | null {
    return this.motions[Number(this.choice.value)] ?? null;
  }

  // The frame of the truth that is shown, or null.
  get truthFrame(): number | null {
    return this.motion?.truth?.[Math.round(this.frame)] ?? null;
  }

  // `chosen`: the name of the motion to begin with, if there is one of that name.
  show(figure: Figure, motions: Motion[], chosen: string | null): void {
    this.play(false);
    this.figure = figure;
    this.motions = motions;
    fill(this.choice, element('option', { value: -1 }, 'rest pose'));
    motions.forEach((motion, index) =>
      this.choice.append(element('option', { value: index }, motion.name || `motion ${index + 1}`)),
    );
    this.choice.value = String(chosen === null ? -1 : motions.findIndex(({ name }) => name === chosen));
    this.goTo(0);
  }

  // Leaves the bones as they are: someone poses them by hand.
  release(): void {
    this.play(false);
    this.choice.value = '-1';
    this.showPlace();
  }

  rest(): void {
    this.choice.value = '-1';
    this.play(false);
    this.goTo(0);
  }

  toggle(): void {
    if (!this.motion && this.motions.length) this.choice.value = '0';
    this.play(!this.running);
  }

  step(frames: number): void {
    this.play(false);
    this.goTo(Math.round(this.frame) + frames);
  }

  advance(seconds: number): void {
    const motion = this.motion;
    if (!this.running || !motion || motion.frames < 2) return;
    this.frame = (this.frame + seconds * motion.rate) % (motion.frames - 1);
    motion.apply(this.figure?.bones ?? [], this.frame);
    this.showPlace();
  }

  // How long a frame took while playing, in milliseconds.
  showCost(milliseconds: number): void {
    this.cost.textContent = this.running ? `${milliseconds.toFixed(1)} ms` : '';
  }

  private play(on: boolean): void {
    this.running = on && this.motion !== null;
    this.button.textContent = this.running ? 'Pause' : 'Play';
    this.onPlay(this.running);
  }

  private goTo(frame: number): void {
    const motion = this.motion;
    this.frame = Math.min(Math.max(frame, 0), (motion?.frames ?? 1) - 1);
    if (motion) motion.apply(this.figure?.bones ?? [], this.frame);
    else this.figure?.resetPose();
    this.showPlace();
    this.onChange();
  }

  private showPlace(): void {
    const motion = this.motion;
    this.button.disabled = !this.motions.length;
    this.slider.disabled = !motion;
    this.slider.max = String((motion?.frames ?? 1) - 1);
    this.slider.value = String(this.frame);
    this.label.textContent = motion ? `${this.frame.toFixed(0)} / ${motion.frames - 1}` : '';
  }
}
