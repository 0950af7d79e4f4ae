import type { KeyObject } from 'node:crypto';
import type { CryptoKey } from 'jose';

/** The public keys by which a token with this header may be signed: few, and none where nothing fits. */
export type FindKeys = (header: ProofHeader) => Promise<readonly (CryptoKey | KeyObject)[]>;

/** What a token says of its own signature, believed in nothing but the choice among keys that are trusted already. */
export interface ProofHeader {
  readonly alg: string;
  readonly kid?: string | undefined;
}

/**
 * The public keys of those who issue tokens, from where they publish them. Fetched through `fetch`, kept for a while and
 * within bounds, shared by all calls: many logins at once ask a provider once. What cannot be had throws a 400
 * (`outbound.*`, `provider.*`).
 */
export interface KeySets {
  /** The keys of a JWKS document; `ca`: PEM of the only roots to trust. A `kid` that is not in it is looked for anew. */
  keysAt(url: string, trust?: { ca?: string }): FindKeys;
  /** The keys of an object of PEM certificates by `kid`. */
  certificatesAt(url: string, trust?: { ca?: string }): FindKeys;
  /** The keys of an OpenID provider, which are where its discovery document says: at an https address. */
  keysOf(issuerUrl: string, trust?: { ca?: string }): FindKeys;
}
