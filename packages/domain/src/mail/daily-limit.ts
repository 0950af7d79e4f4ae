import { statement, type Transaction } from '../kernel/index.ts';

/**
 * Messages of a day (UTC) to addresses that members choose, who may not know of Coffer: invitations of an organization, and
 * alerts of a project.
 */
export const MAILS_PER_DAY = 2_000;

/** Organization, project or null, day, messages, the limit. The row of an earlier day begins anew. */
const COUNT = statement(
  'mail_counts.count',
  `insert into mail_counts as c (organization_id, project_id, day, messages) values ($1, $2, $3::date, $4)
   on conflict on constraint mail_counts_unique do update set day = excluded.day,
     messages = excluded.messages + case when c.day = excluded.day then c.messages else 0 end
   where c.day <> excluded.day or c.messages + excluded.messages <= $5
   returning true as "isCounted"`,
);

interface Sender {
  readonly organizationId: string;
  /** Absent for messages of the organization. */
  readonly projectId?: string;
}

/**
 * Counts messages that are about to be sent, where they are within `MAILS_PER_DAY`.
 *
 * @returns Whether they are; otherwise nothing is counted.
 */
export async function countMails(
  tx: Transaction,
  { organizationId, projectId }: Sender,
  messages: number,
): Promise<boolean> {
  const day = tx.now().toISOString().slice(0, 10);
  return (await tx.sql(COUNT, [organizationId, projectId ?? null, day, messages, MAILS_PER_DAY])).length > 0;
}
