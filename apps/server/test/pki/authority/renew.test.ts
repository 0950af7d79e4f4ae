import { randomUUID } from 'node:crypto';
import { enqueueEnding, renewAuthorityJob, signerOf, signerOfKey } from '@coffer/domain';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { Authorities, SERIAL_NUMBER } from '../../harness/authorities.ts';
import { CA, createAuthority, DAY, ok } from '../../harness/certificates.ts';
import { TIME, UUID } from '../../harness/folder-tree.ts';
import { verify } from '../../harness/openssl.ts';
import { testServer, type Answer, type Caller, type TestServer } from '../../harness/test-server.ts';

let test: TestServer;
let of: Authorities;
beforeAll(async () => {
  test = await testServer();
  of = await Authorities.in(test);
});
afterAll(() => test.close());

const SERIAL = expect.stringMatching(SERIAL_NUMBER);

/** Whether OpenSSL accepts a certificate at a time; the validity of others is checked now. */
const isTaken = (anchor: string, leaf: string, at: Date = test.coffer.now()) =>
  verify(leaf, anchor, ['-attime', String(Math.floor(at.getTime() / 1000))]).code === 0;

describe('renewing', () => {
  it('with the same key, keeps everything below it valid and uses the new certificate in its chains', async () => {
    const root = await of.make({ notAfter: of.inDays(50) });
    const below = await of.make({ type: 'intermediate', parentCaId: root.id, notAfter: of.inDays(40) });
    const old = await of.certificateOf(root.id);
    const renewed = ok(
      await test.admin('POST', `${CA}/${root.id}/renew`, { type: 'existing', notAfter: of.inDays(900) }),
    );
    expect(renewed).toEqual({
      certificate: expect.stringContaining('BEGIN CERTIFICATE'),
      certificateChain: '',
      serialNumber: SERIAL,
    });
    expect(renewed.serialNumber).not.toBe(old.serialNumber);
    const { certificate, certificateChain } = await of.certificateOf(below.id);
    expect(certificateChain).toBe(renewed.certificate);
    for (const anchor of [old.certificate, renewed.certificate]) expect(isTaken(anchor, certificate)).toBe(true);
    const longer = ok(
      await test.admin('POST', `${CA}/${below.id}/renew`, { type: 'existing', notAfter: of.inDays(800) }),
    );
    expect(isTaken(renewed.certificate, longer.certificate, new Date(of.inDays(700)))).toBe(true);
    const versions = ok(await test.admin('GET', `${CA}/${below.id}/ca-certificates`));
    expect(versions).toEqual([
      { id: UUID, version: 1, certificate, certificateChain, serialNumber: SERIAL, notBefore: TIME, notAfter: TIME },
      { ...versions[1], version: 2, ...longer },
    ]);
    expect(await of.events(below.id)).toEqual(['created', 'signed', 'renewed']);
    const tooLong = await test.admin('POST', `${CA}/${below.id}/renew`, { type: 'existing', notAfter: of.inDays(901) });
    expect(tooLong.status).toBe(400);
  });

  /** Makes authorities, one below the other, until one is refused; returns them, and the refusal. */
  async function nest(caller: Caller, top: string, more: object = {}, most = 25) {
    const made: string[] = [top];
    const notAfter = of.inDays(40);
    for (let depth = 1; depth <= most; depth++) {
      const configuration = {
        ...{
          type: 'intermediate',
          parentCaId: made.at(-1),
          commonName: `${top} ${depth}`,
          keyAlgorithm: 'EC_prime256v1',
        },
        ...{ notAfter, ...more },
      };
      const body = { projectId: of.projectId, name: `team-${randomUUID()}`, configuration };
      const { status, body: answer } = await caller('POST', CA, body);
      if (status !== 200) return { made, refusal: [status, answer.message] };
      made.push(answer.id);
    }
    return { made, refusal: undefined };
  }
  const names = (prefix: string) =>
    Array.from({ length: 98 }, (_, n) => ({ type: 'dns', value: `${prefix}${n}.a.example` }));

  it.each([
    ['certificates', {}, 'A chain can have at most 20 certificates'],
    [
      'names',
      { nameConstraints: { permitted: names('p'), excluded: names('x') } },
      expect.stringContaining('too many'),
    ],
  ])('is kept from nobody by authorities below that others make: chains have few %s', async (_, more, message) => {
    const root = await of.make({ notAfter: of.inDays(50) });
    const first = await of.make(
      { type: 'intermediate', parentCaId: root.id, notAfter: of.inDays(45) },
      { name: `team-${randomUUID()}` },
    );
    const { call } = await test.identity({
      projectId: of.projectId,
      rules: [
        {
          subject: 'certificate-authorities',
          action: ['read', 'create', 'sign-intermediate'],
          conditions: { name: { $glob: 'team-*' } },
        },
      ],
    });
    const { made, refusal } = await nest(call, first.id, more);
    expect(refusal).toEqual([400, message]);
    const waits = ok(
      await call('POST', CA, {
        projectId: of.projectId,
        name: `team-${randomUUID()}`,
        configuration: { type: 'intermediate', commonName: 'elsewhere', keyAlgorithm: 'EC_prime256v1', ...more },
      }),
    );
    const config = { type: 'internal', parentCaId: made.at(-1), notAfter: of.inDays(39) };
    const configured = await test.admin('POST', `${CA}/${waits.id}/signing-config`, config);
    expect([configured.status, configured.body.message]).toEqual(refusal);
    const csr = await of.csrOf(waits.id);
    const signed = await call('POST', `${CA}/${made.at(-1)}/sign-intermediate`, {
      csr,
      notAfter: of.inDays(39),
      ...more,
    });
    expect([signed.status, signed.body.message]).toEqual(refusal);
    for (const [id, days] of [
      [root.id, 900],
      [first.id, 800],
    ] as const)
      ok(await test.admin('POST', `${CA}/${id}/renew`, { type: 'existing', notAfter: of.inDays(days) }));
    const { certificateChain } = await of.certificateOf(made.at(-1)!);
    for (const id of [root.id, first.id]) expect(certificateChain).toContain((await of.certificateOf(id)).certificate);
  });

  it('takes place where an authority that has others below it was moved below many', async () => {
    const root = await of.make({ notAfter: of.inDays(50) });
    const { made } = await nest(test.admin, root.id, {}, 18);
    const other = await of.make({ notAfter: of.inDays(50) });
    const { made: moved } = await nest(test.admin, other.id, {}, 4);
    const csr = await of.csrOf(moved[1]!);
    const signed = ok(
      await test.admin('POST', `${CA}/${made.at(-1)}/sign-intermediate`, { csr, notAfter: of.inDays(39) }),
    );
    ok(await test.admin('POST', `${CA}/${moved[1]}/import-certificate`, signed));
    for (const id of [moved[1]!, made[1]!, root.id])
      ok(
        await test.admin('POST', `${CA}/${id}/renew`, {
          type: 'existing',
          notAfter: of.inDays(id === root.id ? 900 : 39),
        }),
      );
    const { certificateChain } = await of.certificateOf(moved.at(-1)!);
    expect(certificateChain.match(/BEGIN/g)).toHaveLength(22);
    expect(certificateChain.endsWith((await of.certificateOf(root.id)).certificate)).toBe(true);
  });

  it('with a new key, uses that, and continues to serve the old one', async () => {
    const root = await of.make({ notAfter: of.inDays(50) });
    const ctx = of.platform();
    const before = await signerOf(ctx, root.id);
    const { certificate } = ok(
      await test.admin('POST', `${CA}/${root.id}/renew`, { type: 'new', notAfter: of.inDays(90) }),
    );
    const after = await signerOf(ctx, root.id);
    expect(after.caKeyId).not.toBe(before.caKeyId);
    expect(after.issuingCaCertificate).toBe(certificate);
    expect((await signerOfKey(ctx, before.caKeyId))?.issuer.keyId).toEqual(before.issuer.keyId);
    expect(isTaken(certificate, certificate)).toBe(true);
  });

  it('happens once for two concurrent requests', async () => {
    const root = await of.make({ notAfter: of.inDays(50) });
    const ask = () => test.admin('POST', `${CA}/${root.id}/renew`, { type: 'new', notAfter: of.inDays(90) });
    const answers = await Promise.all([ask(), ask(), ask()]);
    const done = answers.filter(({ status }) => status === 200).length;
    expect(answers.every(({ status }) => status === 200 || status === 400)).toBe(true);
    const versions = ok(await test.admin('GET', `${CA}/${root.id}/ca-certificates`));
    expect(versions).toHaveLength(1 + done);
  });

  it('of two, one above the other, at the same time, results in the current chain', async () => {
    const root = await of.make({ notAfter: of.inDays(50) });
    const below = await of.make({ type: 'intermediate', parentCaId: root.id, notAfter: of.inDays(40) });
    const last = await of.make({ type: 'intermediate', parentCaId: below.id, notAfter: of.inDays(30) });
    const renew = (id: string, days: number) =>
      test.admin('POST', `${CA}/${id}/renew`, { type: 'existing', notAfter: of.inDays(days) });
    const answers = [];
    for (const round of [1, 2, 3, 4])
      answers.push(
        ...(await Promise.all([renew(last.id, 20 + round), renew(below.id, 30 + round), renew(root.id, 50 + round)])),
      );
    const isDone = ({ status, body }: Answer) =>
      status === 200 || (status === 400 && body.message.includes('try again'));
    expect(answers.filter((answer) => !isDone(answer))).toEqual([]);
    const above = (await of.certificateOf(root.id)).certificate;
    const middle = await of.certificateOf(below.id);
    expect(middle.certificateChain).toBe(above);
    expect((await of.certificateOf(last.id)).certificateChain).toBe(`${middle.certificate}${above}`);
  });

  it('is not renewed automatically, and nothing is issued, if its certificate was revoked, until it has a new key', async () => {
    const root = await of.make({ notAfter: of.inDays(3000) });
    const below = await of.make({ type: 'intermediate', parentCaId: root.id, notAfter: of.inDays(100) });
    const url = `${CA}/${below.id}`;
    ok(await test.admin('PATCH', `${url}/auto-renewal`, { enableAutoRenewal: true }));
    expect((await signerOf(of.platform(), below.id)).caId).toBe(below.id);
    await of.revoke(below.configuration, 'CA_COMPROMISE');
    expect(ok(await test.admin('GET', url)).status).toBe('disabled');
    expect(ok(await test.admin('GET', `${CA}/${root.id}`)).status).toBe('active');
    await expect(signerOf(of.platform(), below.id)).rejects.toMatchObject({ code: 'certificate_authority.not_active' });
    expect(await of.events(below.id)).toEqual(['created', 'signed', 'updated', 'updated']);
    const leaf = { caId: below.id, commonName: 'a.example.com', altNames: 'a.example.com', ttl: '1d' };
    expect((await test.admin('POST', '/api/v1/pki/certificates/issue-certificate', leaf)).status).toBe(400);
    test.advance(80 * DAY);
    await renewAuthorityJob.run(of.platform(), { organizationId: test.organizationId, id: below.id }, {} as never);
    expect(ok(await test.admin('GET', `${url}/ca-certificates`))).toHaveLength(1);
    expect((await test.admin('PATCH', url, { status: 'active' })).body.message).toContain('new key');
    const renew = (type: string) => test.admin('POST', `${url}/renew`, { type, notAfter: of.inDays(200) });
    expect((await renew('existing')).body.message).toContain('disabled');
    const first = ok(await renew('new'));
    expect(ok(await test.admin('PATCH', url, { status: 'active' })).configuration.serialNumber).toBe(
      first.serialNumber,
    );
    // The previous certificate may be revoked, and it continues.
    ok(await renew('new'));
    await of.revoke(first);
    expect(ok(await test.admin('GET', url)).status).toBe('active');
  });

  it('is required below an authority with a revoked certificate, which issues nothing any more', async () => {
    const root = await of.make({ maxPathLength: 3, notAfter: of.inDays(3000) });
    const notAfter = of.inDays(100);
    const middle = await of.make({ type: 'intermediate', parentCaId: root.id, maxPathLength: 2, notAfter });
    const last = await of.make({ type: 'intermediate', parentCaId: middle.id, maxPathLength: 0, notAfter });
    const beside = await of.make({ type: 'intermediate', parentCaId: root.id, notAfter });
    await of.revoke(middle.configuration, 'CA_COMPROMISE');
    const leaf = { caId: last.id, commonName: 'a.example.com', altNames: 'a.example.com', ttl: '1d' };
    const issue = () => test.admin('POST', '/api/v1/pki/certificates/issue-certificate', leaf);
    expect((await issue()).body.message).toContain('disabled');
    expect(ok(await test.admin('GET', `${CA}/${beside.id}`)).status).toBe('active');
    const enable = (id: string) => test.admin('PATCH', `${CA}/${id}`, { status: 'active' });
    const renew = (id: string) => test.admin('POST', `${CA}/${id}/renew`, { type: 'new', notAfter });
    ok(await renew(middle.id));
    ok(await enable(middle.id));
    expect((await enable(last.id)).body.message).toContain('one above it was revoked');
    ok(await renew(last.id));
    ok(await enable(last.id));
    ok(await issue());
  });

  it('is refused by callers where there are more certificates than a list can hold; automatically it goes on', async () => {
    const root = await of.make({ notAfter: of.inDays(300) });
    const renew = () => test.admin('POST', `${CA}/${root.id}/renew`, { type: 'existing', notAfter: of.inDays(300) });
    ok(await renew());
    await test.coffer.pool.query(
      `insert into ca_certificates
       select (jsonb_populate_record(t, jsonb_build_object('id', gen_random_uuid(), 'version', 2 + n))).*
       from ca_certificates t, generate_series(1, 998) n where t.ca_id = $1 and t.version = 1`,
      [root.id],
    );
    const refused = await renew();
    expect([refused.status, refused.body.message]).toEqual([
      400,
      expect.stringContaining('at most 1000 certificates') as string,
    ]);
    const certificates = async () => ok(await test.admin('GET', `${CA}/${root.id}/ca-certificates`)) as unknown[];
    expect(await certificates()).toHaveLength(1000);
    ok(await test.admin('PATCH', `${CA}/${root.id}/auto-renewal`, { enableAutoRenewal: true }));
    test.advance(275 * DAY);
    const payload = { organizationId: test.organizationId, id: root.id };
    await renewAuthorityJob.run(of.platform(), payload, {} as never);
    expect(await certificates()).toHaveLength(1001);
  });

  it('renews automatically before expiry, if enabled', async () => {
    const url = (id: string) => `${CA}/${id}/auto-renewal`;
    const root = await of.make({ notAfter: of.inDays(300) });
    expect(ok(await test.admin('GET', url(root.id)))).toEqual({
      caId: root.id,
      enableAutoRenewal: false,
      renewBeforeDays: null,
    });
    expect(ok(await test.admin('PATCH', url(root.id), { enableAutoRenewal: true }))).toEqual({
      caId: root.id,
      enableAutoRenewal: true,
      renewBeforeDays: 30,
    });
    expect((await test.admin('PATCH', url(root.id), { enableAutoRenewal: false, renewBeforeDays: 3 })).status).toBe(
      400,
    );
    const ctx = test.coffer.contextFor({ type: 'platform', organizationId: undefined });
    await enqueueEnding(ctx);
    const isAsked = async () => {
      const { rows } = await test.coffer.pool.query('select key from graphile_worker.jobs where key = $1', [
        `authority-renewal:${root.id}`,
      ]);
      return rows.length === 1;
    };
    expect(await isAsked()).toBe(false);
    test.advance(275 * DAY);
    await enqueueEnding(ctx);
    expect(await isAsked()).toBe(true);
    const own = of.platform();
    const payload = { organizationId: test.organizationId, id: root.id };
    await renewAuthorityJob.run(own, payload, {} as never);
    // Done twice, it is done once.
    await renewAuthorityJob.run(own, payload, {} as never);
    const { configuration } = ok(await test.admin('GET', `${CA}/${root.id}`));
    const left = (new Date(configuration.notAfter).getTime() - test.coffer.now().getTime()) / DAY;
    expect(left).toBeGreaterThan(299);
    expect(ok(await test.admin('GET', `${CA}/${root.id}/ca-certificates`))).toHaveLength(2);
    const waiting = await of.make({ type: 'intermediate' });
    expect((await test.admin('PATCH', url(waiting.id), { enableAutoRenewal: true })).status).toBe(400);
  });

  it('is found for its renewal, whatever others have due that cannot be renewed', async () => {
    const { organizationId, call } = await test.foreign();
    const others = ok(await call('POST', '/api/v1/projects', { projectName: 'Others' })).project.id;
    const below = await createAuthority(call, { projectId: others });
    const { id } = await of.make({ notAfter: of.inDays(20) });
    for (const [by, one] of [[call, below.id] as const, [test.admin, id] as const])
      ok(await by('PATCH', `${CA}/${one}/auto-renewal`, { enableAutoRenewal: true }));
    const { pool } = test.coffer;
    await pool.query(
      `insert into certificate_authorities select (jsonb_populate_record(a, jsonb_build_object(
         'id', gen_random_uuid(), 'name', 'copy-' || n))).* from certificate_authorities a, generate_series(1, 1000) n
       where a.id = $1`,
      [below.id],
    );
    test.advance(11 * DAY);
    onTestFinished(() => test.advance(-11 * DAY));
    await pool.query(`update certificate_authorities set not_after = $2 where organization_id = $1`, [
      organizationId,
      of.inDays(5),
    ]);
    await enqueueEnding(test.coffer.contextFor({ type: 'platform', organizationId: undefined }));
    const { rows } = await pool.query('select from graphile_worker.jobs where key = $1', [`authority-renewal:${id}`]);
    expect(rows).toHaveLength(1);
  });

  it('is not renewed automatically below another authority, without a request for that', async () => {
    const [one, other] = [await of.make({}), await of.make({})];
    const { id } = await of.make({ type: 'intermediate', parentCaId: one.id });
    ok(await test.admin('PATCH', `${CA}/${id}/auto-renewal`, { enableAutoRenewal: true }));
    for (const [signer, isOn] of [
      [one, true],
      [other, false],
    ] as const) {
      const { csr } = ok(await test.admin('POST', `${CA}/${id}/csr`));
      const order = { csr, notAfter: of.inDays(9) };
      const signed = ok(await test.admin('POST', `${CA}/${signer.id}/sign-intermediate`, order));
      ok(await test.admin('POST', `${CA}/${id}/import-certificate`, signed));
      expect(ok(await test.admin('GET', `${CA}/${id}/auto-renewal`)).enableAutoRenewal).toBe(isOn);
    }
  });
});

describe('a signing configuration', () => {
  it('has a waiting intermediate signed by an authority of its project', async () => {
    const root = await of.make({ notAfter: of.inDays(500) });
    const waiting = await of.make({ type: 'intermediate', maxPathLength: 0 });
    const url = `${CA}/${waiting.id}/signing-config`;
    expect(ok(await test.admin('GET', url))).toEqual({ caId: waiting.id, type: 'external', parentCaId: null });
    const set = { type: 'internal', parentCaId: root.id };
    expect(ok(await test.admin('POST', url, set))).toEqual({ caId: waiting.id, ...set });
    const { certificate, certificateChain } = await of.certificateOf(waiting.id);
    expect(isTaken(certificateChain, certificate)).toBe(true);
    expect(ok(await test.admin('GET', url)).parentCaId).toBe(root.id);
    const second = await of.make({ notAfter: of.inDays(500) });
    expect(ok(await test.admin('PATCH', url, { parentCaId: second.id })).parentCaId).toBe(second.id);
    const renewed = ok(
      await test.admin('POST', `${CA}/${waiting.id}/renew`, { type: 'existing', notAfter: of.inDays(9) }),
    );
    expect(isTaken((await of.certificateOf(second.id)).certificate, renewed.certificate)).toBe(true);
  });

  it('has no cycles, no roots and nothing of other projects', async () => {
    const root = await of.make({});
    const middle = await of.make({ type: 'intermediate', parentCaId: root.id });
    const last = await of.make({ type: 'intermediate', parentCaId: middle.id });
    const set = (id: string, parentCaId: string) => test.admin('PATCH', `${CA}/${id}/signing-config`, { parentCaId });
    expect((await set(middle.id, last.id)).body.message).toContain('below');
    expect((await set(middle.id, middle.id)).status).toBe(400);
    expect((await set(root.id, middle.id)).status).toBe(400);
    const elsewhere = await of.make({}, { projectId: (await test.project()).id });
    expect((await set(middle.id, elsewhere.id)).status).toBe(404);
    expect((await set(middle.id, randomUUID())).status).toBe(404);
  });

  it('has no cycles that appear with the next renewals, one after the other or at once', async () => {
    const root = await of.make({});
    const made = () => of.make({ type: 'intermediate', parentCaId: root.id });
    const set = (id: string, parentCaId: string) => test.admin('PATCH', `${CA}/${id}/signing-config`, { parentCaId });
    const [first, second, third] = [await made(), await made(), await made()];
    ok(await set(first.id, second.id));
    ok(await set(second.id, third.id));
    expect((await set(third.id, first.id)).body.message).toContain('below');
    const [one, other] = [await made(), await made()];
    const answers = await Promise.all([set(one.id, other.id), set(other.id, one.id)]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 400]));
  });
});
