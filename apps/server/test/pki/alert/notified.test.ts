import { evaluateAlert, MAILS_OF_ORGANIZATION, MAILS_PER_DAY } from '@coffer/domain';
import { makeConnection, makeExternalAuthority } from '@coffer/domain/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ALERTS, AlertWorld, COLLECTIONS, email, LEGACY_ALERTS } from '../../harness/alerts.ts';
import { DAY, ok } from '../../harness/certificates.ts';
import { TIME } from '../../harness/folder-tree.ts';

// What alerts notify of, and when; for channels see pki/alert/channel.test.ts, for alerts themselves
// pki/alert/alert.test.ts.

let world: AlertWorld;
beforeAll(async () => void (world = await AlertWorld.open()));
afterAll(() => world.close());
beforeEach(() => world.begin());

const admin: AlertWorld['test']['admin'] = (...asked) => world.test.admin(...asked);
const change = async (id: string, changes: object) => ok(await admin('PATCH', `${ALERTS}/${id}`, changes)).alert;
const renew = async ({ id }: { id: string }, more: object = {}) =>
  ok(await admin('POST', `/api/v1/cert-manager/certificates/${id}/renew`, more));
/** The contents of all calls, by a field of the certificates. */
async function told(field = 'commonName'): Promise<string[]> {
  const calls = await world.called();
  const values: string[] = calls.flatMap(({ body }) =>
    body.certificates.map((one: Record<string, string>) => one[field]),
  );
  return values.toSorted();
}

describe('before certificates expire', () => {
  it('notifies each recipient once of each certificate, by e-mail, without secrets', async () => {
    const first = await world.soon('soon.example.com');
    await world.of.issue(world.ca.id, { ttl: '60d', commonName: 'later.example.com', altNames: 'later.example.com' });
    await world.of.revoke(await world.soon());
    const made = await world.make({
      channels: [email('ann@example.com', 'bob@example.com'), email('bob@example.com')],
    });
    const messages = await world.sent();
    expect(messages.map(({ to }) => to)).toEqual(['ann@example.com', 'bob@example.com']);
    expect(messages[0]!.subject).toMatch(/^1 certificate expires soon: /);
    expect(messages[0]!.text).toContain('soon.example.com');
    expect(messages[0]!.text).toContain(first.serialNumber);
    expect(messages[0]!.text).not.toMatch(/later\.example\.com|PRIVATE KEY/);
    expect(await world.lastRun(made.id)).toEqual({ timestamp: TIME, status: 'success', error: null });
    await world.look();
    expect(await world.sent()).toEqual([]);
    world.test.advance(35 * DAY);
    await world.look();
    const second = await world.sent();
    expect(second.map(({ text }) => text.includes('later.example.com'))).toEqual([true, true]);
    expect(second[0]!.text).not.toContain('soon.example.com');
    world.test.advance(DAY);
    await world.look();
    expect(await world.sent()).toEqual([]);
  });

  it('sends a limited number of e-mails a day for a project, and the next ones on the next day', async () => {
    const { pool } = world.test.coffer;
    const recipients = email('ann@example.com', 'bob@example.com');
    await world.make({ channels: [recipients] });
    await world.soon('first.example.com');
    await world.look();
    expect((await world.sent()).map(({ to }) => to)).toEqual(['ann@example.com', 'bob@example.com']);
    const counted = 'update mail_counts set messages = $2 where project_id = $1 and messages = 2';
    expect((await pool.query(counted, [world.of.projectId, MAILS_PER_DAY - 1])).rowCount).toBe(1);
    const others = await world.make({ name: 'others', channels: [recipients, world.hook()] });
    await world.look();
    expect([await world.sent(), await told()]).toEqual([[], []]);
    expect(await world.lastRun(others.id)).toMatchObject({
      status: 'failed',
      error: expect.stringContaining(`${MAILS_PER_DAY} e-mails today`),
    });
    world.test.advance(DAY);
    await world.look();
    expect((await world.sent()).map(({ to }) => to)).toEqual(['ann@example.com', 'bob@example.com']);
    expect(await told()).toEqual(['first.example.com']);
    expect(await world.lastRun(others.id)).toMatchObject({ status: 'success', error: null });
  });

  it('sends a limited number of e-mails a day for all projects of an organization', async () => {
    const { pool } = world.test.coffer;
    const subject = `mails:organization:${world.test.organizationId}`;
    const used = (uses: number) =>
      pool.query(
        'insert into daily_counts values ($1, $2, $3) on conflict (subject) do update set uses = excluded.uses',
        [...[subject, world.test.coffer.now(), uses]],
      );
    await used(MAILS_OF_ORGANIZATION);
    await world.make({ channels: [email('ann@example.com')] });
    await world.soon('first.example.com');
    await world.look();
    expect(await world.sent()).toEqual([]);
    await used(0);
    await world.look();
    expect((await world.sent()).map(({ to }) => to)).toEqual(['ann@example.com']);
  });

  it('goes on in another job where comparing takes long', async () => {
    for (const name of ['one', 'two', 'three']) await world.soon(`${name}.example.com`);
    const { id: alertId } = await world.make({ enabled: false, channels: [world.hook()] });
    await world.test.coffer.pool.query('update pki_alerts set enabled = true where id = $1', [alertId]);
    const { organizationId } = world.test;
    const ctx = world.test.coffer.contextFor({ type: 'platform', organizationId });
    let time = performance.now();
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => (time += 3_000));
    try {
      await evaluateAlert.run(ctx, { organizationId, alertId }, {} as never);
    } finally {
      clock.mockRestore();
    }
    const calls = await world.called();
    expect(calls.length).toBeGreaterThan(1);
    const names: string[] = calls.flatMap(({ body }) =>
      body.certificates.map((one: { commonName: string }) => one.commonName),
    );
    expect(names.toSorted()).toEqual(['one.example.com', 'three.example.com', 'two.example.com']);
  });

  it('goes on where it was, also if it is to begin again meanwhile', async () => {
    for (const name of ['one', 'two', 'three']) await world.soon(`${name}.example.com`);
    const { id: alertId } = await world.make({ enabled: false, channels: [world.hook()] });
    const { organizationId, coffer } = world.test;
    await coffer.pool.query('update pki_alerts set enabled = true where id = $1', [alertId]);
    const after = { at: new Date(0).toISOString(), id: alertId };
    await coffer.pool.query(
      `select graphile_worker.add_job('pki_alert.evaluate', json_build_object('organizationId', $2::text, 'alertId', $1::text, 'after', $3::json),
         job_key := 'pki_alert_rest:' || $1, run_at := now() + interval '1 day')`,
      [alertId, organizationId, JSON.stringify(after)],
    );
    const evaluate = (rest: object) =>
      evaluateAlert.run(
        coffer.contextFor({ type: 'platform', organizationId }),
        { organizationId, alertId, ...rest },
        {} as never,
      );
    await evaluate({});
    expect(await world.called()).toEqual([]);
    await evaluate({ after });
    expect(await world.called()).toHaveLength(1);
  });

  it('notifies each recipient once under concurrent evaluations', async () => {
    await world.soon();
    const { id: alertId } = await world.make({ enabled: false, channels: [world.hook()] });
    await world.test.coffer.pool.query('update pki_alerts set enabled = true where id = $1', [alertId]);
    const { organizationId } = world.test;
    const looks = [1, 2, 3].map(() => {
      const ctx = world.test.coffer.contextFor({ type: 'platform', organizationId });
      return evaluateAlert.run(ctx, { organizationId, alertId }, {} as never);
    });
    await Promise.all(looks);
    expect(await world.called()).toHaveLength(1);
  });

  it('renewed and revoked certificates are not reported any more', async () => {
    const [renewed, revoked] = [
      await world.of.issue(world.ca.id, { ttl: '60d' }),
      await world.of.issue(world.ca.id, { ttl: '60d' }),
    ];
    await world.of.issue(world.ca.id, { ttl: '60d', commonName: 'left.example.com', altNames: 'left.example.com' });
    await world.make({ channels: [world.hook()] });
    expect(await told()).toEqual([]);
    world.test.advance(40 * DAY);
    const { serialNumber } = await renew(renewed);
    await world.of.revoke(revoked);
    await world.look();
    expect(await told()).toEqual(['left.example.com']);
    // A revoked renewal does not count.
    ok(await admin('POST', `/api/v1/pki/certificates/${serialNumber}/revoke`, { revocationReason: 'SUPERSEDED' }));
    await world.look();
    expect(await told('serialNumber')).toEqual([renewed.serialNumber]);
  });

  it('a waiting message omits certificates that were renewed, revoked or deleted meanwhile', async () => {
    const [renewed, revoked, deleted] = [await world.soon(), await world.soon(), await world.soon()];
    await world.soon('left.example.com');
    world.receiver.answer((_req, res) => res.writeHead(503).end());
    await world.make({ channels: [world.hook()] });
    const [attempt] = await world.called();
    expect(attempt!.body.total).toBe(4);
    await renew(renewed, { ttl: '90d' });
    await world.of.revoke(revoked);
    ok(await admin('DELETE', `/api/v1/pki/certificates/${deleted.serialNumber}`));
    await world.tryAgain();
    const [again, ...others] = await world.called();
    expect(others).toEqual([]);
    expect(again!.headers['idempotency-key']).toBe(attempt!.headers['idempotency-key']);
    expect(again!.body.total).toBe(1);
    expect(again!.body.certificates).toMatchObject([{ commonName: 'left.example.com' }]);
    world.receiver.answer();
    await world.of.revoke(again!.body.certificates[0]);
    await world.tryAgain();
    expect(await world.called()).toEqual([]);
  });

  it('sends nothing while disabled, and what it has missed when it is enabled', async () => {
    await world.soon();
    const made = await world.make({ enabled: false });
    await world.look();
    expect(await world.sent()).toEqual([]);
    await change(made.id, { enabled: true });
    expect(await world.sent()).toHaveLength(1);
  });

  it('sends nothing while disabled, also of retries', async () => {
    await world.soon();
    world.receiver.answer((_req, res) => res.writeHead(503).end());
    const made = await world.make({ channels: [world.hook()] });
    expect(await world.called()).toHaveLength(1);
    world.receiver.answer();
    await change(made.id, { enabled: false });
    await world.tryAgain();
    expect(await world.called()).toEqual([]);
  });

  it('notifies the current recipients', async () => {
    await world.soon();
    const made = await world.make({ enabled: false, channels: [email('ann@example.com')] });
    const channels = [{ ...email('bob@example.com'), id: made.channels[0].id }];
    await change(made.id, { enabled: true, channels });
    expect((await world.sent()).map(({ to }) => to)).toEqual(['bob@example.com']);
  });
});

describe('an alert is about', () => {
  const saying = (field: string, operator: string, value: unknown) => ({ field, operator, value });

  it('certificates that match all of its filters', async () => {
    for (const name of ['www.example.com', 'api.example.com', 'www.example.org']) await world.soon(name);
    await world.soon(undefined, { commonName: 'nobody', altNames: '' });
    await world.soon(undefined, { commonName: 'service', altNames: 'https://example.com/a' });
    const expected: [object[], string[]][] = [
      [[saying('common_name', 'equals', 'WWW.example.com')], ['www.example.com']],
      [[saying('common_name', 'starts_with', 'www.')], ['www.example.com', 'www.example.org']],
      [[saying('common_name', 'ends_with', ['.org', '.net'])], ['www.example.org']],
      [[saying('common_name', 'contains', 'api')], ['api.example.com']],
      [[saying('san', 'matches', '*.example.com')], ['api.example.com', 'www.example.com']],
      [[saying('san', 'equals', 'https://example.com/a')], ['service']],
      [[saying('san', 'matches', '*')], ['api.example.com', 'service', 'www.example.com', 'www.example.org']],
      [[saying('san', 'matches', '*.example.com'), saying('common_name', 'contains', 'w.')], ['www.example.com']],
      [[saying('profile_name', 'contains', 'a')], []],
    ];
    for (const [n, [filters]] of expected.entries())
      await world.make({ name: `n-${n}`, filters, channels: [world.hook()] });
    const calls = new Map((await world.called()).map(({ body }) => [body.alert.name as string, body.certificates]));
    const names = expected.map(([filters], n) => [
      filters,
      (calls.get(`n-${n}`) ?? []).map(({ commonName }: { commonName: string }) => commonName).toSorted(),
    ]);
    expect(names).toEqual(expected);
  });

  it('authorities if a filter includes them, unless their own certificate is revoked', async () => {
    const { projectId } = world.of;
    const notAfter = new Date(world.test.coffer.now().getTime() + 100 * DAY).toISOString();
    const intermediate = async (name: string) => {
      const configuration = {
        type: 'intermediate',
        parentCaId: world.ca.id,
        commonName: name,
        keyAlgorithm: 'EC_prime256v1',
      };
      const path = '/api/v1/cert-manager/ca/internal';
      const body = { projectId, name, configuration: { ...configuration, notAfter } };
      const { id } = ok(await admin('POST', path, body));
      return ok(await admin('GET', `${path}/${id}/certificate`)).serialNumber as string;
    };
    await intermediate('good');
    const serialNumber = await intermediate('revoked');
    ok(await admin('POST', `/api/v1/pki/certificates/${serialNumber}/revoke`, { revocationReason: 'UNSPECIFIED' }));
    await world.soon('leaf.example.com');
    await world.make({ alertBefore: '200d', channels: [world.hook()] });
    expect(await told()).toEqual(['leaf.example.com']);
    const filters = [saying('include_cas', 'equals', true)];
    await world.make({ name: 'all', alertBefore: '200d', channels: [world.hook()], filters });
    expect(await told()).toEqual(['good', 'leaf.example.com']);
  });

  it('later issuances, renewals and revocations, if it is of that kind', async () => {
    const before = await world.of.issue(world.ca.id);
    for (const eventType of ['issuance', 'renewal', 'revocation'])
      await world.make({ name: eventType, eventType, channels: [world.hook()] });
    expect(await world.called()).toEqual([]);
    const leaf = await world.of.issue(world.ca.id);
    const renewed = await renew(leaf);
    await world.of.revoke(before);
    await world.look();
    const calls = (await world.called()).map(({ body }) => [
      body.event,
      body.certificates.map(({ serialNumber }: { serialNumber: string }) => serialNumber),
    ]);
    expect(Object.fromEntries(calls)).toEqual({
      'certificate.issuance': [leaf.serialNumber],
      'certificate.renewal': [renewed.serialNumber],
      'certificate.revocation': [before.serialNumber],
    });
    await world.look();
    expect(await world.called()).toEqual([]);
  });

  it('issuances of external authorities too, and no imports', async () => {
    const { coffer, organizationId } = world.test;
    const place = { organizationId, projectId: world.of.projectId };
    const credentials = { method: 'api-key', apiKey: 'a-key' } as never;
    const connection = await makeConnection(coffer, { ...place, app: 'digicert', name: 'd', credentials });
    const external = { ...place, connectionId: connection.id, type: 'digicert', name: 'elsewhere' } as const;
    const { id } = await makeExternalAuthority(coffer, { ...external, configuration: {} });
    await world.make({ name: 'issuance', eventType: 'issuance', channels: [world.hook()] });
    await world.settled();
    const [ordered, imported] = [await world.of.issue(world.ca.id), await world.of.issue(world.ca.id)];
    for (const [certificate, externalCaId, source] of [
      [ordered, id, 'issue'],
      [imported, null, 'import'],
    ] as const)
      await coffer.pool.query(
        `update certificates set external_ca_id = $1, ca_id = null, ca_key_id = null, ca_certificate_id = null, source = $3
         where id = $2`,
        [externalCaId, certificate.id, source],
      );
    await world.look();
    expect(await told('serialNumber')).toEqual([ordered.serialNumber]);
  });

  it('the contents of its collection, if it is a legacy alert, and nothing else', async () => {
    const { projectId } = world.of;
    const pkiCollectionId = ok(await admin('POST', COLLECTIONS, { projectId, name: 'Web' })).id;
    await world.soon('out.example.com');
    await world.soon('in.example.com', { pkiCollectionId });
    const older = {
      projectId,
      pkiCollectionId,
      name: 'Ends',
      alertBeforeDays: 30,
      emails: ['ann@example.com'],
    };
    ok(await admin('POST', LEGACY_ALERTS, older));
    const messages = await world.sent();
    expect(messages.map(({ to }) => to)).toEqual(['ann@example.com']);
    expect(messages[0]!.text).toContain('in.example.com');
    expect(messages[0]!.text).not.toContain('out.example.com');
  });
});
