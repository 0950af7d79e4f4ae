import { statement, type Context, type KeySet } from '../../kernel/index.ts';
import type { Scope } from '../commit/index.ts';
import type { FolderContent } from './imported.ts';
import { replaceReferences, writeReference, type Reference } from './reference/reference.ts';
import { originOf } from './reference/find.ts';
import { openText, SECRET_COLUMNS, SECRET_TABLES, type SecretRow } from './row.ts';
import { rewrittenTooLong, type RewriteLimit } from './value-limit.ts';
import type { Draft } from './draft.ts';

const OF_FOLDER = statement(
  'secrets.rows_of_folder',
  `select ${SECRET_COLUMNS} from ${SECRET_TABLES}
   where s.organization_id = $1 and s.folder_id = $2 and s.user_id is null order by s.key`,
);

/** The shared secrets of one folder of any kind. The rights of the caller are not checked. */
export const rowsOfFolder = (ctx: Context, { organizationId }: Scope, folderId: string): Promise<SecretRow[]> =>
  ctx.sql<SecretRow>(OF_FOLDER, [organizationId, folderId]);

/** The first version of a copy of a secret. Copies have no reminders. */
export const newCopy = (
  keys: KeySet,
  source: SecretRow,
  place: Pick<Draft, 'id' | 'folderId' | 'environment' | 'path'>,
): Draft => ({
  ...place,
  userId: null,
  key: source.key,
  version: 1,
  text: openText(keys, source),
  tags: source.tags ?? [],
  legacyMetadata: source.legacyMetadata,
  skipMultilineEncoding: source.skipMultilineEncoding,
  reminderNote: null,
  reminderRepeatDays: null,
  reminderRecipients: null,
  createdAt: null,
});

/**
 * A copy whose references keep their meaning: to another copied secret by its name, so that readers of the copies need
 * no permission on the source; to anything else by its location.
 *
 * @throws DomainError 400 `secret.values_too_large`.
 */
export async function withMeaning(
  copy: Draft,
  source: SecretRow,
  content: FolderContent,
  limit: RewriteLimit,
): Promise<Draft> {
  const meant = await content.meantIn(source.folderId);
  const meaning = ({ isLocal, key }: Reference) => {
    if (!isLocal || meant.get(key) === content.secrets.get(key)) return undefined;
    return writeReference({ ...(source.copyOf ?? originOf(source)), key }, copy);
  };
  const { value: old } = copy.text;
  const value = limit.within(old, (most) => replaceReferences(old, originOf(source), meaning, most));
  if (value === undefined) throw rewrittenTooLong();
  return value === copy.text.value ? copy : { ...copy, text: { ...copy.text, value } };
}
