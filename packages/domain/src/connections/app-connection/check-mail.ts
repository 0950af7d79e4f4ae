import { z } from 'zod';
import { peopleWith } from '../../access/index.ts';
import { enqueue } from '../../jobs/index.ts';
import { statement, type Transaction } from '../../kernel/index.ts';
import { defineNotice, NOTICE, oneLine } from '../../mail/index.ts';
import { connectors } from '../registry.ts';
import { connectionPermission } from './app-connection.ts';

const Subject = z.object({ organizationId: z.string(), connectionId: z.string() });

/** Only while its last check has failed. */
const FAILED = statement(
  'app_connection.of_notice',
  `select c.name, c.app, c.project_id as "projectId", c.check_error as reason, p.name as project, o.name as organization
   from app_connections c join organizations o on o.id = c.organization_id left join projects p on p.id = c.project_id
   where c.organization_id = $1 and c.id = $2 and c.name is not null and c.check_error is not null`,
);

interface Failed {
  readonly name: string;
  readonly app: string;
  readonly projectId: string | null;
  readonly reason: string;
  readonly project: string | null;
  readonly organization: string;
}

/** Notifies whoever may edit a connection that its app no longer accepts the credentials. */
export const connectionCheckMail = defineNotice({
  name: 'mail.app_connection_check',
  payload: Subject,
  find: async (ctx, { organizationId, connectionId }, readerId) => {
    const [failed] = await ctx.sql<Failed>(FAILED, [organizationId, connectionId]);
    if (!failed) return undefined;
    const { projectId } = failed;
    const right = {
      permission: connectionPermission('edit', projectId),
      fields: { connectionId, ...(projectId && { projectId }) },
    };
    const readers = await peopleWith(ctx, { organizationId, projectId }, right, readerId);
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

/** The same after the commit. */
export function notifyOfFailure(tx: Transaction, subject: z.output<typeof Subject>): void {
  if (tx.settings.emailConfigured) enqueue(tx, connectionCheckMail, subject, NOTICE);
}
