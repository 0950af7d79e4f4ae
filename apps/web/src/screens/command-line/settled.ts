import { useEffect, useState } from 'react';

const SETTLE_MS = 700;

/**
 * Whether the page has been in front for a moment. A click that was meant for a window which has just closed above it, as a foreign
 * page can arrange, does nothing.
 */
export function useIsSettled(): boolean {
  const [isSettled, setSettled] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const begin = () => {
      clearTimeout(timer);
      setSettled(false);
      timer = setTimeout(() => setSettled(document.hasFocus()), SETTLE_MS);
    };
    begin();
    for (const sign of ['focus', 'blur'] as const) window.addEventListener(sign, begin);
    return () => {
      clearTimeout(timer);
      for (const sign of ['focus', 'blur'] as const) window.removeEventListener(sign, begin);
    };
  }, []);
  return isSettled;
}
