import { createPolicy } from '../../../access/approval-policy/index.ts';
import { absentActor } from '../../../access/index.ts';
import { addMember, MembershipEntity, replaceRoles } from '../../../access/membership/index.ts';
import { createServiceToken } from '../../../access/service-token/service-token.service.ts';
import { invalidate, inTransaction, statement, type Actor, type Context } from '../../../kernel/index.ts';
import { createTag } from '../../tag/tag.service.ts';
import { makeIdentity, makeOrganization, makeProject, makeUser, type TestCoffer } from '../../../testing/index.ts';
import { createFolder } from '../../folder/create.ts';
import { nameOf, parentPath } from '../../folder/index.ts';
import { createSecretImport } from '../../import/index.ts';
import { createSecrets, updateSecret } from '../../secret/index.ts';
import { ENVIRONMENTS, USERS, type CallerName, type Environment, type RandomPolicy } from './naive-policies.ts';

/** The folders of both environments, and the secret that each has; `H` in `/a/b` has an older version. */
export const FOLDERS = ['/', '/a', '/a/b', '/c'] as const;
export type Folder = (typeof FOLDERS)[number];
export const secretOf = (folder: Folder): string => `S${FOLDERS.indexOf(folder)}`;

/** A place without a folder to which references lead, as to all secrets. */
export const REFERRED = '/a/later';

export interface PolicyWorld {
  readonly test: TestCoffer;
  readonly organizationId: string;
  readonly projectId: string;
  readonly projectSlug: string;
  readonly admin: Actor;
  readonly users: readonly Actor[];
  readonly callers: Readonly<Record<CallerName, Actor>>;
  readonly identityIds: Readonly<Record<'robot' | 'helper', string>>;
  /** Of folders, by environment and path. */
  readonly folderIds: ReadonlyMap<string, string>;
  readonly environmentIds: Readonly<Record<Environment, string>>;
  /** Imports of `prod`: one in `/c`, and one with replication in `/a`, not copied yet. */
  readonly importId: string;
  readonly replicationId: string;
  /** A revision of the project in which `H` was older. */
  readonly revision: number;
}

const idOf = (actor: Actor): string => (actor as { id: string }).id;
const FOLDER_IDS = statement(
  'test.policy_folders',
  `select f.id, f.path, e.slug, e.id as environment from folders f join environments e on e.id = f.environment_id
   where f.project_id = $1 and not f.is_reserved`,
);
const REVISION = statement('test.policy_revision', 'select revision from project_revisions where project_id = $1');
const ISSUED = statement(
  'test.policy_issued',
  `insert into identity_credential_issuers (organization_id, identity_id, issuer_id) values ($1, $2, $3)`,
);

/** One project without forbidding rules. */
export async function makePolicyWorld(test: TestCoffer): Promise<PolicyWorld> {
  const { id: organizationId, admin: made } = await makeOrganization(test.coffer);
  const admin = made.actor;
  const { id: projectId, slug: projectSlug } = await makeProject(test.coffer, organizationId, admin);
  const ctx = test.coffer.contextFor(admin);
  const users: Actor[] = [];
  for (let index = 0; index < USERS; index++)
    users.push({ ...(await makeUser(test.coffer, { organizationId })).actor, organizationId });
  await inTransaction(test.coffer.contextFor({ type: 'platform', organizationId }), async (tx) => {
    for (const user of users)
      await addMember(tx, {
        organizationId,
        projectId,
        userId: idOf(user),
        roles: [{ role: 'admin', isTemporary: false }],
      });
    invalidate(tx, `access:${projectId}`);
  });
  const makeRobot = () => makeIdentity(test.coffer, { organizationId, projectId, projectRole: 'admin' });
  const [robot, helper] = [await makeRobot(), await makeRobot()];
  // The second user has issued a credential to the first identity, which has issued one to the second.
  await ctx.sql(ISSUED, [organizationId, robot.id, idOf(users[1]!)]);
  await ctx.sql(ISSUED, [organizationId, helper.id, robot.id]);
  // The second identity administers the project for a time only.
  await inTransaction(test.coffer.contextFor({ type: 'platform', organizationId }), async (tx) => {
    const membership = await tx.em.findOneOrFail(MembershipEntity, { projectId, identityId: helper.id });
    await replaceRoles(tx, membership, [
      { role: 'member', isTemporary: false },
      {
        ...{ role: 'admin', isTemporary: true, temporaryMode: 'relative', temporaryRange: '1d' },
        temporaryAccessStartTime: tx.now(),
      },
    ]);
    invalidate(tx, `access:${projectId}`);
  });
  const scopes = ENVIRONMENTS.map((environment) => ({ environment, secretPath: '/**' }));
  const permissions: ('read' | 'write')[] = ['read', 'write'];
  // The third user has created the service token.
  const { serviceTokenData } = await createServiceToken(test.coffer.contextFor(users[2]!), {
    ...{ workspaceId: projectId, name: 'service', scopes, permissions },
    expiresIn: 86_400,
  });
  const service = await absentActor(ctx, { organizationId, projectId }, { type: 'service', id: serviceTokenData.id });

  for (const environment of ENVIRONMENTS) {
    for (const path of FOLDERS) {
      if (path !== '/')
        await createFolder(ctx, {
          ...{ projectId, environment, path: parentPath(path), name: nameOf(path), description: null },
        });
      const secrets = [{ secretKey: secretOf(path), secretValue: '1' }];
      if (path === '/a/b') secrets.push({ secretKey: 'H', secretValue: '1' });
      await createSecrets(ctx, { projectId, environment, secretPath: path, secrets });
    }
  }
  await createTag(ctx, { projectId, slug: 'red', color: '' });
  const referred = [...FOLDERS.map((path) => [...path.split('/'), secretOf(path)]), [...REFERRED.split('/'), 'X']];
  const references = ENVIRONMENTS.flatMap((environment) =>
    referred.map((parts) => `\${${[environment, ...parts.filter(Boolean)].join('.')}}`),
  );
  const secrets = [{ secretKey: 'R', secretValue: references.join(' ') }];
  await createSecrets(ctx, { projectId, environment: 'staging', secretPath: '/', secrets });
  const makeImport = async (path: Folder, from: Folder, isReplication: boolean) => {
    const place = { projectId, environment: 'prod', path };
    return (await createSecretImport(ctx, { ...place, import: { environment: 'dev', path: from }, isReplication })).id;
  };
  const [importId, replicationId] = [await makeImport('/c', '/a', false), await makeImport('/a', '/c', true)];
  const [{ revision }] = (await ctx.sql<{ revision: string }>(REVISION, [projectId])) as [{ revision: string }];
  for (const environment of ENVIRONMENTS)
    await updateSecret(ctx, {
      ...{ projectId, environment, secretPath: '/a/b', secretName: 'H', secretValue: '2', type: 'shared' },
    });
  const rows = await ctx.sql<{ id: string; path: string; slug: string; environment: string }>(FOLDER_IDS, [projectId]);
  const environmentId = (slug: Environment) => rows.find((row) => row.slug === slug)!.environment;
  return {
    ...{ test, organizationId, projectId, projectSlug, admin, users, importId, replicationId },
    callers: { user: users[0]!, robot: robot.actor, helper: helper.actor, service: service! },
    identityIds: { robot: robot.id, helper: helper.id },
    folderIds: new Map(rows.map(({ id, path, slug }) => [`${slug}:${path}`, id])),
    environmentIds: { dev: environmentId('dev'), prod: environmentId('prod') },
    revision: Number(revision),
  };
}

export const contextOf = ({ test }: PolicyWorld, actor: Actor): Context => test.coffer.contextFor(actor);

const CLEAR = statement('test.policy_clear', 'delete from approval_policies where project_id = $1');

/** Removes all policies, and with them all requests. */
export const clearPolicies = async (world: PolicyWorld): Promise<void> => {
  await contextOf(world, world.admin).sql(CLEAR, [world.projectId]);
};

/** Stores a policy as the API does. */
export async function storePolicy(world: PolicyWorld, policy: RandomPolicy): Promise<string> {
  const { approvers, exempt, environment, ...rest } = policy;
  const input = {
    ...{ ...rest, environment, projectId: world.projectId },
    approvers: approvers.map((index) => ({ type: 'user' as const, id: idOf(world.users[index]!) })),
    exemptIdentityIds: exempt.map((name) => world.identityIds[name]),
  };
  return (await createPolicy(contextOf(world, world.admin), 'change', input)).id;
}
