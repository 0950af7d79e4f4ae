import { abilityIn, denied, organizationOf } from '../../access/index.ts';
import { inTransaction, notFound, record, statement, type Context } from '../../kernel/index.ts';
import { requireShared } from './create.ts';
import { fieldsOf, type Tag } from './row.ts';
import { secretPermissions, secretUpdated, type Secret, type SecretPlace } from './secret.ts';
import { lockSecrets } from './update.ts';
import { draftOf, replaceSecrets, written } from './write.ts';

const TAGS_BY_SLUG = statement(
  'secrets.tags_by_slug',
  'select id, slug, color from tags where organization_id = $1 and project_id = $2 and slug = any($3::text[])',
);

export interface TagSecret extends SecretPlace {
  readonly secretName: string;
  readonly type: 'shared' | 'personal';
  readonly tagSlugs: readonly string[];
}

/** Puts tags on a secret (`attach`) or takes them off, by slug; 404 where the project has no such tag. */
export function tagSecret(ctx: Context, input: TagSecret, attach: boolean): Promise<Secret> {
  return inTransaction(ctx, async (tx) => {
    const { projectId, environment, secretPath, secretName } = input;
    const scope = { organizationId: organizationOf(tx), projectId };
    const ability = await abilityIn(tx, projectId);
    tx.granted.add(secretPermissions.edit.key);
    const slugs = [...new Set(input.tagSlugs)];
    const tags = await tx.sql<Tag>(TAGS_BY_SLUG, [scope.organizationId, projectId, slugs]);
    const owner = input.type === 'personal' ? await requireShared(tx, input) : null;
    const [row] = await lockSecrets(tx, projectId, environment, [{ path: secretPath, key: secretName }], owner);
    const before = row ? fieldsOf(row) : { environment, secretPath, secretName, secretTags: [] as string[] };
    const after = {
      ...before,
      secretTags: attach
        ? [...new Set([...before.secretTags, ...slugs])]
        : before.secretTags.filter((slug) => !slugs.includes(slug)),
    };
    if (owner === null) {
      for (const fields of [before, after])
        if (!ability.can(secretPermissions.edit, fields)) throw denied(ability, secretPermissions.edit, fields);
    }
    if (!row) throw notFound('secret');
    if (tags.length !== slugs.length) throw notFound('tag');
    const others = (row.tags ?? []).filter((tag) => !slugs.includes(tag.slug));
    const keys = await tx.keys.project(scope.organizationId, projectId);
    const draft = {
      ...draftOf(keys, row),
      tags: attach ? [...others, ...tags].toSorted((a, b) => (a.slug < b.slug ? -1 : 1)) : others,
    };
    await replaceSecrets(tx, scope, [draft]);
    record(
      tx,
      secretUpdated,
      { environment, secretPath, secretId: row.id, secretKey: row.key, secretVersion: draft.version },
      { projectId },
    );
    return written(tx, scope, draft, owner !== null || ability.can(secretPermissions.readValue, after));
  });
}
