// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, NoInput, Query } from '../call.ts';
import type { GroupUser, Organization, User } from './shared.ts';

export type AdminSignUp = {
  email: string;
  /** At least 12 characters, where the operator sets no other minimum, and no common password */ password: string;
  firstName: string;
  lastName?: string;
  /** Required from other hosts and through proxies: the code from the log of the server */ setupCode?: string;
};

export type Bootstrap = {
  email: string;
  /** At least 12 characters, where the operator sets no other minimum, and no common password */ password: string;
  /** Name of the first organization */ organization: string;
  /** Required from other hosts and through proxies: the code from the log of the server */ setupCode?: string;
};

export type Bootstrapped = {
  message: string;
  user: GroupUser & { superAdmin: boolean };
  organization: { id: string; name: string; slug: string };
  identity: { id: string; name: string; credentials: { /** Returned once */ token: string } };
};

export type InstanceConfig = {
  id: string;
  instanceId: string;
  /** true if there is an administrator */ initialized: boolean;
  allowSignUp: boolean;
  /** Domains, comma-separated; null: any */ allowedSignUpDomain: string | null;
  enabledLoginMethods: string[];
  trustSamlEmails: boolean;
  trustLdapEmails: boolean;
  trustOidcEmails: boolean;
  defaultAuthOrgId: string | null;
  defaultAuthOrgSlug: string | null;
  authConsentContent: string | null;
  pageFrameContent: string | null;
  adminIdentityIds: string[] | null;
  isMigrationModeOn: boolean;
  createdAt: string;
  updatedAt: string;
};

export type Status = {
  date: string;
  message: string;
  emailConfigured: boolean;
  inviteOnlySignup: boolean;
  redisConfigured: boolean;
  secretScanningConfigured: boolean;
  samlDefaultOrgSlug: string | null;
};

export type UpdateInstanceConfig = { /** Whether anyone may create an account */ allowSignUp?: boolean; allowedSignUpDomain?: string | null };

export interface InstanceApi {
  /** Check whether the server is ready. `GET /api/status`. Needs no token. */
  status: Query<NoInput, Status>;
  /** Create the first administrator, organization and machine identity; works once. `POST /api/v1/admin/bootstrap`. Needs no token. */
  bootstrap: Mutation<Bootstrap, Bootstrapped>;
  /** Create the first administrator and log in; works once. `POST /api/v1/admin/signup`. Needs no token. */
  signUp: Mutation<AdminSignUp, { message: string; user: User; organization: Organization; token: string }>;
  /** Read the settings of the instance. `GET /api/v1/admin/config`. Needs no token. */
  config: Query<NoInput, { config: InstanceConfig }>;
  /** Update the settings of the instance. `PATCH /api/v1/admin/config`. */
  configure: Mutation<UpdateInstanceConfig, { config: InstanceConfig }>;
}
