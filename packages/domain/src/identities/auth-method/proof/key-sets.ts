import { X509Certificate } from 'node:crypto';
import { createLocalJWKSet, errors, type CryptoKey } from 'jose';
import { z } from 'zod';
import type { FindKeys, KeySets, KeySetSource, OutboundFetch, ProofHeader } from '../../../kernel/index.ts';
import { badAnswer, Documents, type Source } from './documents.ts';
import { MAX_KEYS } from './public-keys.ts';

const MAX_CERTIFICATES = 100;

const Discovery = z.object({ jwks_uri: z.url({ protocol: /^https$/ }) });
const member = z.string().optional().catch(undefined);
/** The used fields of a key. `d` and `k` belong to private and symmetric keys. */
const Jwk = z.object({
  ...{ kty: member, kid: member, alg: member, use: member, key_ops: z.array(z.string()).optional().catch(undefined) },
  ...{ crv: member, x: member, y: member, n: member, e: member, d: member, k: member },
});
const Jwks = z.object({ keys: z.array(Jwk).max(1000) });
const Certificates = z.record(z.string(), z.string()).transform((byKid) => Object.entries(byKid));

/** See `KeySets`: one per process, with the limits of `documents.ts`. */
export class ProviderKeySets implements KeySets {
  readonly #documents: Documents;
  readonly #now: () => Date;

  constructor(fetch: OutboundFetch, now: () => Date) {
    this.#documents = new Documents(fetch, now);
    this.#now = now;
  }

  /** For metrics: the number of cached documents. */
  get size(): number {
    return this.#documents.size;
  }

  keysAt(url: string, trust: KeySetSource = {}): FindKeys {
    const read = (document: unknown) => createLocalJWKSet(parsed(Jwks, document, url, 'something other than a JWKS'));
    return this.#find({ url, ...trust, as: 'jwks', read }, findIn);
  }

  certificatesAt(url: string, trust: KeySetSource = {}): FindKeys {
    const read = (document: unknown) => readCertificates(document, url);
    return this.#find({ url, ...trust, as: 'certificates', read }, (found) => findAmong(found, this.#now));
  }

  keysOf(issuerUrl: string, trust: KeySetSource = {}): FindKeys {
    const url = `${issuerUrl.replace(/\/+$/, '')}/.well-known/openid-configuration`;
    const otherwise = 'something other than the discovery document of an OpenID provider';
    // The address is kept, and not what fetches from there: that is done in the turn of each reader.
    const read = (document: unknown) => parsed(Discovery, document, url, otherwise).jwks_uri;
    return this.#find({ url, ...trust, as: 'discovery', read }, (address) => this.keysAt(address, trust));
  }

  /** A key that is missing in the cached document may have been published since. */
  #find<Value>(source: Source<Value>, keysIn: (value: Value) => FindKeys): FindKeys {
    return async (header) => {
      const known = await this.#documents.get(source);
      const keys = await keysIn(known)(header);
      if (keys.length > 0) return keys;
      const current = await this.#documents.getAnew(source);
      return current === known ? keys : keysIn(current)(header);
    };
  }
}

function parsed<Schema extends z.ZodType>(schema: Schema, document: unknown, url: string, otherwise: string) {
  const result = schema.safeParse(document);
  if (!result.success) throw badAnswer(url, otherwise);
  return result.data;
}

type KeySet = ReturnType<typeof createLocalJWKSet>;

const findIn =
  (keySet: KeySet): FindKeys =>
  async ({ alg, kid }) => {
    try {
      return [await keySet({ alg, ...(kid !== undefined && { kid }) })];
    } catch (error) {
      // Every other failure is a key that cannot be used, which is as good as none.
      return error instanceof errors.JWKSMultipleMatchingKeys ? few(error) : [];
    }
  };

/** All that fit, unless they are so many that trying them would be work for nothing. */
async function few(candidates: AsyncIterable<CryptoKey>): Promise<CryptoKey[]> {
  const keys: CryptoKey[] = [];
  for await (const key of candidates) if (keys.push(key) > MAX_KEYS) return [];
  return keys;
}

function readCertificates(document: unknown, url: string): Map<string, X509Certificate> {
  const otherwise = 'something other than certificates by kid';
  const entries = parsed(Certificates, document, url, otherwise);
  if (entries.length > MAX_CERTIFICATES) throw badAnswer(url, 'too many certificates');
  try {
    return new Map(entries.map(([kid, pem]) => [kid, new X509Certificate(pem)]));
  } catch {
    throw badAnswer(url, otherwise);
  }
}

const findAmong =
  (certificates: ReadonlyMap<string, X509Certificate>, now: () => Date): FindKeys =>
  async ({ kid }: ProofHeader) => {
    const at = now();
    const named = kid === undefined ? [...certificates.values()] : [certificates.get(kid)];
    const valid = named.filter((one) => one && one.validFromDate <= at && at <= one.validToDate);
    return valid.length > MAX_KEYS ? [] : valid.map((one) => one!.publicKey);
  };
