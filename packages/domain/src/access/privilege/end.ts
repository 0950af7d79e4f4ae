import { statement, type Transaction } from '../../kernel/index.ts';

const END = statement(
  'privileges.end',
  'delete from additional_privileges where organization_id = $1 and membership_id = $2 returning id',
);

/** Deletes the privileges of a membership. The right was checked before. @returns Whether there were any. */
export const endPrivileges = async (
  tx: Transaction,
  { id, organizationId }: { id: string; organizationId: string },
): Promise<boolean> => (await tx.sql(END, [organizationId, id])).length > 0;
