import { migration } from './migration.ts';

/** The logins that dynamic secrets use are looked up in a whole organization. */
export const m0121DynamicSecretsOfOrganization = migration(
  '0121-dynamic-secrets-of-organization',
  'create index dynamic_secrets_organization on dynamic_secrets (organization_id, type);',
);
