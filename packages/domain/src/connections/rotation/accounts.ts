import { conflict, statement, type Transaction } from '../../kernel/index.ts';

interface Used {
  readonly organizationId: string;
  readonly rotationId: string;
  /** The system. */
  readonly target: string;
  readonly accounts: readonly string[];
}

const LOCK = statement('secret_rotation.lock_target', 'select pg_advisory_xact_lock(hashtextextended($1, 72))');
const OTHERS = statement(
  'secret_rotation.others_with_accounts',
  `select id from secret_rotations where organization_id = $1 and target = $2 and id <> $3 and accounts && $4::text[] limit 1`,
);

/**
 * Requires that no other rotation of the organization changes one of some accounts at a system: each would end the active
 * credential of the other.
 *
 * @throws DomainError 400 `secret_rotation.account_in_use`
 */
export async function requireOwnAccounts(
  tx: Transaction,
  { organizationId, rotationId, target, accounts }: Used,
): Promise<void> {
  await tx.sql(LOCK, [`${organizationId} ${target}`]);
  const others = await tx.sql(OTHERS, [organizationId, target, rotationId, accounts]);
  if (others.length > 0)
    throw conflict(
      'secret_rotation.account_in_use',
      `Another rotation of the organization changes ${accounts.join(' or ')} at this system: use another account, or delete that rotation`,
    );
}
