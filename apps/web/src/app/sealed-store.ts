// Texts that survive a reload: in IndexedDB, encrypted by a key of this browser that no script can read out. Each belongs to a
// user and a group of texts, and is found again by its name, of which only the hash is stored.

import { session, whenSignedOut } from './session.ts';

const DATABASE = 'coffer';
const VERSION = 2;
const KEYS = 'keys';
const TEXTS = 'texts';
const KEY_NAME = 'texts';
const NONCE_BYTES = 12;
/** How long a text is kept after it was last written; milliseconds. */
const KEPT_MS = 7 * 24 * 60 * 60_000;

/** Whose texts, and which of them: `{ owner: userId, group: projectId }`. */
export interface Texts {
  readonly owner: string;
  readonly group: string;
}

/** In order: owner, group, hash of the name. */
type StoredKey = [string, string, string];

interface Stored {
  readonly iv: Uint8Array<ArrayBuffer>;
  readonly sealed: ArrayBuffer;
  /** Milliseconds since 1970. */
  readonly at: number;
}

let opening: Promise<IDBDatabase> | undefined;

const result = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((done, fail) => {
    request.addEventListener('success', () => done(request.result));
    request.addEventListener('error', () => fail(request.error ?? new Error('IndexedDB failed')));
  });

function database(): Promise<IDBDatabase> {
  opening ??= (async () => {
    const request = indexedDB.open(DATABASE, VERSION);
    request.addEventListener('upgradeneeded', () => {
      const { result: opened } = request;
      if (!opened.objectStoreNames.contains(KEYS)) opened.createObjectStore(KEYS);
      if (opened.objectStoreNames.contains(TEXTS)) opened.deleteObjectStore(TEXTS);
      opened.createObjectStore(TEXTS);
    });
    const opened = await result(request);
    opened.addEventListener('versionchange', () => opened.close());
    return opened;
  })();
  return opening;
}

const at = async (name: typeof KEYS | typeof TEXTS, mode: IDBTransactionMode = 'readwrite'): Promise<IDBObjectStore> =>
  (await database()).transaction(name, mode).objectStore(name);

async function key(): Promise<CryptoKey> {
  const found = (await result((await at(KEYS, 'readonly')).get(KEY_NAME))) as CryptoKey | undefined;
  if (found) return found;
  const made = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
  // Another tab may have been faster: what is stored first, counts.
  await result((await at(KEYS)).add(made, KEY_NAME)).catch(() => undefined);
  return (await result((await at(KEYS, 'readonly')).get(KEY_NAME))) as CryptoKey;
}

const bytesOf = (text: string) => new TextEncoder().encode(text);

async function keyOf({ owner, group }: Texts, name: string): Promise<StoredKey> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytesOf(name)));
  return [owner, group, Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('')];
}

/** A ciphertext opens in its own place only. */
const cipher = (iv: Uint8Array<ArrayBuffer>, stored: StoredKey) => ({
  name: 'AES-GCM',
  iv,
  additionalData: bytesOf(stored.join('\n')),
});

async function sealed(stored: StoredKey, text: string): Promise<Stored> {
  const iv = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  return { iv, sealed: await crypto.subtle.encrypt(cipher(iv, stored), await key(), bytesOf(text)), at: Date.now() };
}

async function unsealed(stored: StoredKey, { iv, sealed: text }: Stored): Promise<string[]> {
  try {
    return [new TextDecoder().decode(await crypto.subtle.decrypt(cipher(iv, stored), await key(), text))];
  } catch {
    return [];
  }
}

/** One write after the other, as they were called. A browser without storage, or without encryption, keeps nothing. */
let writing: Promise<void> = Promise.resolve();
function inOrder(work: () => Promise<void>): void {
  writing = writing.then(work).catch(() => undefined);
}

/** Stores texts under their names; `undefined` deletes one. */
export function keep(texts: Texts, changes: ReadonlyMap<string, string | undefined>): void {
  inOrder(async () => {
    const rows = await Promise.all(
      [...changes].map(async ([name, text]) => {
        const stored = await keyOf(texts, name);
        return { stored, row: text === undefined ? undefined : await sealed(stored, text) };
      }),
    );
    const store = await at(TEXTS);
    for (const { stored, row } of rows)
      if (row) store.put(row, stored);
      else store.delete(stored);
  });
}

/** All stored texts of a group. What does not open is left out. */
export async function recall({ owner, group }: Texts): Promise<string[]> {
  await writing;
  const range = IDBKeyRange.bound([owner, group], [owner, group, []]);
  const store = await at(TEXTS, 'readonly');
  const [keys, rows] = await Promise.all([result(store.getAllKeys(range)), result(store.getAll(range))]);
  const texts = await Promise.all(keys.map((stored, i) => unsealed(stored as StoredKey, rows[i] as Stored)));
  return texts.flat();
}

/** Deletes what is old, and what belongs to others: somebody whose session has expired did not sign out. */
async function tidy(user: string): Promise<void> {
  const cursors = (await at(TEXTS)).openCursor();
  cursors.addEventListener('success', () => {
    const cursor = cursors.result;
    if (!cursor) return;
    const [owner] = cursor.key as StoredKey;
    if (owner !== user || (cursor.value as Stored).at < Date.now() - KEPT_MS) cursor.delete();
    cursor.continue();
  });
}

let tidiedFor = '';
session.subscribe(() => {
  const now = session.get();
  if (!('user' in now) || now.user.id === tidiedFor) return;
  tidiedFor = now.user.id;
  inOrder(() => tidy(now.user.id));
});

// At sign-out nothing of it is left.
whenSignedOut.add(() =>
  inOrder(async () => {
    await result((await at(TEXTS)).clear());
  }),
);
