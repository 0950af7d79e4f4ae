import { z } from 'zod';
import { approversToNotify } from '../../access/approval-policy/index.ts';
import { enqueue } from '../../jobs/index.ts';
import { actorIdOf, statement, type Context, type Transaction } from '../../kernel/index.ts';
import { defineNotice, NOTICE, oneLine, type MessageText } from '../../mail/index.ts';
import { REQUEST_COLUMNS, REQUEST_TABLES, type RequestRow } from './row.ts';

const Subject = z.object({
  organizationId: z.string(),
  requestId: z.string(),
  about: z
    .enum(['opened', 'bypassed'])
    .describe('`opened`: approvals are needed; `bypassed`: it was merged without them'),
  actorId: z.string().nullable(),
  who: z.string(),
  contentVersion: z.int(),
});
type Subject = z.output<typeof Subject>;

type Found = RequestRow & { project: string };

/** The request must still be open, and unchanged. */
const FIND = statement(
  'secret_approvals.to_tell',
  `select ${REQUEST_COLUMNS}, p.name as project from ${REQUEST_TABLES} join projects p on p.id = r.project_id
   where r.organization_id = $1 and r.id = $2 and ($3 = 'bypassed' or r.status = 'open' and r.content_version = $4)`,
);

/** Notifies the current approvers of a request of it, or of a bypass. */
export const secretApprovalMail = defineNotice({
  name: 'mail.secret_approval',
  payload: Subject,
  find: async (ctx, subject) => {
    const { organizationId, requestId, about, contentVersion, actorId: exceptId } = subject;
    const [row] = await ctx.sql<Found>(FIND, [organizationId, requestId, about, contentVersion]);
    if (!row) return undefined;
    const { projectId, policyIds } = row;
    const readers = await approversToNotify(ctx, { projectId, policyIds, exceptId });
    return { readers, text: textOf(ctx, row, subject) };
  },
});

function textOf(ctx: Context, row: Found, { about, who }: Subject): MessageText {
  const [project, name] = [oneLine(row.project), oneLine(who)];
  const where = `${row.secretPath} in the environment ${row.environment} of the project ${project}`;
  const action = { label: 'Open Coffer', url: ctx.settings.siteUrl };
  if (about === 'bypassed') {
    return {
      subject: `A change in ${project} was merged without its approvals`,
      paragraphs: [
        `${name} merged the change request ${row.slug} for ${where} without the required approvals. Its policy allows this with a reason.`,
        ...(row.bypassReason ? [`Reason: ${oneLine(row.bypassReason, 1000)}`] : []),
      ],
      action,
    };
  }
  return {
    subject: `A change in ${project} waits for your approval`,
    paragraphs: [
      `${name} requests a change of ${where}. Nothing changes until it is approved and merged (${row.slug}).`,
    ],
    action,
  };
}

const KINDS = { user: '', identity: 'The machine identity ', service: 'The service token ' };

/** Notifies the approvers of a request, after the commit; not of their own actions. */
export function notifyApprovers(tx: Transaction, row: RequestRow, about: Subject['about']): void {
  const { actor, settings } = tx;
  if (!settings.emailConfigured) return;
  const who = 'name' in actor ? KINDS[actor.type] + actor.name : 'Coffer';
  const actorId = actorIdOf(actor);
  const subject = { requestId: row.id, about, actorId, who, contentVersion: row.contentVersion };
  const organizationId = actor.type !== 'anonymous' && actor.organizationId ? actor.organizationId : undefined;
  if (organizationId) enqueue(tx, secretApprovalMail, { organizationId, ...subject }, NOTICE);
}
