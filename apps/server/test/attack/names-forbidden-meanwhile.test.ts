import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { anotherProcess, type AnotherProcess } from '../harness/another-process.ts';
import { makeIssuer, nameOf } from '../harness/certificates.ts';
import { ok } from '../harness/groups.ts';
import { HeldStatements } from '../harness/held-statement.ts';
import { testServer, type TestServer } from '../harness/test-server.ts';

let test: TestServer;
let second: AnotherProcess;
beforeAll(async () => {
  test = await testServer();
  second = await anotherProcess(test);
});
afterAll(async () => {
  vi.restoreAllMocks();
  await second.close();
  await test.close();
});

const PRIVILEGES = '/api/v2/identity-project-additional-privilege';

/** Does something while the next key is generated. */
function beforeKey(change: () => Promise<unknown>): void {
  const { threadTurns } = test.coffer;
  const run = threadTurns.run.bind(threadTurns);
  vi.spyOn(threadTurns, 'run').mockImplementationOnce(async (caller, work) => {
    const key = await run(caller, work);
    await change();
    return key;
  });
}

describe('attack: a name that is forbidden while a key is generated', () => {
  const many = Array.from({ length: 120 }, (_, n) => `a${n}.example.com`);
  const direct = { subject: 'certificates', action: ['create', 'read'] };
  const byTemplate = { subject: 'certificate-templates', action: ['issue-cert'] };

  it.each([
    ['as it is', direct, ['admin.example.com']],
    ['by a template', byTemplate, ['admin.example.com']],
    ['by a wildcard over it', direct, ['*.example.com']],
    ['after a hundred others', direct, [...many, 'admin.example.com']],
  ])('is in no certificate, %s', async (_how, rule, names) => {
    const { id: projectId } = await test.project();
    const { id: caId } = await makeIssuer(test, projectId);
    const given = { caId, name: nameOf('t'), commonName: '.*', subjectAlternativeName: '.*', ttl: '30d' };
    const usages = { keyUsages: [], extendedKeyUsages: [] };
    const template = await ok(test.admin('POST', '/api/v1/pki/certificate-templates', { ...given, ...usages }));
    const { id: identityId, call } = await test.identity({ projectId, rules: [rule] });
    const by = rule === byTemplate ? { certificateTemplateId: template.id } : { caId };
    const order = { ...by, commonName: names[0], altNames: names.join(','), ttl: '1d', keyAlgorithm: 'RSA_2048' };
    const issue = () => call('POST', '/api/v1/pki/certificates/issue-certificate', order);
    expect((await issue()).status).toBe(200);

    const denial = { ...direct, action: ['create'], inverted: true, conditions: { altNames: 'admin.example.com' } };
    const privilege = { identityId, projectId, permissions: [denial], type: { isTemporary: false } };
    const count = async () =>
      (await test.owner.query('select id from certificates where project_id = $1', [projectId])).rowCount;
    const before = await count();
    beforeKey(() => ok(test.admin('POST', PRIVILEGES, privilege)));
    expect([(await issue()).status, await count()]).toEqual([403, before]);
  });
});

it('attack: a right that ends by its time while a transaction waits changes nothing', async () => {
  const { id: projectId } = await test.project();
  const place = { projectId, environment: 'dev', secretPath: '/' };
  await ok(test.admin('POST', '/api/v4/secrets/KEY', { ...place, secretValue: 'before' }));
  const { id, call } = await test.identity({ projectId, projectRole: 'admin' });
  const begun = {
    temporaryMode: 'relative',
    temporaryRange: '1m',
    temporaryAccessStartTime: test.coffer.now().toISOString(),
  };
  const membership = `/api/v1/projects/${projectId}/memberships/identities/${id}`;
  await ok(test.admin('PATCH', membership, { roles: [{ role: 'admin', isTemporary: true, ...begun }] }));
  const held = new HeldStatements(test);
  const update = () => call('PATCH', '/api/v4/secrets/KEY', { ...place, secretValue: 'after' });
  const answer = await held.during(/insert into secret_versions/i, update, async () => test.advance(120_000));
  expect(answer.status).toBe(403);
  const { secret } = await ok(test.admin('GET', `/api/v4/secrets/KEY?${new URLSearchParams(place).toString()}`));
  expect(secret.secretValue).toBe('before');
});
