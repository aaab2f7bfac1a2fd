// One job of the server at a time, in order. While one runs, a newer wish of the same gesture takes the place of the
// older one that waits: a slider or brush never lags behind. Work in the background gives way to whatever comes next.
import * as api from './api';
import { element } from './dom';

export interface Task {
  gesture?: string;
  background?: boolean;
  dropped?: boolean; // in the background, and something else came
  start: () => Promise<number>;
  done: () => Promise<void>;
}

export class Runner {
  readonly element: HTMLElement;
  onError: (error: unknown) => void = () => {};
  onIdle: () => void = () => {};

  private readonly bar = element('progress', { max: 1, value: 0, 'aria-label': 'progress' });
  private readonly stage = element('span', {});
  private queue: Task[] = [];
  private current: Task | null = null;
  private job = 0;
  private running = false;

  constructor() {
    const cancel = element('button', { id: 'cancel', title: 'Esc', onclick: () => void this.cancel() }, 'Cancel');
    this.element = element('div', { class: 'working', hidden: true, role: 'status' }, this.bar, this.stage, cancel);
    this.setRunning(false);
  }

  add(task: Task): void {
    this.dropBackground();
    const same = this.queue.findIndex(({ gesture }) => gesture !== undefined && gesture === task.gesture);
    if (same >= 0) this.queue[same] = task;
    else this.queue.push(task);
    if (!this.running) void this.work();
  }

  async cancel(): Promise<void> {
    this.queue = [];
    if (this.job > 0) await api.cancel(this.job).catch(this.onError);
  }

  // Stops what runs in the background; true when nothing else runs.
  async settle(): Promise<boolean> {
    this.dropBackground();
    while (this.running && (this.current?.background ?? true) && this.queue.length === 0) {
      await new Promise((done) => setTimeout(done, 10));
    }
    return !this.running;
  }

  private dropBackground(): void {
    this.queue = this.queue.filter(({ background }) => !background);
    if (!this.current?.background) return;
    this.current.dropped = true;
    if (this.job > 0) void api.cancel(this.job).catch(this.onError);
  }

  private async work(): Promise<void> {
    this.setRunning(true);
    for (let task = this.queue.shift(); task; task = this.queue.shift()) {
      this.current = task;
      try {
        this.job = await task.start();
        if (task.dropped) await api.cancel(this.job);
        if (await api.finished(this.job, (job) => this.show(job))) await task.done();
      } catch (error) {
        this.onError(error);
      }
      this.job = 0;
    }
    this.current = null;
    this.element.hidden = true;
    this.setRunning(false);
    this.onIdle();
  }

  private setRunning(running: boolean): void {
    this.running = running;
    document.body.dataset.idle = String(!running);
  }

  private show({ fraction, stage }: api.Job): void {
    this.element.hidden = false;
    this.bar.value = fraction;
    this.stage.textContent = stage;
  }
}
