import { hashOf } from '../crypto/index.ts';
import { badRequest, statement, type DomainError, type Transaction } from '../kernel/index.ts';

/**
 * Maximum number of messages a day (UTC) to addresses that members choose: invitations of an organization, invitations by a
 * user over all organizations, and alerts of a project. Their recipients may never have heard of Coffer.
 */
export const MAILS_PER_DAY = 2_000;
/** The same of an organization and all of its projects together. */
export const MAILS_OF_ORGANIZATION = 10_000;
/** Maximum number of invitations a day to one address, from all organizations. */
export const INVITATIONS_OF_ADDRESS = 20;
/** Maximum number of organizations that a user creates a day: each may send messages. */
export const ORGANIZATIONS_PER_DAY = 20;

/** Organization, project or null, day, messages, the limit. The row of an earlier day begins anew. */
const COUNT = statement(
  'mail_counts.count',
  `insert into mail_counts as c (organization_id, project_id, day, messages) values ($1, $2, $3::date, $4)
   on conflict on constraint mail_counts_unique do update set day = excluded.day,
     messages = excluded.messages + case when c.day = excluded.day then c.messages else 0 end
   where c.day <> excluded.day or c.messages + excluded.messages <= $5
   returning true as "isCounted"`,
);
/** The same for any subject: its name, day, uses, the limit. */
const COUNT_USES = statement(
  'daily_counts.count',
  `insert into daily_counts as c (subject, day, uses) values ($1, $2::date, $3)
   on conflict (subject) do update set day = excluded.day,
     uses = excluded.uses + case when c.day = excluded.day then c.uses else 0 end
   where c.day <> excluded.day or c.uses + excluded.uses <= $4
   returning true as "isCounted"`,
);

const dayOf = (tx: Transaction): string => tx.now().toISOString().slice(0, 10);

/** Counts uses; returns whether they are within the limit of the day. Otherwise nothing is counted. */
const countUses = async (tx: Transaction, subject: string, uses: number, limit: number): Promise<boolean> =>
  (await tx.sql(COUNT_USES, [subject, dayOf(tx), uses, limit])).length > 0;

interface Sender {
  readonly organizationId: string;
  /** Absent for messages of the organization. */
  readonly projectId?: string;
}

/**
 * Counts messages that are about to be sent, for their organization or project, and for the organization as a whole.
 *
 * @returns Whether they are within both limits; otherwise the caller rolls back the transaction.
 */
export async function countMails(
  tx: Transaction,
  { organizationId, projectId }: Sender,
  messages: number,
): Promise<boolean> {
  const counted = [organizationId, projectId ?? null, dayOf(tx), messages, MAILS_PER_DAY];
  return (
    (await tx.sql(COUNT, counted)).length > 0 &&
    (await countUses(tx, `mails:organization:${organizationId}`, messages, MAILS_OF_ORGANIZATION))
  );
}

/**
 * Counts an invitation by e-mail: also for the acting user and for the address, over all organizations.
 *
 * @throws DomainError 400 `invitation.too_many`, `invitation.too_many_to_address`
 */
export async function countInvitation(tx: Transaction, organizationId: string, email: string): Promise<void> {
  if (!(await countMails(tx, { organizationId }, 1))) throw tooMany('An organization');
  const { actor } = tx;
  if (actor.type === 'user' && !(await countUses(tx, `mails:user:${actor.id}`, 1, MAILS_PER_DAY)))
    throw tooMany('A user');
  const address = hashOf(email.toLowerCase()).toString('base64url');
  if (!(await countUses(tx, `mails:address:${address}`, 1, INVITATIONS_OF_ADDRESS)))
    throw badRequest(
      'invitation.too_many_to_address',
      `${email} was sent ${INVITATIONS_OF_ADDRESS} invitations today (UTC), by this or other organizations; send the next one tomorrow`,
    );
}

const tooMany = (who: string): DomainError =>
  badRequest(
    'invitation.too_many',
    `${who} can send ${MAILS_PER_DAY} invitations by e-mail a day (UTC); send the others tomorrow`,
  );

/** Counts an organization that a user creates. @throws DomainError 400 `organization.too_many_today` */
export async function countNewOrganization(tx: Transaction, userId: string): Promise<void> {
  if (!(await countUses(tx, `organizations:user:${userId}`, 1, ORGANIZATIONS_PER_DAY)))
    throw badRequest(
      'organization.too_many_today',
      `A user can create ${ORGANIZATIONS_PER_DAY} organizations a day (UTC); create the others tomorrow`,
    );
}
