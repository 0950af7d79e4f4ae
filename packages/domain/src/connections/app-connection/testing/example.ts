import type { RequestListener } from 'node:http';

/** Credentials of one method. */
export interface AcceptedCredentials {
  readonly given: Readonly<Record<string, unknown>>;
  /** What readers see of them. */
  readonly shown: Readonly<Record<string, unknown>>;
  readonly secret: string;
  /** Changes that the app does not accept, the last of them of a secret. */
  readonly wrong: Readonly<Record<string, string>>;
  /** A change of where the secret is sent, or as whom; absent if there is only one place. */
  readonly elsewhere?: Readonly<Record<string, string>>;
}

/** Stands in for an app, and verifies what it is asked. */
export interface AppStandIn {
  /** By the names of the hosts. */
  readonly hosts: Readonly<Record<string, RequestListener>>;
  /** By method. */
  readonly methods: Readonly<Record<string, AcceptedCredentials>>;
  /** Of each list: what it is asked with, and what it answers. */
  readonly lists?: Readonly<
    Record<string, { readonly query?: Readonly<Record<string, string>>; readonly answer: unknown }>
  >;
}

export interface AppExample {
  readonly standIn: () => AppStandIn;
}
