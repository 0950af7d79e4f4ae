import type { KeyObject } from 'node:crypto';
import { decodeProtectedHeader, errors, jwtVerify, type CryptoKey, type JWTPayload } from 'jose';
import { unauthenticated, type DomainError, type FindKeys, type ProofHeader } from '../../../kernel/index.ts';
import { requireAudience } from './claims.ts';

/** Signatures by a private key, which Coffer does not have: never a shared secret, never none. */
export const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
] as const;
export type Algorithm = (typeof ALGORITHMS)[number];

/** Three parts, and nothing that a lenient reader would overlook. */
const COMPACT = /^[\w-]+\.[\w-]+\.[\w-]*$/;
/** Characters. Half of the maximum header size of most servers. */
const MAX_LENGTH = 20_000;
/** Seconds by which the clock of an issuer may be ahead or behind. */
const CLOCK_TOLERANCE = 10;

export interface ProofRules {
  /** Default: all of `ALGORITHMS`. */
  readonly algorithms?: readonly Algorithm[];
  /** An exact value, or one of several; any if absent. */
  readonly issuer?: string | readonly string[];
  /** Globs, one of which must match; any if absent or empty. */
  readonly audiences?: string;
  /** Whether tokens without `exp` are accepted; an existing `exp` is always checked. */
  readonly mayBeEndless?: boolean;
  readonly now: Date;
}

/**
 * The claims of a token that is signed by one of `findKeys`' keys, has an expiry and is currently valid. The token
 * cannot name the source of its key: `jwk`, `jku`, `x5c` and `x5u` are ignored, and `kid` only selects a key.
 *
 * @throws DomainError 401 `proof.*`; the error of `findKeys` if keys cannot be fetched.
 */
export async function verifyProof(jwt: string, findKeys: FindKeys, rules: ProofRules): Promise<JWTPayload> {
  const { algorithms = ALGORITHMS, issuer, audiences = '', mayBeEndless, now } = rules;
  const header = readHeader(jwt);
  if (!(algorithms as readonly string[]).includes(header.alg))
    throw refused('algorithm', `A token must be signed by one of ${algorithms.join(', ')}`);
  const keys = await findKeys(header);
  if (keys.length === 0) throw refused('unknown_key', 'The token is signed by a key that its issuer does not publish');
  const options = {
    algorithms: [header.alg],
    requiredClaims: mayBeEndless ? [] : ['exp'],
    clockTolerance: CLOCK_TOLERANCE,
    currentDate: now,
    ...(issuer !== undefined && { issuer: [issuer].flat() }),
  };
  const claims = await verifyByAny(jwt, keys, options);
  requireFinite(claims);
  requireIssuedBefore(claims, now);
  requireAudience(claims, audiences);
  return claims;
}

/** The library's message may quote the token, and is dropped. */
const refused = (code: string, message: string) => unauthenticated(`proof.${code}`, message);

const malformed = () => refused('malformed', 'This is not a signed JWT');

function readHeader(jwt: string): ProofHeader {
  if (jwt.length > MAX_LENGTH) throw refused('too_large', `A token can have at most ${MAX_LENGTH} characters`);
  if (!COMPACT.test(jwt)) throw malformed();
  try {
    const { alg, kid } = decodeProtectedHeader(jwt);
    if (typeof alg === 'string' && (kid === undefined || typeof kid === 'string')) return { alg, kid };
  } catch {
    throw malformed();
  }
  throw malformed();
}

async function verifyByAny(
  jwt: string,
  keys: readonly (CryptoKey | KeyObject)[],
  options: Parameters<typeof jwtVerify>[2],
): Promise<JWTPayload> {
  let failure: unknown;
  for (const key of keys) {
    try {
      return (await jwtVerify(jwt, key, options)).payload;
    } catch (error) {
      failure = error;
      // Whether another key would fit is open only while none has.
      if (error instanceof errors.JWTExpired || error instanceof errors.JWTClaimValidationFailed) break;
    }
  }
  throw explained(failure);
}

function explained(error: unknown): DomainError {
  if (error instanceof errors.JWTExpired) return refused('expired', 'The token has expired');
  if (error instanceof errors.JWTClaimValidationFailed) {
    if (error.claim === 'iss') return refused('issuer', 'The token is from another issuer');
    if (error.reason === 'check_failed') return refused('not_yet_valid', 'The token is not valid yet');
    return refused('claim', `The token has no usable claim ${error.claim}`);
  }
  const kinds = [errors.JWSInvalid, errors.JWTInvalid, errors.JOSENotSupported];
  if (kinds.some((kind) => error instanceof kind)) return malformed();
  // A key of another kind than the algorithm's, or too weak for it, makes the library throw all sorts of errors.
  return refused('signature', 'The signature of the token is not valid');
}

/** JSON has numbers that are read as infinite, such as `1e999`. */
function requireFinite({ exp, nbf }: JWTPayload): void {
  for (const time of [exp, nbf])
    if (time !== undefined && !Number.isFinite(time))
      throw refused('claim', 'The token has no usable claim exp or nbf');
}

function requireIssuedBefore({ iat }: JWTPayload, now: Date): void {
  if (iat === undefined) return;
  if (typeof iat !== 'number') throw refused('claim', 'The token has no usable claim iat');
  if (iat > now.getTime() / 1000 + CLOCK_TOLERANCE) throw refused('not_yet_valid', 'The token is not valid yet');
}
