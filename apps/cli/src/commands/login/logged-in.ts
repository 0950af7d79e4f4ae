import type { Profile } from '../../home.ts';
import type { Credentials } from '../../vault/credentials.ts';

/** What a login gives. */
export interface LoggedIn extends Omit<Profile, 'domain'>, Credentials {}
