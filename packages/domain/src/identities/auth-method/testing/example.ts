import type { StandIn } from '../../../family/testing/examples.ts';

/** What tests have to know of a login method whose callers name the identity. */
export interface LoginMethodCase {
  readonly kind: string;
  readonly key: string;
  /** The fields that have no defaults, such that a login with `proof` works. */
  readonly least: () => object;
  /** Fields beside `least` without which a shared trust root admits nobody. */
  readonly binding?: () => object;
  /** The method's own fields in the answer of attaching with `least` and `binding`. */
  readonly answered: () => object;
  /** Other values, a change each; all together go with each other. */
  readonly changes: () => Record<string, unknown>;
  /** Fields that are not in the answer of detaching. */
  readonly sealed: readonly string[];
  /** Bodies of attaching, beside `least`, and the statuses that refuse them. */
  readonly refused: () => [given: object, status: number][];
  readonly notAttached: Record<'GET' | 'PATCH' | 'DELETE', number>;
  /** The body of a login, without the identity that it is for. */
  readonly proof: (identityId: string) => Promise<object>;
}

export interface SharedExample {
  /** With `least`: a configuration whose trust root is shared, and that nothing binds. */
  readonly unbound: object;
  /** Changes each of which binds it. */
  readonly bindings: readonly object[];
  /** Changes that look as if they did. */
  readonly nonBindings: readonly object[];
}

/** Whoever vouches for logins, and how they go. */
export type LoginStandIn = StandIn & Omit<LoginMethodCase, 'kind' | 'key'>;

/** The least that a login method can be attached with, and more: a value for every field that has none by itself. */
export interface LoginMethodExample {
  readonly least: object;
  readonly full: object;
  /** Where its trust root may be shared with strangers. */
  readonly shared?: SharedExample;
  /** With this the suite that all login methods have over HTTP runs; others call it in a test of their own. */
  readonly standIn?: () => LoginStandIn;
}
