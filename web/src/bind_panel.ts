// Choosing a method and its options, exactly those of the registry; sliders of live options answer while they move.
import type { BindRequest, Method, MethodOption } from './api';
import { element, field, fill } from './dom';

type Value = boolean | number | string;

export class BindPanel {
  readonly element: HTMLElement;
  onBind: (request: BindRequest) => void = () => {};

  private readonly methodChoice = element('select', { id: 'method' });
  private readonly summary = element('p', { class: 'hint' });
  private readonly options = element('div', {});
  private readonly influences = element('input', { id: 'influences', type: 'range', min: 1, max: 8, value: 4 });
  private readonly joints = element('input', { id: 'joints', type: 'text', value: 'auto', spellcheck: 'false' });
  private readonly button = element('button', { id: 'bind', class: 'primary' }, 'Bind');
  private readonly values = new Map<string, Record<string, Value>>();
  private gestures = 0;

  constructor(private readonly methods: Method[]) {
    for (const method of methods) {
      this.methodChoice.append(element('option', { value: method.name }, method.name));
      this.values.set(method.name, Object.fromEntries(method.options.map((option) => [option.name, option.default])));
    }
    this.methodChoice.addEventListener('change', () => this.showMethod());
    if (methods.some((method) => method.name === 'heat')) this.methodChoice.value = 'heat';
    const count = element('output', {}, '4');
    this.influences.addEventListener('input', () => (count.textContent = this.influences.value));
    this.button.addEventListener('click', () => this.onBind(this.request()));
    this.element = element(
      'section',
      { 'aria-label': 'Bind' },
      field('Method', this.methodChoice),
      this.summary,
      this.options,
      field('Influences', element('span', { class: 'slider' }, this.influences, count), 'joints per vertex, at most'),
      field('Joints', this.joints, 'auto, all, weighted, or names with commas; * matches anything, -NAME takes one away'),
      this.button,
    );
    this.showMethod();
  }

  setEnabled(enabled: boolean, why: string): void {
    this.button.disabled = !enabled;
    this.button.title = why;
    for (const input of this.options.querySelectorAll('input')) input.disabled = !enabled;
  }

  // Puts the controls where they were for a result of the history.
  adopt(method: string, options: Record<string, Value>, influences: number): void {
    if (!this.values.has(method)) return;
    const known = new Set(this.method(method).options.map((option) => option.name));
    this.values.set(method, Object.fromEntries(Object.entries(options).filter(([name]) => known.has(name))));
    this.methodChoice.value = method;
    this.influences.value = String(influences);
    this.influences.dispatchEvent(new Event('input'));
    this.showMethod();
  }

  // What the present settings say for another method.
  requestFor(method: string): BindRequest {
    return { ...this.request(), method, options: this.values.get(method) ?? {} };
  }

  private method(name: string): Method {
    const found = this.methods.find((method) => method.name === name);
    if (!found) throw new Error(`no method '${name}'`);
    return found;
  }

  private request(gesture?: string): BindRequest {
    const method = this.methodChoice.value;
    return {
      method,
      options: this.values.get(method) ?? {},
      max_influences: Number(this.influences.value),
      joints: this.joints.value.trim() || 'auto',
      gesture,
    };
  }

  private showMethod(): void {
    const method = this.method(this.methodChoice.value);
    this.summary.textContent = method.summary;
    fill(this.options, ...method.options.map((option) => this.control(method, option)));
  }

  private control(method: Method, option: MethodOption): HTMLElement {
    const values = this.values.get(method.name) ?? {};
    const id = `option-${option.name}`;
    const label = option.name.replaceAll('-', ' ').replace(/^./, (letter) => letter.toUpperCase());
    if (option.type === 'choice') {
      const choice = element('select', { id });
      for (const name of option.choices ?? []) choice.append(element('option', { value: name }, name));
      choice.value = String(values[option.name]);
      choice.addEventListener('change', () => (values[option.name] = choice.value));
      return field(label, choice, option.help);
    }
    if (option.type === 'switch') {
      const box = element('input', { id, type: 'checkbox' });
      box.checked = values[option.name] === true;
      box.addEventListener('change', () => (values[option.name] = box.checked));
      return field(label, box, option.help);
    }
    const { minimum: min, maximum: max } = option;
    const number = element('input', { id, type: 'number', min, max, step: option.type === 'whole' ? 1 : 'any' });
    number.value = String(values[option.name]);
    number.addEventListener('change', () => {
      if (number.value !== '' && number.checkValidity()) values[option.name] = Number(number.value);
      else number.value = String(values[option.name]);
    });
    if (!option.live) return field(label, number, option.help);
    return field(label, this.liveSlider(option, values, number), option.help);
  }

  private liveSlider(option: MethodOption, values: Record<string, Value>, number: HTMLInputElement): HTMLElement {
    const { minimum: min, maximum: max } = option.live ?? { minimum: 0, maximum: 1 };
    const slider = element('input', { id: `live-${option.name}`, type: 'range', min, max, step: (max - min) / 200 });
    slider.value = String(values[option.name]);
    slider.setAttribute('aria-label', `${option.name}, live`);
    number.setAttribute('aria-label', option.name);
    let gesture = `${option.name}-${++this.gestures}`;
    slider.addEventListener('input', () => {
      values[option.name] = Number(slider.value);
      number.value = slider.value;
      this.onBind(this.request(gesture));
    });
    // Letting go ends the gesture: the next move is a step of its own in the history.
    slider.addEventListener('change', () => (gesture = `${option.name}-${++this.gestures}`));
    number.addEventListener('change', () => {
      slider.value = number.value;
      this.onBind(this.request());
    });
    return element('span', { class: 'slider' }, slider, number);
  }
}
