import type { StandIn } from '../../../family/testing/examples.ts';

/** A test example of a login method whose callers send the identity. */
export interface LoginMethodCase {
  readonly kind: string;
  readonly key: string;
  /** The fields that have no defaults, such that a login with `proof` works. */
  readonly least: () => object;
  /** Fields besides `least` without which a shared trust root accepts no login. */
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
  /** Changes, each of which is a binding. */
  readonly bindings: readonly object[];
  /** Changes that look as if they did. */
  readonly nonBindings: readonly object[];
}

/** The issuer of logins, and how to log in. */
export type LoginStandIn = StandIn & Omit<LoginMethodCase, 'kind' | 'key'>;

/** A minimal configuration, and a complete one: a value for every field without a default. */
export interface LoginMethodExample {
  readonly least: object;
  readonly full: object;
  /** Set if its trust root may be shared with others. */
  readonly shared?: SharedExample;
  /** Runs the common suite of login methods over HTTP; others call it in their own tests. */
  readonly standIn?: () => LoginStandIn;
}
