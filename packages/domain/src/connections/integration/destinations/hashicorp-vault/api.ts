import { z } from 'zod';
import type { OutboundRequest, OutboundResponse } from '../../../../kernel/index.ts';
import type { DocumentStore, Remote } from '../../destination.ts';
import { malformed, rejected } from '../../../../family/index.ts';
import { readExactly, wordsOf } from '../../remote.ts';

/** Where a Vault is, and as whom it is asked. */
export interface Login {
  readonly url: string;
  readonly namespace?: string | undefined;
  /** A token; with `accessId` the SecretID of an AppRole. */
  readonly accessToken: string;
  /** The RoleID of an AppRole. */
  readonly accessId?: string | undefined;
}

type Ask = (path: string, request?: OutboundRequest & { isOptional?: true }) => Promise<Answer>;
interface Answer {
  readonly exists: boolean;
  readonly url: string;
  readonly said: Record<string, unknown>;
}

const Mount = z.object({
  data: z.object({ options: z.object({ version: z.string() }).partial().nullish(), type: z.string() }),
});
const LoggedIn = z.object({ auth: z.object({ client_token: z.string().min(1) }) });
const One = z.object({ data: z.record(z.string(), z.unknown()) });
const Two = z.object({
  data: z.object({
    data: z.record(z.string(), z.unknown()).nullable(),
    metadata: z.object({ version: z.int() }),
  }),
});

/**
 * Opens one secret of an engine of the kind kv, as Vault's HTTP API has it.
 *
 * @throws DomainError 400 where it refuses the login, and where the engine is of another kind.
 */
export async function openSecret(remote: Remote, login: Login, engine: string, path: string): Promise<DocumentStore> {
  const ask = askAs(remote, login, await tokenOf(remote, login));
  const mount = await ask(`sys/internal/ui/mounts/${encoded(engine)}`);
  const { data: kind } = Mount.safeParse(mount.said);
  if (kind?.data.type !== 'kv' && kind?.data.type !== 'generic')
    throw malformed(mount.url, `that ${engine} is no secrets engine of the kind kv`);
  return kind.data.options?.version === '2'
    ? versioned(ask, `${encoded(engine)}/data/${encoded(path)}`)
    : plain(ask, `${encoded(engine)}/${encoded(path)}`);
}

const encoded = (text: string) => text.split('/').map(encodeURIComponent).join('/');

/** Asks Vault as somebody; a path that has nothing answers so where that is expected. */
const askAs =
  (remote: Remote, { url: server, namespace }: Login, token?: string): Ask =>
  async (at, { isOptional, ...request } = {}) => {
    const url = `${server.replace(/\/+$/, '')}/v1/${at}`;
    const answer = await remote.fetch(url, {
      ...request,
      headers: {
        'x-vault-request': 'true',
        ...(token !== undefined && { 'x-vault-token': token }),
        ...(namespace !== undefined && { 'x-vault-namespace': namespace }),
        ...(request.body !== undefined && { 'content-type': 'application/json' }),
      },
    });
    const said = answer.body.length === 0 ? {} : documentOf(url, answer);
    if (answer.status < 300) return { exists: true, url, said };
    if (answer.status === 404 && isOptional) return { exists: false, url, said };
    throw rejected(url, answer.status, wordsOf(answer));
  };

function documentOf(url: string, answer: OutboundResponse): Record<string, unknown> {
  try {
    return z.record(z.string(), z.unknown()).parse(readExactly(answer.text()));
  } catch {
    throw answer.status < 300 ? malformed(url, 'something other than JSON') : rejected(url, answer.status, '');
  }
}

/** The token itself, or what Vault gives to an AppRole. */
async function tokenOf(remote: Remote, login: Login): Promise<string> {
  const { accessId, accessToken } = login;
  if (accessId === undefined) return accessToken;
  const body = JSON.stringify({ role_id: accessId, secret_id: accessToken });
  const { url, said } = await askAs(remote, login)('auth/approle/login', { method: 'POST', body });
  const token = LoggedIn.safeParse(said).data?.auth.client_token;
  if (token === undefined) throw malformed(url, 'no token for this AppRole');
  remote.hide(token);
  return token;
}

/** KV version 1: what is written takes the place of what was there. */
const plain = (ask: Ask, at: string): DocumentStore => ({
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

/** KV version 2: what is written has to follow the version that was read, so that nobody's change is lost. */
function versioned(ask: Ask, at: string): DocumentStore {
  let version = 0;
  return {
    async read() {
      const { exists, url, said } = await ask(at, { isOptional: true });
      const { success, data } = Two.safeParse(said);
      if (exists && !success) throw malformed(url, 'no secret');
      // Deleted in its newest version: that one is followed all the same.
      version = data?.data.metadata.version ?? 0;
      return (exists && data?.data.data) || {};
    },
    write: async (all: Readonly<Record<string, unknown>>) => {
      await ask(at, { method: 'POST', body: JSON.stringify({ options: { cas: version }, data: all }) });
    },
  };
}
