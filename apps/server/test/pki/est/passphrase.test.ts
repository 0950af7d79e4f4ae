import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashPassword } from '@coffer/domain';
import { basic, estWorld, OPEN, PASSPHRASE, PROFILES, request, TEMPLATES, type EstWorld } from '../../harness/est.ts';
import { ok } from '../../harness/groups.ts';
import type { TestServer } from '../../harness/test-server.ts';

let world: EstWorld;
let test: TestServer;
beforeAll(async () => {
  // As the limit of logins is by default, less of it.
  world = await estWorld({ settings: { loginLimit: 20 } });
  ({ test } = world);
});
afterAll(() => test.close());

const enrols = async (id: string, passphrase: string, from?: string) =>
  (
    await world.est(id, 'simpleenroll', request('a.example.com'), {
      ...basic(passphrase),
      ...(from && { 'x-forwarded-for': from }),
    })
  ).status;

describe('the passphrase of EST', () => {
  it('is generated where none is given, and shown once', async () => {
    const template = await world.template();
    const url = `${TEMPLATES}/${template}/est-config`;
    const { passphrase } = await ok(test.admin('POST', url, OPEN));
    expect(passphrase).toMatch(/^[\w-]{32}$/);
    expect(await ok(test.admin('GET', url))).not.toHaveProperty('passphrase');
    expect(await enrols(template, passphrase)).toBe(200);
    const rotated = await ok(test.admin('PATCH', url, { rotatePassphrase: true }));
    expect([await enrols(template, passphrase), await enrols(template, rotated.passphrase)]).toEqual([401, 200]);
    expect(await ok(test.admin('PATCH', url, { isEnabled: true }))).not.toHaveProperty('passphrase');

    const given = await world.wanted({ disableBootstrapCaValidation: true, passphrase: undefined });
    const { certificateProfile: made } = await ok(test.admin('POST', PROFILES, given));
    expect(await enrols(made.id, made.estConfig.passphrase)).toBe(200);
    const read = await ok(test.admin('GET', `${PROFILES}/${made.id}`));
    expect(read.certificateProfile.estConfig).not.toHaveProperty('passphrase');
    const estConfig = { rotatePassphrase: true };
    const changed = await ok(test.admin('PATCH', `${PROFILES}/${made.id}`, { estConfig }));
    expect(await enrols(made.id, made.estConfig.passphrase)).toBe(401);
    expect(await enrols(made.id, changed.certificateProfile.estConfig.passphrase)).toBe(200);
  });

  it.each([
    'short',
    'a long passphrase that people remember',
    'correct horse battery staple correct horse',
    'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
    '0123456789012345678901234567890123456789',
    'deadbeefdeadbeefdeadbeefdeadbeefdeadbeef',
    'P4ssw0rd!P4ssw0rd!P4ssw0rd!P4ssw0rd!',
  ])('is refused where it could be guessed: %s', async (passphrase) => {
    const { status, body } = await test.admin('POST', `${TEMPLATES}/${await world.template()}/est-config`, {
      ...OPEN,
      passphrase,
    });
    expect([status, JSON.stringify(body)]).toEqual([422, expect.stringContaining('omit it')]);
  });

  it.each(['b1946ac92492d2347c6235b4d2611184f7c83a90', '8kQz_1vXo5Lw7RbYt3NfHc9Md2Gj', 'Kp7+dE/2xWq9ZsL4mVtB1yHcU8=='])(
    'is taken where it was generated elsewhere: %s',
    async (passphrase) => {
      const id = await world.template({ ...OPEN, passphrase });
      expect(await enrols(id, passphrase)).toBe(200);
    },
  );

  it('keeps wrong ones of an address waiting, and the right one of the same address never', async () => {
    const [id, other] = [await world.template(), await world.template()];
    const { passphrase } = await ok(test.admin('POST', `${TEMPLATES}/${id}/est-config`, OPEN));
    const { passphrase: another } = await ok(test.admin('POST', `${TEMPLATES}/${other}/est-config`, OPEN));
    const wrong = [];
    for (let i = 0; i < 12; i++) wrong.push(await enrols(id, `wrong ${i}`, '203.0.113.5'));
    expect(wrong).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429]);
    expect(await enrols(id, passphrase, '203.0.113.5')).toBe(200);
    expect(await enrols(other, another, '203.0.113.5')).toBe(200);
    expect(await enrols(id, 'wrong', '203.0.113.6')).toBe(401);
    test.advance(61_000);
    expect(await enrols(id, 'wrong', '203.0.113.5')).toBe(401);
  });

  it('is taken however often it comes from one address, and however many wrong ones came from there', async () => {
    const id = await world.template(OPEN);
    for (let i = 0; i < 25; i++) await enrols(id, `wrong ${i}`, '203.0.113.9');
    const right = [];
    for (let i = 0; i < 25; i++) right.push(await enrols(id, PASSPHRASE, '203.0.113.9'));
    expect(new Set(right)).toEqual(new Set([200]));
  });

  it('keeps a whole network of IPv6 waiting for its wrong ones', async () => {
    const id = await world.template(OPEN);
    const wrong = [];
    for (let i = 1; i < 13; i++) wrong.push(await enrols(id, `wrong ${i}`, `2001:db8:1:2::${i}`));
    expect(wrong).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429]);
    expect(await enrols(id, 'wrong', '2001:db8:1:3::1')).toBe(401);
  });

  it('is an event of the project where it is wrong, before the answer leaves, and so is a wrong certificate', async () => {
    const id = await world.template(OPEN);
    const events = async () => {
      const { rows } = await test.coffer.pool.query<{ data: { count: number; details: string[] }; text: string }>(
        `select data, e::text as text from audit_events e
         where type = 'est.refused' and project_id = $1 and data ->> 'estConfigOf' = $2 order by created_at, id`,
        [world.projectId, id],
      );
      expect(rows.filter(({ text }) => text.includes('canary'))).toEqual([]);
      return rows.map(({ data: { count, details } }) => ({ count, details }));
    };
    expect(await enrols(id, 'canary', '203.0.113.30')).toBe(401);
    expect(await events()).toEqual([{ count: 1, details: ['simpleenroll'] }]);
    expect((await world.est(id, 'simplereenroll', request('a.example.com'))).status).toBe(401);
    for (let i = 0; i < 3; i++) await enrols(id, 'canary', '203.0.113.30');
    await test.coffer.refusals.sweep(true);
    expect(await events()).toEqual([
      { count: 1, details: ['simpleenroll'] },
      { count: 1, details: ['simplereenroll'] },
      { count: 3, details: ['simpleenroll'] },
    ]);
  });

  it('of an earlier release waits for wrong ones from everywhere, since it may be weak', async () => {
    const id = await world.template(OPEN);
    const set = 'update est_configs set passphrase = $2 where certificate_template_id = $1';
    await test.coffer.pool.query(set, [id, await hashPassword('older one')]);
    const fail = `insert into lockouts (subject, failures, last_failure_at) values ($1, 99, $2)`;
    await test.coffer.pool.query(fail, [`est:${id}`, test.coffer.now()]);
    expect(await enrols(id, 'wrong', '203.0.113.20')).toBe(401);
    expect(await enrols(id, 'older one', '203.0.113.21')).toBe(429);
  });

  it('of an earlier release is still known, also where such a release changes it', async () => {
    const id = await world.template(OPEN);
    const older = await hashPassword('older one');
    await test.coffer.pool.query('update est_configs set passphrase = $2 where certificate_template_id = $1', [
      id,
      older,
    ]);
    expect([await enrols(id, 'older one'), await enrols(id, 'wrong')]).toEqual([200, 401]);
  });
});
