import { z } from 'zod';
import { remoteError } from './remote-error.ts';

/** The most items that are taken from a list at another system: what is read of it, is in memory at once. */
export const MAX_REMOTE_ITEMS = 20_000;

/** The most pages that are asked for, however few items these have. */
export const MAX_REMOTE_PAGES = 1_000;

/** Characters of a name at another system. */
export const MAX_REMOTE_NAME = 4_096;

/**
 * A name at another system by which something is found again. Maps hash texts of more than 16,383 characters by their length alone:
 * thousands of these take a minute.
 */
export const RemoteName = z.string().max(MAX_REMOTE_NAME);

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

/** A page of a list, and the place of the next one: absent, null or empty at the end. */
export interface RemotePage<Item, Next> {
  readonly items: Iterable<Item>;
  readonly next?: Next | '' | null | undefined;
}

/**
 * All elements of a list in pages; `page` gets what the last one gave as the place of the next, at first `undefined`. A list
 * is never cut: what is not in it counts as gone.
 *
 * @throws DomainError `remote.malformed` for one with too many pages or items.
 */
export async function allPages<Item, Next>(
  page: (at: Next | undefined) => Promise<RemotePage<Item, Next>>,
): Promise<Item[]> {
  const all: Item[] = [];
  let at: Next | undefined;
  for (let read = 0; read < MAX_REMOTE_PAGES; read++) {
    const { items, next } = await page(at);
    addPage(all, items);
    if (next === undefined || next === null || next === '') return all;
    at = next;
  }
  throw remoteError(
    'malformed',
    `The list there has more than ${MAX_REMOTE_PAGES} pages, which are the most that are read`,
  );
}
