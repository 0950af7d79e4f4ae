import type { KeyObject } from 'node:crypto';
import type { CryptoKey } from 'jose';

/** The possible public keys for a token with this header: few, or none. */
export type FindKeys = (header: ProofHeader) => Promise<readonly (CryptoKey | KeyObject)[]>;

/** The header of a token, untrusted: used only to select among trusted keys. */
export interface ProofHeader {
  readonly alg: string;
  readonly kid?: string | undefined;
}

/** How the documents of a key set are fetched. */
export interface KeySetSource {
  /** PEM of the only trusted roots. */
  readonly ca?: string | undefined;
  /** Whose turn a fetch is: see `OutboundRequest`. */
  readonly whose?: string | undefined;
}

/**
 * The published public keys of token issuers. Fetched through `fetch`, cached for a limited time and number, shared by
 * all calls: concurrent logins fetch once. A failure throws a 400 (`outbound.*`, `provider.*`).
 */
export interface KeySets {
  /** The keys of a JWKS document; `ca`: PEM of the only trusted roots. An unknown `kid` causes a new fetch. */
  keysAt(url: string, trust?: KeySetSource): FindKeys;
  /** The keys of an object of PEM certificates by `kid`. */
  certificatesAt(url: string, trust?: KeySetSource): FindKeys;
  /** The keys of an OpenID provider, from the https address in its discovery document. */
  keysOf(issuerUrl: string, trust?: KeySetSource): FindKeys;
}
