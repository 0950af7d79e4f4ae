import { useEffect, useState } from 'react';

const SETTLE_MS = 200;

/** A value once it has not changed for a moment, as while somebody types. */
export function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(() => value), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
