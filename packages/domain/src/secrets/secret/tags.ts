import {
  abilityIn,
  allowsAll,
  eachInTurns,
  gainsIn,
  organizationOf,
  placesFreely,
  requireMayPlace,
  type Gains,
} from '../../access/index.ts';
import { forbidden, notFound, statement, type Context, type Transaction } from '../../kernel/index.ts';
import { coveredPath } from '../coverage/index.ts';
import { requireNamesLocked } from '../meaning/index.ts';
import { requireMayRetag } from './keeps-writing.ts';
import type { SecretFields, Tag } from './row.ts';
import { askedPermissions, secretPermissions, type Secret, type SecretPlace } from './secret.ts';
import type { VersionRef } from './stored-versions.ts';
import { updateOne } from './update.ts';
import { versionGain } from './version-gains.ts';

const TAGS_BY_SLUG = statement(
  'secrets.tags_by_slug',
  'select id, slug, color from tags where organization_id = $1 and project_id = $2 and slug = any($3::text[]) for key share',
);

export interface TagSecret extends SecretPlace {
  readonly secretName: string;
  readonly type: 'shared' | 'personal';
  readonly tagSlugs: readonly string[];
}

/** Adds tags to a secret (`attach`) or removes them, by slug; 404 if the project has no such tag. */
export const tagSecret = (ctx: Context, { tagSlugs, ...place }: TagSecret, attach: boolean): Promise<Secret> =>
  updateOne(ctx, { ...place, tagIds: [] }, async (tx, row) => {
    const slugs = [...new Set(tagSlugs)];
    const tags = await tx.sql<Tag>(TAGS_BY_SLUG, [organizationOf(tx), place.projectId, slugs]);
    if (tags.length !== slugs.length) throw notFound('tag');
    const others = (row.tags ?? []).filter((tag) => !slugs.includes(tag.slug));
    return { secretKey: row.key, tagIds: [...others, ...(attach ? tags : [])].map((tag) => tag.id) };
  });

/** The secrets that have a tag, or ($4 is false) those of them that rotations write. */
const TAGGED = statement(
  'secrets.tagged',
  `select e.slug as environment, f.path as "secretPath", s.key as "secretName", s.rotation_id as "rotationId",
     array(select t.slug from tags t where t.id = any(s.tag_ids)) as "secretTags"
   from secrets s join folders f on f.id = s.folder_id join environments e on e.id = f.environment_id
   where s.organization_id = $1 and s.project_id = $2 and s.tag_ids @> array[$3::uuid] and s.tag_ids <> '{}' and s.user_id is null
     and ($4 or s.rotation_id is not null)`,
);
type Tagged = SecretFields & { readonly rotationId: string | null };

/** All versions of the secrets that have or had a tag. */
const VERSIONS = statement(
  'secrets.versions_tagged',
  `select o.id, v.version from (
     select id from secrets where project_id = $1 and tag_ids @> array[$2::uuid] and tag_ids <> '{}' and user_id is null
     union select secret_id from secret_versions where project_id = $1 and tag_ids @> array[$2::uuid] and user_id is null
   ) o cross join lateral (
     select version from secret_versions where secret_id = o.id and project_id = $1 and user_id is null offset 0) v`,
);

interface TagChange {
  readonly tag: { readonly id: string; readonly projectId: string; readonly slug: string };
  /** Absent where the tag is deleted. */
  readonly nextSlug: string | undefined;
}

/**
 * Rejects (403) another slug of a tag, or its removal from all secrets (no `nextSlug`), if some actor could then do
 * something with one of them, or see an older version, that the caller may not do now: rules use the slugs of tags (see
 * `Gains`). The caller must also be allowed to change the tags of each of these secrets in this way (see
 * `requireMayPlace` and `requireMayRetag`). The tag and the names of the project are locked.
 */
export async function requireMayChangeTag(tx: Transaction, tag: TagChange['tag'], nextSlug?: string): Promise<void> {
  const { id, projectId } = tag;
  requireNamesLocked(tx, 'exclusive', { projectId });
  const gains = await gainsIn(tx, projectId);
  const asked = await gains.notHeld(askedPermissions, allowsAll);
  const permissions = asked.filter((permission) =>
    gains.rulesFor(permission).some(({ conditions }) => 'secretTags' in conditions!),
  );
  const ability = await abilityIn(tx, projectId);
  const isPlaced = !placesFreely(ability, secretPermissions);
  const isAsked = permissions.length > 0 || isPlaced;
  const tagged = await tx.sql<Tagged>(TAGGED, [organizationOf(tx), projectId, id, isAsked]);
  const changes = tagged.map(({ rotationId, ...found }) => {
    const before = { ...found, secretPath: coveredPath(found.secretPath) };
    return { rotationId, before, after: changed({ tag, nextSlug }, before) };
  });
  if (!isAsked) return requireMayRetag(tx, projectId, changes);
  await eachInTurns(changes, ({ before, after }) => {
    const gained = permissions.find((permission) => gains.gives(permission, before, after));
    if (gained) throw gains.refusal(gained, gainByTag(), before);
  });
  if (permissions.length > 0) await requireNoGainOfVersions(tx, gains, { tag, nextSlug });
  if (isPlaced) await requireMayPlace(ability, secretPermissions, projectId, changes);
  await requireMayRetag(tx, projectId, changes);
}

/** The fields of a secret that has the tag. */
function changed({ tag, nextSlug }: TagChange, fields: SecretFields): SecretFields {
  const others = fields.secretTags.toSpliced(fields.secretTags.indexOf(tag.slug), 1);
  return { ...fields, secretTags: nextSlug === undefined ? others : [...others, nextSlug] };
}

/** Versions that are replaced or deleted keep a tag that is deleted. */
async function requireNoGainOfVersions(tx: Transaction, gains: Gains, change: TagChange): Promise<void> {
  const { id, projectId } = change.tag;
  const refs = await tx.sql<VersionRef>(VERSIONS, [projectId, id]);
  const gain = await versionGain(tx, projectId, gains, refs, ({ fields, tagIds, isLiving }) =>
    tagIds.includes(id) && (isLiving || change.nextSlug !== undefined) ? changed(change, fields) : fields,
  );
  if (gain) throw gains.refusal(gain.permission, gainByTag(), gain.names.fields);
}

const gainByTag = () =>
  forbidden(
    'tag.change_gains',
    'After this change, others could do something with secrets of this tag that you are not permitted to do now',
    { name: 'PermissionDenied' },
  );
