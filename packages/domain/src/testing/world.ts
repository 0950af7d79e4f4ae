import { addMember } from '../access/membership/index.ts';
import { RoleEntity } from '../access/role/role.entity.ts';
import type { Coffer } from '../app/coffer.ts';
import { AuthMethodEntity } from '../identities/auth-method/auth-method.entity.ts';
import { issueToken } from '../identities/access-token/issue.ts';
import { IdentityEntity } from '../identities/identity/identity.entity.ts';
import { inTransaction, newId, type Actor, type Rule } from '../kernel/index.ts';
import { createOrganizationRow } from '../organizations/organization/create.ts';
import { createProjectRow } from '../projects/project/create.ts';

const ANYWHERE = [
  { ipAddress: '0.0.0.0', type: 'ipv4' as const, prefix: 0 },
  { ipAddress: '::', type: 'ipv6' as const, prefix: 0 },
];
const UNLIMITED = { accessTokenTTL: 0, accessTokenMaxTTL: 0, accessTokenNumUsesLimit: 0, accessTokenPeriod: 0 };

export interface MadeIdentity {
  readonly id: string;
  readonly token: string;
  readonly actor: Actor;
}

/** An organization and an identity that administers it. */
export async function makeOrganization(coffer: Coffer, name = 'Acme'): Promise<{ id: string; admin: MadeIdentity }> {
  const platform = coffer.contextFor({ type: 'platform', organizationId: undefined });
  const { id } = await inTransaction(platform, (tx) => createOrganizationRow(tx, name));
  return { id, admin: await makeIdentity(coffer, { organizationId: id, organizationRole: 'admin' }) };
}

export interface MakeIdentity {
  readonly organizationId: string;
  /** A built-in role of the organization; default `no-access`. */
  readonly organizationRole?: string;
  /** Rules of a custom role of the organization, in place of `organizationRole`. */
  readonly organizationRules?: readonly Rule[];
  readonly projectId?: string;
  /** A built-in role of the project, */
  readonly projectRole?: string;
  /** or the rules of a custom one. */
  readonly rules?: readonly Rule[];
}

/** A machine identity with exactly these rights, and a token for it. */
export function makeIdentity(coffer: Coffer, make: MakeIdentity): Promise<MadeIdentity> {
  const { organizationId, projectId } = make;
  const platform = coffer.contextFor({ type: 'platform', organizationId });
  return inTransaction(platform, async (tx) => {
    const customRole = async (rules: readonly Rule[], project: string | null) => {
      const slug = `role-${newId()}`;
      await tx.em
        .persist(
          tx.em.create(RoleEntity, {
            id: newId(),
            organizationId,
            projectId: project,
            slug,
            name: slug,
            permissions: [...rules],
          }),
        )
        .flush();
      return slug;
    };
    const identity = tx.em.create(IdentityEntity, { id: newId(), organizationId, name: 'machine', metadata: [] });
    const method = tx.em.create(AuthMethodEntity, {
      id: newId(),
      organizationId,
      identityId: identity.id,
      kind: 'token-auth',
      ...UNLIMITED,
      accessTokenTrustedIps: ANYWHERE,
      config: {},
    });
    await tx.em.persist([identity, method]).flush();
    const organizationRole = make.organizationRules
      ? await customRole(make.organizationRules, null)
      : (make.organizationRole ?? 'no-access');
    await addMember(tx, {
      organizationId,
      identityId: identity.id,
      roles: [{ role: organizationRole, isTemporary: false }],
    });
    if (projectId) {
      const role = make.rules ? await customRole(make.rules, projectId) : (make.projectRole ?? 'no-access');
      await addMember(tx, {
        organizationId,
        projectId,
        identityId: identity.id,
        roles: [{ role, isTemporary: false }],
      });
    }
    await tx.em.flush();
    const { id, issued } = await issueToken(tx, {
      organizationId,
      identityId: identity.id,
      method: { ...UNLIMITED, id: method.id, kind: method.kind },
    });
    const actor: Actor = {
      type: 'identity',
      id: identity.id,
      name: identity.name,
      organizationId,
      tokenId: id,
      authMethod: 'token-auth',
      isSuperAdmin: false,
    };
    return { id: identity.id, token: issued.accessToken, actor };
  });
}

/** A project with the environments dev, staging and prod; the given actor administers it. */
export async function makeProject(
  coffer: Coffer,
  organizationId: string,
  admin: Actor,
  slug = `project-${newId()}`,
): Promise<{ id: string; slug: string }> {
  const project = await inTransaction(coffer.contextFor(admin), (tx) =>
    createProjectRow(tx, {
      organizationId,
      name: slug,
      slug,
      type: 'secret-manager',
      description: null,
      hasDeleteProtection: false,
      withEnvironments: true,
    }),
  );
  return { id: project.id, slug };
}
