// What the page tells the person: errors stay until closed, notes go by themselves; and the end of the server.
import { Refusal, ServerGone } from './api';
import { element, fill } from './dom';

export class Messages {
  readonly element = element('div', { class: 'messages', role: 'status', 'aria-live': 'polite' });
  private readonly banner = element('div', { class: 'banner', role: 'alert', hidden: true });
  onDownload: (() => void) | null = null;

  constructor() {
    this.element.append(this.banner);
  }

  note(text: string, kind: 'note' | 'warning' | 'error' = 'note'): void {
    // The same words twice help nobody.
    const shown = [...this.element.querySelectorAll('.message > span')].some((span) => span.textContent === text);
    if (shown) return;
    const close = element('button', { 'aria-label': 'close' }, '×');
    const message = element('div', { class: `message ${kind}` }, element('span', {}, text), close);
    close.addEventListener('click', () => message.remove());
    this.element.append(message);
    if (kind !== 'error') setTimeout(() => message.remove(), kind === 'note' ? 5000 : 12000);
  }

  fail(error: unknown): void {
    if (error instanceof ServerGone) return this.serverGone(true);
    if (error instanceof Refusal) return this.note([error.message, error.advice].filter(Boolean).join('. '), 'error');
    this.note(error instanceof Error ? error.message : String(error), 'error');
  }

  serverGone(gone: boolean): void {
    if (gone === !this.banner.hidden) return;
    this.banner.hidden = !gone;
    if (!gone) return;
    fill(
      this.banner,
      'The server has stopped. You can still look; start sinew view again to go on. ',
      ...(this.onDownload
        ? [element('button', { id: 'rescue', onclick: () => this.onDownload?.() }, 'Download the last result')]
        : []),
    );
  }
}
