import { useEffect } from 'react';
import { lock } from './session.ts';

const IDLE_MS = 15 * 60_000;
const SIGNS = ['pointerdown', 'keydown', 'wheel', 'visibilitychange'] as const;

/** Locks the console when nothing has been done in it for a quarter of an hour. */
export function useIdleLock(): void {
  useEffect(() => {
    let last = Date.now();
    const check = () => {
      if (Date.now() - last >= IDLE_MS) lock();
    };
    const note = () => {
      check();
      last = Date.now();
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
