import { z } from 'zod';
import {
  askMembers,
  membersWithMail,
  memberWithMail,
  unlessTooCostly,
  type MemberWithMail,
} from '../../access/index.ts';
import { defineJob, enqueue, firstInTurns, turnsOf } from '../../jobs/index.ts';
import { inTransaction, portionsOfRows, statement, type Context, type Transaction } from '../../kernel/index.ts';
import { compose, deliver, NOTICE, oneLine } from '../../mail/index.ts';
import { RULED_TAG_IDS, secretPermissions } from '../secret/index.ts';

interface ReminderRow {
  id: string;
  organizationId: string;
  projectId: string;
  project: string;
  environment: string;
  path: string;
  key: string;
  /** Slugs, as rules see them. */
  tags: string[];
  userId: string | null;
  note: string | null;
  days: number;
  recipients: string[] | null;
}

const REMINDERS = `
  select s.id, s.organization_id as "organizationId", s.project_id as "projectId", p.name as project, e.slug as environment,
    f.path, s.key, s.user_id as "userId",
    array(select t.slug from tags t where t.id = any(${RULED_TAG_IDS})) as tags,
    s.reminder_note as note, s.reminder_repeat_days as days, s.reminder_recipients as recipients
  from secrets s join folders f on f.id = s.folder_id join environments e on e.id = f.environment_id
  join projects p on p.id = s.project_id`;

/** Maximum number of reminders per transaction, and of one run: the others are sent by the next ones. */
const BATCH = 100;
const MOST = 1_000;

/** Behind all other mail: anybody may have many of them. */
const REMINDER = { ...NOTICE, priority: 30 };

/** The given number of days has passed since the secret was changed, and since the last reminder. */
const IS_DUE = `t.reminder_repeat_days is not null and t.updated_at <= $1::timestamptz - interval '1 day'
  and greatest(t.updated_at, (select r.sent_at from secret_reminders r where r.secret_id = t.id))
    + make_interval(days => t.reminder_repeat_days) <= $1`;

const DUE = statement(
  'secret_reminders.due',
  firstInTurns({ table: 'secrets', isDue: IS_DUE, order: 't.updated_at', most: MOST }),
);

const READ = statement('secret_reminders.read', `${REMINDERS} where s.id = any($1::uuid[])`);

/** Claims due reminders of some secrets. Concurrent processes claim different ones. */
const TAKE = statement(
  'secret_reminders.take',
  `with due as (
     select t.id, t.organization_id, t.project_id from secrets t where t.id = any($2::uuid[]) and ${IS_DUE}
     order by t.updated_at, t.id for update of t skip locked),
   taken as (
     insert into secret_reminders (secret_id, organization_id, project_id, sent_at)
     select id, organization_id, project_id, $1 from due
     on conflict (secret_id) do update set sent_at = excluded.sent_at
       where secret_reminders.sent_at <= excluded.sent_at - interval '1 day'
     returning secret_id, organization_id)
   select secret_id as "secretId", organization_id as "organizationId" from taken order by secret_id`,
);
const GET = statement(
  'secret_reminders.get',
  `${REMINDERS} where s.organization_id = $1 and s.id = $2 and s.reminder_repeat_days is not null`,
);

/** Enqueues a message to each recipient of due reminders, those of each organization in turn. Returns their number. */
export async function remindOfDue(ctx: Context): Promise<number> {
  const due = (await ctx.sql<{ id: string }>(DUE, [ctx.now()])).map(({ id }) => id);
  let taken = 0;
  for (const ids of portionsOfRows(due, BATCH)) {
    const recipients = await recipientsOf(ctx, ids);
    taken += await inTransaction(ctx, (tx) => take(tx, ids, recipients));
  }
  return taken;
}

/** The users who get the reminder of each secret. Members are asked in turns, which no transaction waits for. */
async function recipientsOf(ctx: Context, ids: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
  const recipients = new Map<string, string[]>(ids.map((id) => [id, []]));
  const rows = await ctx.sql<ReminderRow>(READ, [ids]);
  for (const reminders of Map.groupBy(rows, (row) => row.projectId).values()) {
    const members = await membersWithMail(ctx, reminders[0]!);
    for (const { member, thing } of await askMembers(members, reminders, isConcerned))
      recipients.get(thing.id)!.push(member.person.id);
  }
  return recipients;
}

async function take(
  tx: Transaction,
  ids: readonly string[],
  recipients: ReadonlyMap<string, readonly string[]>,
): Promise<number> {
  const taken = await tx.sql<{ secretId: string; organizationId: string }>(TAKE, [tx.now(), ids]);
  for (const reminder of taken)
    for (const userId of recipients.get(reminder.secretId)!)
      enqueue(tx, reminderMail, { ...reminder, userId }, REMINDER);
  return taken.length;
}

/**
 * Whether a member of the project is a recipient, if they may see the secret: the owner of a personal one; named
 * recipients, by ID, e-mail address or user name; without any, all who may read its value.
 */
function isConcerned({ person: { id, username, email }, ability }: MemberWithMail, row: ReminderRow): boolean {
  const fields = fieldsOf(row);
  if (!ability.can(secretPermissions.describeSecret, fields)) return false;
  if (row.userId !== null) return row.userId === id;
  if (!row.recipients?.length) return ability.can(secretPermissions.readValue, fields);
  return row.recipients.some((name) => [id, email, username].includes(name.trim().toLowerCase()));
}

const fieldsOf = ({ environment, path, key, tags }: ReminderRow) => ({
  environment,
  secretPath: path,
  secretName: key,
  secretTags: tags,
});

/** Reminds one user of one secret, after checking again that the user is a recipient. */
export const reminderMail = defineJob({
  name: 'mail.secret_reminder',
  payload: z.object({ organizationId: z.string(), secretId: z.string(), userId: z.string() }),
  turns: turnsOf('reminders'),
  run: async (ctx, { organizationId, secretId, userId }) => {
    const [row] = await ctx.sql<ReminderRow>(GET, [organizationId, secretId]);
    const member = row && (await memberWithMail(ctx, row, userId));
    if (!member || !unlessTooCostly(() => isConcerned(member, row))) return;
    const { person } = member;
    const [project, key] = [oneLine(row.project), oneLine(row.key)];
    const days = row.days === 1 ? 'day' : `${row.days} days`;
    await deliver(
      ctx,
      compose(person.email, {
        subject: `Reminder: ${key} in ${project}`,
        paragraphs: [
          `This is the reminder of the secret ${key} (project ${project}, environment ${row.environment}, folder ${row.path}). It repeats every ${days}; a change of the secret restarts the interval.`,
          ...(row.note?.trim() ? [`Note: ${row.note.trim()}`] : []),
        ],
        action: { label: 'Open Coffer', url: ctx.settings.siteUrl },
      }),
    );
  },
});

/** Searches for due reminders; without a mail server they wait. */
export const reminders = defineJob({
  name: 'secrets.reminders',
  payload: z.object({}),
  schedule: '*/10 * * * *',
  run: async (ctx) => {
    if (!ctx.settings.emailConfigured) return;
    const due = await remindOfDue(ctx);
    if (due > 0) ctx.log.info({ due }, 'Reminders of secrets were due');
  },
});
