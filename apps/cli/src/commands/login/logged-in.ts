import type { Profile } from '../../home.ts';

/** What a login gives. */
export interface LoggedIn extends Omit<Profile, 'domain'> {
  readonly token: string;
}
