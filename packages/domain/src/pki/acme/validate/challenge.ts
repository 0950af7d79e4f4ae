import { createHash } from 'node:crypto';
import { DomainError, type Context } from '../../../kernel/index.ts';
import { problemDocument, type ProblemDocument, type ProblemType } from '../problem.ts';

/** The expected response, and its location. */
export interface Proof {
  /** The name, without an asterisk. */
  readonly name: string;
  readonly token: string;
  /** RFC 8555, section 8.1. */
  readonly keyAuthorization: string;
}

/** Looks; throws where the proof is not there. */
export type ValidateChallenge = (ctx: Context, proof: Proof) => Promise<void>;

/**
 * What a client learns of a failed validation: the type, and a fixed sentence about the name that it ordered. Coffer
 * may reach servers that the client cannot reach. So responses, redirects, addresses and connection errors are not
 * disclosed.
 */
const SAID = {
  connection: 'The server could not be reached, or may not be called',
  dns: 'The name servers returned no usable response',
  incorrectResponse: 'The server did not return the key authorization',
  tls: 'The TLS handshake with the server failed',
  unauthorized: 'What proves the name does not have the key authorization',
  serverInternal: 'The challenge could not be validated',
} as const satisfies Partial<Record<ProblemType, string>>;

/** A failed validation. `why` is only for the log of the server. */
export class ChallengeFailed extends Error {
  readonly document: ProblemDocument;

  constructor(type: keyof typeof SAID, why: unknown) {
    super(why instanceof Error ? why.message : String(why), { cause: why });
    this.document = problemDocument(type, SAID[type]);
  }
}

/**
 * SHA-256 of the key authorization, which DNS and TLS show instead of it (RFC 8555, section 8.4; RFC 8737, section 3).
 */
export const digestOf = ({ keyAuthorization }: Proof): Buffer => createHash('sha256').update(keyAuthorization).digest();

/** Deadlines in milliseconds: for connecting, and for the complete attempt. */
const CONNECT = 5_000;
const LIFETIME = 10_000;
/** Bytes; a proof has a hundred. */
const MAX_BYTES = 64 * 1024;
/** How many addresses of a name are tried. */
const MAX_ADDRESSES = 3;

/** Connects to a name by public DNS, to permitted addresses only. The caller destroys `stream`. */
export async function reach(ctx: Context, name: string, port: number) {
  const addresses = await ctx.names.addresses(name).catch((error: unknown) => {
    throw new ChallengeFailed('dns', error);
  });
  if (addresses.length === 0) throw new ChallengeFailed('dns', `${name} has no address`);
  let last: unknown;
  for (const host of addresses.slice(0, MAX_ADDRESSES)) {
    try {
      return await ctx.connect({ host, port, timeoutMs: CONNECT, lifetimeMs: LIFETIME, maxBytes: MAX_BYTES });
    } catch (error) {
      last = error;
      // A forbidden address is not a network failure, for which another address would be tried.
      if (error instanceof DomainError && error.code === 'outbound.refused') break;
    }
  }
  throw new ChallengeFailed('connection', last);
}
