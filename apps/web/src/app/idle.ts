import { useEffect } from 'react';
import { lock } from './session.ts';

const IDLE_MS = 15 * 60_000;
const SIGNS = ['pointerdown', 'keydown', 'wheel', 'visibilitychange'] as const;
/** When something was last done in any tab; milliseconds since 1970. */
const LAST = 'coffer-active';
/** How often that is written down. */
const NOTE_MS = 5_000;

const lastOf = (): number => Number(localStorage.getItem(LAST) ?? 0);

/** Locks the console when nothing has been done in any of its tabs for a quarter of an hour. */
export function useIdleLock(): void {
  useEffect(() => {
    localStorage.setItem(LAST, String(Date.now()));
    const check = () => {
      if (Date.now() - lastOf() >= IDLE_MS) lock();
    };
    const note = () => {
      check();
      if (Date.now() - lastOf() >= NOTE_MS) localStorage.setItem(LAST, String(Date.now()));
    };
    // Also after the machine has slept, when no timer ran.
    const timer = setInterval(check, 10_000);
    for (const sign of SIGNS) document.addEventListener(sign, note, { passive: true, capture: true });
    return () => {
      clearInterval(timer);
      for (const sign of SIGNS) document.removeEventListener(sign, note, { capture: true });
    };
  }, []);
}
