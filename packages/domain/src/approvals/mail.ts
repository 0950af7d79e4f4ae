import { z } from 'zod';
import { defineJob, enqueue, type Job } from '../jobs/index.ts';
import { inTransaction, statement, type Transaction } from '../kernel/index.ts';
import { compose, deliver, MAIL_JOB, oneLine } from '../mail/index.ts';
import { approversOf, peopleById } from '../access/approval-policy/index.ts';
import { POLICY_IDS } from './row.ts';

const Notice = z.object({
  organizationId: z.string(),
  requestId: z.string(),
  readerId: z.string().optional().describe('If omitted, one message is sent to each approver'),
});
type Notice = z.output<typeof Notice>;

interface Row {
  projectId: string;
  policyIds: string[];
  userId: string;
  project: string;
  environment: string;
  username: string;
  note: string | null;
}

const FIND = statement(
  'access_approvals.to_tell',
  `select r.project_id as "projectId", ${POLICY_IDS} as "policyIds", r.requested_by_user_id as "userId", j.name as project,
     e.slug as environment,
     u.username, r.note
   from access_approval_requests r join approval_policies p on p.id = r.policy_id
   join environments e on e.id = p.environment_id join projects j on j.id = r.project_id
   join users u on u.id = r.requested_by_user_id
   where r.organization_id = $1 and r.id = $2 and r.status = 'pending'`,
);

/** Notifies the approvers of a request: those at the time of sending. */
export const accessApprovalMail: Job<Notice> = defineJob({
  name: 'mail.access_approval',
  payload: Notice,
  run: async (ctx, notice) => {
    const { organizationId, requestId, readerId } = notice;
    const [row] = await ctx.sql<Row>(FIND, [organizationId, requestId]);
    if (!row) return;
    const approvers = await approversOf(ctx, row.projectId, row.policyIds);
    const readers = [...new Set(approvers.map(({ userId }) => userId))].filter((id) => id !== row.userId);
    if (readerId === undefined) {
      await inTransaction(ctx, async (tx) => {
        for (const id of readers) enqueue(tx, accessApprovalMail, { ...notice, readerId: id }, MAIL_JOB);
      });
      return;
    }
    const email = readers.includes(readerId) ? (await peopleById(ctx, [readerId])).get(readerId)?.email : undefined;
    if (!email) return;
    const [project, who] = [oneLine(row.project), oneLine(row.username)];
    const about = {
      subject: `${who} requests access in ${project}`,
      paragraphs: [
        `${who} requests access in the environment ${row.environment} of the project ${project}. Nothing is granted before approval.`,
        ...(row.note ? [`Note: ${oneLine(row.note, 1000)}`] : []),
      ],
      action: { label: 'Open Coffer', url: ctx.settings.siteUrl },
    };
    await deliver(ctx, compose(email, about));
  },
});

/** Notifies the approvers of a request, after the commit. */
export function notifyApprovers(tx: Transaction, notice: Pick<Notice, 'organizationId' | 'requestId'>): void {
  if (tx.settings.emailConfigured) enqueue(tx, accessApprovalMail, notice, MAIL_JOB);
}
