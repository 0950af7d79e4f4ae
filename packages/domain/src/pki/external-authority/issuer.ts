import type { z } from 'zod';
import type { Connector } from '../../connections/connection/index.ts';
import { isRemote, sealedFieldsOf, type RemoteIo } from '../../family/index.ts';
import {
  readChain,
  readCsr,
  sameKey,
  type AltName,
  type KeyAlgorithm,
  type ReadCertificate,
  type RevocationReason,
  type Subject,
} from '../x509.ts';

/** What somebody wants from an authority. */
export interface Wanted {
  readonly subject: Subject;
  readonly altNames: readonly AltName[];
  readonly keyAlgorithm: KeyAlgorithm;
  /** Milliseconds; absent where the authority is to decide. */
  readonly ttl?: number | undefined;
}

/** An order, as an authority sees it. */
export interface OrderToIssue extends Wanted {
  /** The same in each attempt. */
  readonly id: string;
  /** DER of a PKCS #10 request with these names. */
  readonly csr: Buffer;
  /** When it was placed here: nothing was ordered for it before. */
  readonly createdAt: Date;
}

/**
 * The certificate that an authority has answered to an order, if it is of its key: authorities may answer the order of another one,
 * and people may have it reissued. `chain`: PEM.
 */
export function certificateOfOrder({ csr }: Pick<OrderToIssue, 'csr'>, chain: string): ReadCertificate | undefined {
  const [certificate] = readChain(chain);
  return certificate && sameKey(certificate.publicKey, readCsr(csr).publicKey) ? certificate : undefined;
}

/** What was begun for an order. It survives the process. */
export type Progress = Readonly<Record<string, unknown>>;

/** What an authority has issued. */
export interface IssuedElsewhere {
  /** PEM of the certificate and of those above it. */
  readonly chain: string;
  /** What the authority calls it, to revoke it. */
  readonly reference?: string | undefined;
  /** It is revoked already, such as by a request whose answer was lost, and is not to be revoked again. */
  readonly isRevoked?: true;
}

/** What follows an attempt. */
export type Step =
  | ({ readonly is: 'issued' } & IssuedElsewhere)
  /** Try again after so many milliseconds; `message` is for people. */
  | { readonly is: 'waiting'; readonly forMs: number; readonly message: string };

/** The means by which an order is carried out. */
export interface Attempt {
  readonly order: OrderToIssue;
  readonly progress: Progress;
  /**
   * Stores the progress. Must be called before anything is made elsewhere that has to be removed again, and with
   * everything that is necessary for removing it.
   *
   * @throws DomainError if another process continues with the order.
   */
  readonly keep: (progress: Progress) => Promise<void>;
}

export interface ToRevoke {
  readonly der: Buffer;
  /** Lower-case hexadecimal. */
  readonly serialNumber: string;
  readonly reference: string | null;
  /** RFC 5280, section 5.3.1. */
  readonly reason: number;
}

/** The reason by which a certificate is revoked that was issued for an order that has ended. */
export const NOT_WANTED: RevocationReason = 'CESSATION_OF_OPERATION';

/** For `catch` of what places an order: an authority that refuses has made nothing, and the progress is as before. The error goes on. */
export const unlessRejected =
  ({ progress, keep }: Attempt) =>
  async (error: unknown): Promise<never> => {
    if (isRemote(error, 'rejected')) await keep(progress);
    throw error;
  };

/** An authority with its credentials, for one piece of work. */
export interface OpenAuthority {
  /**
   * Does the next part of an order. May be called any number of times with the same progress: after a kill.
   *
   * @throws DomainError `remote.rejected` if the order has failed for good; others are tried again.
   */
  advance(attempt: Attempt): Promise<Step>;
  /** Removes what was made for an order elsewhere. Idempotent, and tried until it succeeds. Absent if nothing is. */
  clean?(attempt: Attempt): Promise<void>;
  /**
   * Cancels an order that has ended here. Idempotent. Given up after some tries: the authority may be gone.
   *
   * @returns What was issued for it nevertheless, which is to be revoked; `unknown` where the answer to the order was lost, and the
   * authority cannot be asked about it.
   */
  withdraw(attempt: Attempt): Promise<IssuedElsewhere | 'unknown' | undefined>;
  /**
   * How the authority calls an order that was begun; `undefined` before. Absent where no two orders that were placed here are one
   * there.
   */
  orderIn?(progress: Progress): string | undefined;
  /** Revokes a certificate, unless it is. */
  revoke(certificate: ToRevoke): Promise<void>;
}

/** The means by which an authority is reached. */
export interface Means {
  readonly io: RemoteIo;
  /** The client of the app connection. */
  readonly client: unknown;
}

/** Which app connection an authority uses. */
export interface UsedConnection {
  readonly connector: Connector;
  readonly id: string;
}

interface Facts {
  /** The published name. */
  readonly type: string;
  /** For people. */
  readonly title: string;
}

interface Declaration<Schema extends z.ZodObject, Keys extends object> extends Facts {
  /** The published fields. What is `sealed()` is never returned. */
  readonly config: Schema;
  connectionOf(config: z.output<Schema>): UsedConnection;
  /** The system that accepts or refuses a configuration, where that has credentials besides those of the app connection. */
  systemOf?(config: z.output<Schema>): string;
  /** Fields whose change is as if the authority was another one: what is kept for the former one is made anew. */
  readonly identity: readonly (keyof z.output<Schema> & string)[];
  /** Fields that say where orders make what is removed afterwards; default: none. */
  readonly places?: readonly (keyof z.output<Schema> & string)[];
  /**
   * Where the account is that of the app connection: whether two are the same, by what `prepare` has returned for each. Another
   * account is another authority, too.
   */
  isSameAccount?(before: Partial<Keys>, now: Keys): boolean;
  /**
   * Checks that the authority accepts a configuration, by calls that issue nothing. Returns what has to be kept besides
   * it, such as a key of an account; `before` is that of the same authority.
   */
  prepare(config: z.output<Schema>, means: Means, before: Keys | undefined): Promise<Keys>;
  /** @throws DomainError 400 for what the authority never issues. */
  requireIssuable(wanted: Wanted): void;
  /** The names of the records in DNS that an order has; absent where none are made. */
  recordsIn?(progress: Progress): readonly string[];
  open(config: z.output<Schema>, keys: Keys, means: Means): OpenAuthority | Promise<OpenAuthority>;
}

/** The values of a configuration. */
export type Config = Readonly<Record<string, unknown>>;

/** A type of authorities elsewhere. */
export interface Issuer extends Facts {
  readonly config: z.ZodObject;
  /** The fields of the configuration that are sealed. */
  readonly sealedFields: ReadonlyMap<string, unknown>;
  readonly identity: readonly string[];
  readonly places?: readonly string[];
  isSameAccount?(before: object, now: object): boolean;
  connectionOf(config: Config): UsedConnection;
  systemOf?(config: Config): string;
  prepare(config: Config, means: Means, before: object | undefined): Promise<object>;
  requireIssuable(wanted: Wanted): void;
  recordsIn?(progress: Progress): readonly string[];
  open(config: Config, keys: object, means: Means): Promise<OpenAuthority>;
}

/** Declares a type of authorities; its functions are given the configuration as its schema reads it. */
export function defineIssuer<const Type extends string, Schema extends z.ZodObject, Keys extends object>(
  declaration: Declaration<Schema, Keys> & { readonly type: Type },
): Issuer & { readonly type: Type } {
  const open = async (config: never, keys: never, means: Means) => declaration.open(config, keys, means);
  const issuer: object = { ...declaration, sealedFields: sealedFieldsOf(declaration.config.shape), open };
  return issuer as Issuer & { readonly type: Type };
}
