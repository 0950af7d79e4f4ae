import { z } from 'zod';
import { addMember } from '../access/membership/index.ts';
import { claimInstance, SetupCode } from './claim.ts';
import { addAuthMethod } from '../identities/auth-method/index.ts';
import { issueToken } from '../identities/access-token/index.ts';
import { addIdentity, noteIssuer } from '../identities/identity/index.ts';
import { defineEvent, Email, newId, record, Uuid, type Context, type Transaction } from '../kernel/index.ts';
import { OrganizationName } from '../organizations/organization/index.ts';
import { NewPassword } from '../users/user/index.ts';
import { InstanceUser } from './user-management.ts';

export const Bootstrap = z.object({
  email: Email,
  password: NewPassword,
  organization: OrganizationName.describe('Name of the first organization'),
  setupCode: SetupCode,
});
export type Bootstrap = z.output<typeof Bootstrap>;

export const Bootstrapped = z.object({
  message: z.string(),
  user: InstanceUser,
  organization: z.object({ id: Uuid, name: z.string(), slug: z.string() }),
  identity: z.object({
    id: Uuid,
    name: z.string(),
    credentials: z.object({ token: z.string().describe('Returned once') }),
  }),
});
export type Bootstrapped = z.output<typeof Bootstrapped>;

export const instanceBootstrapped = defineEvent(
  'instance.bootstrapped',
  'bootstrap-instance',
  z.object({ userId: z.string(), identityId: z.string() }),
);

/** The token of the identity that bootstrapping creates does not expire. */
const UNLIMITED = { accessTokenTTL: 0, accessTokenMaxTTL: 0, accessTokenNumUsesLimit: 0, accessTokenPeriod: 0 };
const ANYWHERE = [
  { ipAddress: '0.0.0.0', type: 'ipv4' as const, prefix: 0 },
  { ipAddress: '::', type: 'ipv6' as const, prefix: 0 },
];

/**
 * Creates the first administrator, the first organization and a machine identity that administers both: once per
 * instance, also for concurrent calls.
 *
 * @throws DomainError 400 `instance.bootstrapped` after the first call.
 */
export function bootstrap(
  ctx: Context,
  { email, password, organization: name, setupCode }: Bootstrap,
): Promise<Bootstrapped> {
  return claimInstance(ctx, { email, password, organizationName: name, setupCode }, async (tx, user, organization) => {
    const { identity, token } = await createFirstIdentity(tx, organization.id, user.id);
    record(tx, instanceBootstrapped, { userId: user.id, identityId: identity.id }, { organizationId: organization.id });
    return {
      message: 'Successfully bootstrapped instance',
      user: { id: user.id, username: user.username, email, firstName: null, lastName: null, superAdmin: true },
      organization: { id: organization.id, name: organization.name, slug: organization.slug },
      identity: { id: identity.id, name: identity.name, credentials: { token } },
    };
  });
}

async function createFirstIdentity(tx: Transaction, organizationId: string, userId: string) {
  const identity = await addIdentity(tx, {
    organizationId,
    name: 'Instance Admin Identity',
    metadata: [],
    isSuperAdmin: true,
  });
  const method = await addAuthMethod(tx, {
    id: newId(),
    organizationId,
    identityId: identity.id,
    kind: 'token-auth',
    ...UNLIMITED,
    accessTokenTrustedIps: ANYWHERE,
    config: {},
  });
  await addMember(tx, { organizationId, identityId: identity.id, roles: [{ role: 'admin', isTemporary: false }] });
  await tx.em.flush();
  const { issued } = await issueToken(tx, {
    organizationId,
    identityId: identity.id,
    method: { ...UNLIMITED, id: method.id, kind: method.kind },
    name: 'bootstrap',
  });
  await noteIssuer(tx, identity, userId);
  return { identity, token: issued.accessToken };
}
