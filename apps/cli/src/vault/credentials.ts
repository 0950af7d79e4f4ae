/** Credentials of a profile. */
export interface Credentials {
  /** An access token. */
  readonly token: string;
  /** By it a user's session gets the next access token. It is replaced each time; using an old one ends the session. */
  readonly refreshToken?: string | undefined;
}

/** Credentials by the name of their profile. */
export interface Kept {
  /** For people: where it is. */
  readonly place: string;
  read(profile: string): Credentials | undefined;
}

/** The same for a change of them, which is made under the lock of the configuration: see `changeLogins`. */
export interface Vault extends Kept {
  write(profile: string, credentials: Credentials): void;
  remove(profile: string): void;
}
