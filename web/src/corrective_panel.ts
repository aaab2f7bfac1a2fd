// Correctives: on and off, how long they take, and how far from the truth the skin is with and without them.
import type { PoseHeader, State } from './api';
import { element, field } from './dom';

const percent = (length: number, size: number) => `${((length / size) * 100).toFixed(3)} %`;

export class CorrectivePanel {
  readonly element: HTMLElement;
  onChange: () => void = () => {};
  onBeside: () => void = () => {};

  private readonly onBox = element('input', { id: 'correctives', type: 'checkbox' });
  private readonly beside = element('button', { id: 'plain-beside' }, 'Plain skinning beside it');
  private readonly file = element('p', { id: 'corrective-file', class: 'hint' });
  private readonly times = element('p', { id: 'corrective-times', class: 'hint' });
  private readonly errors = element('p', { id: 'corrective-errors', class: 'hint' });

  constructor() {
    this.onBox.addEventListener('change', () => this.onChange());
    this.beside.addEventListener('click', () => this.onBeside());
    this.element = element(
      'section',
      { 'aria-label': 'Correctives' },
      this.file,
      field('Correctives', this.onBox, 'K: with and without them'),
      this.beside,
      this.times,
      this.errors,
    );
  }

  get on(): boolean {
    return this.onBox.checked && !this.onBox.disabled;
  }

  toggle(): void {
    if (!this.onBox.disabled) this.onBox.click();
  }

  show({ correctives, truth }: State): void {
    const fresh = correctives !== null && this.onBox.disabled;
    this.onBox.disabled = correctives === null;
    this.beside.disabled = correctives === null;
    // What was just loaded is what the person wants to see.
    if (fresh) this.onBox.checked = true;
    this.file.textContent = correctives
      ? `${correctives.name}: ${correctives.networks} networks on ${correctives.levels} levels, ` +
        `${(correctives.bytes / 1024).toFixed(0)} KB`
      : 'Drop a .sinewc of this character on the page (sinew train makes them).';
    this.times.textContent = '';
    this.errors.textContent = truth
      ? `${truth.frames} frames of truth: choose one of its motions below, and error colours (6).`
      : 'With the shapes.sinewt that they were trained on, errors can be seen too.';
  }

  showFrame({ correctives_ms, posing_ms, plain_error, corrected_error }: PoseHeader, frameMs: number, size: number): void {
    if (correctives_ms !== undefined && posing_ms !== undefined) {
      this.times.textContent =
        `Correctives ${correctives_ms.toFixed(2)} ms, with skinning and normals ${posing_ms.toFixed(2)} ms; ` +
        `page ${frameMs.toFixed(1)} ms per frame`;
    }
    if (!plain_error) return;
    const plain = `plain ${percent(plain_error.mean, size)} (at most ${percent(plain_error.largest, size)})`;
    const corrected = corrected_error
      ? `, corrected ${percent(corrected_error.mean, size)} (at most ${percent(corrected_error.largest, size)})`
      : '';
    this.errors.textContent = `Mean error of the diagonal: ${plain}${corrected}`;
  }
}
