import { createPublicKey, timingSafeEqual, type JsonWebKey, type KeyObject } from 'node:crypto';
import { calculateJwkThumbprint, flattenedVerify, type FlattenedJWSInput, type JWK } from 'jose';
import { z } from 'zod';
import { MAX_RSA_BITS } from '@coffer/x509/key-limits';
import { problem } from './problem.ts';

/** What accounts sign by (RFC 8555, section 6.2). */
const ALGORITHMS = ['ES256', 'ES384', 'ES512', 'RS256', 'EdDSA'] as const;
type Algorithm = (typeof ALGORITHMS)[number];

const BASE64URL = /^[\w-]*$/;
const encoded = z.string().regex(BASE64URL);

/** Exactly one signature, and no unprotected headers. */
const Flattened = z.strictObject({ protected: encoded.min(1), payload: encoded, signature: encoded.min(1) });
type Flattened = z.output<typeof Flattened>;

export interface Header {
  readonly alg: string;
  readonly url: string;
  readonly nonce?: unknown;
  readonly kid?: string;
  readonly jwk?: Readonly<Record<string, unknown>>;
}

const HeaderShape = z.looseObject({
  alg: z.string(),
  url: z.string(),
  nonce: z.unknown().optional(),
  kid: z.string().optional(),
  jwk: z.record(z.string(), z.unknown()).optional(),
  crit: z.undefined().optional(),
  b64: z.undefined().optional(),
});

export interface Message {
  readonly header: Header;
  readonly jws: Flattened;
}

/**
 * Parses a body before its signature is verified.
 *
 * @throws AcmeProblem `malformed`
 */
export function readMessage(body: unknown): Message {
  const jws = Flattened.safeParse(body);
  if (!jws.success)
    throw problem('malformed', 'Send a flattened JWS with protected, payload and signature, and nothing else');
  const header = HeaderShape.safeParse(readJson(jws.data.protected));
  if (!header.success)
    throw problem('malformed', 'The protected header needs alg and url, and must not have crit or b64');
  return { header: header.data, jws: jws.data };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(text, 'base64url')));
  } catch {
    return undefined;
  }
}

/** The payload of a message whose signature was verified: nothing for a POST-as-GET. @throws AcmeProblem `malformed` */
export function readPayload({ jws }: Message): Record<string, unknown> | undefined {
  if (jws.payload === '') return undefined;
  const payload = readJson(jws.payload);
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload))
    throw problem('malformed', 'The payload must be a JSON object, or empty');
  return payload as Record<string, unknown>;
}

export interface PublicJwk {
  readonly jwk: JWK;
  readonly key: KeyObject;
  /** RFC 7638, with SHA-256. */
  readonly thumbprint: string;
}

const CURVES: Readonly<Record<string, Algorithm>> = { 'P-256': 'ES256', 'P-384': 'ES384', 'P-521': 'ES512' };

/** What keys of this kind sign by. */
function algorithmOf({ kty, crv }: JWK): Algorithm | undefined {
  if (kty === 'RSA') return 'RS256';
  if (kty === 'EC') return CURVES[crv ?? ''];
  return kty === 'OKP' && crv === 'Ed25519' ? 'EdDSA' : undefined;
}

const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  RSA: ['kty', 'n', 'e'],
  EC: ['kty', 'crv', 'x', 'y'],
  OKP: ['kty', 'crv', 'x'],
};

/** A key of an account. @throws AcmeProblem `badPublicKey` */
export async function readJwk(given: Readonly<Record<string, unknown>>): Promise<PublicJwk> {
  const refuse = (why: string) => problem('badPublicKey', why, { algorithms: ALGORITHMS });
  const { kty } = given;
  const members = typeof kty === 'string' && Object.hasOwn(MEMBERS, kty) ? MEMBERS[kty] : undefined;
  if (!members) throw refuse('Account keys must be RSA, EC or Ed25519');
  if ('d' in given) throw refuse('This is a private key and is now compromised; generate another one');
  // Only the members of the key: thumbprint and comparison use nothing else.
  const jwk = Object.fromEntries(members.map((name) => [name, given[name]])) as JWK;
  if (!Object.values(jwk).every((value) => typeof value === 'string' && BASE64URL.test(value)))
    throw refuse('The key is incomplete');
  if (!algorithmOf(jwk)) throw refuse('Account keys must be RSA, P-256, P-384, P-521 or Ed25519');
  let key: KeyObject;
  try {
    key = createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' });
  } catch {
    throw refuse('The key is not valid');
  }
  const { modulusLength: bits, publicExponent = 65_537n } = key.asymmetricKeyDetails ?? {};
  if (bits !== undefined && (bits < 2_048 || bits > MAX_RSA_BITS))
    throw refuse(`RSA keys must have 2048 to ${MAX_RSA_BITS} bits`);
  if (publicExponent < 3n || publicExponent > 0xffff_ffffn || publicExponent % 2n === 0n)
    throw refuse('The exponent of the RSA key is not supported');
  // Re-encoded, so that a key has one form.
  const exported = key.export({ format: 'jwk' }) as JWK;
  return { jwk: exported, key, thumbprint: await calculateJwkThumbprint(exported) };
}

/**
 * @param signer Of an account, with its ID.
 * @throws AcmeProblem `badSignatureAlgorithm`, `malformed`
 */
export async function verifyMessage(
  { header, jws }: Message,
  { jwk, key, accountId }: Pick<PublicJwk, 'jwk' | 'key'> & { readonly accountId?: string },
): Promise<void> {
  if (!(ALGORITHMS as readonly string[]).includes(header.alg) || header.alg !== algorithmOf(jwk))
    throw problem('badSignatureAlgorithm', 'The signature algorithm does not match the key', {
      algorithms: ALGORITHMS,
      refusal: { accountId },
    });
  try {
    await flattenedVerify(jws as FlattenedJWSInput, key, { algorithms: [header.alg] });
  } catch {
    throw problem('malformed', 'The signature is not valid for the key of the message', {
      refusal: { reason: 'signature', accountId },
    });
  }
}

const MAC_ALGORITHMS = ['HS256', 'HS384', 'HS512'];

/** As `verifyMessage` for a message with a secret key. Whether it is right. */
export async function verifyMac({ header, jws }: Message, secret: Uint8Array): Promise<boolean> {
  if (!MAC_ALGORITHMS.includes(header.alg)) return false;
  return flattenedVerify(jws as FlattenedJWSInput, secret, { algorithms: MAC_ALGORITHMS }).then(
    () => true,
    () => false,
  );
}

/** Whether two texts that may be secrets are the same. */
export function sameText(a: string, b: string): boolean {
  const [one, other] = [Buffer.from(a), Buffer.from(b)];
  return one.length === other.length && timingSafeEqual(one, other);
}
