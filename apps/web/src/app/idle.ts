import { useEffect } from 'react';
import { IDLE_MS, idleFor, noteActivity, whenIdle } from './activity.ts';
import { lock } from './session.ts';

const SIGNS = ['pointerdown', 'keydown', 'wheel', 'visibilitychange'] as const;
/** How often a sign is written down. */
const NOTE_MS = 5_000;

/** Locks the console when nothing has been done in any of its tabs for a quarter of an hour. */
export function useIdleLock(): void {
  useEffect(() => {
    const check = () => {
      if (idleFor() < IDLE_MS) return;
      lock();
      for (const clean of whenIdle) clean();
    };
    const note = () => {
      check();
      if (idleFor() >= NOTE_MS) noteActivity();
    };
    // Before the session is continued: no page may have been there when its time was over.
    note();
    // Also after the machine has slept, when no timer ran.
    const timer = setInterval(check, 10_000);
    for (const sign of SIGNS) document.addEventListener(sign, note, { passive: true, capture: true });
    return () => {
      clearInterval(timer);
      for (const sign of SIGNS) document.removeEventListener(sign, note, { capture: true });
    };
  }, []);
}
