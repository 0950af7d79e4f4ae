import { availableParallelism } from 'node:os';

export const MAX_WORKERS = 64;

/** Connections that a worker needs at least: one for a transaction, and one beside it. */
export const MIN_POOL = 2;

/** A number of processes, or `auto` for one on each available core; `undefined` for anything else. */
export function workersOf(text: string): number | undefined {
  const count = text === 'auto' ? Math.min(availableParallelism(), MAX_WORKERS) : Number(text);
  return /^(?:auto|\d{1,3})$/.test(text) && count >= 1 && count <= MAX_WORKERS ? count : undefined;
}
