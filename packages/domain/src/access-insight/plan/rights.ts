import { isId, type Transaction } from '../../kernel/index.ts';
import { grantsWithin, organizationOf, type Scope } from '../../access/index.ts';
import { actorsOf, factsOfTemplates, type Holder } from '../effective-access/index.ts';

/** The holders at the places that a change affects: by project (`null`: the organization itself), then by actor. */
export interface Rights {
  readonly holders: ReadonlyMap<string | null, ReadonlyMap<string, Holder>>;
  /** There are more than the limit. */
  readonly isCut: boolean;
}

/**
 * The rights of all actors that the transaction so far may have changed: those whose cached rights it invalidates. (A
 * change without invalidation would have no effect either: processes would continue with the cached rights.)
 */
export async function rightsTouched(tx: Transaction): Promise<Rights> {
  const organizationId = organizationOf(tx);
  const { grants, isCut } = await grantsWithin(tx, organizationId, scopeOf(tx.outbox.invalidate, organizationId));
  const byActor = [...grants.values()].flatMap((actors) => [...actors]);
  const actors = await actorsOf(tx, organizationId, [...new Set(byActor.map(([id]) => id))]);
  const actorOf = new Map(actors.map((actor) => [actor.id, actor]));
  const facts = await factsOfTemplates(tx, organizationId, byActor);
  const holders = Array.from(
    grants,
    ([projectId, its]) =>
      [
        projectId,
        new Map(
          Array.from(its, ([id, held]): [string, Holder] => [
            id,
            { actor: actorOf.get(id)!, grants: held, facts: facts.get(id) ?? {} },
          ]),
        ),
      ] as const,
  );
  return { holders: new Map(holders), isCut };
}

/** The meaning of cache tags (see `abilityTags`). */
function scopeOf(tags: ReadonlySet<string>, organizationId: string): Scope {
  const of = (...kinds: string[]) =>
    [...tags].flatMap((tag) => {
      const [kind = '', id = ''] = tag.split(':', 2);
      return kinds.includes(kind) && isId(id) ? [id] : [];
    });
  const places = of('access');
  return {
    isEverything: places.includes(organizationId),
    projectIds: places.filter((id) => id !== organizationId),
    actorIds: of('actor', 'user', 'identity'),
  };
}
