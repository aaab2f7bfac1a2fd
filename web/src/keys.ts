// Keys, and the page that lists them.
import { element } from './dom';

const list: [string, string][] = [
  ['Space', 'play or pause'],
  [', and .', 'one frame back or forward'],
  ['1 … 6', 'colours: materials, weights, dominant joints, influences, stretch, error'],
  ['S', 'skeleton'],
  ['G', 'turn the selected joint with rings'],
  ['C', "the file's weights beside the present ones"],
  ['B', 'paint'],
  ['[ and ], X', 'size of the brush, its weight 1 or 0'],
  ['K', 'correctives on or off'],
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

const arrows = /^(Arrow|Page|Home|End)/;

// Keys that the focused control needs for itself.
function belongsToControl({ target, key }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.closest('dialog, textarea')) return true;
  if (target instanceof HTMLSelectElement) return true;
  if (target instanceof HTMLButtonElement) return key === ' ' || key === 'Enter' || arrows.test(key);
  if (!(target instanceof HTMLInputElement)) return false;
  if (target.type === 'checkbox') return key === ' ';
  return target.type !== 'range' || arrows.test(key);
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
