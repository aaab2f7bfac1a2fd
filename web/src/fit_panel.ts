// Fitting a skeleton into the mesh, before and after, and joints that a person puts where they belong.
import type { FitRequest, HeldJoint } from './api';
import { element, field } from './dom';
import type { Figure } from './figure';

export class FitPanel {
  readonly element: HTMLElement;
  onFit: (request: FitRequest) => void = () => {};
  onChange: () => void = () => {};

  private readonly source = element('select', { id: 'fit-source' });
  private readonly symmetric = element('input', { id: 'fit-symmetric', type: 'checkbox', checked: true });
  private readonly moveBox = element('input', { id: 'fit-move', type: 'checkbox' });
  private readonly beforeBox = element('input', { id: 'fit-before', type: 'checkbox', checked: true });
  private readonly takeBox = element('input', { id: 'fit-take', type: 'checkbox' });
  private readonly button = element('button', { id: 'fit', class: 'primary' }, 'Fit the skeleton');
  private readonly letGo = element('button', { id: 'fit-let-go' }, 'Let go of held joints');
  private readonly facts = element('p', { id: 'fit-facts', class: 'hint', role: 'status' });
  private held: HeldJoint[] = [];

  constructor() {
    for (const [value, name] of [
      ['present', 'the present one'],
      ['adult', 'built-in: adult'],
      ['quadruped', 'built-in: four legs'],
    ]) {
      this.source.append(element('option', { value }, name));
    }
    this.button.addEventListener('click', () => this.onFit(this.request(this.held)));
    this.letGo.addEventListener('click', () => this.onFit(this.request([])));
    for (const box of [this.moveBox, this.beforeBox]) box.addEventListener('change', () => this.onChange());
    this.element = element(
      'section',
      { 'aria-label': 'Fit' },
      field('Skeleton', this.source, 'what is moved into the mesh; drop a .bvh, .glb or .fbx file to bring one'),
      field('Symmetric', this.symmetric, 'left and right are mirror images where the mesh is'),
      this.button,
      this.facts,
      field('Before', this.beforeBox, 'the skeleton as it was, in blue'),
      field('Move joints', this.moveBox, 'drag the selected joint where it belongs; the others are fitted again around it'),
      this.letGo,
      field('Replace', this.takeBox, 'a dropped file with skeleton and motion: its skeleton takes the place of this one'),
    );
  }

  get moving(): boolean {
    return this.moveBox.checked;
  }
  stopMoving(): void {
    if (this.moveBox.checked) this.moveBox.click();
  }
  get before(): boolean {
    return this.beforeBox.checked;
  }
  get takesSkeleton(): boolean {
    return this.takeBox.checked;
  }

  show(figure: Figure): void {
    const { fitted } = figure.header;
    const hasSkeleton = figure.joints.length > 0;
    this.held = fitted?.held ?? [];
    this.letGo.disabled = this.held.length === 0;
    this.source.value = hasSkeleton ? 'present' : 'adult';
    (this.source.options[0] as HTMLOptionElement).disabled = !hasSkeleton;
    this.facts.textContent = fitted ? describe(figure, fitted.confidence, this.held.length) : '';
  }

  // A joint was put somewhere: the others are fitted again.
  hold(joint: number, [x, y, z]: [number, number, number]): void {
    const others = this.held.filter((held) => held.joint !== joint);
    this.source.value = 'present';
    this.onFit(this.request([...others, { joint, position: [x, y, z] }]));
  }

  private request(held: HeldJoint[]): FitRequest {
    const skeleton = this.source.value as FitRequest['skeleton'];
    // Held joints are those of the present skeleton.
    return { skeleton, symmetric: this.symmetric.checked, held: skeleton === 'present' ? held : [] };
  }
}

function describe(figure: Figure, confidence: number[], held: number): string {
  const joints = figure.joints.map((joint, index) => ({ ...joint, index })).filter(({ kind }) => kind === 'joint');
  const mean = joints.reduce((sum, { index }) => sum + confidence[index], 0) / Math.max(joints.length, 1);
  const [worst] = joints.sort((a, b) => confidence[a.index] - confidence[b.index]);
  const holding = held === 0 ? '' : ` ${held} held by hand.`;
  return `Confidence ${mean.toFixed(2)} (green: sure, red: unsure); least sure: ${worst?.name ?? '–'}.${holding}`;
}
