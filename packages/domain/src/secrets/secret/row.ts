import { open, seal } from '../../crypto/index.ts';
import { at, type Ability, type Context, type Fields, type KeySet, type SealingKeys } from '../../kernel/index.ts';
import type { SecretActor } from '../commit/index.ts';
import { coveredPath } from '../coverage/index.ts';
import {
  HIDDEN_VALUE,
  secretPermissions,
  type Secret,
  type SecretMetadata,
  type SecretReferenceError,
} from './secret.ts';

export interface Tag {
  readonly id: string;
  readonly slug: string;
  readonly color: string | null;
}

/** A stored secret with the names of its location. */
export interface SecretRow {
  id: string;
  organizationId: string;
  projectId: string;
  folderId: string;
  environment: string;
  path: string;
  userId: string | null;
  key: string;
  version: number;
  value: Buffer;
  comment: Buffer | null;
  /** Absent if there is none, the usual case, to save 100 reads in a list. */
  metadata: SecretMetadata | null;
  encryptedMetadata: Buffer | null;
  legacyMetadata: Record<string, string> | null;
  tags: Tag[] | null;
  /** For a personal value: the tags of the shared secret that it overrides; absent for a shared one. */
  overriddenTags?: string[] | null;
  skipMultilineEncoding: boolean | null;
  reminderNote: string | null;
  reminderRepeatDays: number | null;
  reminderRecipients: string[] | null;
  /** JSON; see `readActor`. */
  actor: string;
  /** The rotation that alone writes its values; absent in older versions. */
  rotationId?: string | null;
  createdAt: string;
  updatedAt: string;
  /** For a replicated copy that is read through its import: the imported location, which is shown. */
  copyOf?: { readonly environment: string; readonly path: string };
}

/** A row of a list: with the size of its value, and without the value where all together are too large. */
export type ListedRow = Omit<SecretRow, 'value'> & { valueBytes: number; value: Buffer | null };

/** The SQL of the tags of `s`, as `Tag[]`; absent if there are none. */
export const TAGS_OF_SECRET = `case when s.tag_ids = '{}' then null else
    (select json_agg(json_build_object('id', t.id, 'slug', t.slug, 'color', t.color) order by t.slug) from tags t where t.id = any(s.tag_ids))
  end`;

/** The columns that a secret and its older versions (`s` either of the two) have in common. */
export const contentColumns = (
  value = 's.value',
) => `s.key, s.version, ${value}, s.comment, nullif(s.metadata, '[]') as metadata,
  s.encrypted_metadata as "encryptedMetadata", s.legacy_metadata as "legacyMetadata",
  ${TAGS_OF_SECRET} as tags,
  s.skip_multiline_encoding as "skipMultilineEncoding", s.reminder_note as "reminderNote",
  s.reminder_repeat_days as "reminderRepeatDays", s.reminder_recipients as "reminderRecipients", s.actor::text as actor`;
export const CONTENT_COLUMNS = contentColumns();

/**
 * The size of the stored value, and the value; that is absent where all values of the statement together have more bytes
 * than its parameter of this number says.
 */
export const valueUpTo = (parameter: number) =>
  `octet_length(s.value) as "valueBytes",
  case when sum(octet_length(s.value)) over () <= $${parameter}::bigint then s.value end as value`;

/** The SQL of the ids of the tags of the shared secret that the personal value `secrets s` overrides. */
const OVERRIDDEN_TAG_IDS = `(select o.tag_ids from secrets o where o.folder_id = s.folder_id and o.key = s.key and o.user_id is null)::uuid[]`;

/** The SQL of the IDs of the tags for rules on `secrets s`; see `fieldsOf`. */
export const RULED_TAG_IDS = `case when s.user_id is null then s.tag_ids else ${OVERRIDDEN_TAG_IDS} end`;

/** `SHARED_COLUMNS` with another SQL for the value. */
export const sharedColumns = (value?: string) =>
  `s.id, s.organization_id as "organizationId", s.project_id as "projectId", s.folder_id as "folderId",
  e.slug as environment, f.path, s.user_id as "userId",
  ${contentColumns(value)}, s.rotation_id as "rotationId", s.created_at as "createdAt", s.updated_at as "updatedAt"`;

/** The columns of a `SecretRow` from `secrets s`, `folders f` and `environments e`, where all of `s` are shared. */
export const SHARED_COLUMNS = sharedColumns();

/** The same where personal values may be among them. */
export const secretColumns = (value?: string) => `${sharedColumns(value)},
  case when s.user_id is not null then array(select slug from tags where tags.id = any(${OVERRIDDEN_TAG_IDS})) end as "overriddenTags"`;
export const SECRET_COLUMNS = secretColumns();

/** The columns of a `SecretRow` for rules: without the value, which may be large. */
export const FIELD_COLUMNS = secretColumns('null::bytea as value');
/** The same where all are shared. */
export const SHARED_FIELD_COLUMNS = sharedColumns('null::bytea as value');
/** A row without its value. */
export type FieldRow = Omit<SecretRow, 'value'>;

export const SECRET_TABLES = `secrets s join folders f on f.id = s.folder_id join environments e on e.id = f.environment_id`;

/** The shared secret `s` of a name ($5) in a folder ($4) of an environment ($3), of a project ($2) of an organization ($1). */
export const SHARED_SECRET_AT = `environments e join folders f on f.environment_id = e.id and f.path = $4 and not f.is_reserved
   join secrets s on s.folder_id = f.id and s.key = $5 and s.user_id is null
   where e.organization_id = $1 and e.project_id = $2 and e.slug = $3`;

/** From `environments e`: the secrets `s` with a name in a folder (`w`). The user whose value it is follows. */
export const JOIN_SECRETS_AT = `join folders f on f.environment_id = e.id and f.path = w.path and not f.is_reserved
     join secrets s on s.folder_id = f.id and s.key = w.key and s.user_id is not distinct from`;

/** The fields of secrets for rules. Always all four: a condition on a missing field never matches. */
export interface SecretFields extends Fields {
  environment: string;
  secretPath: string;
  secretName: string;
  secretTags: string[];
}

/** What rules look at. */
type RuledRow = Pick<SecretRow, 'environment' | 'path' | 'key' | 'userId' | 'tags' | 'overriddenTags'>;

/**
 * The fields of a secret for rules. A copy counts as a resource of the folder that it was copied for, and a personal
 * value as the shared secret that it overrides: it has its name and location, and may have its own tags.
 */
export const fieldsOf = (row: RuledRow): SecretFields => ({
  environment: row.environment,
  secretPath: coveredPath(row.path),
  secretName: row.key,
  secretTags: (row.userId === null ? row.tags?.map((tag) => tag.slug) : row.overriddenTags) ?? NO_TAGS,
});

/**
 * Whether the caller may see a secret. A personal value is visible to its owner only while they may describe the shared
 * secret that it overrides, whose name and location it shows. Otherwise it does not exist for them: check this wherever
 * personal values are read, listed, changed or deleted.
 */
export const mayDescribe = (ability: Ability, row: Omit<SecretRow, 'value'>): boolean =>
  ability.can(secretPermissions.describeSecret, fieldsOf(row));

/** The value of a secret that may be described; a personal one belongs to its owner. */
export const mayReadValue = (ability: Ability, row: Omit<SecretRow, 'value'>): boolean =>
  row.userId !== null || ability.can(secretPermissions.readValue, fieldsOf(row));

const NO_TAGS: string[] = [];
const NO_METADATA: SecretMetadata = [];

/** The places that a secret's sealed parts belong to: a value of another secret, version or project does not open. */
const aadOf = (
  column: 'value' | 'comment' | 'encrypted_metadata',
  projectId: string,
  secretId: string,
  version: number,
) => ({ column: `secrets.${column}`, owner: projectId, row: secretId, version }) as const;

/** The clear parts of a secret. */
export interface SecretText {
  value: string;
  comment: string;
  metadata: SecretMetadata;
}

export const valueOf = (keys: KeySet, row: Pick<SecretRow, 'projectId' | 'id' | 'version' | 'value'>): string =>
  open(keys, row.value, aadOf('value', row.projectId, row.id, row.version));

export function openText(keys: KeySet, row: SecretRow): SecretText {
  return { value: valueOf(keys, row), comment: commentOf(keys, row), metadata: metadataOf(keys, row) };
}

const commentOf = (keys: KeySet, row: SecretRow): string =>
  row.comment === null ? '' : open(keys, row.comment, aadOf('comment', row.projectId, row.id, row.version));

function metadataOf(keys: KeySet, row: SecretRow): SecretMetadata {
  const plain = row.metadata ?? NO_METADATA;
  if (row.encryptedMetadata === null) return plain;
  const sealed = open(keys, row.encryptedMetadata, aadOf('encrypted_metadata', row.projectId, row.id, row.version));
  return [...plain, ...(JSON.parse(sealed) as SecretMetadata)];
}

/** The cost of opening, sealing or returning a secret of so many bytes, as of `WorkBudget`. */
export const turnCost = (bytes: number): number => COST_OF_SECRET + bytes / BYTES_OF_COST;
const COST_OF_SECRET = 20;
const BYTES_OF_COST = 1_000;

/** The cost of opening a stored secret. */
export const openingCost = (row: Pick<SecretRow, 'value' | 'comment' | 'encryptedMetadata'>): number =>
  turnCost(row.value.length + (row.comment?.length ?? 0) + (row.encryptedMetadata?.length ?? 0));

/** The number of encryptions of `sealText`. */
export const usesOf = ({ comment, metadata }: SecretText): number =>
  1 + (comment === '' ? 0 : 1) + (metadata.some((pair) => pair.isEncrypted) ? 1 : 0);

/** The sealed columns of one version of a secret. */
export function sealText(keys: SealingKeys, projectId: string, secretId: string, version: number, text: SecretText) {
  const encrypted = text.metadata.filter((pair) => pair.isEncrypted);
  const place = (column: 'value' | 'comment' | 'encrypted_metadata') => aadOf(column, projectId, secretId, version);
  return {
    value: seal(keys, text.value, place('value')),
    comment: text.comment === '' ? null : seal(keys, text.comment, place('comment')),
    metadata: text.metadata.filter((pair) => !pair.isEncrypted),
    encryptedMetadata:
      encrypted.length === 0 ? null : seal(keys, JSON.stringify(encrypted), place('encrypted_metadata')),
  };
}

/** The parts of a secret that a caller may read. */
export interface Visible {
  /** Its value, by `readValue`. */
  readonly withValue: boolean;
  /** Its comment, metadata, tags, reminder and other details, by `describeSecret`. */
  readonly withDetails: boolean;
}

/** The parts of a secret that the caller's rules allow; of its own personal one that it `mayDescribe`, all. */
export const visibleTo = (ability: Ability, fields: SecretFields, userId: string | null): Visible => ({
  withValue: userId !== null || ability.can(secretPermissions.readValue, fields),
  withDetails: userId !== null || ability.can(secretPermissions.describeSecret, fields),
});

type Details = Pick<
  Secret,
  | 'secretComment'
  | 'secretReminderNote'
  | 'secretReminderRepeatDays'
  | 'secretReminderRecipients'
  | 'skipMultilineEncoding'
  | 'metadata'
  | 'secretMetadata'
  | 'tags'
  | 'actor'
>;

/** The replacement of hidden details: empty ones. */
const NO_DETAILS: Details = {
  secretComment: '',
  secretReminderNote: null,
  secretReminderRepeatDays: null,
  secretReminderRecipients: null,
  skipMultilineEncoding: null,
  metadata: null,
  secretMetadata: [],
  tags: [],
  actor: null,
};

/**
 * The published content of a secret for a caller: the only place that decides what is hidden, and how. A reader of the
 * details without the value sees sealed metadata without values, too.
 */
export function contentFor(
  { withValue, withDetails }: Visible,
  content: { readonly value: () => string; readonly details: () => Details },
): Details & Pick<Secret, 'secretValue' | 'secretValueHidden'> {
  const details = withDetails ? content.details() : NO_DETAILS;
  return {
    secretValue: withValue ? content.value() : HIDDEN_VALUE,
    secretValueHidden: !withValue,
    ...details,
    ...(!withValue && { secretMetadata: details.secretMetadata.map(hideSealed) }),
  };
}

/** A row as its reader sees it. */
export interface Shown extends Visible {
  /** The value to return instead of the stored one: with resolved references. */
  readonly value?: string;
  /** What of it could not be resolved. */
  readonly errors?: readonly SecretReferenceError[] | undefined;
}

export function toSecret(keys: KeySet, row: SecretRow, { value, errors, ...visible }: Shown): Secret {
  return {
    id: row.id,
    projectId: row.projectId,
    environment: row.copyOf?.environment ?? row.environment,
    secretPath: row.copyOf?.path ?? row.path,
    folderId: row.folderId,
    version: row.version,
    type: row.userId === null ? 'shared' : 'personal',
    secretKey: row.key,
    ...contentFor(visible, {
      value: () => value ?? valueOf(keys, row),
      details: () => ({
        secretComment: commentOf(keys, row),
        secretReminderNote: row.reminderNote,
        secretReminderRepeatDays: row.reminderRepeatDays,
        secretReminderRecipients: row.reminderRecipients,
        skipMultilineEncoding: row.skipMultilineEncoding,
        metadata: row.legacyMetadata,
        secretMetadata: metadataOf(keys, row),
        tags: namedTags(row.tags ?? []),
        actor: readActor(row.actor),
      }),
    }),
    ...(visible.withValue && errors?.length && { secretReferenceErrors: [...errors] }),
    ...rotationOf(row),
    createdAt: at(row.createdAt),
    updatedAt: at(row.updatedAt),
  };
}

/** Whether a rotation writes the values of a secret, as published. */
export const rotationOf = ({
  rotationId = null,
}: {
  readonly rotationId?: string | null | undefined;
}): Pick<Secret, 'isRotatedSecret' | 'rotationId'> => ({ isRotatedSecret: rotationId !== null, rotationId });

/** Published tags. */
export const namedTags = (tags: readonly Tag[]): Secret['tags'] =>
  tags.map(({ id, slug, color }) => ({ id, slug, name: slug, color }));

const hideSealed = (pair: SecretMetadata[number]): SecretMetadata[number] =>
  pair.isEncrypted ? { ...pair, value: HIDDEN_VALUE } : pair;

let lastActor: { text: string; actor: SecretActor } = { text: 'null', actor: null as never };

/** Secrets that are read together mostly have the same writer. */
function readActor(text: string): SecretActor {
  if (lastActor.text !== text) lastActor = { text, actor: JSON.parse(text) as SecretActor };
  return lastActor.actor;
}

/** The user whose personal secrets the call may see; identities have none. */
export const personalOwner = ({ actor }: Context): string | null => (actor.type === 'user' ? actor.id : null);
