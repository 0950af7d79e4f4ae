import { texts } from './texts.ts';

/** How long a value stays on the clipboard; milliseconds. */
const COPIED_MS = 45_000;

/** Browsers let a page write the clipboard while it has the focus, some of them only as an answer to a key or a click. */
const CHANCES = ['focus', 'pointerup', 'keydown'] as const;

/** What happens to a copied value, for messages. */
export const COPIED = texts.clipboardIsEmptied;

/** Whether this page may write the clipboard: browsers forbid it over plain HTTP. */
export const canCopy = (): boolean => typeof navigator.clipboard?.writeText === 'function';

/** Stops the overwriting of what was copied before. */
let stop = () => {};

/**
 * Copies a value, and overwrites the clipboard after a while, as soon as the browser lets.
 *
 * @throws Error if the browser does not let it.
 */
export async function copyForAMoment(value: string): Promise<void> {
  await navigator.clipboard.writeText(value);
  stop();
  const timer = setTimeout(() => (stop = atNextChance(() => empty(value))), COPIED_MS);
  stop = () => clearTimeout(timer);
}

/** Tries now, and until it has worked at each sign that the user is here. Returns what ends that. */
function atNextChance(work: () => Promise<void>): () => void {
  const attempt = () => {
    if (document.hasFocus()) work().then(end, () => undefined);
  };
  const end = () => {
    for (const chance of CHANCES) removeEventListener(chance, attempt);
  };
  for (const chance of CHANCES) addEventListener(chance, attempt);
  attempt();
  return end;
}

/** What somebody has copied since stays, where the browser lets it be read without asking. */
async function empty(value: string): Promise<void> {
  const isReadable = await navigator.permissions
    ?.query({ name: 'clipboard-read' as PermissionName })
    .then(({ state }) => state === 'granted')
    .catch(() => false);
  if (isReadable && (await navigator.clipboard.readText()) !== value) return;
  await navigator.clipboard.writeText('');
}
