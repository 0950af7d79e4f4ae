import { z } from 'zod';
import { at, defineEvent, inTransaction, statement, Timestamps, Uuid, type Context } from '../kernel/index.ts';
import { recordForInstance, requireSuperAdmin } from '../users/user/index.ts';

/** The configuration of the instance. Unsupported features are `false` or null. */
export const InstanceConfig = z.object({
  id: Uuid,
  instanceId: Uuid,
  initialized: z.boolean().describe('true if there is an administrator'),
  allowSignUp: z.boolean(),
  allowedSignUpDomain: z.string().nullable().describe('Domains, comma-separated; null: any'),
  enabledLoginMethods: z.array(z.string()),
  trustSamlEmails: z.boolean(),
  trustLdapEmails: z.boolean(),
  trustOidcEmails: z.boolean(),
  defaultAuthOrgId: z.string().nullable(),
  defaultAuthOrgSlug: z.string().nullable(),
  authConsentContent: z.string().nullable(),
  pageFrameContent: z.string().nullable(),
  adminIdentityIds: z.array(z.string()).nullable(),
  isMigrationModeOn: z.boolean(),
  ...Timestamps.shape,
});
export type InstanceConfig = z.output<typeof InstanceConfig>;

const DOMAINS = /^[a-z0-9.-]+(?: *, *[a-z0-9.-]+)*$/;

export const UpdateInstanceConfig = z.object({
  allowSignUp: z.boolean().optional().describe('Whether anyone may create an account'),
  allowedSignUpDomain: z.string().trim().toLowerCase().max(1000).regex(DOMAINS, 'Domains, comma-separated').nullish(),
});
export type UpdateInstanceConfig = z.output<typeof UpdateInstanceConfig>;

export const instanceUpdated = defineEvent(
  'instance.updated',
  'update-instance',
  z.object({ settings: z.array(z.string()) }),
);

interface ConfigRow {
  instanceId: string;
  isBootstrapped: boolean;
  allowSignUp: boolean;
  allowedSignUpDomain: string | null;
  createdAt: string;
  updatedAt: string;
}

const READ = statement(
  'instance.config',
  `select instance_id as "instanceId", bootstrapped_at is not null as "isBootstrapped", allow_sign_up as "allowSignUp",
     allowed_sign_up_domain as "allowedSignUpDomain", created_at as "createdAt", updated_at as "updatedAt"
   from instance`,
);

/** The settings of the instance: open to all, since sign-in pages need them before anybody is known. */
export async function instanceConfig(ctx: Pick<Context, 'sql'>): Promise<InstanceConfig> {
  const [row] = await ctx.sql<ConfigRow>(READ, []);
  if (!row) throw new Error('The instance has no row');
  return {
    id: row.instanceId,
    instanceId: row.instanceId,
    initialized: row.isBootstrapped,
    allowSignUp: row.allowSignUp,
    allowedSignUpDomain: row.allowedSignUpDomain,
    enabledLoginMethods: ['email'],
    trustSamlEmails: false,
    trustLdapEmails: false,
    trustOidcEmails: false,
    defaultAuthOrgId: null,
    defaultAuthOrgSlug: null,
    authConsentContent: null,
    pageFrameContent: null,
    adminIdentityIds: null,
    isMigrationModeOn: false,
    createdAt: at(row.createdAt),
    updatedAt: at(row.updatedAt),
  };
}

const WRITE = statement(
  'instance.configure',
  `update instance set allow_sign_up = coalesce($1, allow_sign_up),
     allowed_sign_up_domain = case when $2 then $3 else allowed_sign_up_domain end, updated_at = $4`,
);

/** @throws DomainError 403 unless the caller administers the instance. */
export function updateInstanceConfig(ctx: Context, input: UpdateInstanceConfig): Promise<InstanceConfig> {
  requireSuperAdmin(ctx);
  const { allowSignUp, allowedSignUpDomain } = input;
  return inTransaction(ctx, async (tx) => {
    await tx.sql(WRITE, [
      allowSignUp ?? null,
      allowedSignUpDomain !== undefined,
      allowedSignUpDomain ?? null,
      tx.now(),
    ]);
    recordForInstance(tx, instanceUpdated, { settings: Object.keys(input) });
    return instanceConfig(tx);
  });
}
