import { z } from 'zod';
import { organizationOf } from '../../access/index.ts';
import {
  badRequest,
  defineEvent,
  inTransaction,
  isId,
  record,
  statement,
  text,
  type Context,
} from '../../kernel/index.ts';
import { requireMailServer } from '../../mail/index.ts';
import { personOf } from '../../users/session/index.ts';
import { MAX_COMMENT, notifyAdministrators } from './administrators-mail.ts';
import { MembersOfProject } from './member.ts';

export const RequestEntry = MembersOfProject.extend({
  comment: text(MAX_COMMENT).trim().nullish().describe('Sent to the administrators with the request'),
});
export type RequestEntry = z.output<typeof RequestEntry>;

export const projectAccessRequested = defineEvent(
  'project.access_requested',
  'project-access-request',
  z.object({ projectId: z.string(), userId: z.string() }),
);

const FIND = statement(
  'project_members.find_asked',
  `select exists (select 1 from effective_memberships h
     where h.organization_id = $1 and h.project_id = $2 and h.actor_id = $3) as "isMember"
   from projects where organization_id = $1 and id = $2`,
);

/**
 * Requests access to a project from its administrators, by e-mail. The response does not reveal to non-members whether
 * the project exists: it is the same for every ID.
 *
 * @throws DomainError 400 without a mail server, and for members of the project; 403 for machine identities.
 */
export async function requestEntry(ctx: Context, { projectId, comment }: RequestEntry): Promise<void> {
  const organizationId = organizationOf(ctx);
  const { id: userId } = personOf(ctx);
  requireMailServer(ctx, 'ask an administrator of the project');
  if (!isId(projectId)) return;
  const [found] = await ctx.sql<{ isMember: boolean }>(FIND, [organizationId, projectId, userId]);
  if (found?.isMember) throw badRequest('project.member_already', 'You are already in this project');
  await inTransaction(ctx, async (tx) => {
    // The event is of the project, whose readers alone see it: nobody's own events tell which projects there are.
    if (found) record(tx, projectAccessRequested, { projectId, userId }, { projectId });
    const key = `project-access:${projectId}:${userId}`;
    notifyAdministrators(tx, { organizationId, projectId, about: 'asked', comment }, { key });
  });
}
