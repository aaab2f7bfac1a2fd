// What is shown: colours of the skin, the skeleton, the gizmo, and what stands beside it.
import type { Entry, Level } from './api';
import { countColours, css, weightGradient } from './colours';
import { element, field, fill } from './dom';
import type { Look } from './figure';

const looks: [Look, string][] = [
  ['materials', 'Materials'],
  ['weight', 'Weights of the joint'],
  ['dominant', 'Dominant joints'],
  ['count', 'Influence count'],
  ['stretch', 'Stretch'],
  ['error', 'Error'],
];

// What stands beside the character: an entry of the history, or the character without correctives.
export type Beside = number | 'plain' | null;

export class LookPanel {
  readonly element: HTMLElement;
  onChange: () => void = () => {};
  onCompare: (beside: Beside) => void = () => {};
  onLevel: (level: number) => void = () => {};
  onMakeLevels: () => void = () => {};

  private readonly choice = element('select', { id: 'look' });
  private readonly legend = element('div', { class: 'legend' });
  private readonly skeletonBox = element('input', { id: 'skeleton', type: 'checkbox', checked: true });
  private readonly gizmoBox = element('input', { id: 'gizmo', type: 'checkbox' });
  private readonly detail = element('select', { id: 'detail' });
  private readonly beside = element('select', { id: 'beside' });

  constructor() {
    looks.forEach(([look, name], index) =>
      this.choice.append(element('option', { value: look }, `${name} (${index + 1})`)),
    );
    for (const control of [this.choice, this.skeletonBox, this.gizmoBox]) {
      control.addEventListener('change', () => this.changed());
    }
    this.beside.addEventListener('change', () => {
      const { value } = this.beside;
      this.onCompare(value === '' ? null : value === 'plain' ? 'plain' : Number(value));
    });
    this.detail.addEventListener('change', () => {
      if (this.detail.value === 'make') this.onMakeLevels();
      else this.onLevel(Number(this.detail.value));
    });
    this.element = element(
      'section',
      { 'aria-label': 'Look' },
      element('h2', {}, 'Look'),
      field('Colours', this.choice),
      this.legend,
      field('Skeleton', this.skeletonBox, 'S'),
      field('Turn joints', this.gizmoBox, 'G: drag the rings to turn the selected joint'),
      field('Detail', this.detail, 'levels of detail: those of the file, or made as sinew lod does'),
      field('Beside it', this.beside, 'C: another result, same camera and motion'),
    );
    this.showLegend();
  }

  get look(): Look {
    return this.choice.value as Look;
  }
  set look(look: Look) {
    this.choice.value = look;
    this.changed();
  }
  get skeleton(): boolean {
    return this.skeletonBox.checked;
  }
  get gizmo(): boolean {
    return this.gizmoBox.checked;
  }

  pickLook(index: number): void {
    if (index < looks.length) this.look = looks[index][0];
  }
  toggleSkeleton(): void {
    this.skeletonBox.click();
  }
  toggleGizmo(): void {
    this.gizmoBox.click();
  }

  showEntries(entries: Entry[], beside: Beside, hasCorrectives: boolean): void {
    fill(this.beside, element('option', { value: '' }, 'nothing'));
    if (hasCorrectives) this.beside.append(element('option', { value: 'plain' }, 'plain skinning'));
    for (const entry of entries) this.beside.append(element('option', { value: entry.id }, entry.label));
    this.beside.value = beside === null ? '' : String(beside);
  }

  showLevels(levels: Level[], level: number, full: number): void {
    const count = (vertices: number) => `${vertices.toLocaleString('en')} vertices`;
    fill(this.detail, element('option', { value: 0 }, `full: ${count(full)}`));
    levels.forEach(({ vertices }, index) =>
      this.detail.append(element('option', { value: index + 1 }, `level ${index + 1}: ${count(vertices)}`)),
    );
    if (levels.length === 0) this.detail.append(element('option', { value: 'make' }, 'make coarser levels…'));
    this.detail.value = String(level);
  }

  private changed(): void {
    this.showLegend();
    this.onChange();
  }

  private showLegend(): void {
    const scale = (gradient: string, from: string, to: string) => {
      const bar = element('span', { class: 'ramp' });
      bar.style.background = gradient;
      return [element('span', {}, from), bar, element('span', {}, to)];
    };
    const counts = () =>
      countColours.map((colour, index) => {
        const key = element('span', { class: 'key' }, index === 4 ? '5+' : String(index + 1));
        key.style.background = css(colour);
        return key;
      });
    const content: Partial<Record<Look, () => HTMLElement[]>> = {
      weight: () => scale(weightGradient(), '0', '1'),
      count: counts,
      error: () => scale(weightGradient(), '0', '1 % of the size'),
      stretch: () => scale('linear-gradient(90deg, #2563eb, #d9dbe0, #d7263d)', '½×', '2×'),
    };
    fill(this.legend, ...(content[this.look]?.() ?? []));
  }
}
