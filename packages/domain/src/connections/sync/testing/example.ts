import type { StandIn } from '../../../family/testing/examples.ts';
import type { StandIns } from '../../../identities/auth-method/testing/stand-ins.ts';
import type { AppSettings } from '../../../kernel/index.ts';
import type { Credentials } from '../../connection/index.ts';

/** A destination as an integration uses it: its configuration, and its items by name. */
export interface DestinationStandIn extends StandIn {
  readonly auth: () => Record<string, string>;
  readonly target: Record<string, string>;
  readonly held: () => Record<string, unknown>;
}

/** A destination as a secret sync uses it: a server that stands in for the remote, and verifies each request. */
export interface SyncTarget {
  /** Credentials that it accepts, of an organization where it matters which one. */
  readonly credentials: Credentials | ((organizationId: string) => Credentials);
  /** A `destinationConfig` with which a sync writes there. */
  readonly config: Readonly<Record<string, unknown>>;
  readonly serve: (standIns: StandIns) => Promise<void>;
  /** The items there, by name. */
  readonly held: () => Readonly<Record<string, unknown>>;
  /** Puts an item there as somebody else does, who does not know of Coffer. */
  readonly put: (name: string, value: string) => void;
}

/** What tests of a destination need. */
export interface DestinationExample {
  /** A new target, with which the suites over HTTP run. */
  readonly target: () => SyncTarget;
  /** What the operator has to set for its connections. */
  readonly settings?: Partial<AppSettings>;
  /** The credentials of an integration, and the least that it needs, where it is published at `/api/v1/integration`. */
  readonly auth?: Record<string, string>;
  readonly integration?: Record<string, string>;
  /** With this the suites of faults that all integrations have run. */
  readonly standIn?: () => DestinationStandIn;
}

/** The credentials of a target in an organization. */
export const credentialsAt = ({ credentials }: SyncTarget, organizationId: string): Credentials =>
  typeof credentials === 'function' ? credentials(organizationId) : credentials;
