import { z } from 'zod';
import { approversToNotify } from '../access/approval-policy/index.ts';
import { enqueue } from '../jobs/index.ts';
import { statement, type Transaction } from '../kernel/index.ts';
import { defineNotice, NOTICE, oneLine } from '../mail/index.ts';
import { POLICY_IDS } from './row.ts';

const Subject = z.object({ organizationId: z.string(), requestId: z.string() });
type Subject = z.output<typeof Subject>;

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
export const accessApprovalMail = defineNotice({
  name: 'mail.access_approval',
  payload: Subject,
  find: async (ctx, { organizationId, requestId }) => {
    const [row] = await ctx.sql<Row>(FIND, [organizationId, requestId]);
    if (!row) return undefined;
    const { projectId, policyIds, userId: exceptId } = row;
    const [project, who] = [oneLine(row.project), oneLine(row.username)];
    return {
      readers: await approversToNotify(ctx, { projectId, policyIds, exceptId }),
      text: {
        subject: `${who} requests access in ${project}`,
        paragraphs: [
          `${who} requests access in the environment ${row.environment} of the project ${project}. Nothing is granted before approval.`,
          ...(row.note ? [`Note: ${oneLine(row.note, 1000)}`] : []),
        ],
        action: { label: 'Open Coffer', url: ctx.settings.siteUrl },
      },
    };
  },
});

/** Notifies the approvers of a request, after the commit. */
export function notifyApprovers(tx: Transaction, subject: Subject): void {
  if (tx.settings.emailConfigured) enqueue(tx, accessApprovalMail, subject, NOTICE);
}
