// @long: runs programs
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { makeConnection, makeExternalAuthority } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { agentHome, type AgentHome, type RunningAgent } from './harness/agent.ts';
import { world, type World } from './harness/command-line.ts';

let at: World;
let slug: string;
let profiles = 0;
const homes: AgentHome[] = [];
const running: RunningAgent[] = [];
const manager = '/api/v1/cert-manager';
beforeAll(async () => {
  at = await world();
  slug = (await at.test.admin('GET', `/api/v1/projects/${at.projectId}`)).body.project.slug;
});
afterAll(async () => {
  for (const one of running) await one.stop('SIGKILL');
  for (const one of homes) one.cli.remove();
  await at.close();
});

/** A profile with a root authority of its own; its slug. */
async function profile(): Promise<string> {
  const name = `agent-${profiles++}`;
  const { projectId, test } = at;
  const post = async (path: string, body: object) => {
    const made = await test.admin('POST', `${manager}${path}`, body);
    expect([made.status, made.status === 200 ? undefined : made.body]).toEqual([200, undefined]);
    return made.body;
  };
  const configuration = { type: 'root', commonName: name, keyAlgorithm: 'EC_prime256v1' };
  const { id: caId } = await post('/ca/internal', { projectId, name, configuration });
  const { certificatePolicy } = await post('/certificate-policies', { projectId, name });
  const more = { projectId, caId, slug: name, certificatePolicyId: certificatePolicy.id, enrollmentType: 'api' };
  await post('/certificate-profiles', more);
  return name;
}

async function home(yaml: string): Promise<AgentHome> {
  const made = await agentHome(at, { command: ['cert-manager', 'agent'] });
  homes.push(made);
  made.configure(yaml);
  return made;
}

async function start(agent: AgentHome): Promise<RunningAgent> {
  const started = await agent.start();
  running.push(started);
  return started;
}

const files = `
    file-output:
      private-key: { path: ./out/key.pem }
      certificate: { path: ./out/cert.pem, permission: "0644" }
      chain: { path: ./out/chain.pem, permission: 0640, omit-root: false }
    post-hooks:
      on-issuance: { command: "echo issued $CERT_COMMON_NAME >> out/log" }
      on-renewal: { command: "echo renewed >> out/log" }
      on-failure: { command: "echo failed $ERROR_MESSAGE >> out/log" }
`;
const ordered = (name: string, ttl: string, lifecycle = ''): string => `
certificates:
  - project-slug: ${slug}
    profile-name: ${name}
    attributes:
      common-name: app.example.com
      alt-names: [app.example.com, 10.0.0.1]
      ttl: ${ttl}
      key-algorithm: EC_prime256v1
    lifecycle: { status-check-interval: 1s${lifecycle} }
${files}`;

const certificateIn = (agent: AgentHome): X509Certificate => new X509Certificate(agent.read('out/cert.pem')!);
const isWhole = (agent: AgentHome): boolean =>
  certificateIn(agent).checkPrivateKey(createPrivateKey(agent.read('out/key.pem')!));

describe('coffer cert-manager agent', () => {
  it('issues a certificate to files with their rights, runs the command, and does it once', async () => {
    const agent = await home(ordered(await profile(), '30d'));
    const done = await agent.once('--once');
    expect([done.code, done.stdout]).toEqual([0, '']);
    expect([agent.mode('out/key.pem'), agent.mode('out/cert.pem'), agent.mode('out/chain.pem')]).toEqual([
      0o600, 0o644, 0o640,
    ]);
    const certificate = certificateIn(agent);
    expect([isWhole(agent), certificate.subjectAltName]).toEqual([true, 'DNS:app.example.com, IP Address:10.0.0.1']);
    const verified = spawnSync('openssl', ['verify', '-CAfile', agent.at('out/chain.pem'), agent.at('out/cert.pem')]);
    expect(verified.status).toBe(0);
    expect((await agent.once('--once')).code).toBe(0);
    expect([certificateIn(agent).serialNumber, agent.read('out/log')]).toEqual([
      certificate.serialNumber,
      'issued app.example.com\n',
    ]);
    expect(agent.files()).toEqual(['cert.pem', 'chain.pem', 'key.pem', 'log']);
  });

  it('renews it with a new key before its end, and issues another one where files do not belong together', async () => {
    const agent = await home(ordered(await profile(), '2h', ', renew-before-expiry: 119m58s'));
    const process = await start(agent);
    await expect.poll(() => agent.read('out/log')).toContain('issued');
    const [first, key] = [certificateIn(agent).serialNumber, agent.read('out/key.pem')];
    await process.stop();
    agent.configure(
      agent
        .read('agent.yaml')!
        .slice(agent.read('agent.yaml')!.indexOf('\ncertificates'))
        .replace('2h', '9s')
        .replace('119m58s', '4s'),
    );
    writeFileSync(agent.at('out/key.pem'), 'damaged');
    const again = await start(agent);
    await expect.poll(() => agent.read('out/log')).toMatch(/issued.*\n.*issued.*\n(?:.*\n)*renewed/);
    expect(certificateIn(agent).serialNumber).not.toBe(first);
    expect(agent.read('out/key.pem')).not.toBe(key);
    await expect.poll(() => isWhole(agent)).toBe(true);
    await again.stop();
  });

  it('has whole files after kills at any moment', async () => {
    const agent = await home(ordered(await profile(), '30d'));
    for (let kill = 0; kill < 4; kill++) {
      const process = await start(agent);
      await pause(300 + Math.random() * 500);
      await process.stop('SIGKILL');
      for (const name of ['cert', 'chain', 'key'])
        expect(agent.read(`out/${name}.pem`) ?? '-----END X-----\n').toMatch(/-----END [A-Z ]+-----\n$/);
    }
    expect((await agent.once('--once')).code).toBe(0);
    expect([isWhole(agent), agent.read('out/log')]).toEqual([true, expect.stringContaining('issued')]);
    expect(agent.files()).toEqual(['cert.pem', 'chain.pem', 'key.pem', 'log']);
  });

  it('waits for the order that it has placed, also after a kill or a lost answer, and places no other one', async () => {
    const { test, projectId } = at;
    const { pool } = test.coffer;
    const place = { organizationId: test.organizationId, projectId };
    const credentials = { method: 'api-key', apiKey: 'a-key' } as never;
    const connection = await makeConnection(test.coffer, { ...place, app: 'digicert', name: 'd', credentials });
    const external = { ...place, connectionId: connection.id, type: 'digicert', name: 'elsewhere' } as const;
    const { id: caId } = await makeExternalAuthority(test.coffer, { ...external, configuration: {} });
    const [name, own] = [await profile(), await profile()];
    const path = `${manager}/certificate-profiles`;
    const idOf = async (of: string) =>
      (await test.admin('GET', `${path}/slug/${of}?projectId=${projectId}`)).body.certificateProfile.id;
    const [profileId, ownId] = [await idOf(name), await idOf(own)];
    expect((await test.admin('PATCH', `${path}/${profileId}`, { caId })).status).toBe(200);
    const orders = async () =>
      (await pool.query<{ id: string }>('select id from certificate_orders order by created_at')).rows.map(
        ({ id }) => id,
      );
    /** The authority issues for an order, as one here does. */
    const answer = async (orderId: string, ttl: string, renewedFrom: string | null) => {
      const altNames = [{ type: 'dns_name', value: 'app.example.com' }];
      const attributes = { commonName: 'app.example.com', altNames, ttl };
      const { body } = await test.admin('POST', `${manager}/certificates`, { profileId: ownId, attributes });
      const { certificateId, serialNumber } = body.certificate;
      await pool.query(
        `update certificates set external_ca_id = $2, profile_id = $3, renewed_from_id = $4, ca_id = null, ca_key_id = null,
           ca_certificate_id = null where id = $1`,
        [certificateId, caId, profileId, renewedFrom],
      );
      const issued = `update certificate_orders set status = 'issued', certificate_id = $2, due_at = null where id = $1`;
      await pool.query(issued, [orderId, certificateId]);
      await pool.query('delete from certificate_requests where certificate_id = $1', [certificateId]);
      await pool.query('update certificate_requests set certificate_id = $2 where id = $1', [orderId, certificateId]);
      return { certificateId, serialNumber: serialNumber.toUpperCase() };
    };

    const agent = await home(ordered(name, '30d', ', renew-before-expiry: 1h').replace(', 10.0.0.1', ''));
    const untilItWaits = async (saying: string) => {
      const process = await start(agent);
      await expect.poll(() => process.said()).toContain(saying);
      await process.stop('SIGKILL');
    };
    for (let kill = 0; kill < 3; kill++) await untilItWaits('waits for its authority');
    const [first, ...more] = await orders();
    expect(more).toEqual([]);
    const { certificateId, serialNumber } = await answer(first!, '100s', null);
    expect((await agent.once('--once')).code).toBe(0);
    expect(certificateIn(agent).serialNumber).toBe(serialNumber);

    // It is due for its renewal. The answer to the order of that is lost.
    await untilItWaits('the order waits for its authority');
    const state = agent.files('state').find((file) => file.endsWith('.json') || file.includes('state'))!;
    writeFileSync(
      agent.at('state', state),
      JSON.stringify({ ...JSON.parse(agent.read(`state/${state}`)!), requests: {} }),
    );
    await untilItWaits('The renewal waits');
    const [, renewal, ...others] = await orders();
    expect(others).toEqual([]);
    const next = await answer(renewal!, '30d', certificateId);
    expect((await agent.once('--once')).code).toBe(0);
    expect([certificateIn(agent).serialNumber, (await orders()).length]).toEqual([next.serialNumber, 2]);
    expect(agent.read('out/log')).toContain('renewed');
  });

  it('runs the command for failures, and leaves a revoked certificate as it is', async () => {
    const agent = await home(ordered(await profile(), '30d'));
    await agent.once('--once');
    const before = agent.read('out/cert.pem');
    const id = certificateIn(agent).serialNumber.toLowerCase().replace(/^0+/, '');
    const { body } = await at.test.admin('GET', `${manager}/certificates?projectId=${at.projectId}&limit=100`);
    const { certificate } = {
      certificate: body.certificates.find(
        (one: { serialNumber: string }) => one.serialNumber.toLowerCase().replace(/^0+/, '') === id,
      ),
    };
    const revoked = await at.test.admin('POST', `${manager}/certificates/${certificate.id}/revoke`, {
      revocationReason: 'KEY_COMPROMISE',
    });
    expect(revoked.status).toBe(200);
    const process = await start(agent);
    await expect.poll(() => agent.read('out/log')).toContain('failed The certificate is revoked');
    expect([agent.read('out/cert.pem'), (await agent.health())?.status]).toEqual([before, 503]);
    await process.stop();
  });

  it('delivers a certificate that others manage, and its renewal', async () => {
    const issuing = await home(ordered(await profile(), '30d'));
    await issuing.once('--once');
    const { body } = await at.test.admin('GET', `${manager}/certificates?projectId=${at.projectId}&limit=1`);
    const { id } = body.certificates[0];
    const agent = await home(`
certificates:
  - certificate-id: ${id}
    lifecycle: { status-check-interval: 1s, replace-on-renewals: true }
${files}`);
    const process = await start(agent);
    await expect.poll(() => agent.read('out/cert.pem')).toBe(issuing.read('out/cert.pem'));
    expect(agent.read('out/key.pem')).toBe(issuing.read('out/key.pem'));
    await at.test.admin('POST', `${manager}/certificates/${id}/renew`, {});
    await expect.poll(() => agent.read('out/log')).toMatch(/issued\nrenewed\n/);
    expect([isWhole(agent), agent.read('out/cert.pem')]).not.toEqual([true, issuing.read('out/cert.pem')]);
    await process.stop();
  });

  it('refuses what does not go together, with its line', async () => {
    const agent = await home(`
certificates:
  - certificate-id: x
    application-name: web
    attributes: { common-name: a }
    file-output: { certificate: { path: a } }
  - profile-name: p
    file-output: { private-key: { path: a, permission: 999 } }
`);
    const { code, stderr } = await agent.once();
    expect(code).toBe(2);
    for (const fault of [
      'line 10: certificates[0].application-name is not offered',
      'line 11: certificates[0].attributes does not go together with certificate-id',
      'line 14: certificates[1].file-output.private-key.permission is 999',
      'line 13: certificates[1].project-slug is missing',
      'certificates[1].file-output.certificate is missing',
    ])
      expect(stderr).toContain(fault);
  });
});
