import { useEffect, useRef } from 'react';
import { store } from './store.ts';

export interface Shortcut {
  /** `Ctrl+K`, `/`, `?`; `Ctrl` is the command key on a Mac. */
  readonly keys: string;
  readonly label: string;
  readonly run: () => void;
}

/** Those that work now: the palette and the help list them. */
export const shortcuts = store<readonly Shortcut[]>([]);

/** A shortcut that works while its component is shown. */
export function useShortcut({ keys, label, run }: Shortcut): void {
  const newest = useRef(run);
  useEffect(() => {
    newest.current = run;
  });
  useEffect(() => {
    const own: Shortcut = { keys, label, run: () => newest.current() };
    shortcuts.set([...shortcuts.get().filter((one) => one.keys !== keys), own]);
    return () => shortcuts.set(shortcuts.get().filter((one) => one !== own));
  }, [keys, label]);
}

const isTyping = ({ target }: KeyboardEvent): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName));

function keysOf({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): string {
  const name = key.length === 1 ? key.toUpperCase() : key;
  return `${ctrlKey || metaKey ? 'Ctrl+' : ''}${altKey ? 'Alt+' : ''}${name}`;
}

document.addEventListener('keydown', (event) => {
  const keys = keysOf(event);
  if (!keys.includes('Ctrl') && isTyping(event)) return;
  // A dialog has the keyboard for itself.
  if (document.querySelector('dialog[open]')) return;
  const found = shortcuts.get().find((one) => one.keys === keys);
  if (!found) return;
  event.preventDefault();
  found.run();
});
