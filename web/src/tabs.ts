// Panels of which one is shown at a time.
import { element } from './dom';

export class Tabs {
  readonly element: HTMLElement;
  onChange: (name: string) => void = () => {};
  private readonly buttons = new Map<string, HTMLButtonElement>();
  private chosen = '';

  constructor(private readonly panels: [string, HTMLElement][]) {
    const list = element('div', { class: 'tabs', role: 'tablist' });
    panels.forEach(([name, panel], index) => {
      const id = name.toLowerCase();
      const button = element('button', { id: `tab-${id}`, role: 'tab', 'aria-controls': `panel-${id}` }, name);
      panel.id = `panel-${id}`;
      panel.setAttribute('role', 'tabpanel');
      panel.setAttribute('aria-labelledby', button.id);
      button.addEventListener('click', () => this.choose(name));
      button.addEventListener('keydown', ({ key }) => {
        const step = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? panels.length - 1 : 0;
        if (step > 0) this.choose(panels[(index + step) % panels.length][0], true);
      });
      this.buttons.set(name, button);
      list.append(button);
    });
    this.element = element('div', {}, list, ...panels.map(([, panel]) => panel));
    this.choose(panels[0][0]);
  }

  get current(): string {
    return this.chosen;
  }

  choose(name: string, focus = false): void {
    this.chosen = name;
    for (const [other, panel] of this.panels) panel.hidden = other !== name;
    for (const [other, button] of this.buttons) {
      button.setAttribute('aria-selected', String(other === name));
      button.tabIndex = other === name ? 0 : -1;
    }
    if (focus) this.buttons.get(name)?.focus();
    this.onChange(name);
  }
}
