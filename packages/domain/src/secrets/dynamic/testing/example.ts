import type { StandIn } from '../../../family/testing/examples.ts';

/** What a provider brings to be tested against a target, real or one that checks what it is asked. */
export interface ProviderCase {
  readonly type: string;
  /** Inputs that work. */
  readonly inputs: () => Record<string, unknown>;
  /** The sealed fields. */
  readonly sealed: readonly string[];
  /** Whether what was leased is good for logging in now. */
  readonly works: (data: Record<string, string>) => Promise<boolean>;
  /** Whether it still is when the lease has ended: where there is nothing to take away. */
  readonly outlivesLeases?: boolean;
  /** What is said to whoever wants to renew a lease, where that cannot be. */
  readonly cannotRenew?: string;
}

/** What a provider brings besides whose calls go somewhere. */
export interface TargetCase extends ProviderCase {
  /** Inputs with a credential that the target refuses. */
  readonly wrong: () => Record<string, unknown>;
  /** Changes of inputs that would send the credential elsewhere, one at a time. */
  readonly elsewhere: () => Record<string, unknown>;
  /** Makes the target unreachable, and reachable again. */
  readonly outage: { begin(): Promise<void>; end(): Promise<void> };
}

/** A target that checks what it is asked. */
export type ProviderStandIn = StandIn & Omit<TargetCase, 'type' | 'sealed' | 'outage'>;

/**
 * The least that a provider is told, and more: a value for every field. `others` are inputs of its further shapes. Nothing
 * of it is there: whoever makes a dynamic secret of them needs a target that answers.
 */
export interface ProviderExample {
  readonly least: Readonly<Record<string, unknown>>;
  readonly full: Readonly<Record<string, unknown>>;
  readonly others?: readonly Readonly<Record<string, unknown>>[];
  /** With this the suites that all providers have over HTTP run; others call them in a test of their own. */
  readonly standIn?: () => ProviderStandIn;
}
