import { z } from 'zod';
import { malformed, objectOf, readExactly, rejected, wordsOf } from '../../family/index.ts';
import { DomainError, type OutboundFetch, type OutboundRequest, type OutboundResponse } from '../../kernel/index.ts';

/** What Vault is reached with: the session of an engine. */
export interface VaultIo {
  readonly fetch: OutboundFetch;
  /** Redacts a credential from later texts. */
  hide(credential: string): unknown;
}

/** Where a Vault is. */
export interface VaultServer {
  readonly url: string;
  readonly namespace?: string | undefined;
}

/** Calls Vault's HTTP API; a 404 is a result where it is expected. */
export type VaultClient = (path: string, request?: OutboundRequest & { isOptional?: true }) => Promise<VaultAnswer>;
export interface VaultAnswer {
  readonly exists: boolean;
  readonly url: string;
  readonly said: Record<string, unknown>;
}

/** Calls with a token; without one, unauthenticated. */
export const vaultClient =
  ({ fetch }: Pick<VaultIo, 'fetch'>, { url: server, namespace }: VaultServer, token?: string): VaultClient =>
  async (at, { isOptional, ...request } = {}) => {
    const url = `${server.replace(/\/+$/, '')}/v1/${at}`;
    const answer = await fetch(url, {
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
    return objectOf(z.unknown()).parse(readExactly(answer.text()));
  } catch (error) {
    if (error instanceof DomainError) throw error;
    throw answer.status < 300 ? malformed(url, 'something other than JSON') : rejected(url, answer.status, '');
  }
}

const LoggedIn = z.object({ auth: z.object({ client_token: z.string().min(1) }) });

/** Logs in as an AppRole. @throws DomainError 400 where Vault refuses. */
export async function appRoleClient(
  io: VaultIo,
  server: VaultServer,
  { roleId, secretId }: { readonly roleId: string; readonly secretId: string },
): Promise<VaultClient> {
  const body = JSON.stringify({ role_id: roleId, secret_id: secretId });
  const { url, said } = await vaultClient(io, server)('auth/approle/login', { method: 'POST', body });
  const token = LoggedIn.safeParse(said).data?.auth.client_token;
  if (token === undefined) throw malformed(url, 'no token for this AppRole');
  io.hide(token);
  return vaultClient(io, server, token);
}
