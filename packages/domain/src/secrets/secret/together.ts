import { organizationOf } from '../../access/index.ts';
import { keyRows, NotTogether, statement, type Transaction } from '../../kernel/index.ts';
import { JOIN_SECRETS_AT, SHARED_COLUMNS, type SecretRow } from './row.ts';
import type { SecretPlace } from './secret.ts';
import type { Changing } from './transaction.ts';

/** Larger values are written alone: others would wait for them. */
const SMALL = 64 * 1024;

type Name = SecretPlace & { readonly secretName: string };

/** At most so many secrets of one call are written together with those of others: these would wait for them. */
const FEW = 200;

/** How a write of some secrets of a folder is done together with others of its kind; not at all where it is large. */
export function smallWrite(
  kind: 'create' | 'create many' | 'update' | 'delete' | 'delete many',
  { environment, secretPath }: Omit<SecretPlace, 'projectId'>,
  names: readonly string[],
  content: object,
): Changing['together'] {
  if (names.length > FEW || sizeOf(content) > SMALL) return undefined;
  const place = JSON.stringify([environment, secretPath]);
  return { kind, names: names.map((name) => `${place} ${name}`) };
}

/** The length of all texts in it. */
const sizeOf = (value: unknown): number => {
  if (typeof value === 'string') return value.length;
  return typeof value === 'object' && value !== null
    ? Object.values(value).reduce<number>((sum, part) => sum + sizeOf(part), 0)
    : 0;
};

/** The name of a shared secret as a key of `Context.one`. */
const SECRET_NAME = {
  organization_id: 'uuid',
  project_id: 'uuid',
  environment: 'text',
  path: 'text',
  key: 'text',
} as const;

const nameKey = (tx: Transaction, { projectId, environment, secretPath, secretName }: Name): string[] => [
  organizationOf(tx),
  projectId,
  environment,
  secretPath,
  secretName,
];

/** The SQL that locks shared secrets of the names `w`, but for those that others have locked. */
const locking = (ordinal: string, names: string, condition: string): string =>
  `select ${ordinal}${SHARED_COLUMNS} from ${names}
   join environments e on e.organization_id = w.organization_id and e.project_id = w.project_id and e.slug = w.environment
   ${JOIN_SECRETS_AT} null where ${condition} order by s.id for update of s skip locked`;

const lockingEach = (condition: string) => locking('w.ordinal::integer, ', keyRows('w', SECRET_NAME), condition);

const LOCK = statement('secrets.lock_together', lockingEach(`octet_length(s.value) <= ${SMALL}`));

/** What is deleted alone, besides large ones: what a rotation manages, and what has personal values, which others may have locked. */
const IS_PLAIN = `s.rotation_id is null
   and not exists (select from secrets p where p.folder_id = s.folder_id and p.key = s.key and p.user_id is not null)`;
const LOCK_TO_DELETE = statement(
  'secrets.lock_to_delete',
  lockingEach(`octet_length(s.value) <= ${SMALL} and ${IS_PLAIN}`),
);
/** Some in one folder; larger values than these are much together. */
const LOCK_SOME_TO_DELETE = statement(
  'secrets.lock_some_to_delete',
  locking(
    '',
    `(select $1::uuid as organization_id, $2::uuid as project_id, $3::text as environment, $4::text as path, key
      from unnest($5::text[]) as key) w`,
    `octet_length(s.value) <= ${SMALL / 16} and ${IS_PLAIN}`,
  ),
);

/**
 * A shared secret by its name, locked in a shared transaction.
 *
 * @throws NotTogether for one that is missing, large, or locked by others, for which everybody would wait.
 */
export async function lockTogether(tx: Transaction, name: Name): Promise<SecretRow> {
  const row = await tx.one<SecretRow>(LOCK, nameKey(tx, name));
  if (!row) throw new NotTogether();
  return row;
}

/** The same for some of a folder that are deleted. */
export async function lockToDelete(
  tx: Transaction,
  place: SecretPlace,
  names: readonly string[],
): Promise<SecretRow[]> {
  const [secretName = '', ...others] = names;
  if (others.length === 0) {
    const row = await tx.one<SecretRow>(LOCK_TO_DELETE, nameKey(tx, { ...place, secretName }));
    if (!row) throw new NotTogether();
    return [row];
  }
  const { projectId, environment, secretPath } = place;
  const key = [organizationOf(tx), projectId, environment, secretPath, names];
  const rows = await tx.sql<SecretRow>(LOCK_SOME_TO_DELETE, key);
  if (rows.length < names.length) throw new NotTogether();
  return rows;
}
