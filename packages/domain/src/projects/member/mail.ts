import { z } from 'zod';
import { defineJob, enqueue } from '../../jobs/index.ts';
import { statement, type Transaction } from '../../kernel/index.ts';
import { compose, deliver, NOTICE, noticeTurns, oneLine } from '../../mail/index.ts';

const FIND = statement(
  'project_members.to_tell',
  `select p.name as project, o.name as organization, u.email from effective_memberships h
   join projects p on p.id = h.project_id join organizations o on o.id = h.organization_id
   join users u on u.id = h.actor_id and u.is_accepted and u.email is not null
   where h.organization_id = $1 and h.membership_id = $2 and h.project_id is not null and h.group_id is null`,
);

/** Notifies users that they were added to a project; only those who are still members at the time of sending. */
export const projectMemberMail = defineJob({
  name: 'mail.project_member',
  payload: z.object({ organizationId: z.string(), membershipId: z.string(), addedBy: z.string().nullable() }),
  turns: noticeTurns,
  run: async (ctx, { organizationId, membershipId, addedBy }) => {
    const [member] = await ctx.sql<{ project: string; organization: string; email: string }>(FIND, [
      organizationId,
      membershipId,
    ]);
    if (!member) return;
    const [project, organization] = [oneLine(member.project), oneLine(member.organization)];
    await deliver(
      ctx,
      compose(member.email, {
        subject: `You were added to ${project}`,
        paragraphs: [
          `${addedBy === null ? 'You were added' : `${oneLine(addedBy)} added you`} to the project ${project} of the organization ${organization} on Coffer.`,
        ],
        action: { label: 'Open Coffer', url: ctx.settings.siteUrl },
      }),
    );
  },
});

/** Notifies a user of a new membership of a project, after the commit; not of one that the user created. */
export function notifyMember(
  tx: Transaction,
  { id: membershipId, organizationId, userId }: { id: string; organizationId: string; userId: string },
): void {
  const { actor, settings } = tx;
  if (!settings.emailConfigured || ('id' in actor && actor.id === userId)) return;
  const addedBy = 'name' in actor ? actor.name : null;
  enqueue(tx, projectMemberMail, { organizationId, membershipId, addedBy }, NOTICE);
}
