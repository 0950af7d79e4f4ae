import { hash } from 'node:crypto';
import { abilityIn, organizationOf, unlessHidden } from '../../access/index.ts';
import { isId, EVENTUAL_MS, statement, type Ability, type Context } from '../../kernel/index.ts';
import { revisionOf, revisionTag } from '../commit/index.ts';

const fingerprints = new WeakMap<Ability, string>();

/** Of the rules themselves, wherever they come from: what was compiled from the same rules has the same one. */
function fingerprintOf(ability: Ability): string {
  let known = fingerprints.get(ability);
  if (known === undefined) {
    known = hash('sha256', JSON.stringify(ability.rules), 'base64url');
    fingerprints.set(ability, known);
  }
  return known;
}

/**
 * Everything that an answer about a project's secrets depends on besides the question: what they are, who asks, and the
 * rules which that one is under. Where it is the same before and after a read, and again at another time, then so is the
 * answer. The tables of secrets are not asked.
 *
 * @throws DomainError 404 where the caller is no member of the project.
 */
export async function stateOf(ctx: Context, projectId: string): Promise<string> {
  const ability = await abilityIn(ctx, projectId);
  const revision = await revisionOf(ctx, projectId);
  const { actor } = ctx;
  return `${projectId} ${revision} ${'id' in actor ? actor.id : ''} ${fingerprintOf(ability)}`;
}

const PROJECT = statement(
  'secret.project',
  'select project_id as "projectId" from secrets where organization_id = $1 and id = $2',
);

/** The same for a secret that is named by its id; `undefined` where there is none. */
export async function stateOfSecret(ctx: Context, secretId: string): Promise<string | undefined> {
  const projectId = isId(secretId) ? await projectOf(ctx, secretId) : undefined;
  return projectId === undefined ? undefined : unlessHidden('secret', stateOf(ctx, projectId));
}

/** Kept until the project's revision moves: where it does not, the secret is still there. */
async function projectOf(ctx: Context, secretId: string): Promise<string | undefined> {
  const organizationId = organizationOf(ctx);
  const key = `${organizationId}/${secretId}`;
  const now = ctx.now().getTime();
  return ctx.revisions.load(key, now, async () => {
    const [row] = await ctx.sql<{ projectId: string }>(PROJECT, [organizationId, secretId]);
    return row && { value: row.projectId, tags: [revisionTag(row.projectId)], until: now + EVENTUAL_MS };
  });
}
