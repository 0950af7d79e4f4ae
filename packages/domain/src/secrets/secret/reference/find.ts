import { organizationOf } from '../../../access/index.ts';
import { statement, type Context } from '../../../kernel/index.ts';
import { SHARED_FIELD_COLUMNS, sharedColumns, type FieldRow, type SecretRow } from '../row.ts';
import type { Origin, Target } from './reference.ts';

export const originOf = (row: FieldRow): Origin => ({ environment: row.environment, path: row.path });
export const targetOf = (row: FieldRow): Target => ({ environment: row.environment, path: row.path, key: row.key });

/** The shared secrets `s` that are referred to as `w (environment, path, key)`, in a project ($2) of an organization ($1). */
export const JOIN_TARGETS = `join environments e on e.organization_id = $1 and e.project_id = $2 and e.slug = w.environment
   join folders f on f.environment_id = e.id and f.path = w.path
   join secrets s on s.folder_id = f.id and s.key = w.key and s.user_id is null`;
const AT_TARGETS = `unnest($3::text[], $4::text[], $5::text[]) as w (environment, path, key) ${JOIN_TARGETS}`;

const FIND = statement('secret.find_targets', `select ${SHARED_FIELD_COLUMNS} from ${AT_TARGETS}`);

/** Maximum bytes of values per query; the smallest come first. */
const MAX_BYTES = 4 * 1024 * 1024;
const FIND_IN_PARTS = statement(
  'secret.find_targets_in_parts',
  `select ${sharedColumns(`case when q.before < ${MAX_BYTES} then s.value end as value`)}
   from (
     select s.id, sum(octet_length(s.value)) over (order by octet_length(s.value), s.id) - octet_length(s.value) as before
     from ${AT_TARGETS}) as q
   join secrets s on s.id = q.id join folders f on f.id = s.folder_id join environments e on e.id = f.environment_id`,
);

const argumentsFor = (ctx: Context, projectId: string, targets: readonly Target[]) => [
  organizationOf(ctx),
  projectId,
  targets.map((t) => t.environment),
  targets.map((t) => t.path),
  targets.map((t) => t.key),
];

/** The stored shared secrets at some locations, without values; the rights of the caller are not checked. */
export const findTargets = (ctx: Context, projectId: string, targets: readonly Target[]): Promise<FieldRow[]> =>
  ctx.sql<FieldRow>(FIND, argumentsFor(ctx, projectId, targets));

/** Large values may be missing: they are to be loaded separately. */
export type PartialRow = Omit<SecretRow, 'value'> & { value: Buffer | null };

/** The same for values that may exceed the memory limit. */
export const findSomeTargets = (ctx: Context, projectId: string, targets: readonly Target[]): Promise<PartialRow[]> =>
  ctx.sql<PartialRow>(FIND_IN_PARTS, argumentsFor(ctx, projectId, targets));
