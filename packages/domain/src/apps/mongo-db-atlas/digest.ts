import { createHash, randomBytes } from 'node:crypto';

export interface DigestUser {
  readonly username: string;
  readonly password: string;
}

/** The supported algorithms of RFC 7616. */
const ALGORITHMS: Readonly<Record<string, string>> = { MD5: 'md5', 'SHA-256': 'sha256' };
const PART = /\b([a-z]{1,32})=(?:"([^"]{0,4096})"|([^\s,"]+))/gi;

/**
 * The `Authorization` header for a request, by the challenge of a 401 (RFC 7616, without `-sess` and `auth-int`);
 * `undefined` for a challenge that it cannot meet.
 */
export function digestFor(
  challenge: string,
  { username, password }: DigestUser,
  { method, uri }: { readonly method: string; readonly uri: string },
  cnonce = randomBytes(16).toString('hex'),
): string | undefined {
  if (challenge.length > 4096 || !/^digest\s/i.test(challenge)) return undefined;
  const rest = challenge.slice('digest '.length);
  const given = Object.fromEntries(
    Array.from(rest.matchAll(PART), ([, name = '', quoted, plain]) => [name.toLowerCase(), quoted ?? plain ?? '']),
  );
  const { realm = '', nonce = '', qop = '', opaque, algorithm = 'MD5' } = given;
  const name = ALGORITHMS[algorithm.toUpperCase()];
  if (name === undefined || nonce === '' || !qop.split(',').some((one) => one.trim() === 'auth')) return undefined;
  const hash = (...parts: readonly string[]) => createHash(name).update(parts.join(':')).digest('hex');
  const nc = '00000001';
  const response = hash(hash(username, realm, password), nonce, nc, cnonce, 'auth', hash(method, uri));
  const quoted = { username, realm, nonce, uri, cnonce, response, ...(opaque !== undefined && { opaque }) };
  const fields = Object.entries(quoted).map(([field, value]) => `${field}="${value}"`);
  return `Digest ${[...fields, `algorithm=${algorithm}`, 'qop=auth', `nc=${nc}`].join(', ')}`;
}
