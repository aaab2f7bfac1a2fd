// What leaves the page as a file. A copy of the last result stays in the page, so that nothing is lost when the server
// stops.
import * as api from './api';
import { element } from './dom';
import type { Messages } from './messages';

export class Saver {
  private kept: { entry: number; glb: Blob; pins: Blob | null } | null = null;
  private timer = 0;
  private stem = 'character';

  constructor(private readonly messages: Messages) {}

  // Fetches the result a little later, unless another one comes before.
  keep(entry: api.Entry, file: string, first: boolean): void {
    this.stem = file.replace(/\.[^.]*$/, '');
    clearTimeout(this.timer);
    if (this.kept?.entry === entry.id || first) return;
    this.timer = window.setTimeout(() => {
      void (async () => {
        try {
          const [glb, pins] = [await api.resultGlb(), entry.pins > 0 ? await api.pinsFile() : null];
          this.kept = { entry: entry.id, glb, pins };
          document.body.dataset.kept = String(entry.id);
          this.messages.onDownload = () => this.rescue(entry);
        } catch (error) {
          this.messages.fail(error);
        }
      })();
    }, 1000);
  }

  async glb(entry: api.Entry): Promise<void> {
    const blob = this.kept?.entry === entry.id ? this.kept.glb : await api.resultGlb();
    this.download(blob, `${this.stem}_${entry.method || 'copy'}.glb`);
  }

  async pins(): Promise<void> {
    this.download(await api.pinsFile(), `${this.stem}.pins.json`);
  }

  async field(): Promise<void> {
    this.download(await api.fieldFile(), `${this.stem}.skincells`);
  }

  private rescue({ method }: api.Entry): void {
    if (!this.kept) return;
    this.download(this.kept.glb, `${this.stem}_${method || 'copy'}.glb`);
    if (this.kept.pins) this.download(this.kept.pins, `${this.stem}.pins.json`);
  }

  private download(blob: Blob, name: string): void {
    const address = URL.createObjectURL(blob);
    element('a', { href: address, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(address), 60000);
    this.messages.note(`saved ${name}`);
  }
}
