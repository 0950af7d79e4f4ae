import { remoteError } from './remote-error.ts';

/** The most items that are taken from a list at another system: what is read of it, is in memory at once. */
export const MAX_REMOTE_ITEMS = 20_000;

/** @throws DomainError for a list of another system that has too many items. */
export function requireRemoteItems(count: number): void {
  if (count > MAX_REMOTE_ITEMS)
    throw remoteError(
      'malformed',
      `The list there has more than ${MAX_REMOTE_ITEMS} items, which are the most that are read`,
    );
}

/** Adds a page of a list at another system, however many items it has: as arguments of a call they would be too many. */
export function addPage<Item>(all: Item[], page: Iterable<Item>): void {
  for (const item of page) {
    requireRemoteItems(all.length + 1);
    all.push(item);
  }
}
