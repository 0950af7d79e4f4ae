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
  kind: 'create' | 'create many' | 'update',
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

const LOCK = statement(
  'secrets.lock_together',
  `select w.ordinal::integer, ${SHARED_COLUMNS} from ${keyRows('w', SECRET_NAME)}
   join environments e on e.organization_id = w.organization_id and e.project_id = w.project_id and e.slug = w.environment
   ${JOIN_SECRETS_AT} null where octet_length(s.value) <= ${SMALL} order by s.id for update of s skip locked`,
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
