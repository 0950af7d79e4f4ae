import { statement, type Context, type KeySet } from '../../kernel/index.ts';
import type { Scope } from '../commit/index.ts';
import type { FolderContent } from './imported.ts';
import { replaceReferences, writeReference } from './reference/reference.ts';
import { originOf } from './reference/find.ts';
import { openText, SECRET_COLUMNS, SECRET_TABLES, type SecretRow } from './row.ts';
import type { Draft } from './write.ts';

const OF_FOLDER = statement(
  'secrets.rows_of_folder',
  `select ${SECRET_COLUMNS} from ${SECRET_TABLES}
   where s.organization_id = $1 and s.folder_id = $2 and s.user_id is null order by s.key`,
);

/** The shared secrets of one folder, whichever it is. Nothing is asked of the caller's rights. */
export const rowsOfFolder = (ctx: Context, { organizationId }: Scope, folderId: string): Promise<SecretRow[]> =>
  ctx.sql<SecretRow>(OF_FOLDER, [organizationId, folderId]);

/** The first version of a copy of a secret. Nobody is reminded of copies. */
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
  legacyMetadata: source.legacy_metadata,
  skipMultilineEncoding: source.skip_multiline_encoding,
  reminderNote: null,
  reminderRepeatDays: null,
  reminderRecipients: null,
  createdAt: null,
});

/**
 * A copy whose references mean what they mean in the secret that it is a copy of: to another one that is copied with it
 * by its name alone, so that who reads the copies needs no right to their source; to anything else by its place.
 */
export function withMeaning(copy: Draft, source: SecretRow, content: FolderContent): Draft {
  const value = replaceReferences(copy.text.value, originOf(source), ({ isLocal, key }) => {
    if (!isLocal || content.meant(source, key) === content.secrets.get(key)) return undefined;
    return writeReference({ ...(source.copy_of ?? originOf(source)), key }, copy);
  });
  return value === copy.text.value ? copy : { ...copy, text: { ...copy.text, value } };
}
