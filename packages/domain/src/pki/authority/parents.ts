import { badRequest, statement, type Transaction } from '../../kernel/index.ts';
import type { AuthorityEntity } from './authority.entity.ts';

const ABOVE = statement(
  'certificate_authorities.above',
  `with recursive above as (
     select id, parent_ca_id from certificate_authorities where id = $1
     union
     select a.id, a.parent_ca_id from above b join certificate_authorities a on a.id = b.parent_ca_id)
   select 1 from above where id = $2`,
);

/**
 * Checks that an authority does not get a parent that is to be signed by it: neither could be renewed. `lockPaths` was called, under
 * which parents change.
 *
 * @throws DomainError 400 `certificate_authority.circle`
 */
export async function requireNotAbove(
  tx: Transaction,
  { id }: Pick<AuthorityEntity, 'id'>,
  parentCaId: string | null,
): Promise<void> {
  if (parentCaId !== null && (await tx.sql(ABOVE, [parentCaId, id])).length > 0) throw circle();
}

export const circle = () => badRequest('certificate_authority.circle', 'That authority is below this one');
