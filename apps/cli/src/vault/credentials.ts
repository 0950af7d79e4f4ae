/** Credentials of a profile. */
export interface Credentials {
  readonly token: string;
}

/** Keeps credentials by the name of their profile. */
export interface Vault {
  /** For people: where it is. */
  readonly place: string;
  read(profile: string): Credentials | undefined;
  write(profile: string, credentials: Credentials): void;
  remove(profile: string): void;
}
