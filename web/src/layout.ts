// Where everything is on the page: joints and history on the left, what to see and to do on the right.
import type { CharacterHeader, Joint, State } from './api';
import { element, fill } from './dom';

export interface Pieces {
  stage: HTMLElement;
  messages: HTMLElement;
  working: HTMLElement;
  timeline: HTMLElement;
  look: HTMLElement;
  tabs: HTMLElement;
  help: HTMLDialogElement;
}

export class PageParts {
  readonly jointList = element('select', { id: 'joint-list', size: 12, 'aria-label': 'joints' });
  readonly undo = element('button', { id: 'undo', title: 'Ctrl+Z' }, 'Undo');
  readonly redo = element('button', { id: 'redo', title: 'Ctrl+Shift+Z' }, 'Redo');
  readonly reset = element('button', { id: 'reset-pose', title: 'R' }, 'Rest pose');
  readonly save = element('button', { id: 'save', title: 'Ctrl+S' }, 'Save GLB');
  readonly saveField = element('button', { id: 'save-field', title: 'the field of skincells weights' }, 'Save field');
  readonly picker = element('input', { type: 'file', hidden: true });
  readonly title = element('h1', {}, 'Sinew');
  readonly facts = element('span', { class: 'hint' });
  private readonly history = element('ol', { class: 'history' });

  constructor(readonly help: HTMLDialogElement) {}

  header(): HTMLElement {
    const open = element('button', { id: 'open', title: 'or drop a file on the page' }, 'Open…');
    open.addEventListener('click', () => this.picker.click());
    const keys = element('button', { id: 'help', title: '?' }, 'Keys');
    keys.addEventListener('click', () => this.help.showModal());
    const spring = element('span', { class: 'spring' });
    return element('header', {}, this.title, this.facts, spring, open, this.save, this.saveField, keys, this.picker);
  }

  left(): HTMLElement {
    return element(
      'aside',
      { class: 'left' },
      element('section', { class: 'joints', 'aria-label': 'Joints' }, element('h2', {}, 'Joints'), this.jointList, this.reset),
      element(
        'section',
        { 'aria-label': 'History' },
        element('h2', {}, 'History'),
        element('div', { class: 'buttons' }, this.undo, this.redo),
        this.history,
      ),
    );
  }

  listJoints(joints: Joint[], selected: number): void {
    const depth: number[] = [];
    fill(this.jointList);
    joints.forEach((joint, index) => {
      depth.push(joint.parent < 0 ? 0 : depth[joint.parent] + 1);
      this.jointList.append(element('option', { value: index }, '\u00a0'.repeat(depth[index]) + joint.name));
    });
    this.jointList.value = String(selected);
  }

  describe(file: string, { vertices, joints }: CharacterHeader): void {
    this.title.textContent = file;
    document.title = `${file} · Sinew`;
    this.facts.textContent = `${vertices.toLocaleString('en')} vertices, ${joints.length} joints`;
  }

  showHistory({ history, position }: State): void {
    fill(
      this.history,
      ...history.map((item, index) =>
        element(
          'li',
          { class: index === position ? 'now' : index > position ? 'undone' : '' },
          item.label,
          ...(item.seconds > 0 ? [element('span', { class: 'hint' }, ` ${item.seconds.toFixed(2)} s`)] : []),
        ),
      ),
    );
    this.history.children[position]?.scrollIntoView({ block: 'nearest' });
    this.undo.disabled = position === 0;
    this.redo.disabled = position === history.length - 1;
    this.saveField.hidden = !history[position].field;
  }
}

export function buildPage(pieces: Pieces): PageParts {
  const parts = new PageParts(pieces.help);
  const centre = element('main', {}, pieces.stage, pieces.messages, pieces.working, pieces.timeline);
  const right = element('aside', { class: 'right' }, pieces.look, pieces.tabs);
  const app = document.getElementById('app');
  if (app) fill(app, parts.header(), parts.left(), centre, right, pieces.help);
  return parts;
}
