import { eachPortion, mapInTurns, statement, type Transaction } from '../../kernel/index.ts';
import type { Scope } from '../commit/index.ts';
import { createTagsAgain } from '../tag/index.ts';
import type { PastState } from './restore-deleted.ts';
import { fieldsOf } from './row.ts';

const DELETED = statement(
  'secret_versions.deleted_tags',
  `select n.id, array_agg(g.id) as "tagIds" from unnest($2::uuid[], $3::integer[]) as n (id, version)
   cross join lateral (
     select tag_ids from secret_versions where secret_id = n.id and version = n.version and project_id = $1 offset 0) v
   cross join unnest(v.tag_ids) as g (id)
   where not exists (select from tags t where t.id = g.id) group by n.id`,
);

/**
 * Secrets that are restored, with their tags that have been deleted since: each is created again, with its ID, last slug and last
 * color, or is the one that has this slug now. So rules about a tag count for what is restored. The names of the project are locked.
 *
 * @throws DomainError 403 without the permission to create tags; 400 `tag.too_many`
 */
export async function withDeletedTags(
  tx: Transaction,
  scope: Scope,
  states: readonly PastState[],
): Promise<readonly PastState[]> {
  const deleted = new Map<string, readonly string[]>();
  await eachPortion(states, async (portion) => {
    const rows = portion.map(({ wanted }) => wanted);
    const asked = [scope.projectId, rows.map(({ id }) => id), rows.map(({ version }) => version)];
    for (const { id, tagIds } of await tx.sql<{ id: string; tagIds: string[] }>(DELETED, asked))
      deleted.set(id, tagIds);
  });
  if (deleted.size === 0) return states;
  const again = await createTagsAgain(tx, scope, [...new Set([...deleted.values()].flat())]);
  return mapInTurns(states, 1, ({ was, wanted }) => {
    const tags = new Map(wanted.tags?.map((tag) => [tag.id, tag]));
    for (const tag of (deleted.get(wanted.id) ?? []).flatMap((id) => again.get(id) ?? [])) tags.set(tag.id, tag);
    const tagged = { ...wanted, tags: tags.size === 0 ? null : [...tags.values()] };
    return { was: { ...was, secretTags: fieldsOf(tagged).secretTags }, wanted: tagged };
  });
}
