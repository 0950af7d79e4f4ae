import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ALERTS, alertBody, AlertWorld, COLLECTIONS, LEGACY_ALERTS } from '../harness/alerts.ts';
import { CA, Certificates, createAuthority, DAY, nameOf, ok, ordered, V1 } from '../harness/certificates.ts';
import { PASSPHRASE, PROFILES, TEMPLATES } from '../harness/est.ts';
import type { Answer, Caller } from '../harness/test-server.ts';

let world: AlertWorld;
let projectId: string;
let caId: string;
let admin: Caller;
beforeAll(async () => {
  world = await AlertWorld.open();
  world.of = await Certificates.in(world.test);
  world.ca = await world.of.authority();
  projectId = world.of.projectId;
  caId = world.ca.id;
  ({ admin } = world.test);
});
afterAll(() => world.close());

const who = async (...rules: object[]): Promise<Caller> =>
  (await world.test.identity({ projectId, rules: rules as never })).call;
const outcome = ({ status, body }: Answer) => (status === 200 ? 200 : [status, body.error]);

describe('attack: certificates for callers who may not issue', () => {
  const DENIED = [403, 'PermissionDenied'];
  const edit = [
    { subject: 'certificate-templates', action: ['read', 'create', 'edit'] },
    { subject: 'certificate-profiles', action: ['read', 'create', 'edit'] },
    { subject: 'certificate-authorities', action: 'read' },
    { subject: 'certificate-policies', action: 'read' },
  ];
  const issue = [
    { subject: 'certificate-templates', action: 'issue-cert' },
    { subject: 'certificate-profiles', action: 'issue-cert' },
  ];
  const OPEN = { disableBootstrapCertValidation: true };
  const OPEN_PROFILE = { disableBootstrapCaValidation: true };

  async function template(): Promise<string> {
    const names = { commonName: '.*', subjectAlternativeName: '.*', ttl: '30d' };
    return ok(await admin('POST', TEMPLATES, { caId, name: nameOf('template'), ...names })).id;
  }
  async function wanted(enrollmentType: string, more: object = {}) {
    const policy = { projectId, name: nameOf('policy') };
    const { certificatePolicy } = ok(await admin('POST', '/api/v1/cert-manager/certificate-policies', policy));
    const place = { projectId, caId, certificatePolicyId: certificatePolicy.id };
    return { ...place, slug: nameOf('profile'), enrollmentType, ...more };
  }
  const profile = async (enrollmentType: string, more: object = {}): Promise<string> =>
    ok(await admin('POST', PROFILES, await wanted(enrollmentType, more))).certificateProfile.id;
  const est = { estConfig: { ...OPEN_PROFILE, passphrase: PASSPHRASE } };

  /** Every way to enable enrollment, or to read its credentials. */
  async function ways(): Promise<[string, (call: Caller) => Promise<Answer>][]> {
    const [bare, withEst] = [await template(), await template()];
    ok(
      await admin('POST', `${TEMPLATES}/${withEst}/est-config`, { ...OPEN, passphrase: PASSPHRASE, isEnabled: false }),
    );
    const [api, acme, byEst] = [await profile('api'), await profile('acme'), await profile('est', est)];
    const bodies = [await wanted('est', { estConfig: OPEN_PROFILE }), await wanted('acme')];
    const config = `${TEMPLATES}/${withEst}/est-config`;
    const change = (id: string, body: object) => (call: Caller) => call('PATCH', `${PROFILES}/${id}`, body);
    return [
      ['a configuration of EST', (call) => call('POST', `${TEMPLATES}/${bare}/est-config`, OPEN)],
      ['its passphrase', (call) => call('PATCH', config, { rotatePassphrase: true })],
      ['whom it trusts', (call) => call('PATCH', config, OPEN)],
      ['that it counts', (call) => call('PATCH', config, { isEnabled: true })],
      ['a profile of EST', (call) => call('POST', PROFILES, bodies[0])],
      ['a profile of ACME', (call) => call('POST', PROFILES, bodies[1])],
      ['its passphrase', change(byEst, { estConfig: { rotatePassphrase: true } })],
      ['ACME without an external key', change(acme, { acmeConfig: { skipEabBinding: true } })],
      ['a profile turned to EST', change(api, { enrollmentType: 'est', estConfig: OPEN_PROFILE })],
      ['the external key', (call) => call('GET', `${PROFILES}/${acme}/acme/eab-secret/reveal`)],
    ];
  }

  it('sets a passphrase or sees an external key, where issuing itself is forbidden or allowed for some names', async () => {
    const create = { subject: 'certificates', action: 'create' };
    const some = { conditions: { commonName: 'open.example.com' } };
    const callers: [string, Caller][] = [
      ['edits alone', await who(...edit)],
      ['may create some', await who(...edit, { ...create, ...some })],
      ['is forbidden to create any', await who(...edit, ...issue, { ...create, inverted: true })],
      ['is forbidden to create one', await who(...edit, ...issue, { ...create, inverted: true, ...some })],
    ];
    for (const [way, go] of await ways())
      for (const [name, call] of callers) expect([way, name, outcome(await go(call))]).toEqual([way, name, DENIED]);
  });

  /** A caller who may do everything for an hour. */
  async function temporaryAdmin(): Promise<Caller> {
    const { id, call } = await world.test.identity({ projectId, projectRole: 'admin' });
    const now = world.test.coffer.now().toISOString();
    const window = { isTemporary: true, temporaryMode: 'relative', temporaryAccessStartTime: now };
    const roles = [
      { role: 'no-access', isTemporary: false },
      { role: 'admin', ...window, temporaryRange: '1h' },
    ];
    ok(await admin('PATCH', `/api/v1/projects/${projectId}/memberships/identities/${id}`, { roles }));
    return call;
  }

  it('has certificates renewed by themselves after the right to issue has ended', async () => {
    const call = await temporaryAdmin();
    const REFUSED = [403, 'PermissionBoundaryError'];
    const { id } = await world.of.issue(caId);
    const configure = (as: Caller) =>
      as('PATCH', `/api/v1/cert-manager/certificates/${id}/config`, { enableAutoRenewal: true });
    expect(outcome(await configure(call))).toEqual(REFUSED);
    const usages = { keyUsages: ['digitalSignature'], extendedKeyUsages: ['serverAuth'] };
    const subscriber = (name: string) => ({
      ...{ projectId, name, caId, commonName: `${name}.example.com`, status: 'active', ttl: '30d', ...usages },
      subjectAlternativeNames: [`${name}.example.com`],
    });
    const renewing = { enableAutoRenewal: true, autoRenewalPeriodInDays: 7 };
    const create = (as: Caller, more: object) =>
      as('POST', '/api/v1/pki/subscribers', { ...subscriber(nameOf('subscriber')), ...more });
    expect(outcome(await create(call, renewing))).toEqual(REFUSED);
    const { name } = ok(await create(call, {}));
    const path = `/api/v1/pki/subscribers/${name}`;
    expect(outcome(await call('PATCH', path, { projectId, ...renewing }))).toEqual(REFUSED);
    const root = await world.of.authority();
    const configuration = { type: 'intermediate', parentCaId: root.id };
    const below = await createAuthority(admin, { projectId, configuration });
    const renewAuthorities = [root.id, below.id].map(
      (authority) => (as: Caller) => as('PATCH', `${CA}/${authority}/auto-renewal`, { enableAutoRenewal: true }),
    );
    for (const renew of renewAuthorities) expect(outcome(await renew(call))).toEqual(REFUSED);
    // Issuing once is what the right is for.
    ok(await call('POST', `${path}/issue-certificate`, { projectId }));
    const lasting = await who(
      { subject: 'pki-subscribers', action: ['read', 'create', 'edit', 'issue-cert'] },
      { subject: 'certificates', action: ['read', 'create', 'edit'] },
      { subject: 'certificate-authorities', action: ['read', 'renew', 'sign-intermediate'] },
    );
    ok(await configure(lasting));
    for (const renew of renewAuthorities) ok(await renew(lasting));
    ok(await lasting('PATCH', path, { projectId, ...renewing }));
  });

  it('does it while the right to issue lasts, and enrols after its end', async () => {
    const call = await temporaryAdmin();
    for (const [way, go] of await ways())
      expect([way, outcome(await go(call))]).toEqual([way, [403, 'PermissionBoundaryError']]);
  });

  it('is what those may do who may issue, and anybody who edits may end it', async () => {
    const issuer = await who(...edit, ...issue);
    for (const [way, go] of await ways()) expect([way, outcome(await go(issuer))]).toEqual([way, 200]);
    const creator = await who(...edit, { subject: 'certificates', action: 'create' });
    for (const [way, go] of await ways()) expect([way, outcome(await go(creator))]).toEqual([way, 200]);
    const [id, byEst] = [await template(), await profile('est', est)];
    ok(await admin('POST', `${TEMPLATES}/${id}/est-config`, OPEN));
    const editor = await who(...edit);
    ok(await editor('PATCH', `${TEMPLATES}/${id}/est-config`, { isEnabled: false }));
    ok(await editor('PATCH', `${PROFILES}/${byEst}`, { enrollmentType: 'api' }));
  });
});

describe('attack: disabling authorities by what they work with', () => {
  const certificates = { subject: 'certificates', action: ['read', 'delete'] };
  const authorities = (action: string | string[], conditions?: object) => ({
    subject: 'certificate-authorities',
    action,
    ...(conditions && { conditions }),
  });

  /** An authority below an own one, and one below that. */
  async function chain() {
    const root = await world.of.authority();
    const below = async (parentCaId: string) => {
      const configuration = { type: 'intermediate', parentCaId };
      const { id, name, configuration: made } = await createAuthority(admin, { projectId, configuration });
      return { id: id as string, name: name as string, serialNumber: made.serialNumber as string };
    };
    const first = await below(root.id);
    return { root, first, second: await below(first.id) };
  }
  const statusOf = async (...ids: string[]) =>
    Promise.all(ids.map(async (id) => ok(await admin('GET', `${CA}/${id}`)).status));

  it('revokes or deletes the certificate of an authority without the right to edit it and what works below it', async () => {
    const { root, first, second } = await chain();
    const url = `${V1}/${first.serialNumber}`;
    const callers = [
      await who(certificates),
      await who(certificates, authorities(['edit', 'read'], { name: first.name })),
      await who(certificates, authorities(['edit', 'read'], { name: second.name })),
    ];
    for (const call of callers) {
      for (const revocationReason of ['KEY_COMPROMISE', 'SUPERSEDED'])
        expect((await call('POST', `${url}/revoke`, { revocationReason })).status).toBe(403);
      expect((await call('DELETE', url)).status).toBe(403);
    }
    const eve = await who(authorities('delete'), authorities('edit', { name: first.name }));
    expect((await eve('DELETE', `${CA}/${root.id}`)).status).toBe(403);
    expect(await statusOf(root.id, first.id, second.id)).toEqual(['active', 'active', 'active']);
    expect(ok(await admin('GET', url)).certificate.status).toBe('active');
    ok(await admin('POST', `/api/v1/pki/ca/${second.id}/issue-certificate`, ordered()));
    const operator = await who(certificates, authorities('edit'));
    ok(await operator('POST', `${url}/revoke`, { revocationReason: 'KEY_COMPROMISE' }));
    expect(await statusOf(root.id, first.id, second.id)).toEqual(['active', 'disabled', 'disabled']);
  });
});

describe('attack: banning the key of another user', () => {
  it('has the request of an authority in another project certified, and revokes that as compromised', async () => {
    const victim = (await world.test.project()).id;
    const root = await new Certificates(world.test, victim).authority();
    const configuration = { type: 'intermediate', parentCaId: root.id };
    const { id } = await createAuthority(admin, { projectId: victim, configuration });
    const { csr } = ok(await admin('GET', `${CA}/${id}/csr`));
    const { call: eve } = await world.test.identity({ projectId, projectRole: 'admin' });
    const notAfter = new Date(world.test.coffer.now().getTime() + 300 * DAY).toISOString();
    const { serialNumber } = ok(await eve('POST', `${CA}/${caId}/sign-intermediate`, { csr, notAfter }));
    ok(await eve('POST', `${V1}/${serialNumber}/revoke`, { revocationReason: 'KEY_COMPROMISE' }));
    expect((await eve('POST', `${CA}/${caId}/sign-intermediate`, { csr, notAfter })).status).toBe(400);
    ok(await admin('POST', `${CA}/${id}/renew`, { type: 'existing', notAfter }));
  });
});

describe('attack: an alert that discloses what its creator may not read', () => {
  const alerts = { subject: 'pki-alerts', action: ['read', 'create', 'edit'] };
  const read = (commonName: string) => ({ subject: 'certificates', action: 'read', conditions: { commonName } });
  const named = (calls: Awaited<ReturnType<AlertWorld['called']>>) =>
    calls.flatMap(({ body }) => body.certificates.map((one: { commonName: string }) => one.commonName));
  const filters = [{ field: 'include_cas', operator: 'equals', value: true }];
  const wanted = () => alertBody(world.of.projectId, { alertBefore: '10y', channels: [world.hook()], filters });

  it('covers all of the project including its authorities, and continues when its creator loses the rights', async () => {
    await world.begin();
    for (const name of ['open.example.com', 'hidden.example.com']) await world.soon(name);
    const rules = [alerts, read('open.example.com')];
    const { id, call } = await world.test.identity({ projectId: world.of.projectId, rules });
    const { alert } = ok(await call('POST', ALERTS, wanted()));
    const [message, ...others] = await world.called();
    expect([named([message!]), message!.body.total, others]).toEqual([['open.example.com'], 1, []]);

    // Waiting messages are checked again before they are sent.
    world.receiver.answer((_req, res) => res.writeHead(503).end());
    await world.soon('open.example.com');
    await world.look();
    expect(named(await world.called())).toEqual(['open.example.com']);
    const role = { roles: [{ role: 'no-access', isTemporary: false }] };
    ok(await admin('PATCH', `/api/v1/projects/${world.of.projectId}/memberships/identities/${id}`, role));
    world.receiver.answer();
    await world.tryAgain();
    await world.soon('open.example.com');
    await world.look();
    expect(await world.called()).toEqual([]);
    const { lastRun } = ok(await admin('GET', `${ALERTS}/${alert.id}`)).alert;
    expect(lastRun).toMatchObject({ status: 'failed', error: expect.stringContaining('has to save it again') });

    // From then on it runs as the actor who saved it.
    ok(await admin('PATCH', `${ALERTS}/${alert.id}`, { description: 'Ours now', filters }));
    expect(named(await world.called())).toContain('hidden.example.com');
    expect((await world.lastRun(alert.id)).status).toBe('success');
  });

  it('is about a collection that its creator may no longer read, for what is found then and what waits', async () => {
    await world.begin();
    const project = world.of.projectId;
    const pkiCollectionId = ok(await admin('POST', COLLECTIONS, { projectId: project, name: 'collection' }))
      .id as string;
    const item = async () => {
      const itemId = (await world.soon('open.example.com')).id;
      ok(await admin('POST', `${COLLECTIONS}/${pkiCollectionId}/items`, { type: 'certificate', itemId }));
    };
    await item();
    const { id, call } = await world.test.identity({
      projectId: project,
      rules: [alerts, read('open.example.com'), { subject: 'pki-collections', action: 'read' }],
    });
    const older = { projectId: project, name: nameOf('alert'), pkiCollectionId, alertBeforeDays: 30 };
    const alert = ok(await call('POST', LEGACY_ALERTS, { ...older, emails: ['ops@example.com'] }));
    ok(await call('PATCH', `${ALERTS}/${alert.id}`, { channels: [world.hook()] }));
    await world.called();
    await item();
    await world.look();
    expect(named(await world.called())).toEqual(['open.example.com']);

    world.receiver.answer((_req, res) => res.writeHead(503).end());
    await item();
    await world.look();
    expect(named(await world.called())).toEqual(['open.example.com']);
    const forbidden = { subject: 'pki-collections', action: ['read'], inverted: true };
    const privilege = { identityId: id, projectId: project, slug: 'no-collections', permissions: [forbidden] };
    const PRIVILEGES = '/api/v2/identity-project-additional-privilege';
    ok(await admin('POST', PRIVILEGES, { ...privilege, type: { isTemporary: false } }));
    world.receiver.answer();
    await world.tryAgain();
    await item();
    await world.look();
    expect(await world.called()).toEqual([]);
    expect(await world.lastRun(alert.id)).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('the collection that it is about'),
    });
  });

  it('gets the rights of an administrator who renames, describes or disables it', async () => {
    await world.begin();
    for (const name of ['open.example.com', 'hidden.example.com']) await world.soon(name);
    const { call } = await world.test.identity({
      projectId: world.of.projectId,
      rules: [alerts, read('open.example.com')],
    });
    const { alert } = ok(await call('POST', ALERTS, wanted()));
    expect(named(await world.called())).toEqual(['open.example.com']);
    const change = async (by: typeof admin, changes: object) =>
      void ok(await by('PATCH', `${ALERTS}/${alert.id}`, changes));
    for (const changes of [{ name: 'renamed' }, { description: 'Of them' }, { name: 'off', enabled: false }])
      await change(admin, changes);
    expect(named(await world.called())).toEqual([]);
    await change(call, { enabled: true });
    await world.look();
    expect(named(await world.called())).not.toContain('hidden.example.com');
    // A change of its recipients is of what it does.
    await change(admin, { channels: [world.hook()] });
    expect(named(await world.called())).toContain('hidden.example.com');
  });
});

describe('attack: an authority, a policy or a collection that the caller may not read', () => {
  const SUBSCRIBERS = '/api/v1/pki/subscribers';
  const [authorities, policies, collections] = ['certificate-authorities', 'certificate-policies', 'pki-collections'];
  const made = {
    [authorities]: async (): Promise<string> => (await new Certificates(world.test, projectId).authority()).id,
    [policies]: async (): Promise<string> =>
      ok(await admin('POST', '/api/v1/cert-manager/certificate-policies', { projectId, name: nameOf('policy') }))
        .certificatePolicy.id,
    [collections]: async (): Promise<string> =>
      ok(await admin('POST', COLLECTIONS, { projectId, name: nameOf('collection'), description: '' })).id,
  };
  const binding = ['certificate-profiles', 'certificate-templates', 'pki-subscribers', 'pki-alerts'].map((subject) => ({
    subject,
    action: ['read', 'create', 'edit'],
  }));
  const holder = (...subjects: string[]) =>
    who(...binding, ...['certificates', ...subjects].map((subject) => ({ subject, action: 'read' })));

  interface Bound {
    readonly what: string;
    readonly url: string;
    readonly body: () => object;
    /** What is bound: its field, and its kind. */
    readonly fields: readonly (readonly [field: string, subject: string])[];
    readonly pathOf: (body: Answer['body']) => string;
    /** Of a caller who may not read what was bound before, and saves the same again. */
    readonly again: 200 | 403;
  }
  const bound: readonly Bound[] = [
    {
      what: 'a profile',
      url: PROFILES,
      body: () => ({ projectId, slug: nameOf('profile'), enrollmentType: 'api' }),
      fields: [
        ['caId', authorities],
        ['certificatePolicyId', policies],
      ],
      pathOf: ({ certificateProfile }) => `${PROFILES}/${certificateProfile.id}`,
      again: 200,
    },
    {
      what: 'a template',
      url: TEMPLATES,
      body: () => ({ name: nameOf('template'), commonName: '.*', subjectAlternativeName: '.*', ttl: '30d' }),
      fields: [['caId', authorities]],
      pathOf: ({ id }) => `${TEMPLATES}/${id}`,
      again: 200,
    },
    {
      what: 'a subscriber',
      url: SUBSCRIBERS,
      body: () => ({ projectId, name: nameOf('subscriber'), commonName: 'app.example.com' }),
      fields: [['caId', authorities]],
      pathOf: ({ name }) => `${SUBSCRIBERS}/${name}`,
      again: 200,
    },
    {
      what: 'an alert',
      url: LEGACY_ALERTS,
      body: () => ({ projectId, name: nameOf('alert'), alertBeforeDays: 7, emails: ['ann@example.com'] }),
      fields: [['pkiCollectionId', collections]],
      pathOf: ({ id }) => `${LEGACY_ALERTS}/${id}`,
      again: 403,
    },
  ];
  it.each(bound)('is bound to $what', async ({ url, body, fields, pathOf, again }) => {
    const ids: Record<string, string> = {};
    for (const [field, subject] of fields) ids[field] = await made[subject]!();
    const needed = fields.map(([, subject]) => subject);
    const whole = await holder(...needed);
    const path = pathOf(ok(await whole('POST', url, { ...body(), ...ids })));
    for (const [field, subject] of fields) {
      const call = await holder(...needed.filter((one) => one !== subject));
      expect((await call('POST', url, { ...body(), ...ids })).status).toBe(403);
      const other = { projectId, [field]: await made[subject]!() };
      expect((await call('PATCH', path, other)).status).toBe(403);
      expect((await call('PATCH', path, { projectId, ...ids })).status).toBe(again);
      ok(await whole('PATCH', path, other));
      ok(await whole('PATCH', path, { projectId, ...ids }));
    }
  });
  it('has an alert about it tell somebody who may not read it, who changes whom or what it tells', async () => {
    const about = { projectId, name: nameOf('alert'), alertBeforeDays: 7, emails: ['ann@example.com'] };
    const pkiCollectionId = await made[collections]!();
    const { id } = ok(await admin('POST', LEGACY_ALERTS, { ...about, pkiCollectionId }));
    const call = await holder();
    const [legacy, newer] = [`${LEGACY_ALERTS}/${id}`, `${ALERTS}/${id}`];
    expect(outcome(await call('PATCH', legacy, { emails: ['eve@example.com'] }))).toEqual([403, 'PermissionDenied']);
    for (const changes of [{ channels: [world.hook()] }, { alertBefore: '10y' }, { enabled: true }])
      expect(outcome(await call('PATCH', newer, changes))).toEqual([403, 'PermissionDenied']);
    ok(await call('PATCH', legacy, { name: nameOf('renamed') }));
    ok(await call('PATCH', newer, { enabled: false }));
    ok(await (await holder(collections))('PATCH', legacy, { emails: ['bob@example.com'] }));
  });
});
