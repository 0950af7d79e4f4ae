import { session } from './session.ts';
import { store, useStore, type Store } from './store.ts';

/** How long a value is shown; milliseconds. */
const SHOWN_MS = 30_000;

/** The values that are shown now, outside of the cache of queries: by what they are the values of. */
const shown: Store<ReadonlyMap<string, string>> = store<ReadonlyMap<string, string>>(new Map());
const timers = new Map<string, ReturnType<typeof setTimeout>>();

/** Shows a value for half a minute. */
export function reveal(name: string, value: string): void {
  clearTimeout(timers.get(name));
  timers.set(
    name,
    setTimeout(() => hide(name), SHOWN_MS),
  );
  shown.set(new Map(shown.get()).set(name, value));
}

export function hide(name: string): void {
  clearTimeout(timers.get(name));
  timers.delete(name);
  const next = new Map(shown.get());
  if (next.delete(name)) shown.set(next);
}

/** On leaving a screen, at a lock and at sign-out. */
export function hideAll(): void {
  for (const timer of timers.values()) clearTimeout(timer);
  timers.clear();
  if (shown.get().size > 0) shown.set(new Map());
}

session.subscribe(() => {
  if (session.get().state !== 'signed-in') hideAll();
});

/** The value if it is shown now. */
export const useRevealed = (name: string): string | undefined => useStore(shown).get(name);
