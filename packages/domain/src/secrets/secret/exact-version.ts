import { statement, type Context } from '../../kernel/index.ts';
import type { Scope } from '../commit/index.ts';
import type { SecretAttributes } from '../coverage/index.ts';
import { CONTENT_COLUMNS, openText, type SecretRow, type SecretText, type Tag } from './row.ts';

/** The content of one version of a shared secret, current or deleted. Its tags have their current slugs. */
export interface SecretVersionText extends SecretText, SecretAttributes {
  readonly key: string;
  readonly tags: readonly Tag[];
}

const EXACT = statement(
  'secrets.exact_versions',
  `with w as (select * from unnest($2::uuid[], $3::integer[]) as w (id, version))
   select s.id, s.project_id as "projectId",
     ${CONTENT_COLUMNS} from w join secrets s on s.id = w.id and s.version = w.version
   where s.project_id = $1 and s.user_id is null
   union all
   select s.secret_id, s.project_id, ${CONTENT_COLUMNS} from w
   join secret_versions s on s.secret_id = w.id and s.version = w.version
   where s.project_id = $1 and s.user_id is null`,
);

/** Some versions of some secrets of a project, by the secret's ID. The rights of the caller are not checked. */
export async function exactVersions(
  ctx: Context,
  { organizationId, projectId }: Scope,
  wanted: readonly { id: string; version: number }[],
): Promise<Map<string, SecretVersionText>> {
  if (wanted.length === 0) return new Map();
  const keys = await ctx.keys.project(organizationId, projectId);
  const rows = await ctx.sql<SecretRow>(EXACT, [
    projectId,
    wanted.map(({ id }) => id),
    wanted.map(({ version }) => version),
  ]);
  return new Map(
    rows.map((row) => [
      row.id,
      {
        ...openText(keys, row),
        key: row.key,
        tags: row.tags ?? [],
        legacyMetadata: row.legacyMetadata,
        skipMultilineEncoding: row.skipMultilineEncoding,
        reminderNote: row.reminderNote,
        reminderRepeatDays: row.reminderRepeatDays,
        reminderRecipients: row.reminderRecipients,
      },
    ]),
  );
}
