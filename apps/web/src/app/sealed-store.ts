// Texts that survive a reload: in IndexedDB, encrypted by a key of this browser that no script can read out.

const DATABASE = 'coffer';
const KEYS = 'keys';
const TEXTS = 'texts';
const KEY_NAME = 'texts';
const NONCE_BYTES = 12;

let opening: Promise<IDBDatabase> | undefined;

const result = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((done, fail) => {
    request.addEventListener('success', () => done(request.result));
    request.addEventListener('error', () => fail(request.error ?? new Error('IndexedDB failed')));
  });

function database(): Promise<IDBDatabase> {
  opening ??= (async () => {
    const request = indexedDB.open(DATABASE, 1);
    request.addEventListener('upgradeneeded', () => {
      request.result.createObjectStore(KEYS);
      request.result.createObjectStore(TEXTS);
    });
    return result(request);
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

/** Stores a text under a name, which is bound to it. Does nothing where the browser offers no storage. */
export async function keep(name: string, text: string): Promise<void> {
  const iv = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  const sealed = await crypto.subtle.encrypt(
    { name: 'AES-GCM', iv, additionalData: bytesOf(name) },
    await key(),
    bytesOf(text),
  );
  await result((await at(TEXTS)).put({ iv, sealed }, name));
}

/** A stored text; `undefined` if there is none, or if it does not open. */
export async function recall(name: string): Promise<string | undefined> {
  const stored = (await result((await at(TEXTS, 'readonly')).get(name))) as
    | { iv: Uint8Array<ArrayBuffer>; sealed: ArrayBuffer }
    | undefined;
  if (!stored) return undefined;
  try {
    const { iv, sealed } = stored;
    const opened = await crypto.subtle.decrypt(
      { name: 'AES-GCM', iv, additionalData: bytesOf(name) },
      await key(),
      sealed,
    );
    return new TextDecoder().decode(opened);
  } catch {
    return undefined;
  }
}

export async function forget(name: string): Promise<void> {
  await result((await at(TEXTS)).delete(name));
}

/** At sign-out: nothing of it is left. */
export async function forgetAll(): Promise<void> {
  await result((await at(TEXTS)).clear());
}
