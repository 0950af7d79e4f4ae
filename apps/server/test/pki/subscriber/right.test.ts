import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ok } from '../../harness/certificates.ts';
import { Subscribers, SUBSCRIBERS, subscriberUrl } from '../../harness/subscribers.ts';
import { testServer, type TestServer } from '../../harness/test-server.ts';

let test: TestServer;
let of: Subscribers;
let projectId: string;
beforeAll(async () => {
  test = await testServer();
  of = await Subscribers.in(test);
  ({ projectId } = of);
});
afterAll(() => test.close());

const who = (...rules: object[]) => test.identity({ projectId, rules: rules as never });
const may = (action: string | string[], conditions?: object) => ({ subject: 'pki-subscribers', action, conditions });

describe('rights to subscribers', () => {
  const everything = (name: string): [method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, body?: object][] => [
    ['GET', `${subscriberUrl(name)}?projectId=${projectId}`],
    ['GET', `${subscriberUrl(name, '/certificates')}?projectId=${projectId}`],
    ['GET', `${subscriberUrl(name, '/latest-certificate-bundle')}?projectId=${projectId}`],
    ['POST', subscriberUrl(name, '/issue-certificate'), { projectId }],
    ['POST', subscriberUrl(name, '/order-certificate'), { projectId }],
    ['POST', subscriberUrl(name, '/sign-certificate'), { projectId, csr: 'x' }],
    ['PATCH', subscriberUrl(name), { projectId, ttl: '1d' }],
    ['DELETE', subscriberUrl(name), { projectId }],
  ];

  it('are refused without a token, a membership or a role', async () => {
    const { name } = await of.create();
    const [{ call: foreign }, { call: member }] = [await test.foreign(), await who()];
    for (const [method, url, body] of everything(name)) {
      const unknown = url.replace(name, 'no-such-subscriber');
      expect([url, (await test.as()(method, url, body)).status]).toEqual([url, 401]);
      const answer = await foreign(method, url, body);
      expect([url, answer.status]).toEqual([url, 404]);
      const { message, error } = (await test.admin(method, unknown, body)).body;
      expect(answer.body).toMatchObject({ message, error });
      // Its existence is not disclosed either.
      for (const asked of [url, unknown])
        expect([asked, (await member(method, asked, body)).status]).toEqual([asked, 403]);
    }
    expect((await member('POST', SUBSCRIBERS, of.wanted())).status).toBe(403);
    expect((await foreign('POST', SUBSCRIBERS, of.wanted())).status).toBe(404);
    const all = `/api/v1/projects/${projectId}/pki-subscribers`;
    expect([(await foreign('GET', all)).status, (await test.as()('GET', all)).status]).toEqual([404, 401]);
  });

  it('are separate for each operation, for some names', async () => {
    const { name } = await of.create({ name: 'mine-a' });
    await of.create({ name: 'yours-a' });
    const mine = { name: { $glob: 'mine-*' } };
    const { call: reader } = await who(may('read', mine));
    const all = `/api/v1/projects/${projectId}/pki-subscribers`;
    expect(ok(await reader('GET', all)).subscribers.map((one: { name: string }) => one.name)).toEqual([name]);
    expect((await of.issue(name, reader)).status).toBe(403);
    const { call: editor } = await who(may(['read', 'edit'], mine));
    expect((await editor('PATCH', subscriberUrl(name), { projectId, name: 'yours-b' })).status).toBe(403);
    ok(await editor('PATCH', subscriberUrl(name), { projectId, ttl: '20d' }));
    const { call: issuer } = await who(may('issue-cert', mine));
    ok(await of.issue(name, issuer));
    expect((await of.issue('yours-a', issuer)).status).toBe(403);
    const bundle = `${subscriberUrl(name, '/latest-certificate-bundle')}?projectId=${projectId}`;
    const { call: lister } = await who(may('list-certs', mine));
    expect(ok(await lister('GET', `${subscriberUrl(name, '/certificates')}?projectId=${projectId}`)).totalCount).toBe(
      1,
    );
    expect((await lister('GET', bundle)).status).toBe(403);
    const { call: owner } = await who(may('list-certs', mine), { subject: 'certificates', action: 'read-private-key' });
    ok(await owner('GET', bundle));
  });

  it('yield to a rule that forbids the certificate itself', async () => {
    const { name } = await of.create();
    ok(await of.issue(name));
    const conditions = { altNames: { $glob: '*.example.com' } };
    const forbidding = (action: string) => ({ subject: 'certificates', action, inverted: true, conditions });
    const { call } = await who(may(['issue-cert', 'list-certs']), forbidding('create'), forbidding('read'));
    expect((await of.issue(name, call)).status).toBe(403);
    expect(ok(await call('GET', `${subscriberUrl(name, '/certificates')}?projectId=${projectId}`)).totalCount).toBe(0);
  });

  it('to enable auto-renewal include the right to issue', async () => {
    const renewing = { enableAutoRenewal: true, autoRenewalPeriodInDays: 5 };
    // To issue the same by the authority is another right: it may issue by subscribers alone.
    const { call } = await who(may(['read', 'create', 'edit']), { subject: 'certificates', action: 'create' });
    expect((await call('POST', SUBSCRIBERS, of.wanted(renewing))).status).toBe(403);
    const { name } = await of.create(renewing);
    expect((await call('PATCH', subscriberUrl(name), { projectId, commonName: 'evil.example.com' })).status).toBe(403);
    ok(await call('PATCH', subscriberUrl(name), { projectId, status: 'disabled' }));
    expect((await call('PATCH', subscriberUrl(name), { projectId, status: 'active' })).status).toBe(403);
    ok(
      await call('PATCH', subscriberUrl(name), {
        projectId,
        enableAutoRenewal: false,
        commonName: 'other.example.com',
      }),
    );
  });
});
