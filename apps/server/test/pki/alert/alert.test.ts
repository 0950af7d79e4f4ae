import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  alertBody,
  ALERTS as BASE,
  COLLECTIONS,
  email,
  LEGACY_ALERTS as OLDER,
  SIGNING_SECRET,
  slack,
  webhook,
} from '../../harness/alerts.ts';
import { eventsOf, ok } from '../../harness/certificates.ts';
import { TIME, UUID } from '../../harness/folder-tree.ts';
import { HeldStatements } from '../../harness/held-statement.ts';
import { testServer, type Caller, type TestServer } from '../../harness/test-server.ts';

// Alerts themselves; for notifications see pki/alert/notified.test.ts and pki/alert/channel.test.ts. Nothing is sent
// here: no jobs run.

const HOOK = 'https://hooks.example.com/coffer';
const UNKNOWN = randomUUID();

let test: TestServer;
let projectId: string;
beforeAll(async () => {
  test = await testServer();
  projectId = (await test.project()).id;
});
afterAll(() => test.close());

const order = (more: object = {}) => alertBody(projectId, more);
const make = async (more: object = {}) => ok(await test.admin('POST', BASE, order(more))).alert;
const read = async (id: string) => ok(await test.admin('GET', `${BASE}/${id}`)).alert;
const withRules = async (...actions: string[]): Promise<Caller> =>
  (await test.identity({ projectId, rules: [{ subject: 'pki-alerts', action: actions }] })).call;
const withBoth = async (...actions: string[]): Promise<Caller> => {
  const rules = [
    { subject: 'pki-alerts', action: actions },
    { subject: 'certificates', action: 'read', conditions: { commonName: { $glob: '*.mine.example' } } },
    { subject: 'pki-collections', action: 'read' },
  ];
  return (await test.identity({ projectId, rules })).call;
};
const without = (answer: { body: object; status: number }) => ({
  status: answer.status,
  body: { ...answer.body, reqId: '' },
});

describe('an alert', () => {
  it('is limited to 200 in its project, also for concurrent creations', async () => {
    const { id } = await test.project();
    const create = () => test.admin('POST', BASE, alertBody(id));
    ok(await create());
    await test.coffer.pool.query(
      `insert into pki_alerts (id, organization_id, project_id, name, event_type, since)
       select gen_random_uuid(), organization_id, project_id, name, 'issuance', since
       from pki_alerts, generate_series(1, 198) where project_id = $1`,
      [id],
    );
    const answers = await Promise.all(Array.from({ length: 5 }, create));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400, 400, 400, 400]);
  });

  it('is created, read, changed and deleted in the published shape', async () => {
    const inSlack = { ...slack(`${HOOK}/slack`, { channel: '#ops', mentionUsers: ['U1'] }), enabled: false };
    const filters = [
      { field: 'common_name', operator: 'ends_with', value: '.nowhere.example' },
      { field: 'include_cas', operator: 'equals', value: true },
    ];
    const own = (await test.project()).id;
    const channels = [email('OPS@example.com'), webhook(HOOK), inSlack];
    const made = await make({ projectId: own, description: 'For us', filters, channels });
    expect(made).toEqual({
      id: UUID,
      name: 'ends-soon',
      description: 'For us',
      eventType: 'expiration',
      alertBefore: '30d',
      filters,
      enabled: true,
      projectId: own,
      channels: [
        { id: UUID, channelType: 'email', config: { recipients: ['ops@example.com'] }, enabled: true },
        {
          id: UUID,
          channelType: 'webhook',
          config: { url: HOOK, hasSigningSecret: true },
          enabled: true,
        },
        { id: UUID, ...inSlack },
      ],
      lastRun: null,
      createdAt: TIME,
      updatedAt: TIME,
    });
    expect(await read(made.id)).toEqual(made);
    expect(ok(await test.admin('GET', `${BASE}?projectId=${own}`))).toEqual({ alerts: [made], total: 1 });
    const count = async (query: string) => ok(await test.admin('GET', `${BASE}?projectId=${own}&${query}`)).total;
    expect([await count('enabled=false'), await count('search=ENDS'), await count('search=%25')]).toEqual([0, 1, 0]);
    const changed = ok(
      await test.admin('PATCH', `${BASE}/${made.id}`, { name: 'later', alertBefore: '2w', enabled: false }),
    ).alert;
    expect(changed).toEqual({ ...made, name: 'later', alertBefore: '2w', enabled: false, updatedAt: TIME });
    expect(ok(await test.admin('DELETE', `${BASE}/${made.id}`)).alert).toMatchObject({ id: made.id, name: 'later' });
    expect((await test.admin('GET', `${BASE}/${made.id}`)).status).toBe(404);
    expect(await eventsOf(test, { pkiAlertId: made.id })).toEqual([
      'pki_alert.created',
      'pki_alert.updated',
      'pki_alert.deleted',
    ]);
  });

  it.each([
    ['no channel', { channels: [] }],
    ['eleven channels', { channels: Array.from({ length: 11 }, () => email('a@example.com')) }],
    ['eleven recipients', { channels: [email(...Array.from({ length: 11 }, (_, n) => `a${n}@example.com`))] }],
    ['no recipient', { channels: [email()] }],
    ['something else than an address', { channels: [{ channelType: 'webhook', config: { url: 'ftp://a.example' } }] }],
    ['a password in an address', { channels: [{ channelType: 'webhook', config: { url: 'https://a:b@c.example' } }] }],
    ['an unknown channel', { channels: [{ channelType: 'pager', config: {} }] }],
    [
      'a mention that would be more',
      {
        channels: [{ channelType: 'slack', config: { webhookUrl: 'https://a.example', mentionUsers: ['U1> <!here'] } }],
      },
    ],
    ['no such time', { alertBefore: '30' }],
    ['hours', { alertBefore: '5h' }],
    ['more than ten years', { alertBefore: '11y' }],
    ['an unknown event', { eventType: 'birthday' }],
    ['a name with blanks', { name: 'two words' }],
    ['a filter that is none', { filters: [{ field: 'include_cas', operator: 'contains', value: 'x' }] }],
    [
      'a number of filters',
      { filters: Array.from({ length: 21 }, () => ({ field: 'san', operator: 'equals', value: 'x' })) },
    ],
    ['a long description', { description: 'x'.repeat(1001) }],
  ])('rejects %s', async (_, more) => {
    expect((await test.admin('POST', BASE, order(more))).status).toBe(422);
  });

  it('of expirations has a period, and others do not', async () => {
    const refused = await test.admin('POST', BASE, order({ alertBefore: undefined }));
    expect([refused.status, refused.body.message]).toEqual([400, expect.stringContaining('alertBefore')]);
    const made = await make({ eventType: 'issuance' });
    expect(made).toMatchObject({ alertBefore: null });
    expect((await test.admin('PATCH', `${BASE}/${made.id}`, { eventType: 'expiration' })).status).toBe(400);
  });

  it('keeps what an update of a channel omits', async () => {
    const inSlack = slack(HOOK, { channel: '#ops', mentionUsers: ['U1'] });
    const made = await make({ channels: [{ ...inSlack, enabled: false }] });
    const [{ id, config }] = made.channels;
    const change = async (changes: object) => {
      const channels = [{ id, channelType: 'slack', config: { webhookUrl: HOOK, ...changes } }];
      return ok(await test.admin('PATCH', `${BASE}/${made.id}`, { channels })).alert.channels;
    };
    expect(await change({})).toEqual(made.channels);
    expect(await change({ channel: null })).toEqual([{ ...made.channels[0], config: { ...config, channel: null } }]);
    expect(await change({ mentionUsers: [] })).toMatchObject([{ enabled: false, config: { mentionUsers: [] } }]);
  });

  it('stores the key of a webhook, and rejects a new URL without the key', async () => {
    const made = await make({ channels: [webhook(HOOK)] });
    const { id } = made.channels[0];
    const change = (config: object, more: object = {}) =>
      test.admin('PATCH', `${BASE}/${made.id}`, { channels: [{ id, channelType: 'webhook', config, ...more }] });
    const same = ok(await change({ url: HOOK }, { enabled: false })).alert.channels;
    expect(same).toEqual([{ ...made.channels[0], enabled: false }]);
    const away = await change({ url: `${HOOK}/elsewhere` });
    expect([away.status, away.body.message]).toEqual([400, expect.stringContaining('signingSecret')]);
    expect((await change({ url: `${HOOK}/elsewhere`, signingSecret: 'other' })).status).toBe(200);
    const open = ok(await change({ url: `${HOOK}/open`, signingSecret: null })).alert.channels;
    expect(open).toMatchObject([{ id, config: { hasSigningSecret: false } }]);
    const another = await make();
    const stolen = { id: another.channels[0].id, ...email('a@example.com') };
    expect((await test.admin('PATCH', `${BASE}/${made.id}`, { channels: [stolen] })).status).toBe(404);
    const twice = [id, id].map((one) => ({ id: one, ...email('a@example.com') }));
    expect((await test.admin('PATCH', `${BASE}/${made.id}`, { channels: twice })).status).toBe(400);
    const { rows } = await test.coffer.pool.query<{ config: Buffer }>('select config from pki_alert_channels');
    expect(rows.some(({ config }) => config.includes(SIGNING_SECRET) || config.includes('http'))).toBe(false);
  });
});

describe('the older kind of alert', () => {
  // Lists show all of a project.
  beforeEach(async () => {
    projectId = (await test.project()).id;
  });
  const collection = async () => ok(await test.admin('POST', COLLECTIONS, { projectId, name: 'Web' })).id as string;
  const makeOlder = async (pkiCollectionId: string, more: object = {}) =>
    ok(
      await test.admin('POST', OLDER, {
        projectId,
        pkiCollectionId,
        name: 'Ends soon',
        alertBeforeDays: 30,
        emails: ['ann@example.com', 'bob@example.com'],
        ...more,
      }),
    );

  it('is about a collection, notified by e-mail, and the same alert in the newer API', async () => {
    const pkiCollectionId = await collection();
    const made = await makeOlder(pkiCollectionId);
    expect(made).toEqual({
      id: UUID,
      createdAt: TIME,
      updatedAt: TIME,
      projectId,
      pkiCollectionId,
      name: 'Ends soon',
      alertBeforeDays: 30,
      recipientEmails: 'ann@example.com,bob@example.com',
    });
    expect(ok(await test.admin('GET', `${OLDER}/${made.id}`))).toEqual(made);
    for (const path of [`/api/v2/workspace/${projectId}/pki-alerts`, `/api/v1/projects/${projectId}/pki-alerts`])
      expect(ok(await test.admin('GET', path))).toEqual({ alerts: [made] });
    expect(await read(made.id)).toMatchObject({
      alertBefore: '30d',
      eventType: 'expiration',
      channels: [{ channelType: 'email', config: { recipients: ['ann@example.com', 'bob@example.com'] } }],
    });
    const other = await collection();
    const changes = { name: 'Later', alertBeforeDays: 7, pkiCollectionId: other, emails: ['eve@example.com'] };
    const changed = ok(await test.admin('PATCH', `${OLDER}/${made.id}`, changes));
    expect(changed).toEqual({
      ...made,
      updatedAt: TIME,
      name: 'Later',
      alertBeforeDays: 7,
      pkiCollectionId: other,
      recipientEmails: 'eve@example.com',
    });
    expect(ok(await test.admin('DELETE', `${OLDER}/${made.id}`))).toEqual(changed);
    expect((await test.admin('GET', `${OLDER}/${made.id}`)).status).toBe(404);
  });

  it('with many addresses is accepted by the current API as returned', async () => {
    const emails = Array.from({ length: 23 }, (_, n) => `a${n}@example.com`);
    const made = await makeOlder(await collection(), { emails });
    expect(made.recipientEmails).toBe(emails.join(','));
    const { channels } = await read(made.id);
    expect(ok(await test.admin('PATCH', `${BASE}/${made.id}`, { channels })).alert.channels).toEqual(channels);
    const fewer = ok(await test.admin('PATCH', `${OLDER}/${made.id}`, { emails: emails.slice(0, 12) }));
    expect(fewer.recipientEmails).toBe(emails.slice(0, 12).join(','));
    const left = (await read(made.id)).channels;
    expect(left.map(({ id }: { id: string }) => id)).toEqual([channels[0].id, channels[1].id]);
    // One that was switched off stays so.
    const off = [{ ...left[0], enabled: false }, left[1]];
    ok(await test.admin('PATCH', `${BASE}/${made.id}`, { channels: off }));
    ok(await test.admin('PATCH', `${OLDER}/${made.id}`, { emails: emails.slice(0, 11) }));
    expect((await read(made.id)).channels).toMatchObject([{ enabled: false }, { enabled: true }]);
  });

  it('is deleted with its collection, and not listed with others', async () => {
    const pkiCollectionId = await collection();
    const made = await makeOlder(pkiCollectionId);
    ok(await test.admin('DELETE', `${COLLECTIONS}/${pkiCollectionId}`));
    expect((await test.admin('GET', `${OLDER}/${made.id}`)).status).toBe(404);
    const { rows } = await test.coffer.pool.query<{ ids: string[] }>(
      `select data->'pkiAlertIds' as ids from audit_events
       where type = 'pki_collection.deleted' and data->>'pkiCollectionId' = $1`,
      [pkiCollectionId],
    );
    expect(rows).toEqual([{ ids: [made.id] }]);
    const newer = await make();
    expect((await test.admin('GET', `${OLDER}/${newer.id}`)).status).toBe(404);
    expect((await test.admin('PATCH', `${OLDER}/${newer.id}`, { name: 'x' })).status).toBe(404);
    expect((await test.admin('DELETE', `${OLDER}/${newer.id}`)).status).toBe(404);
    expect(ok(await test.admin('GET', `/api/v2/workspace/${projectId}/pki-alerts`))).toEqual({ alerts: [] });
  });

  it('is changed and deleted as it is by then: of another kind not, and with the channels that it has', async () => {
    const held = new HeldStatements(test);
    const atLock = /from pki_alerts where id = \$1 for update/;
    const { id } = await makeOlder(await collection());
    const hook = { channelType: 'webhook', config: { url: 'https://hooks.example.com/x' } };
    const [mail] = (await read(id)).channels;
    const [, there] = ok(await test.admin('PATCH', `${BASE}/${id}`, { channels: [mail, hook] })).alert.channels;
    const off = { ...hook, id: there.id, enabled: false };
    const emails = await held.during(
      atLock,
      () => test.admin('PATCH', `${OLDER}/${id}`, { emails: ['eve@example.com'] }),
      () => test.admin('PATCH', `${BASE}/${id}`, { channels: [mail, off] }),
    );
    expect(emails.status).toBe(200);
    expect((await read(id)).channels).toMatchObject([
      { config: { recipients: ['eve@example.com'] } },
      { channelType: 'webhook', enabled: false },
    ]);

    for (const [method, body] of [
      ['PATCH', { name: 'Other' }],
      ['DELETE', undefined],
    ] as const) {
      ok(await test.admin('PATCH', `${BASE}/${id}`, { eventType: 'expiration', alertBefore: '30d' }));
      const refused = await held.during(
        atLock,
        () => test.admin(method, `${OLDER}/${id}`, body),
        () => test.admin('PATCH', `${BASE}/${id}`, { eventType: 'issuance' }),
      );
      expect([method, refused.status]).toEqual([method, 404]);
    }
    expect((await read(id)).name).toBe('Ends soon');
  });

  it('rejects invalid input', async () => {
    const pkiCollectionId = await collection();
    const status = async (more: object) => {
      const all = { projectId, pkiCollectionId, name: 'x', alertBeforeDays: 1, emails: ['a@example.com'], ...more };
      return (await test.admin('POST', OLDER, all)).status;
    };
    expect(await status({ emails: [] })).toBe(422);
    expect(await status({ emails: ['nobody'] })).toBe(422);
    expect(await status({ alertBeforeDays: 0 })).toBe(422);
    expect(await status({ alertBeforeDays: 1.5 })).toBe(422);
    expect(await status({ name: ' ' })).toBe(422);
    const elsewhere = (await test.project()).id;
    const foreign = ok(await test.admin('POST', COLLECTIONS, { projectId: elsewhere, name: 'x' })).id;
    expect([await status({ pkiCollectionId: foreign }), await status({ pkiCollectionId: 'x' })]).toEqual([404, 404]);
  });
});

describe('whom alerts refuse', () => {
  it('refuses callers without a token, of another organization, and without the right', async () => {
    const pkiCollectionId = ok(await test.admin('POST', COLLECTIONS, { projectId, name: 'Web' })).id;
    const older = { projectId, pkiCollectionId, name: 'x', alertBeforeDays: 1, emails: ['a@example.com'] };
    const made = ok(await test.admin('POST', OLDER, older));
    const operations = (id: string) =>
      [
        ['GET', `${BASE}?projectId=${projectId}`, 'read'],
        ['POST', BASE, 'create', order()],
        ['GET', `${BASE}/${id}`, 'read'],
        ['PATCH', `${BASE}/${id}`, 'edit', { name: 'x' }],
        ['GET', `/api/v2/workspace/${projectId}/pki-alerts`, 'read'],
        ['POST', OLDER, 'create', older],
        ['GET', `${OLDER}/${id}`, 'read'],
        ['PATCH', `${OLDER}/${id}`, 'edit', { name: 'x' }],
        ['DELETE', `${OLDER}/${id}`, 'delete'],
        ['DELETE', `${BASE}/${id}`, 'delete'],
      ] as const;
    const foreign = await test.foreign();
    const outsider = await test.identity();
    for (const [method, url, action, body] of operations(made.id)) {
      const name = `${method} ${url}`;
      expect([name, (await test.as()(method, url, body)).status]).toEqual([name, 401]);
      const hidden = without(await foreign.call(method, url, body));
      expect([name, hidden.status]).toEqual([name, 404]);
      expect([name, (await outsider.call(method, url, body)).status]).toEqual([name, 404]);
      const others = ['read', 'create', 'edit', 'delete'].filter((one) => one !== action);
      expect([name, (await (await withRules(...others))(method, url, body)).status]).toEqual([name, 403]);
    }
    const ofOne = operations(made.id).filter(([, url]) => url.includes(made.id));
    for (const [method, url, , body] of ofOne) {
      const hidden = without(await foreign.call(method, url, body));
      expect(hidden).toEqual(without(await foreign.call(method, url.replace(made.id, UNKNOWN), body)));
      expect((await test.admin(method, url.replace(made.id, 'nonsense'), body)).status).toBe(404);
    }
    expect(ok(await test.admin('GET', `${OLDER}/${made.id}`))).toEqual(made);
  });

  it('callers who may read no certificate: to create one and to update it, because it reports all of them', async () => {
    const pkiCollectionId = ok(await test.admin('POST', COLLECTIONS, { projectId, name: 'Web' })).id;
    const older = { projectId, pkiCollectionId, name: 'x', alertBeforeDays: 1, emails: ['a@example.com'] };
    const made = ok(await test.admin('POST', OLDER, older));
    const all = ['read', 'create', 'edit', 'delete'];
    const [blind, reader] = [await withRules(...all), await withBoth(...all)];
    for (const [method, url, body] of [
      ['POST', BASE, order()],
      ['POST', OLDER, older],
      ['PATCH', `${BASE}/${made.id}`, { channels: [email('me@example.com')] }],
      ['PATCH', `${OLDER}/${made.id}`, { emails: ['me@example.com'] }],
    ] as const) {
      expect([method, url, (await blind(method, url, body)).status]).toEqual([method, url, 403]);
      expect([method, url, (await reader(method, url, body)).status]).toEqual([method, url, 200]);
    }
    for (const method of ['GET', 'DELETE'] as const) ok(await blind(method, `${BASE}/${made.id}`));
  });
});
