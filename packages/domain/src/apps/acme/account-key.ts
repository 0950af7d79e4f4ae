import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import { calculateJwkThumbprint, FlattenedSign, importJWK, type FlattenedJWS, type JWK } from 'jose';

const ALGORITHM = 'ES256';
const encode = (text: string) => new TextEncoder().encode(text);

/** What messages of an account are signed with (RFC 8555, section 6.2): a private key on P-256. */
export interface AccountKey extends JWK {
  readonly kty: 'EC';
  readonly d: string;
}

export async function newAccountKey(): Promise<AccountKey> {
  const { privateKey } = await promisify(generateKeyPair)('ec', { namedCurve: 'P-256' });
  return privateKey.export({ format: 'jwk' }) as AccountKey;
}

const publicOf = ({ d: _, ...key }: AccountKey): JWK => key;

/** Whom a message is from: an account by its URL, or a key without one. */
export interface Header {
  readonly url: string;
  readonly nonce: string;
  readonly kid?: string | undefined;
}

/** A signed message. `payload` is `undefined` for a POST-as-GET (section 6.3). */
export async function signMessage(key: AccountKey, payload: object | undefined, header: Header): Promise<FlattenedJWS> {
  const { kid, ...fields } = header;
  const signer = kid === undefined ? { jwk: publicOf(key) } : { kid };
  return new FlattenedSign(encode(payload === undefined ? '' : JSON.stringify(payload)))
    .setProtectedHeader({ alg: ALGORITHM, ...fields, ...signer })
    .sign(await importJWK(key, ALGORITHM));
}

/** The key that a CA gives to the owner of an account there. */
export interface ExternalAccount {
  readonly kid: string;
  /** base64url. */
  readonly hmacKey: string;
}

/** The proof that an account belongs to the owner of an external one (section 7.3.4). */
export const bindExternalAccount = (key: AccountKey, { kid, hmacKey }: ExternalAccount, url: string) =>
  new FlattenedSign(encode(JSON.stringify(publicOf(key))))
    .setProtectedHeader({ alg: 'HS256', kid, url })
    .sign(Buffer.from(hmacKey, 'base64url'));

/** What a TXT record has to have for a challenge of the type `dns-01` (section 8.4). */
export async function dnsRecordFor(key: AccountKey, token: string): Promise<string> {
  const authorization = `${token}.${await calculateJwkThumbprint(publicOf(key))}`;
  return Buffer.from(await crypto.subtle.digest('SHA-256', encode(authorization))).toString('base64url');
}
