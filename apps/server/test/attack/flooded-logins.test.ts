// @long: large values, many callers
import { StandIns } from '@coffer/domain/testing';
import { Cluster } from '@coffer/domain/testing/clouds';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ok } from '../harness/groups.ts';
import { testServer, type TestServer } from '../harness/test-server.ts';

const LIMIT = 5;
const KIND = 'kubernetes-auth';
const standIns = new StandIns();
let test: TestServer;
let cluster: Cluster;
/** How many reviews are under way, and how many were when each of them began. */
let underWay = 0;
const begun: number[] = [];
beforeAll(async () => {
  cluster = await Cluster.start();
  await standIns.serve('cluster.test', (request, response) => {
    begun.push(++underWay);
    response.on('close', () => underWay--);
    setTimeout(() => cluster.listener(request, response), 20);
  });
  test = await testServer({ settings: { loginLimit: LIMIT }, fetch: standIns.fetch }, { isTrustedProxy: () => true });
});
afterAll(async () => {
  await test.close();
  await standIns.close();
});

/** Logs a machine identity in from an address. */
async function machine(kubernetesHost = 'https://cluster.test') {
  const { id } = await test.identity();
  const tokenReviewerJwt = await cluster.reviewer();
  const method = { kubernetesHost, tokenReviewerJwt, allowedNamespaces: 'apps', allowedNames: '', allowedAudience: '' };
  await ok(test.admin('POST', `/api/v1/auth/${KIND}/identities/${id}`, method));
  const logIn = (jwt: string, address: string) =>
    test.as()('POST', `/api/v1/auth/${KIND}/login`, { identityId: id, jwt }, { 'x-forwarded-for': address });
  return { id, logIn };
}
const invented = () => cluster.token('others', 'intruder');

describe('attack: logins that have another system asked', () => {
  it('ask it one after the other beyond the limit of an address, and right ones come through', async () => {
    const { logIn } = await machine();
    begun.length = 0;
    const jwt = await invented();
    const flood = Array.from({ length: 36 }, () => logIn(jwt, '203.0.113.1'));
    expect((await logIn(await cluster.token('apps', 'web'), '203.0.113.2')).status).toBe(200);
    // It was not behind them.
    expect(begun.length).toBeLessThan(36);
    const right = logIn(await cluster.token('apps', 'web'), '203.0.113.1');
    const statuses = (await Promise.all(flood)).map(({ status }) => status);
    expect((await right).status).toBe(200);
    expect(statuses.filter((status) => status === 429)).toHaveLength(36 - LIMIT);
    expect(begun).toHaveLength(38);
    // Those that began before any was refused, and the right one from elsewhere.
    const later = begun.slice(24 + 1);
    expect(later).toEqual(later.map(() => 1));
  });

  it('count for the limit where it does not answer, are recorded, and tell strangers nothing of it', async () => {
    const { id, logIn } = await machine('https://internal-cluster.test');
    const jwt = await invented();
    const answers = [];
    for (let times = 0; times < LIMIT + 1; times++) answers.push(await logIn(jwt, '203.0.113.3'));
    expect(answers.map(({ status }) => status)).toEqual([...Array.from({ length: LIMIT }, () => 400), 429]);
    expect(JSON.stringify(answers.map(({ body }) => body))).not.toContain('internal-cluster');
    const { rows } = await test.coffer.pool.query(
      `select data ->> 'reason' as reason from audit_events where data ->> 'identityId' = $1 and published = $2`,
      [id, `fail-login-identity-${KIND}`],
    );
    expect(rows).toEqual([{ reason: expect.stringMatching(/^outbound\./) }]);
  });

  it.each([
    [500, 'an error'],
    [429, 'that it is busy'],
    [403, 'that the reviewer may not review'],
  ])('count for the limit, and tell strangers nothing, where it answers %i: %s', async (status) => {
    const host = `answers-${status}.test`;
    await standIns.serve(host, (_, response) => response.writeHead(status).end('{"message":"of the inside"}'));
    const { logIn } = await machine(`https://${host}`);
    const jwt = await invented();
    const answers = [];
    for (let times = 0; times < LIMIT + 1; times++) answers.push(await logIn(jwt, '203.0.113.4'));
    expect(answers.map((answer) => answer.status)).toEqual([...Array.from({ length: LIMIT }, () => 400), 429]);
    expect(JSON.stringify(answers.map(({ body }) => body))).not.toMatch(/answers-|of the inside|tokenReviewerJwt/);
  });

  it('leave connections to addresses that the identity knows, from however many others strangers send', async () => {
    const waiting: (() => void)[] = [];
    let isSlow = false;
    await standIns.serve('slow.test', (request, response) => {
      const answer = () => cluster.listener(request, response);
      if (isSlow) waiting.push(answer);
      else answer();
    });
    const { logIn } = await machine('https://slow.test');
    const [right, wrong] = [await cluster.token('apps', 'web'), await invented()];
    expect((await logIn(right, '198.51.100.1')).status).toBe(200);
    isSlow = true;
    const flood = Array.from({ length: 100 }, (_, n) => logIn(wrong, `203.0.113.${n + 1}`));
    await expect.poll(() => waiting.length).toBe(24);
    isSlow = false;
    expect((await logIn(right, '198.51.100.1')).status).toBe(200);
    expect(waiting).toHaveLength(24);
    for (const answer of waiting) answer();
    await Promise.all(flood);
    // One that starts elsewhere for the first time.
    expect((await logIn(right, '198.51.100.2')).status).toBe(200);
  });
});
