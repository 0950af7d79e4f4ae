import { statement, type Context } from '../../kernel/index.ts';
import { nameOf, RESERVED } from './folder.ts';

/** Where a folder was at a revision. */
export interface PlaceAt {
  readonly environmentId: string;
  /** The current slug, or the last one. */
  readonly environment: string;
  /** The slug that the environment had at that revision. */
  readonly environmentThen: string;
  readonly path: string;
  /** Whether it contains the copies of a replication. */
  readonly isReserved: boolean;
}

interface Row {
  folderId: string;
  revision: string;
  environmentId: string;
  environment: string;
  environmentThen: string;
  path: string;
}

/** For a folder without versions, the root and those of replication: it never moves. */
const AT = statement(
  'folder.places_at',
  `with recursive wanted as (
     select distinct folder_id, revision from unnest($1::uuid[], $2::bigint[]) as w (folder_id, revision)
   ), up (folder_id, revision, parent_id, environment_id, path) as (
     select w.folder_id, w.revision, v.parent_id, v.environment_id, '/' || v.name
     from wanted w join folder_versions v on v.folder_id = w.folder_id
     left join commits a on a.id = v.commit_id left join commits b on b.id = v.replaced_commit_id
     where coalesce(a.revision, 0) <= w.revision and (not v.is_replaced or coalesce(b.revision, 0) > w.revision)
     union all
     select u.folder_id, u.revision, v.parent_id, v.environment_id, '/' || v.name || u.path
     from up u join folder_versions v on v.folder_id = u.parent_id
     left join commits a on a.id = v.commit_id left join commits b on b.id = v.replaced_commit_id
     where coalesce(a.revision, 0) <= u.revision and (not v.is_replaced or coalesce(b.revision, 0) > u.revision)
   ), found as (
     (select distinct on (folder_id, revision) folder_id, revision, environment_id, path from up
      order by folder_id, revision, length(path) desc)
     union all
     select w.folder_id, w.revision, f.environment_id, f.path from wanted w
     join folders f on f.id = w.folder_id and (f.parent_id is null or f.is_reserved)
     union all
     select w.folder_id, w.revision, d.environment_id, '/' from wanted w
     join deleted_environments d on d.root_folder_id = w.folder_id
   )
   select f.folder_id as "folderId", f.revision::text as revision, f.environment_id as "environmentId",
     coalesce(e.slug, d.slug) as environment,
     coalesce(former_slug(f.environment_id, f.revision), e.slug, d.slug) as "environmentThen", f.path
   from found f left join environments e on e.id = f.environment_id
   left join deleted_environments d on d.environment_id = f.environment_id
   where coalesce(e.slug, d.slug) is not null`,
);

/** The locations of some folders, each at a revision. No rights are checked. */
export async function placesAt(
  ctx: Context,
  asked: readonly { readonly folderId: string; readonly revision: bigint }[],
): Promise<(folderId: string, revision: bigint) => PlaceAt | undefined> {
  if (asked.length === 0) return () => undefined;
  const rows = await ctx.sql<Row>(AT, [
    asked.map(({ folderId }) => folderId),
    asked.map(({ revision }) => revision.toString()),
  ]);
  const places = new Map(
    rows.map(({ folderId, revision, ...place }) => [
      `${folderId} ${revision}`,
      { ...place, isReserved: nameOf(place.path).startsWith(RESERVED) },
    ]),
  );
  return (folderId, revision) => places.get(`${folderId} ${revision}`);
}
