import type { OutboundResponse } from '../../../../kernel/index.ts';
import { originOf } from '../../origin.ts';
import type { ProviderIo } from '../../provider.ts';
import { rejectedBy, ambiguousOutcome } from '../../../../family/index.ts';

/** The address of the management plugin, and an administrator's credentials. */
export interface Broker {
  /** With `https://` or `http://`; HTTPS without either. */
  readonly host: string;
  readonly port: number;
  readonly username: string;
  readonly password: string;
  readonly ca?: string | null | undefined;
}

/** Its HTTP API. Paths are those of `pathTo`; errors are thrown as `rejectedBy`. */
export interface Management {
  /** `undefined` for a 404. */
  find(path: string): Promise<unknown>;
  put(path: string, body: object, said?: typeof rejectedBy): Promise<void>;
  /** Idempotent: a missing object is ignored. */
  remove(path: string): Promise<void>;
}

export function reachManagement(broker: Broker, io: ProviderIo): Management {
  const { username, password, ca } = broker;
  const origin = originOf(broker);
  const authorization = `Basic ${io.secret(Buffer.from(`${username}:${password}`).toString('base64'))}`;
  const send = async (method: string, path: string, body?: object, said = rejectedBy) => {
    const response = await io.fetch(origin + path, {
      method,
      headers: { authorization, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      ...(ca && { ca }),
      maxRedirects: 0,
    });
    const { status } = response;
    if ((status >= 200 && status < 300) || (status === 404 && !body)) return response;
    // The outcome of a 5xx is ambiguous.
    throw (status < 500 ? said : ambiguousOutcome)(new URL(origin).host, `${status} ${reasonIn(response)}`);
  };
  return {
    async find(path) {
      const response = await send('GET', path);
      return response.status === 404 ? undefined : response.json();
    },
    put: async (path, body, said) => void (await send('PUT', path, body, said)),
    remove: async (path) => void (await send('DELETE', path)),
  };
}

/** `{"error": "not_authorised", "reason": "Login failed"}` */
function reasonIn(response: OutboundResponse): string {
  try {
    const { reason, error } = response.json() as { reason?: unknown; error?: unknown };
    return [reason, error].find((words) => typeof words === 'string') ?? '';
  } catch {
    return '';
  }
}
