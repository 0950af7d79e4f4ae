import { at, statement, type Context } from '../../kernel/index.ts';
import type { NotificationItem } from './message.ts';

/** Conditions on a certificate `c` that is about to expire: neither revoked, nor replaced by a valid renewal. */
export const CERTIFICATE_ENDS = `c.status = 'active'
  and not exists (select 1 from certificates r where r.renewed_from_id = c.id and r.status = 'active')`;
/** Of an authority `a`: its own certificate, where an authority of this project has signed it, is not revoked. */
export const AUTHORITY_ENDS = `a.status <> 'pending-certificate' and not exists (select 1 from certificates own
  where own.ca_id = a.parent_ca_id and own.serial_number = a.serial_number and own.status = 'revoked')`;

const ENDING = statement(
  'pki_alerts.ending',
  `select c.id, c.not_after as "notAfter" from certificates c
   where c.project_id = $1 and c.id = any ($2::uuid[]) and ${CERTIFICATE_ENDS}
   union all
   select a.id, a.not_after from certificate_authorities a
   where a.project_id = $1 and a.id = any ($2::uuid[]) and ${AUTHORITY_ENDS}`,
);

interface Ending {
  readonly projectId: string;
  readonly certificates: readonly NotificationItem[];
  readonly total: number;
}

/** The same, without certificates that were renewed, revoked or deleted since the evaluation. */
export async function stillExpiring<T extends Ending>(ctx: Context, notification: T): Promise<T> {
  const { projectId, certificates, total } = notification;
  const ids = certificates.map(({ id }) => id);
  const rows = await ctx.sql<{ id: string; notAfter: string }>(ENDING, [projectId, ids]);
  const ends = new Map(rows.map(({ id, notAfter }) => [id, at(notAfter).toISOString()]));
  const left = certificates.filter(({ id, notAfter }) => ends.get(id) === notAfter);
  return { ...notification, certificates: left, total: total - (certificates.length - left.length) };
}
