import {
  createMailer,
  defineJob,
  enqueue,
  inTransaction,
  jobs,
  INVITATIONS_OF_ADDRESS,
  MAILS_PER_DAY,
  ORGANIZATIONS_PER_DAY,
  remindOfDue,
  startWorker,
  type Log,
  type SendMail,
  type Worker,
} from '@coffer/domain';
import { freePorts, makeUser, startMailServer, type MailServer, type ReceivedMail } from '@coffer/domain/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { anotherProcess } from './harness/another-process.ts';
import { ok } from './harness/groups.ts';
import { testServer, type Caller, type TestServer } from './harness/test-server.ts';

const HOUR = 3600_000;
const DAY = 24 * HOUR;
const password = 'correct horse battery';

const lines: { level: string; details: object; message: string }[] = [];
const keep = (level: string) => (details: object, message: string) => void lines.push({ level, details, message });
const log: Log = { debug: keep('debug'), info: keep('info'), warn: keep('warn'), error: keep('error') };

let test: TestServer;
let mail: MailServer;
let worker: Worker | undefined;
/** How messages are sent at the moment. */
let send: SendMail;
let counter = 0;
beforeAll(async () => {
  mail = await startMailServer();
  test = await testServer({ sendMail: (message) => send(message), log });
});
afterEach(async () => {
  await worker?.stop();
  worker = undefined;
  await test.coffer.pool.query('delete from graphile_worker._private_jobs');
  await test.coffer.pool.query('update secrets set reminder_repeat_days = null');
  mail.received.length = 0;
  lines.length = 0;
});
afterAll(async () => {
  await test.close();
  await mail.close();
});

/** Starts sending; default: to this test's mail server. */
async function startSending(sender: SendMail = createMailer(mail.smtp)): Promise<void> {
  send = sender;
  worker ??= await startWorker(test.coffer, jobs, { pollInterval: 100 });
}

interface WaitingJob {
  task: string;
  payload: object;
  attempts: number;
  last_error: string | null;
}
const waiting = async (): Promise<WaitingJob[]> =>
  (
    await test.coffer.pool.query<WaitingJob>(
      `select t.identifier as task, j.payload, j.attempts, j.last_error from graphile_worker._private_jobs j
       join graphile_worker._private_tasks t on t.id = j.task_id order by j.id`,
    )
  ).rows;
const retryNow = () => test.coffer.pool.query('update graphile_worker._private_jobs set run_at = now()');
const whenSent = async (): Promise<ReceivedMail[]> => {
  await expect.poll(async () => (await waiting()).length).toBe(0);
  return mail.received;
};

const newEmail = () => `person-${counter++}@example.com`;
const invite = (emails: string[], body: object = {}, call: Caller = test.admin) =>
  call('POST', '/api/v1/invite-org/signup', { inviteeEmails: emails, organizationId: test.organizationId, ...body });
const membershipOf = async (email: string): Promise<string> =>
  (await test.admin('GET', `/api/v1/organization/${test.organizationId}/users`)).body.users.find(
    ({ inviteEmail }: { inviteEmail: string | null }) => inviteEmail === email,
  ).id;
const linkIn = ({ text }: ReceivedMail): URL => new URL(/https?:\S+/.exec(text)![0]);
const verify = (link: URL, token?: string) =>
  test.as(token)('POST', '/api/v1/invite-org/verify', {
    email: link.searchParams.get('to'),
    organizationId: link.searchParams.get('organization_id'),
    code: link.searchParams.get('token'),
  });

describe('an invitation', () => {
  it('is only mailed, with a link that works once', async () => {
    const email = newEmail();
    const { status, body } = await invite([email.toUpperCase()]);
    expect([status, body]).toEqual([200, { message: expect.any(String), completeInviteLinks: null }]);
    await startSending();
    const [message, ...others] = await whenSent();
    expect(others).toEqual([]);
    expect(message).toMatchObject({
      to: [email],
      subject: 'Invitation to Acme',
      headers: { to: [email], from: ['Coffer <coffer@example.com>'] },
    });
    const link = linkIn(message!);
    expect(link.href).toMatch(/^http:\/\/127\.0\.0\.1:8080\/signupinvite\?token=cfv_/);
    expect(message!.html).toContain(link.href.replaceAll('&', '&amp;'));
    const verified = await verify(link);
    expect([verified.status, verified.body.token]).toEqual([200, expect.stringMatching(/^cfc_/)]);
    const completed = await test.as()('POST', '/api/v3/signup/complete-account/invite', {
      email,
      password,
      firstName: 'Ina',
      token: verified.body.token,
    });
    expect(completed.status).toBe(200);
    expect((await verify(link)).status).toBe(401);
  });

  it('waits for a process with a mail server, beside one that has none', async () => {
    const other = await anotherProcess(test);
    const mailless = await startWorker(other.coffer, jobs, { pollInterval: 100 });
    const email = newEmail();
    expect((await invite([email])).status).toBe(200);
    await expect
      .poll(async () => (await waiting())[0]?.last_error ?? 'none yet')
      .toContain('This process has no mail server');
    await mailless.stop();
    await other.close();
    await retryNow();
    await startSending();
    expect((await whenSent()).map(({ to }) => to)).toEqual([[email]]);
  });

  it('is mailed a limited number of times a day for an organization', async () => {
    const [first, second, third] = [newEmail(), newEmail(), newEmail()];
    const { organizationId } = test;
    const count = async (messages: number) =>
      test.coffer.pool.query('update mail_counts set messages = $2 where organization_id = $1 and project_id is null', [
        organizationId,
        messages,
      ]);
    expect((await invite([first])).status).toBe(200);
    expect((await count(MAILS_PER_DAY - 1)).rowCount).toBe(1);
    const both = await invite([second, third]);
    expect([both.status, both.body.message]).toEqual([400, expect.stringContaining('invitations by e-mail a day')]);
    expect((await waiting()).length).toBe(1);
    expect((await invite([second])).status).toBe(200);
    expect((await invite([third])).status).toBe(400);
    test.advance(DAY);
    expect((await invite([third])).status).toBe(200);
  });

  it('is mailed a limited number of times a day to one address, and by one user, over all organizations', async () => {
    const { pool } = test.coffer;
    const user = await makeUser(test.coffer, { organizationId: test.organizationId });
    const of = test.as(user.token);
    const found = async () => {
      const { organization } = await ok(of('POST', '/api/v2/organizations', { name: 'Another' }));
      const { token } = await ok(of('POST', '/api/v3/auth/select-organization', { organizationId: organization.id }));
      return (email: string) =>
        test.as(token)('POST', '/api/v1/invite-org/signup', {
          inviteeEmails: [email],
          organizationId: organization.id,
        });
    };
    const [one, other] = [await found(), await found()];
    const victim = newEmail();
    for (let sent = 0; sent < INVITATIONS_OF_ADDRESS; sent++)
      expect((await (sent % 2 ? one : other)(sent % 3 ? victim : victim.toUpperCase())).status).toBe(200);
    const refused = await one(victim);
    expect([refused.status, refused.body.message]).toEqual([400, expect.stringContaining('by this or other')]);
    const set = (subject: string, uses: number) =>
      pool.query('update daily_counts set uses = $2 where subject = $1', [subject, uses]);
    expect((await set(`mails:user:${user.id}`, MAILS_PER_DAY)).rowCount).toBe(1);
    const many = await other(newEmail());
    expect([many.status, many.body.message]).toEqual([400, expect.stringContaining('A user can send')]);
    expect((await set(`organizations:user:${user.id}`, ORGANIZATIONS_PER_DAY)).rowCount).toBe(1);
    const another = await of('POST', '/api/v2/organizations', { name: 'Another' });
    expect([another.status, another.body.message]).toEqual([400, expect.stringContaining('organizations a day')]);
    test.advance(DAY);
    for (const answer of [await one(victim), await other(newEmail())]) expect(answer.status).toBe(200);
    await ok(of('POST', '/api/v2/organizations', { name: 'Another' }));
  });

  it('reports to the instance that e-mail is configured', async () => {
    expect((await test.as()('GET', '/api/status')).body.emailConfigured).toBe(true);
  });

  it('waits without anything usable, and leaves nothing behind', async () => {
    const email = newEmail();
    await invite([email]);
    const [job] = await waiting();
    expect(job).toMatchObject({ task: 'mail.invitation' });
    await startSending();
    const [message] = await whenSent();
    const code = linkIn(message!).searchParams.get('token')!;
    expect(JSON.stringify(job)).not.toContain(code.slice(4, 30));
    expect(JSON.stringify(lines)).not.toContain(code.slice(4, 30));
    const { rows } = await test.coffer.pool.query(
      `select 1 from memberships where encode(invite_hash, 'escape') like '%' || $1 || '%'
       union all select 1 from audit_events where data::text like '%' || $1 || '%'`,
      [code.slice(4, 30)],
    );
    expect(rows).toEqual([]);
  });

  it('is not sent where the transaction fails', async () => {
    const strong = `zz-${newEmail()}`;
    await invite([strong], { organizationRoleSlug: 'admin' });
    await test.coffer.pool.query('delete from graphile_worker._private_jobs');
    const weak = await test.identity({ organizationRules: [{ subject: 'member', action: ['read', 'create'] }] });
    const { status } = await invite([newEmail(), strong], { organizationRoleSlug: 'no-access' }, weak.call);
    expect(status).toBe(403);
    expect(await waiting()).toEqual([]);
  });

  it('is retried, and then the first link is not sent any more, or is invalid', async () => {
    const email = newEmail();
    await invite([email]);
    const membershipId = await membershipOf(email);
    const resend = () => test.admin('POST', '/api/v1/invite-org/signup-resend', { membershipId });
    expect((await resend()).body).toEqual({ signupToken: null });
    expect(await waiting()).toHaveLength(2);
    await startSending();
    const [first, ...none] = [...(await whenSent())];
    expect(none).toEqual([]);
    await resend();
    const [, second] = await whenSent();
    expect((await verify(linkIn(first!))).status).toBe(401);
    expect((await verify(linkIn(second!))).status).toBe(200);
  });

  it('is not sent to a user who was removed meanwhile, or after its expiry', async () => {
    const [removed, late] = [newEmail(), newEmail()];
    await invite([removed, late]);
    await test.admin(
      'DELETE',
      `/api/v2/organizations/${test.organizationId}/memberships/${await membershipOf(removed)}`,
    );
    test.advance(25 * HOUR);
    await startSending();
    expect(await whenSent()).toEqual([]);
  });

  it('escapes user input as text', async () => {
    const name = '<b>Evil</b>"\'&';
    const patched = await test.admin('PATCH', `/api/v1/organization/${test.organizationId}`, { name });
    expect(patched.status).toBe(200);
    await test.coffer.pool.query('update organizations set name = $2 where id = $1', [
      test.organizationId,
      `${name}\r\nBcc: evil@example.com\r\n\r\n\u202ebody`,
    ]);
    const email = newEmail();
    await invite([email]);
    await startSending();
    const [message] = await whenSent();
    await test.admin('PATCH', `/api/v1/organization/${test.organizationId}`, { name: 'Acme' });
    expect(message!.to).toEqual([email]);
    expect(Object.keys(message!.headers)).not.toContain('bcc');
    expect(message!.subject).toBe(`Invitation to ${name} Bcc: evil@example.com body`);
    expect(message!.html).not.toContain('<b>');
    expect(message!.html).toContain('&lt;b&gt;Evil&lt;/b&gt;&quot;&#39;&amp; Bcc: evil@example.com body');
  });
});

describe('a mail server', () => {
  it('that is unreachable is retried, and the request does not wait for it', async () => {
    const [port] = (await freePorts(1)) as [number];
    const away = await startMailServer({}, port);
    await away.close();
    const [email, code] = [newEmail(), /cfv_[\w-]+/];
    expect((await invite([email])).status).toBe(200);
    await startSending(createMailer(away.smtp));
    await expect.poll(async () => (await waiting())[0]?.last_error).toMatch(/deferred the message/);
    expect(lines).toMatchObject([{ level: 'warn', details: { job: 'mail.invitation', attempt: 1 } }]);
    expect(JSON.stringify([lines, await waiting()])).not.toMatch(code);
    const back = await startMailServer({}, port);
    try {
      await retryNow();
      await expect.poll(() => back.received.length).toBe(1);
      expect((await verify(linkIn(back.received[0]!))).status).toBe(200);
    } finally {
      await back.close();
    }
  });

  it('that is silent blocks neither requests nor other work for long', async () => {
    const silent = await startMailServer({ onConnect: () => undefined });
    try {
      await invite([newEmail()]);
      await startSending(createMailer({ ...silent.smtp, timeoutMs: 300 }));
      await expect.poll(async () => (await waiting())[0]?.last_error).toMatch(/deferred/);
    } finally {
      await silent.close();
    }
  });

  it('that is silent does not delay other work behind the messages that wait for it', async () => {
    const silent = await startMailServer({ onConnect: () => undefined });
    const untried: number[] = [];
    const other = defineJob({
      name: 'test.other_work',
      payload: z.object({}),
      run: async () => void untried.push((await waiting()).filter(({ attempts }) => attempts === 0).length),
    });
    try {
      await invite(Array.from({ length: 12 }, newEmail));
      const platform = test.coffer.contextFor({ type: 'platform', organizationId: undefined });
      await inTransaction(platform, async (tx) => enqueue(tx, other, {}));
      send = createMailer({ ...silent.smtp, timeoutMs: 1_000 });
      worker = await startWorker(test.coffer, [...jobs, other], { pollInterval: 100 });
      await expect.poll(() => untried.length).toBe(1);
      expect(untried[0]).toBeGreaterThan(4);
    } finally {
      await silent.close();
    }
  });

  it('whose confirmation is lost gets the message once more with the same ID', async () => {
    let isHeard = false;
    const deliver = createMailer(mail.smtp);
    await invite([newEmail()]);
    await startSending(async (message) => {
      await deliver(message);
      if (!isHeard) throw new Error('The connection was lost');
    });
    await expect.poll(async () => (await waiting())[0]?.last_error).toMatch(/lost/);
    isHeard = true;
    await retryNow();
    const ids = (await whenSent()).map(({ headers }) => headers['message-id']);
    expect(ids).toEqual([ids[0], ids[0]]);
    expect(ids[0]).toEqual([expect.stringMatching(/^<[0-9a-f]{40}@example\.com>$/)]);
    mail.received.length = 0;
    await invite([newEmail(), newEmail()]);
    const others = (await whenSent()).map(({ headers }) => headers['message-id']![0]);
    expect(new Set([ids[0]![0], ...others]).size).toBe(3);
  });

  it('that permanently rejects a recipient is not called again, and the log does not name the recipient', async () => {
    const refusing = await startMailServer({
      onRcptTo: ({ address }, _session, done) =>
        done(Object.assign(new Error(`No ${address} here`), { responseCode: 550 })),
    });
    try {
      const email = newEmail();
      await invite([email]);
      await startSending(createMailer(refusing.smtp));
      await whenSent();
      expect(lines).toMatchObject([{ level: 'error', details: { reason: expect.stringContaining('status 550') } }]);
      expect(JSON.stringify(lines)).not.toContain(email);
    } finally {
      await refusing.close();
    }
  });
});

describe('a new member of a project', () => {
  it('is notified, unless it made the change itself or no longer exists', async () => {
    const { id: projectId } = await test.project();
    const [told, gone, invited] = [
      await makeUser(test.coffer, { organizationId: test.organizationId }),
      await makeUser(test.coffer, { organizationId: test.organizationId }),
      newEmail(),
    ];
    const url = `/api/v2/workspace/${projectId}/memberships`;
    expect((await test.admin('POST', url, { usernames: [told.email, gone.email] })).status).toBe(200);
    await test.admin('DELETE', url, { usernames: [gone.email] });
    await startSending();
    const [message, ...others] = [...(await whenSent())];
    expect(others).toEqual([]);
    expect(message).toMatchObject({
      to: [told.email],
      text: expect.stringContaining('machine added you to the project'),
    });

    // By an invitation, members of the organization.
    const other = await test.project();
    const more = { projects: [{ id: other.id, projectRoleSlug: ['viewer'] }] };
    expect((await invite([told.email, invited], more)).status).toBe(200);
    const messages = new Map((await whenSent()).slice(1).map(({ to, subject }) => [to[0], subject.split(' ')[0]]));
    expect([messages.size, messages.get(told.email), messages.get(invited)]).toEqual([2, 'You', 'Invitation']);
    const self = await makeUser(test.coffer, { organizationId: test.organizationId, role: 'admin' });
    const own = await test.as(self.token)('POST', '/api/v1/projects', { projectName: 'Mine' });
    expect(own.status).toBe(200);
    expect(await waiting()).toEqual([]);
  });
});

describe('the reminder of a secret', () => {
  /** A project with people in these roles, and a secret that is due every so many days. */
  async function setUp(secret: object, ...roles: string[]) {
    const { id: projectId } = await test.project();
    const people = [];
    for (const role of roles) {
      const user = await makeUser(test.coffer, { organizationId: test.organizationId });
      const { body } = await test.admin('POST', `/api/v2/workspace/${projectId}/memberships`, {
        usernames: [user.email],
        roleSlugs: [role],
      });
      people.push({ ...user, call: test.as(user.token), membershipId: body.memberships[0].id as string });
    }
    await test.coffer.pool.query('delete from graphile_worker._private_jobs');
    const at = { projectId, environment: 'dev' };
    const put = await test.admin('POST', '/api/v4/secrets/KEY', { ...at, secretValue: 'canary-value', ...secret });
    expect(put.status).toBe(200);
    return { projectId, at, people, url: `/api/v2/workspace/${projectId}/memberships` };
  }
  const look = () => remindOfDue(test.coffer.contextFor({ type: 'platform', organizationId: undefined }));
  const addressees = (mails: readonly ReceivedMail[]) => mails.flatMap(({ to }) => to).toSorted();

  it('is sent once when it is due, to all who may read the secret, and again after as many days', async () => {
    const { people } = await setUp(
      { secretReminderRepeatDays: 30, secretReminderNote: 'Turn it\n<b>over</b>' },
      'admin',
      'viewer',
      'no-access',
    );
    const readers = [people[0]!.email, people[1]!.email].toSorted();
    await startSending();
    test.advance(30 * DAY - HOUR);
    expect(await look()).toBe(0);
    test.advance(HOUR);
    expect(await Promise.all([look(), look(), look()]).then((all) => all.reduce((sum, one) => sum + one))).toBe(1);
    expect(addressees(await whenSent())).toEqual(readers);
    const [message] = mail.received;
    expect(message).toMatchObject({
      subject: expect.stringMatching(/^Reminder: KEY in project-/),
      text: expect.stringContaining('Note: Turn it\n<b>over</b>'),
      html: expect.stringContaining('Turn it<br>&lt;b&gt;over&lt;/b&gt;'),
    });
    expect(JSON.stringify([mail.received, lines])).not.toContain('canary-value');
    expect(await look()).toBe(0);
    test.advance(29 * DAY);
    expect(await look()).toBe(0);
    test.advance(DAY);
    expect(await look()).toBe(1);
    expect(addressees((await whenSent()).slice(2))).toEqual(readers);
  });

  it('is sent once if another process has claimed it', async () => {
    const { projectId } = await setUp({ secretReminderRepeatDays: 1 });
    test.advance(DAY);
    const client = await test.owner.connect();
    try {
      await client.query('begin');
      // A process that ended meanwhile does not lock the secret.
      await client.query('set local session_replication_role = replica');
      await client.query(
        `insert into secret_reminders (secret_id, organization_id, project_id, sent_at)
         select id, organization_id, project_id, $2 from secrets where project_id = $1`,
        [projectId, new Date(test.coffer.now().getTime() - 1000)],
      );
      const looking = look();
      await expect
        .poll(async () => {
          const { rows } = await test.coffer.pool.query(
            `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
          );
          return rows.length;
        })
        .toBe(1);
      await client.query('commit');
      expect(await looking).toBe(0);
    } finally {
      client.release();
    }
  });

  it('goes to the named recipients, if they may see the secret', async () => {
    const outsider = await makeUser(test.coffer, { organizationId: test.organizationId });
    const { people, at } = await setUp({ secretReminderRepeatDays: 1 }, 'viewer', 'viewer', 'viewer', 'no-access');
    const [byId, byEmail, , blind] = people;
    const { status } = await test.admin('PATCH', '/api/v4/secrets/KEY', {
      ...at,
      secretReminderRecipients: [byId!.id, byEmail!.email.toUpperCase(), blind!.id, outsider.id, 'nobody'],
    });
    expect(status).toBe(200);
    await startSending();
    test.advance(DAY);
    expect(await look()).toBe(1);
    expect(addressees(await whenSent())).toEqual([byId!.email, byEmail!.email].toSorted());
  });

  it('checks the permission again when it is sent', async () => {
    const { people, url } = await setUp({ secretReminderRepeatDays: 1 }, 'viewer', 'viewer');
    const [stays, leaves] = people;
    test.advance(DAY);
    expect(await look()).toBe(1);
    expect(await waiting()).toHaveLength(2);
    await test.admin('DELETE', url, { usernames: [leaves!.email] });
    await startSending();
    expect(addressees(await whenSent())).toEqual([stays!.email]);
  });

  it('restarts when the secret is changed, and ends with the secret or when it is removed', async () => {
    const { at } = await setUp({ secretReminderRepeatDays: 2 }, 'admin');
    test.advance(DAY);
    await test.admin('PATCH', '/api/v4/secrets/KEY', { ...at, secretValue: 'changed' });
    test.advance(DAY);
    expect(await look()).toBe(0);
    await test.admin('PATCH', '/api/v4/secrets/KEY', { ...at, secretReminderRepeatDays: null });
    test.advance(10 * DAY);
    expect(await look()).toBe(0);
    await test.admin('PATCH', '/api/v4/secrets/KEY', { ...at, secretReminderRepeatDays: 1 });
    test.advance(DAY);
    expect(await look()).toBe(1);
    await test.admin('DELETE', '/api/v4/secrets/KEY', at);
    await startSending();
    expect(await whenSent()).toEqual([]);
    test.advance(10 * DAY);
    expect(await look()).toBe(0);
  });

  it('of a personal secret is for its owner alone', async () => {
    const { people, at } = await setUp({}, 'admin', 'admin');
    const personal = await people[0]!.call('POST', '/api/v4/secrets/KEY', {
      ...at,
      type: 'personal',
      secretValue: 'mine',
      secretReminderRepeatDays: 1,
    });
    expect(personal.status).toBe(200);
    test.advance(DAY);
    expect(await look()).toBe(1);
    await startSending();
    expect(addressees(await whenSent())).toEqual([people[0]!.email]);
  });

  it('of a personal secret is not sent if its owner may no longer describe the shared one', async () => {
    const { people, at } = await setUp({}, 'admin');
    const permissions = [{ subject: 'secrets', action: ['describeSecret'], conditions: { secretName: 'KEY' } }];
    const role = { slug: 'describer', name: 'Describer', permissions };
    expect((await test.admin('POST', `/api/v1/projects/${at.projectId}/roles`, role)).status).toBe(200);
    const own = { ...at, type: 'personal', secretValue: 'mine', secretReminderRepeatDays: 1 };
    expect((await people[0]!.call('POST', '/api/v4/secrets/KEY', own)).status).toBe(200);
    const demoted = await test.admin(
      'PATCH',
      `/api/v1/projects/${at.projectId}/memberships/${people[0]!.membershipId}`,
      {
        roles: [{ role: 'describer', isTemporary: false }],
      },
    );
    expect(demoted.status).toBe(200);
    test.advance(DAY);
    await look();
    await startSending();
    expect(addressees(await whenSent())).toEqual([people[0]!.email]);
    const rename = { ...at, newSecretName: 'HIDDEN_NAME' };
    expect((await test.admin('PATCH', '/api/v4/secrets/KEY', rename)).status).toBe(200);
    test.advance(DAY);
    await look();
    expect((await whenSent()).slice(1)).toEqual([]);
  });
});
