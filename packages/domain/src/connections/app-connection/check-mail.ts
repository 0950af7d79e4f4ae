import { z } from 'zod';
import { enqueue } from '../../jobs/index.ts';
import { statement, type Transaction } from '../../kernel/index.ts';
import { defineNotice, NOTICE, oneLine } from '../../mail/index.ts';
import { connectors } from '../registry.ts';

const Subject = z.object({ organizationId: z.string(), connectionId: z.string() });

/** Only while its last check has failed. */
const FAILED = statement(
  'app_connection.of_notice',
  `select c.name, c.app, c.project_id as "projectId", c.check_error as reason, p.name as project, o.name as organization
   from app_connections c join organizations o on o.id = c.organization_id left join projects p on p.id = c.project_id
   where c.organization_id = $1 and c.id = $2 and c.name is not null and c.check_error is not null`,
);

/** The users who administer its project ($2), or the organization, at an instant ($3), and have a mailbox. */
const READERS = statement(
  'app_connection.readers_of_notice',
  `select distinct u.id, u.email from effective_memberships h
   join membership_roles r on r.membership_id = h.membership_id and r.role = 'admin'
     and (not r.is_temporary or r.temporary_access_start_time <= $3 and $3 < r.temporary_access_end_time)
   join users u on u.id = h.actor_id and u.is_accepted and u.email is not null
   where h.organization_id = $1 and (h.project_id = $2 or $2::uuid is null and h.project_id is null) order by u.id`,
);

interface Failed {
  readonly name: string;
  readonly app: string;
  readonly projectId: string | null;
  readonly reason: string;
  readonly project: string | null;
  readonly organization: string;
}

/** Notifies the administrators that an app no longer accepts the credentials of a connection. */
export const connectionCheckMail = defineNotice({
  name: 'mail.app_connection_check',
  payload: Subject,
  find: async (ctx, { organizationId, connectionId }) => {
    const [failed] = await ctx.sql<Failed>(FAILED, [organizationId, connectionId]);
    if (!failed) return undefined;
    const readers = await ctx.sql<{ id: string; email: string }>(READERS, [
      organizationId,
      failed.projectId,
      ctx.now(),
    ]);
    const organization = `the organization ${oneLine(failed.organization)}`;
    const where = failed.project === null ? organization : `the project ${oneLine(failed.project)} of ${organization}`;
    const title = connectors.find(failed.app)?.title ?? failed.app;
    return {
      readers,
      text: {
        subject: `The connection ${failed.name} to ${title} failed its check`,
        paragraphs: [
          `${title} did not accept the credentials of the connection ${failed.name} in ${where} on Coffer. What uses it may no longer work.`,
          `The reason: ${oneLine(failed.reason, 1000)}`,
          'Coffer checks it again by itself, and sends no further message until it has worked in between. If the credentials have ended, update the connection with new ones.',
        ],
        action: { label: 'Open Coffer', url: ctx.settings.siteUrl },
      },
    };
  },
});

/** Notifies the administrators after the commit. */
export function notifyOfFailure(tx: Transaction, subject: z.output<typeof Subject>): void {
  if (tx.settings.emailConfigured) enqueue(tx, connectionCheckMail, subject, NOTICE);
}
