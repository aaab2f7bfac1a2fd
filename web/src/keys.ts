// Keys, and the page that lists them.
import { element } from './dom';

const list: [string, string][] = [
  ['Space', 'play or pause'],
  [', and .', 'one frame back or forward'],
  ['1 … 5', 'colours: materials, weights, dominant joints, influences, stretch'],
  ['S', 'skeleton'],
  ['G', 'turn the selected joint with rings'],
  ['C', "the file's weights beside the present ones"],
  ['R', 'rest pose'],
  ['F', 'the whole character in view'],
  ['Ctrl+Z, Ctrl+Shift+Z', 'undo, redo'],
  ['Ctrl+S', 'save a GLB'],
  ['Esc', 'cancel the computation'],
];

export function helpDialog(): HTMLDialogElement {
  const rows = list.map(([keys, what]) => element('tr', {}, element('th', {}, keys), element('td', {}, what)));
  const close = element('button', {}, 'Close');
  const dialog = element('dialog', { 'aria-label': 'Keys' }, element('table', {}, ...rows), close);
  close.addEventListener('click', () => dialog.close());
  return dialog;
}

// Keys typed into fields stay there; Space and the arrows also belong to a focused button, list or slider.
function belongsToControl(event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement;
  if (target instanceof HTMLInputElement) return target.type !== 'checkbox' || event.key === ' ';
  return target.closest('button, select, textarea, dialog') !== null;
}

export function listenToKeys(actions: Record<string, () => void>): void {
  window.addEventListener('keydown', (event) => {
    const command = event.ctrlKey || event.metaKey;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const name = command ? `ctrl+${event.shiftKey ? 'shift+' : ''}${key}` : key;
    const action = actions[name];
    if (!action || (!command && key !== 'Escape' && belongsToControl(event))) return;
    event.preventDefault();
    action();
  });
}
