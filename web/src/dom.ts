// Elements in one expression: element('button', { title: 'Undo', onclick: undo }, '↶').

type Attributes = Record<string, string | number | boolean | EventListener | undefined>;

export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (typeof value === 'function') made.addEventListener(name.slice(2), value);
    else made.setAttribute(name, value === true ? '' : String(value));
  }
  made.append(...children);
  return made;
}

// A label with its control below or beside it.
export function field(label: string, control: HTMLElement, help?: string): HTMLLabelElement {
  return element('label', { class: 'field', title: help }, element('span', {}, label), control);
}

export function fill(parent: HTMLElement, ...children: (Node | string)[]): void {
  parent.replaceChildren(...children);
}
