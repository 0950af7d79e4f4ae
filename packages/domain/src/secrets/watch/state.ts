import { abilityIn, fingerprintOf, organizationOf, unlessHidden } from '../../access/index.ts';
import { isId, EVENTUAL_MS, statement, type Context } from '../../kernel/index.ts';
import { isPresentRevision, revisionOf, revisionTag } from '../commit/index.ts';

/**
 * A fingerprint of everything that a response about a project's secrets depends on besides the request: the secrets,
 * the caller, and its rules. If it is the same before and after a read, and at another time, then so is the response.
 * Does not read the tables of secrets.
 *
 * @throws DomainError 404 if the caller is not a member of the project.
 */
export async function stateOf(ctx: Context, projectId: string): Promise<string> {
  const ability = await abilityIn(ctx, projectId);
  const revision = await revisionOf(ctx, projectId);
  const { actor } = ctx;
  return `${projectId} ${revision} ${'id' in actor ? actor.id : ''} ${fingerprintOf(ability)}`;
}

/** Whether a state is the present one also of the database, where another process may have changed secrets just now. */
export function isPresentState(ctx: Context, state: string): Promise<boolean> {
  const [projectId = '', revision = ''] = state.split(' ');
  return isPresentRevision(ctx, projectId, revision);
}

const PROJECT = statement(
  'secret.project',
  'select project_id as "projectId" from secrets where organization_id = $1 and id = $2',
);

/** The same for a secret by ID; `undefined` if there is none. */
export async function stateOfSecret(ctx: Context, secretId: string): Promise<string | undefined> {
  const projectId = isId(secretId) ? await projectOf(ctx, secretId) : undefined;
  return projectId === undefined ? undefined : unlessHidden('secret', stateOf(ctx, projectId));
}

/** Cached until the project's revision changes: until then the secret exists. */
async function projectOf(ctx: Context, secretId: string): Promise<string | undefined> {
  const organizationId = organizationOf(ctx);
  const key = `${organizationId}/${secretId}`;
  const now = ctx.now().getTime();
  return ctx.revisions.load(key, now, async () => {
    const [row] = await ctx.sql<{ projectId: string }>(PROJECT, [organizationId, secretId]);
    return row && { value: row.projectId, tags: [revisionTag(row.projectId)], until: now + EVENTUAL_MS };
  });
}
