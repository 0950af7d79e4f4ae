/** After so long without a sign of its user the console is locked. */
export const IDLE_MS = 15 * 60_000;

/** When something was last done in any tab; milliseconds since 1970. */
const LAST = 'coffer-active';

/** Milliseconds since something was last done in any tab of this browser. */
export const idleFor = (): number => Date.now() - Number(localStorage.getItem(LAST) ?? 0);

export const noteActivity = (): void => localStorage.setItem(LAST, String(Date.now()));

/** Called when nothing has been done for that long, also where nobody is signed in: what is shown goes. */
export const whenIdle = new Set<() => void>();
