import { availableParallelism } from 'node:os';

export const MAX_WORKERS = 64;

/** Connections that a process needs at least: one for itself, and one for each of three callers. */
export const MIN_POOL = 4;
/** Connections that each worker has by default, where there are many: two callers with many requests leave two. */
export const POOL_OF_WORKER = 6;

/** Requests that each worker works on at a time at least: one caller with many leaves places to others. */
export const MIN_PLACES = 4;
/** The same by default: two callers with many requests leave a place. */
export const PLACES_OF_WORKER = 8;

/** A number of processes, or `auto` for one on each available core; `undefined` for anything else. */
export function workersOf(text: string): number | undefined {
  const count = text === 'auto' ? Math.min(availableParallelism(), MAX_WORKERS) : Number(text);
  return /^(?:auto|\d{1,3})$/.test(text) && count >= 1 && count <= MAX_WORKERS ? count : undefined;
}
