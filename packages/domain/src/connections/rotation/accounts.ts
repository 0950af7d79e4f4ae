import { conflict, statement, type Transaction } from '../../kernel/index.ts';
import { PARAMETERS_IN_USE } from '../parameters-in-use.ts';
import { namesOfSystem } from '../connection/index.ts';
import { rotations } from '../registry.ts';

interface Used {
  readonly organizationId: string;
  readonly rotationId: string;
  readonly type: string;
  /** The system. */
  readonly target: string;
  /** In their canonical form, of which earlier releases may have stored another one. */
  readonly accounts: readonly string[];
}

const LOCK = statement('secret_rotation.lock_target', 'select pg_advisory_xact_lock(hashtextextended($1, 72))');
const OTHERS = statement(
  'secret_rotation.others_at_target',
  `select r.type, in_use.parameters from ${PARAMETERS_IN_USE}
   where r.organization_id = $1 and r.target = any($2) and r.id <> $3`,
);

/**
 * Requires that no other rotation of the organization changes one of some accounts at a system: each would end the active
 * credential of the other.
 *
 * @throws DomainError 400 `secret_rotation.account_in_use`
 */
export async function requireOwnAccounts(
  tx: Transaction,
  { organizationId, rotationId, type: own, target, accounts }: Used,
): Promise<void> {
  const names = namesOfSystem(rotations.require(own).connector, target);
  await tx.sql(LOCK, [`${organizationId} ${names[0]!}`]);
  const others = await tx.sql<{ type: string; parameters: object }>(OTHERS, [organizationId, names, rotationId]);
  const used = new Set(others.flatMap(({ type, parameters }) => rotations.require(type).accounts(parameters)));
  if (accounts.some((account) => used.has(account)))
    throw conflict(
      'secret_rotation.account_in_use',
      `Another rotation of the organization changes ${accounts.join(' or ')} at this system: use another account, or delete that rotation`,
    );
}
