import {
  bytesArray,
  newId,
  plainArray,
  recordStatement,
  textArray,
  type RecordStatement,
  type SealingKeys,
} from '../../kernel/index.ts';
import type { Draft } from './draft.ts';
import { sealText } from './row.ts';

/** What the secrets of one folder that are written together have in common. */
export interface Writing {
  readonly folderId: string;
  readonly userId: string | null;
  /** JSON of a `SecretActor`. */
  readonly actor: string;
  readonly commitId: string | null;
}

/** What most secrets do not have. */
interface Details {
  readonly comment: Buffer | null;
  readonly encryptedMetadata: Buffer | null;
  /** JSON, as the other ones of `jsonb`. */
  readonly metadata: string;
  readonly legacyMetadata: string | null;
  readonly tagIds: string;
  readonly reminderNote: string | null;
  readonly reminderRepeatDays: number | null;
  readonly reminderRecipients: string | null;
  readonly createdAt: string | null;
}

/** A version of a secret as it is written. */
export interface SecretRecord {
  readonly id: string;
  readonly key: string;
  readonly version: number;
  readonly versionId: string;
  readonly value: Buffer;
  readonly skipMultilineEncoding: boolean | null;
  readonly writing: Writing;
  readonly details: Details | undefined;
}

/** The record of a draft, sealed. */
export function recordOf(keys: SealingKeys, projectId: string, draft: Draft, writing: Writing): SecretRecord {
  const { id, key, version, skipMultilineEncoding } = draft;
  const { value, ...sealed } = sealText(keys, projectId, id, version, draft.text);
  return {
    id,
    key,
    version,
    versionId: newId(),
    value,
    skipMultilineEncoding,
    writing,
    details: detailsOf(draft, sealed),
  };
}

type Sealed = Omit<ReturnType<typeof sealText>, 'value'>;

function detailsOf(draft: Draft, { comment, metadata, encryptedMetadata }: Sealed): Details | undefined {
  const { legacyMetadata, tags, reminderNote, reminderRepeatDays, reminderRecipients, createdAt } = draft;
  const hasNone =
    draft.text.metadata.length + tags.length === 0 &&
    (comment ?? legacyMetadata ?? reminderNote ?? reminderRepeatDays ?? reminderRecipients ?? createdAt) === null;
  if (hasNone) return undefined;
  return {
    comment,
    encryptedMetadata,
    metadata: JSON.stringify(metadata),
    legacyMetadata: jsonOrNull(legacyMetadata),
    tagIds: plainArray(tags.map((tag) => tag.id)),
    reminderNote,
    reminderRepeatDays,
    reminderRecipients: jsonOrNull(reminderRecipients),
    createdAt: createdAt?.toISOString() ?? null,
  };
}

const jsonOrNull = (value: object | null): string | null => (value === null ? null : JSON.stringify(value));

/** Columns with their types, and the values of some records as arrays. */
const COLUMNS: Readonly<
  Record<string, readonly [type: string, arrayOf: (records: readonly SecretRecord[]) => unknown]>
> = {
  id: ['uuid', (records) => plainArray(records.map(({ id }) => id))],
  key: ['text', (records) => textArray(records.map(({ key }) => key))],
  version: ['integer', (records) => plainArray(records.map(({ version }) => version))],
  version_id: ['uuid', (records) => plainArray(records.map(({ versionId }) => versionId))],
  value: ['bytea', (records) => bytesArray(records.map(({ value }) => value))],
  skip_multiline_encoding: ['boolean', (records) => plainArray(records.map((one) => one.skipMultilineEncoding))],
};

/** The same for details; absent, if no record has any, where PostgreSQL fills the column with nulls. */
const DETAILS: Readonly<
  Record<string, readonly [type: string, arrayOf: (details: readonly Partial<Details>[]) => unknown]>
> = {
  comment: ['bytea', (details) => bytesArray(details.map(({ comment = null }) => comment))],
  metadata: ['text', (details) => textArray(details.map(({ metadata = null }) => metadata))],
  encrypted_metadata: [
    'bytea',
    (details) => bytesArray(details.map(({ encryptedMetadata = null }) => encryptedMetadata)),
  ],
  legacy_metadata: ['text', (details) => textArray(details.map(({ legacyMetadata = null }) => legacyMetadata))],
  tag_ids: ['text', (details) => textArray(details.map(({ tagIds = null }) => tagIds))],
  reminder_note: ['text', (details) => textArray(details.map(({ reminderNote = null }) => reminderNote))],
  reminder_repeat_days: [
    'integer',
    (details) => plainArray(details.map(({ reminderRepeatDays = null }) => reminderRepeatDays)),
  ],
  reminder_recipients: [
    'text',
    (details) => textArray(details.map(({ reminderRecipients = null }) => reminderRecipients)),
  ],
  created_at: ['timestamptz', (details) => plainArray(details.map(({ createdAt = null }) => createdAt))],
};

/** What is common, once for all that have it: a record has its position. */
const COMMON: Readonly<Record<string, readonly [type: string, arrayOf: (writings: readonly Writing[]) => string]>> = {
  folder_id: ['uuid', (writings) => plainArray(writings.map(({ folderId }) => folderId))],
  user_id: ['uuid', (writings) => plainArray(writings.map(({ userId }) => userId))],
  actor: ['jsonb', (writings) => textArray(writings.map(({ actor }) => actor))],
  commit_id: ['uuid', (writings) => plainArray(writings.map(({ commitId }) => commitId))],
};

const NO_DETAILS = Object.values(DETAILS).map(() => null);

function valuesOf(records: readonly SecretRecord[]): unknown[] {
  const writings = new Map<Writing, number>();
  for (const { writing } of records) if (!writings.has(writing)) writings.set(writing, writings.size + 1);
  const details = records.map((one): Partial<Details> => one.details ?? {});
  const common = [...writings.keys()];
  return [
    ...Object.values(COLUMNS).map(([, arrayOf]) => arrayOf(records)),
    ...(records.some((one) => one.details)
      ? Object.values(DETAILS).map(([, arrayOf]) => arrayOf(details))
      : NO_DETAILS),
    common.length > 1 ? plainArray(records.map(({ writing }) => writings.get(writing)!)) : null,
    ...Object.values(COMMON).map(([, arrayOf]) => arrayOf(common)),
  ];
}

const ARRAYS = Object.entries({ ...COLUMNS, ...DETAILS, writing: ['integer'] as const }).map(([name, [type]]) => ({
  name,
  type,
}));
const RECORDS = `unnest(${ARRAYS.map(({ type }, index) => `$${index + 1}::${type}[]`).join(', ')})
     as r (${ARRAYS.map(({ name }) => name).join(', ')})`;

/** The number of the next parameter. */
const NEXT = ARRAYS.length + Object.keys(COMMON).length + 1;
/** A parameter after those of the records. */
const parameter = (index: number) => `$${NEXT + index}`;

/** What is written to each column, from the records `r`. */
const WRITTEN: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Object.entries(COMMON).map(([name, [type]], index) => [
      name,
      `($${ARRAYS.length + 1 + index}::${type}[])[coalesce(r.writing, 1)]`,
    ]),
  ),
  ...Object.fromEntries([...Object.keys(COLUMNS), ...Object.keys(DETAILS)].map((name) => [name, `r.${name}`])),
  metadata: `coalesce(r.metadata::jsonb, '[]')`,
  legacy_metadata: 'r.legacy_metadata::jsonb',
  tag_ids: `coalesce(r.tag_ids::uuid[], '{}')`,
  reminder_recipients: 'r.reminder_recipients::jsonb',
};

const inserted = {
  ...WRITTEN,
  organization_id: `${parameter(0)}::uuid`,
  project_id: `${parameter(1)}::uuid`,
  created_at: `coalesce(r.created_at, ${parameter(2)}::timestamptz)`,
  updated_at: `${parameter(2)}::timestamptz`,
};
const INSERTION = `insert into secrets (${Object.keys(inserted).join(', ')})
   select ${Object.values(inserted).join(', ')}
   from ${RECORDS} order by r.key`;

/** New secrets; further values: organization, project, time. A name that exists ends the transaction. */
export const INSERT: RecordStatement<SecretRecord> = recordStatement('secrets.insert', INSERTION, valuesOf);

/** The same, where existing names are skipped, and missing in the result. */
export const INSERT_FREE: RecordStatement<SecretRecord> = recordStatement(
  'secrets.insert_free',
  `${INSERTION} on conflict (folder_id, key, user_id) do nothing returning id`,
  valuesOf,
);

const KEPT = ['id', 'created_at'];
const replaced = Object.entries(WRITTEN).filter(([name]) => !KEPT.includes(name));
/** Next versions; further value: the time. */
export const UPDATE: RecordStatement<SecretRecord> = recordStatement(
  'secrets.update',
  `update secrets s set (${replaced.map(([name]) => name).join(', ')}, updated_at) =
     (${replaced.map(([, sql]) => sql).join(', ')}, ${parameter(0)}::timestamptz)
   from ${RECORDS} where s.id = r.id`,
  valuesOf,
);
