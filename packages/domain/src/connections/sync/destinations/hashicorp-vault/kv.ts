import { z } from 'zod';
import type { VaultClient } from '../../../../apps/hashicorp-vault/index.ts';
import { malformed, objectOf } from '../../../../family/index.ts';
import type { DocumentStore } from '../../sync.ts';

const Mount = z.object({
  data: z.object({ options: z.object({ version: z.string() }).partial().nullish(), type: z.string() }),
});
const One = z.object({ data: objectOf(z.unknown()) });
const Two = z.object({
  data: z.object({
    data: objectOf(z.unknown()).nullable(),
    metadata: z.object({ version: z.int() }),
  }),
});

/**
 * Opens one secret of a kv secrets engine, by Vault's HTTP API.
 *
 * @throws DomainError 400 if the engine has another type.
 */
export async function openSecret(ask: VaultClient, engine: string, path: string): Promise<DocumentStore> {
  const mount = await ask(`sys/internal/ui/mounts/${encoded(engine)}`);
  const { data: kind } = Mount.safeParse(mount.said);
  if (kind?.data.type !== 'kv' && kind?.data.type !== 'generic')
    throw malformed(mount.url, `that ${engine} is no secrets engine of the kind kv`);
  return kind.data.options?.version === '2'
    ? versioned(ask, `${encoded(engine)}/data/${encoded(path)}`)
    : plain(ask, `${encoded(engine)}/${encoded(path)}`);
}

const encoded = (text: string) => text.split('/').map(encodeURIComponent).join('/');

/** KV version 1: a write replaces the secret. */
const plain = (ask: VaultClient, at: string): DocumentStore => ({
  async read() {
    const { exists, url, said } = await ask(at, { isOptional: true });
    if (!exists) return {};
    const { success, data } = One.safeParse(said);
    if (!success) throw malformed(url, 'no secret');
    return data.data;
  },
  write: async (all: Readonly<Record<string, unknown>>) => {
    await ask(at, { method: 'POST', body: JSON.stringify(all) });
  },
});

/** KV version 2: a write is conditional on the version that was read (check-and-set), so that no change is lost. */
function versioned(ask: VaultClient, at: string): DocumentStore {
  let version = 0;
  return {
    async read() {
      const { exists, url, said } = await ask(at, { isOptional: true });
      const { success, data } = Two.safeParse(said);
      if (exists && !success) throw malformed(url, 'no secret');
      // The newest version is deleted; writes still follow it.
      version = data?.data.metadata.version ?? 0;
      return (exists && data?.data.data) || {};
    },
    write: async (all: Readonly<Record<string, unknown>>) => {
      await ask(at, { method: 'POST', body: JSON.stringify({ options: { cas: version }, data: all }) });
    },
  };
}
