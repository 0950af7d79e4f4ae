import type { StandIn } from '../../../family/testing/examples.ts';

/** A destination as a project uses it: its configuration, and its items by name. */
export interface DestinationStandIn extends StandIn {
  readonly auth: () => Record<string, string>;
  readonly target: Record<string, string>;
  readonly held: () => Record<string, unknown>;
}

/** Credentials of a destination, and the least that an integration with them needs. */
export interface DestinationExample {
  readonly auth: Record<string, string>;
  readonly integration: Record<string, string>;
  /** With this the suites of faults that all destinations have run. */
  readonly standIn?: () => DestinationStandIn;
}
