import { z } from 'zod';
import { accessAllProjects, peopleWith, projectPermissions, type PersonWithMail } from '../../access/index.ts';
import { enqueue } from '../../jobs/index.ts';
import { statement, type Context, type JobOptions, type Transaction } from '../../kernel/index.ts';
import { defineNotice, NOTICE, oneLine, type MessageText } from '../../mail/index.ts';

const Subject = z.object({
  organizationId: z.string(),
  projectId: z.string(),
  about: z
    .enum(['asked', 'entered'])
    .describe('`asked`: a user requests access; `entered`: a user entered by a right in the organization'),
  actorId: z.string(),
  who: z.string(),
  comment: z.string().nullable(),
});
type Subject = z.output<typeof Subject>;

/** $3 is the requester or new member: a request is void if it has left the organization, or is in the project. */
const PLACE = statement(
  'project_members.place_of_notice',
  `select p.name as project, o.name as organization from projects p join organizations o on o.id = p.organization_id
   where p.organization_id = $1 and p.id = $2 and ($4 = 'entered' or
     exists (select 1 from effective_memberships h where h.organization_id = $1 and h.project_id is null and h.actor_id = $3)
     and not exists (select 1 from effective_memberships h where h.organization_id = $1 and h.project_id = $2 and h.actor_id = $3))`,
);

/** By these rights somebody administers the members of a project, and of all projects of an organization. */
const { edit: administersMembers } = projectPermissions('member');

/**
 * The users who administer the members of a project now, except the one concerned; for requests, those of the organization who may
 * enter all projects if there are none. `onlyId`: one of them, where no other matters.
 */
async function readersOf(
  ctx: Context,
  { organizationId, projectId, actorId, about }: Subject,
  onlyId: string | undefined,
) {
  const others = (people: readonly PersonWithMail[]) => people.filter(({ id }) => id !== actorId);
  const place = { organizationId, projectId };
  const administrators = others(
    await peopleWith(ctx, place, { permission: administersMembers, fields: { projectId } }, onlyId),
  );
  if (administrators.length > 0 || about !== 'asked') return administrators;
  return others(
    await peopleWith(ctx, { organizationId, projectId: null }, { permission: accessAllProjects, fields: {} }, onlyId),
  );
}

/**
 * Notifies the users who administer a project at the time of sending of a request for access, or of a new
 * administrator.
 */
export const administratorsMail = defineNotice({
  name: 'mail.project_administrators',
  payload: Subject,
  find: async (ctx, subject, readerId) => {
    const { organizationId, projectId, actorId, about } = subject;
    const asked = [organizationId, projectId, actorId, about];
    const [place] = await ctx.sql<Place>(PLACE, asked);
    if (!place) return undefined;
    const readers = await readersOf(ctx, subject, readerId);
    return { readers, text: textOf(ctx, place, subject) };
  },
});

interface Place {
  project: string;
  organization: string;
}

function textOf(ctx: Context, place: Place, { about, comment, ...subject }: Subject): MessageText {
  const [project, organization, who] = [place.project, place.organization, subject.who].map((name) => oneLine(name));
  const action = { label: 'Open Coffer', url: ctx.settings.siteUrl };
  const where = `the project ${project} of the organization ${organization} on Coffer`;
  if (about === 'entered') {
    const why =
      'The right to enter all projects of the organization permits this. The audit log of the project has the event.';
    return {
      subject: `${who} now administers ${project}`,
      paragraphs: [`${who} entered ${where} and now administers it.`, why],
      action,
    };
  }
  return {
    subject: `${who} requests access to ${project}`,
    paragraphs: [
      `${who} requests access to ${where}. Nothing changes until a user with the right to add members does so.`,
      ...(comment ? [`Comment: ${oneLine(comment, MAX_COMMENT)}`] : []),
    ],
    action,
  };
}

/** Characters of a comment. */
export const MAX_COMMENT = 1000;

/** Notifies the administrators of a project of what the caller did, after the commit. */
export function notifyAdministrators(
  tx: Transaction,
  subject: Pick<Subject, 'organizationId' | 'projectId' | 'about'> & { comment?: string | null | undefined },
  options: JobOptions = {},
): void {
  const { actor, settings } = tx;
  if (!settings.emailConfigured || !('id' in actor)) return;
  const email = actor.type === 'user' && actor.email !== actor.name ? actor.email : null;
  const who = email === null ? actor.name : `${actor.name} (${email})`;
  const { comment = null } = subject;
  enqueue(tx, administratorsMail, { ...subject, comment, actorId: actor.id, who }, { ...NOTICE, ...options });
}
