import type { Credentials } from '../../../connections/connection/index.ts';
import type { StandIns } from '../../../identities/auth-method/testing/stand-ins.ts';

/** A certificate at a destination, in PEM. */
export interface HeldCertificate {
  /** The name that Coffer has given it; `undefined` where the destination has no names. */
  readonly name: string | undefined;
  /** What the destination calls it. */
  readonly reference: string;
  readonly certificate: string;
  readonly privateKey: string;
  readonly chain: string;
}

/** What happens to a write: it is done and its answer is lost, it is refused, or it is throttled. `kept`: each removal is refused. */
export type WriteAccident = 'lost' | 'refused' | 'throttled' | 'kept';

/** A destination as a PKI sync uses it: a server that stands in for the remote, and verifies each request. */
export interface PkiSyncTarget {
  /** Credentials that it accepts. */
  readonly credentials: Credentials;
  /** A `destinationConfig` with which a sync writes there. */
  readonly config: Readonly<Record<string, unknown>>;
  /** `syncOptions` with which a renewal does not replace, if there are such. */
  readonly besides?: Readonly<Record<string, unknown>>;
  /** Seconds of `Retry-After` when it throttles; absent where the service has none. */
  readonly retryAfter?: number;
  serve(standIns: StandIns): Promise<void>;
  /** The clock of the service, in milliseconds since 1970. */
  setClock(now: () => number): void;
  held(): HeldCertificate[];
  /** Puts a certificate there as somebody else does, who does not know of Coffer. */
  put(name: string, certificate: Omit<HeldCertificate, 'name' | 'reference'>): void;
  /** Decides what happens to each write from now on; `undefined`: it is done. */
  setAccident(accident: WriteAccident | undefined): void;
}

/** What tests of a destination need. */
export interface PkiSyncExample {
  readonly target: () => PkiSyncTarget;
}
