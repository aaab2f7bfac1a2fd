// The brush: what it does, and strokes as the server wants them. A stroke grows while it is drawn and is sent whole
// each time; the server counts from the weights before it, so nothing adds up twice. While it grows only the weights
// near it are wanted, at once; when it ends, all of them.
import type { CharacterHeader, PaintRequest, Stroke } from './api';
import { element, field } from './dom';
import type { BoundSkin, Figure } from './figure';
import type { Brush } from './stage';
import * as THREE from 'three';

// Full in the middle up to `hard` of the radius, then smoothly to nothing.
function falloff(distance: number, hard: number): number {
  const t = Math.min(Math.max((1 - distance) / Math.max(1 - hard, 1e-3), 0), 1);
  return t * t * (3 - 2 * t);
}

// What one brush touched so far: the largest amount per vertex, and its weight before.
class Touched {
  readonly amounts = new Map<number, number>();
  readonly before = new Map<number, number>();

  add(vertex: number, amount: number, weight: number): void {
    if (amount > (this.amounts.get(vertex) ?? 0)) this.amounts.set(vertex, amount);
    if (!this.before.has(vertex)) this.before.set(vertex, weight);
  }

  stroke(joint: number, target: number): Stroke {
    return {
      joint,
      target,
      vertices: Uint32Array.from(this.amounts.keys()),
      amounts: Float32Array.from(this.amounts.values()),
    };
  }
}

export class PaintPanel implements Brush {
  readonly element: HTMLElement;
  onToggle: (on: boolean) => void = () => {};
  onStroke: (request: PaintRequest) => void = () => {};
  onEnd: () => void = () => {};
  onRadius: () => void = () => {};
  onSavePins: () => void = () => {};
  onLoadPins: () => void = () => {};

  private readonly toggle = element('button', { id: 'paint', 'aria-pressed': 'false' }, 'Paint (B)');
  private readonly mode = element('select', { id: 'brush-mode' });
  private readonly weight = element('input', { id: 'brush-weight', type: 'range', min: 0, max: 1, step: 0.05, value: 1 });
  private readonly radius = element('input', { id: 'brush-radius', type: 'range', min: 0.005, max: 0.2, step: 0.005, value: 0.04 });
  private readonly strength = element('input', { id: 'brush-strength', type: 'range', min: 0.05, max: 1, step: 0.05, value: 1 });
  private readonly hardness = element('input', { id: 'brush-falloff', type: 'range', min: 0, max: 0.95, step: 0.05, value: 0.3 });
  private readonly mirror = element('input', { id: 'brush-mirror', type: 'checkbox' });
  private readonly count = element('p', { id: 'pin-count', class: 'hint', role: 'status' });
  private readonly remove = element('button', { id: 'remove-pins' }, 'Remove all pins');
  private readonly save = element('button', { id: 'save-pins' }, 'Save pins');
  private figure: Figure | null = null;
  private skin: BoundSkin | null = null;
  private joint = -1;
  private on = false;
  private gestures = 0;
  private last: PaintRequest | null = null;
  private own = new Touched();
  private other = new Touched();

  constructor() {
    this.mode.append(element('option', { value: 'paint' }, 'pin a weight'), element('option', { value: 'free' }, 'remove pins'));
    this.toggle.addEventListener('click', () => this.onToggle(!this.on));
    this.radius.addEventListener('input', () => this.onRadius());
    this.remove.addEventListener('click', () => this.onStroke({ gesture: '', answer: 'all', strokes: [], freeAll: true }));
    this.save.addEventListener('click', () => this.onSavePins());
    const load = element('button', { id: 'load-pins', onclick: () => this.onLoadPins() }, 'Load pins');
    this.element = element(
      'section',
      { 'aria-label': 'Paint' },
      element('p', { class: 'hint' }, 'Strokes pin the weight of the selected joint; biharmonic weights follow everywhere else.'),
      this.toggle,
      field('Brush', this.mode),
      field('Weight', this.slider(this.weight, (v) => v.toFixed(2)), 'X: 1 or 0'),
      field('Radius', this.slider(this.radius, (v) => `${(v * 100).toFixed(1)} %`), '[ and ]; of the size of the character'),
      field('Strength', this.slider(this.strength, (v) => v.toFixed(2))),
      field('Hard core', this.slider(this.hardness, (v) => v.toFixed(2)), '0: falls off from the middle; 1: the same up to the edge'),
      field('Mirror', this.mirror, 'the same on the other side, for the joint there'),
      this.count,
      element('div', { class: 'buttons' }, this.remove, this.save, load),
    );
  }

  show(figure: Figure, skin: BoundSkin, pins: number): void {
    this.figure = figure;
    this.skin = skin;
    this.count.textContent = pins === 0 ? 'no pins' : `${pins.toLocaleString('en')} pinned vertices`;
    this.remove.disabled = pins === 0;
    this.save.disabled = pins === 0;
  }

  setActive(on: boolean): void {
    this.on = on;
    this.toggle.setAttribute('aria-pressed', String(on));
    this.toggle.textContent = on ? 'Stop painting (B)' : 'Paint (B)';
  }

  select(joint: number): void {
    this.joint = joint;
  }

  get active(): boolean {
    return this.on;
  }

  // On the surface.
  get brushRadius(): number {
    return Number(this.radius.value) * 2 * (this.figure?.bounds.radius ?? 1);
  }

  resize(factor: number): void {
    this.radius.value = String(Number(this.radius.value) * factor);
    this.radius.dispatchEvent(new Event('input'));
  }

  flipWeight(): void {
    this.weight.value = Number(this.weight.value) > 0.5 ? '0' : '1';
    this.weight.dispatchEvent(new Event('input'));
  }

  begin(place: THREE.Vector3): void {
    this.own = new Touched();
    this.other = new Touched();
    this.last = null;
    ++this.gestures;
    this.move(place);
  }

  move(place: THREE.Vector3): void {
    const { figure } = this;
    if (!figure || this.joint < 0) return;
    this.touch(this.own, figure, place);
    if (this.mirror.checked) this.touch(this.other, figure, reflected(place, figure.header.mirror));
    const strokes = this.strokes(figure.header.mirror.joints);
    const gesture = `stroke-${this.gestures}`;
    if (this.mode.value === 'free') {
      const free = Uint32Array.from(new Set([...this.own.amounts.keys(), ...this.other.amounts.keys()]));
      this.send({ gesture, answer: 'near', strokes: [], free });
      return;
    }
    this.preview();
    this.send({ gesture, answer: 'near', strokes });
  }

  end(): void {
    this.own = new Touched();
    this.other = new Touched();
    if (this.last) this.onStroke({ ...this.last, answer: 'all' });
    this.onEnd();
  }

  private send(request: PaintRequest): void {
    this.last = request;
    this.onStroke(request);
  }

  // Colours what was touched as it will be, until the server has answered.
  preview(): void {
    if (this.mode.value === 'free') return;
    const target = Number(this.weight.value);
    const weights = [...this.own.amounts].map(([vertex, amount]) => {
      const before = this.own.before.get(vertex) ?? 0;
      return before + amount * (target - before);
    });
    this.skin?.preview([...this.own.amounts.keys()], (i) => weights[i]);
  }

  private strokes(mirrorJoints: number[]): Stroke[] {
    const target = Number(this.weight.value);
    const strokes = [this.own.stroke(this.joint, target)];
    const opposite = mirrorJoints[this.joint];
    if (this.mirror.checked && opposite >= 0) strokes.push(this.other.stroke(opposite, target));
    return strokes;
  }

  private touch(touched: Touched, figure: Figure, place: THREE.Vector3): void {
    const strength = Number(this.strength.value);
    const hard = Number(this.hardness.value);
    for (const { vertex, distance } of figure.surface.touched(place.toArray(), this.brushRadius)) {
      touched.add(vertex, strength * falloff(distance, hard), this.skin?.weightOf(vertex, this.joint) ?? 0);
    }
  }

  private slider(input: HTMLInputElement, text: (value: number) => string): HTMLElement {
    const output = element('output', {}, text(Number(input.value)));
    input.addEventListener('input', () => (output.textContent = text(Number(input.value))));
    return element('span', { class: 'slider' }, input, output);
  }
}

function reflected(place: THREE.Vector3, { normal, offset }: CharacterHeader['mirror']): THREE.Vector3 {
  const across = new THREE.Vector3(...normal);
  return place.clone().addScaledVector(across, -2 * (place.dot(across) - offset));
}
