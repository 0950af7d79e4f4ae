import type { StandIn } from '../../../family/testing/examples.ts';

/** A provider's example for tests against a target, real or simulated. */
export interface ProviderCase {
  readonly type: string;
  /** Inputs that work. */
  readonly inputs: () => Record<string, unknown>;
  /** The sealed fields. */
  readonly sealed: readonly string[];
  /** Whether the leased credentials work. */
  readonly works: (data: Record<string, string>) => Promise<boolean>;
  /** Whether all leases are of one login, so that there is one at a time. */
  readonly hasOneLogin?: boolean;
  /** Whether they still work after the end of the lease, because they cannot be revoked. */
  readonly outlivesLeases?: boolean;
  /** The longest TTL, if that is less than two hours. */
  readonly longest?: string;
  /** The error of a renewal, if leases cannot be renewed. */
  readonly cannotRenew?: string;
}

/** Further examples of a provider with outbound calls. */
export interface TargetCase extends ProviderCase {
  /** Inputs with a credential that the target refuses. */
  readonly wrong: () => Record<string, unknown>;
  /** Changes of inputs, one at a time, that would send the credential to another target. */
  readonly elsewhere: () => Record<string, unknown>;
  /**
   * Changes of inputs, by the data of another lease, with which the target is called by an account that works, but can revoke no
   * leases: one without the right, such as that of the other lease, or one elsewhere. Needless if nothing is revoked.
   */
  readonly weaker?: (data: Record<string, string>) => Record<string, unknown>;
  /** Makes the target unreachable, and reachable again. */
  readonly outage: { begin(): Promise<void>; end(): Promise<void> };
}

/** A simulated target that validates its requests. */
export type ProviderStandIn = StandIn & Omit<TargetCase, 'type' | 'sealed' | 'outage'>;

/**
 * Minimal and complete inputs. `others` are inputs of its further schemas. Their targets do not exist: creating a
 * dynamic secret from them needs a stand-in.
 */
export interface ProviderExample {
  readonly least: Readonly<Record<string, unknown>>;
  readonly full: Readonly<Record<string, unknown>>;
  readonly others?: readonly Readonly<Record<string, unknown>>[];
  /** Runs the common suite of providers over HTTP; others call it in their own tests. */
  readonly standIn?: () => ProviderStandIn;
}
