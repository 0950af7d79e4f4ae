import { randomUUID } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { appRouter, openApiDocument, operationsOf } from '@coffer/api';
import { issuePasswordReset, issueSetupCode, issueSignUpLink, RATE_LIMIT_CLASSES } from '@coffer/domain';
import { makeUser } from '@coffer/domain/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createAuthority } from '../harness/certificates.ts';
import { PASSPHRASE, PROFILES, TEMPLATES } from '../harness/est.ts';
import { Sample } from '../harness/matrix-sample.ts';
import { testServer, type Answer, type TestServer } from '../harness/test-server.ts';

const LIMIT = 5;
let test: TestServer;
beforeAll(async () => {
  const settings = { loginLimit: LIMIT };
  test = await testServer({ settings, clock: 'standing' }, { refusedTokenLimit: LIMIT, isTrustedProxy: () => true });
});
afterAll(() => test.close());

const from = (address: string) => ({ 'x-forwarded-for': address });

/** How many refusals of an address the log counts. */
async function recordedOf(address: string): Promise<number> {
  await test.coffer.refusals.sweep(true);
  const { rows } = await test.coffer.pool.query<{ total: number }>(
    "select coalesce(sum((data ->> 'count')::int), 0)::int as total from audit_events where ip_address = $1",
    [address],
  );
  return rows[0]!.total;
}

async function client() {
  const made = { name: 'pod', organizationId: test.organizationId, role: 'member' };
  const { id } = (await test.admin('POST', '/api/v1/identities', made)).body.identity;
  const method = `/api/v1/auth/universal-auth/identities/${id}`;
  const { clientId } = (await test.admin('POST', method, {})).body.identityUniversalAuth;
  const { clientSecret } = (await test.admin('POST', `${method}/client-secrets`, {})).body;
  return (address: string, secret = clientSecret) =>
    test.as()('POST', '/api/v1/auth/universal-auth/login', { clientId, clientSecret: secret }, from(address));
}

/** Another text with the same CRC-32: its bits are linear in those of the text. */
function withChecksumOf(token: string): string {
  const bits = Array<number>(48).fill(0);
  const write = () => `invented-${bits.join('')}`;
  const before = crc32(write());
  const basis: { sum: number; places: Set<number> }[] = [];
  const reduced = (first: number, places: Set<number>) => {
    let sum = first;
    for (const one of basis)
      if ((sum ^ one.sum) >>> 0 < sum) {
        sum = (sum ^ one.sum) >>> 0;
        for (const place of one.places) if (!places.delete(place)) places.add(place);
      }
    return sum;
  };
  for (const place of bits.keys()) {
    bits[place] = 1;
    const places = new Set([place]);
    const sum = reduced((before ^ crc32(write())) >>> 0, places);
    bits[place] = 0;
    if (sum !== 0) basis.push({ sum, places });
    basis.sort((a, b) => b.sum - a.sum);
  }
  const chosen = new Set<number>();
  if (reduced((before ^ crc32(token)) >>> 0, chosen) !== 0) throw new Error('there is none with so many bits');
  for (const place of chosen) bits[place] = 1;
  return write();
}

describe('attack: repeated failures', () => {
  it('does not keep a hundred pods behind the same address from logging in', async () => {
    const [logIn, other] = [await client(), await client()];
    const guesses: number[] = [];
    for (let i = 0; i < LIMIT + 3; i++) guesses.push((await logIn('192.0.2.1', `guess ${i}`)).status);
    expect(guesses).toEqual([...Array(LIMIT).fill(401), 429, 429, 429]);
    expect((await logIn('192.0.2.1', 'x')).headers['retry-after']).toMatch(/^\d+$/);
    expect((await other('192.0.2.1', 'x')).status).toBe(401);
    const pods = await Promise.all(Array.from({ length: 100 }, () => logIn('192.0.2.1')));
    expect(new Set(pods.map(({ status }) => status))).toEqual(new Set([200]));
  });

  it('waits with guesses at many clients together, from anywhere in its /64', async () => {
    const statuses: number[] = [];
    for (let i = 0; i <= LIMIT * 10; i++) {
      const guess = { clientId: `00000000-0000-4000-8000-0000000000${10 + i}`, clientSecret: 'x' };
      const login = test.as()('POST', '/api/v1/auth/universal-auth/login', guess, from(`2001:db8::${i}`));
      statuses.push((await login).status);
    }
    expect([statuses.indexOf(429), statuses.length - 1]).toEqual([LIMIT * 10, LIMIT * 10]);
  });

  it('guesses tokens only for a limited time, also on public paths, while known tokens work', async () => {
    const me = '/api/v1/identities/details';
    const address = '2001:db8:0:1::7';
    const known = test.adminIdentity.token;
    const ask = async (token: string, url = me, at = address) =>
      (await test.as(token)('GET', url, undefined, from(at))).status;
    expect(await ask(known)).toBe(200);
    const statuses: number[] = [];
    for (let i = 0; i < LIMIT + 2; i++) statuses.push(await ask(`invented-${i}`, me, `2001:db8:0:1::${i}`));
    expect(statuses).toEqual([...Array(LIMIT).fill(401), 429, 429]);
    expect(await ask('invented', '/api/status')).toBe(429);
    expect([await ask(known), await ask('invented', me, '192.0.2.9')]).toEqual([200, 401]);
  });

  it('keeps nobody behind the same address from using a new token, whatever it is used for first', async () => {
    const address = from('192.0.2.61');
    const details = '/api/v1/identities/details';
    const guess = (token: string) => test.as(token)('GET', details, undefined, address);
    for (let i = 0; i < LIMIT; i++) expect((await guess(`invented-${i}`)).status).toBe(401);
    const large = { name: 'x'.repeat(100_000) };
    const batch = '/api/trpc/instance.status,identities.own?batch=1&input=%7B%7D';
    const uses: ((token: string) => Promise<Answer>)[] = [
      (token) => test.as(token)('GET', details, undefined, address),
      (token) => test.as(token)('GET', '/api/status', undefined, address),
      (token) => test.as(token)('POST', '/api/v1/identities', large, address),
      (token) => test.as(token)('GET', '/api/trpc/identities.own?input=%7B%7D', undefined, address),
      (token) => test.as(token)('GET', batch, undefined, address),
    ];
    const logIn = await client();
    for (const use of uses) {
      expect((await use((await logIn('192.0.2.61')).body.accessToken)).status).not.toBe(429);
      expect((await use('invented')).status).toBe(429);
    }
    expect((await test.as('invented')('GET', '/api/no-such-path', undefined, address)).status).toBe(429);
    const { accessToken } = (await logIn('192.0.2.61')).body;
    await test.as()('POST', '/api/v1/auth/token/revoke', { accessToken }, from('192.0.2.62'));
    expect((await guess(accessToken)).status).toBe(429);
  });

  it('guesses no more tokens with the checksum of a known one', async () => {
    const { token } = await test.identity();
    const me = '/api/v1/identities/details';
    const ask = async (asked: string, at: string) => (await test.as(asked)('GET', me, undefined, from(at))).status;
    const forged = withChecksumOf(token);
    expect(crc32(forged)).toBe(crc32(token));
    const statuses: number[] = [];
    for (let i = 0; i < LIMIT + 2; i++) {
      expect(await ask(token, '198.51.100.1')).toBe(200);
      statuses.push(await ask(forged, '192.0.2.8'));
    }
    expect(statuses).toEqual([...Array(LIMIT).fill(401), 429, 429]);
  });

  it('cannot make guessed tokens known by public addresses that act for the platform', async () => {
    const { id: projectId } = await test.project();
    const { id: caId } = await createAuthority(test.admin, { projectId });
    const made = async (url: string, body: object) => {
      const { status, body: answer } = await test.admin('POST', url, body);
      expect([url, status, answer]).toMatchObject([url, 200, {}]);
      return answer;
    };
    const template = await made(TEMPLATES, {
      caId,
      name: 'open',
      commonName: '.*',
      subjectAlternativeName: '.*',
      ttl: '30d',
    });
    await made(`${TEMPLATES}/${template.id}/est-config`, {
      passphrase: PASSPHRASE,
      disableBootstrapCertValidation: true,
    });
    const { certificatePolicy } = await made('/api/v1/cert-manager/certificate-policies', { projectId, name: 'open' });
    const { certificateProfile } = await made(PROFILES, {
      projectId,
      caId,
      certificatePolicyId: certificatePolicy.id,
      slug: 'open',
      enrollmentType: 'acme',
    });
    const open = [
      `/api/v1/cert-manager/acme/${certificateProfile.id}/directory`,
      `/.well-known/est/${template.id}/cacerts`,
      '/api/status',
    ];
    const me = '/api/v1/identities/details';
    for (const header of ['authorization', 'x-api-key']) {
      const credential = (i: number) => ({
        [header]: header === 'authorization' ? `Bearer invented-${i}` : `ak.invented-${i}`,
      });
      for (const [index, url] of open.entries()) {
        const headers = (i: number) => ({ ...from(`192.0.2.${100 + index}`), ...credential(i) });
        for (let i = 0; i < LIMIT * 2; i++)
          expect([url, (await test.as()('GET', url, undefined, headers(i))).status]).toEqual([url, 200]);
        const statuses: number[] = [];
        for (let i = 0; i < LIMIT * 2; i++) statuses.push((await test.as()('GET', me, undefined, headers(i))).status);
        expect([header, url, statuses]).toEqual([header, url, [...Array(LIMIT).fill(401), ...Array(LIMIT).fill(429)]]);
      }
      test.advance(60_000);
    }
  });

  it('presents invented credentials in bodies and cookies only for a limited time, together with those in headers', async () => {
    const taking = operationsOf(appRouter).filter(({ meta }) => meta.rest?.takesCredential);
    expect(taking.map(({ path }) => path)).toEqual([
      'accessTokens.renew',
      'accessTokens.revoke',
      'sessions.refresh',
      'sessions.logOut',
    ]);
    let last = 9;
    for (const { method, url, path } of taking) {
      for (const asked of [url, `/api/trpc/${path}`]) {
        const address = from(`203.0.113.${++last}`);
        const statuses: number[] = [];
        for (let i = 0; i < LIMIT + 2; i++) {
          const guess = `cfi_${i}`;
          const headers = { ...address, cookie: `jid=${guess}` };
          statuses.push((await test.as()(method, asked, { accessToken: guess }, headers)).status);
        }
        expect([asked, statuses]).toEqual([asked, [...Array(LIMIT).fill(401), 429, 429]]);
        const inHeader = await test.as('invented')('GET', '/api/v1/identities/details', undefined, address);
        expect([asked, inHeader.status]).toEqual([asked, 429]);
        const { token } = await test.identity();
        const right = await test.as()('POST', '/api/v1/auth/token/renew', { accessToken: token }, address);
        expect([asked, right.status]).toEqual([asked, 200]);
      }
    }
  });

  it('counts each call of a batch with invented credentials', async () => {
    const names = Array(LIMIT * 2).fill('accessTokens.renew');
    const inputs = Object.fromEntries(names.map((_, i) => [i, { accessToken: `cfi_${i}` }]));
    const { body } = await test.as()('POST', `/api/trpc/${names.join()}?batch=1`, inputs, from('203.0.113.3'));
    const statuses = (body as { error: { data: { httpStatus: number } } }[]).map(({ error }) => error.data.httpStatus);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([...Array(LIMIT).fill(401), ...Array(LIMIT).fill(429)]);
  });

  it('finds no login or exchange of a code, of all that there are, where guesses are not limited, or not recorded beyond the limit', async () => {
    const document = await openApiDocument(appRouter, { version: '0', serverUrl: 'http://localhost' });
    const samples = operationsOf(appRouter)
      .filter(({ meta }) => meta.needs === 'public' && meta.rest?.limitsRefusals)
      .map((operation) => new Sample(operation, document));
    expect(samples.length).toBeGreaterThan(15);
    for (const [index, sample] of samples.entries()) {
      const { method, url: name, path } = sample.operation;
      const { url, body } = sample.request(sample.input(() => randomUUID()));
      // Without a token, all sign-ups of an address are limited, and not looked at beyond that.
      const sent = path === 'signUp.signUp' ? { ...(body as object), token: 'guess' } : body;
      const address = `198.51.100.${100 + index}`;
      const ask = () => test.as()(method, url, sent, from(address));
      const refusals: number[] = [];
      for (let i = 0; i < LIMIT; i++) refusals.push((await ask()).status);
      expect([name, [401, 403, 404].includes(refusals[0]!)]).toEqual([name, true]);
      const within = await recordedOf(address);
      expect([name, refusals, (await ask()).status]).toEqual([name, Array(LIMIT).fill(refusals[0]), 429]);
      // A 404 for what nobody has is no event.
      const recorded = within === 0 && refusals[0] === 404 ? 0 : LIMIT + 1;
      expect([name, await recordedOf(address)]).toEqual([name, recorded]);
    }
  });

  it('gets the same results over tRPC', async () => {
    const guess = () =>
      test.as()('POST', '/api/trpc/sessions.logIn', { email: 'ghost@example.com', password: 'x' }, from('192.0.2.40'));
    const statuses: number[] = [];
    for (let i = 0; i < LIMIT + 1; i++) statuses.push((await guess()).status);
    expect(statuses).toEqual([...Array(LIMIT).fill(401), 429]);
  });
});

describe('attack: wrong codes of others behind the same address', () => {
  const password = 'correct horse battery';
  const platform = () => test.coffer.contextFor({ type: 'platform', organizationId: undefined });
  const codeOf = (link: string) => new URL(link).searchParams.get('token')!;
  let last = 70;

  /** Tries wrong codes until they are delayed; returns the response to the right one. */
  async function afterGuesses(
    path: string,
    wrong: object,
    right: object,
    headers: { wrong?: object; right?: object } = {},
  ) {
    const address = from(`192.0.2.${++last}`);
    const guesses: number[] = [];
    for (let i = 0; i < LIMIT + 2; i++)
      guesses.push((await test.as()('POST', path, wrong, { ...address, ...headers.wrong })).status);
    expect([path, guesses]).toEqual([path, [...Array(LIMIT).fill(401), 429, 429]]);
    return test.as()('POST', path, right, { ...address, ...headers.right });
  }

  it('do not block accepting an invitation and completing the account', async () => {
    const email = 'invited@example.com';
    const { organizationId } = test;
    const invite = { inviteeEmails: [email], organizationId };
    const { completeInviteLinks } = (await test.admin('POST', '/api/v1/invite-org/signup', invite)).body;
    const shown = { email, organizationId, code: 'guess' };
    const right = { ...shown, code: codeOf(completeInviteLinks[0].link) };
    const { token } = (await afterGuesses('/api/v1/invite-org/verify', shown, right)).body;
    const form = { email, password, firstName: 'Ann' };
    // In the header it looks like an unknown token.
    const headers = { wrong: { authorization: 'Bearer guess' }, right: { authorization: `Bearer ${token}` } };
    expect((await afterGuesses('/api/v3/signup/complete-account/invite', form, form, headers)).status).toBe(200);
  });

  it('do not block a sign-up with a verified address', async () => {
    const email = 'signs-up@example.com';
    await test.admin('POST', '/api/v1/invite-org/signup', {
      inviteeEmails: [email],
      organizationId: test.organizationId,
    });
    const right = { email, code: codeOf(await issueSignUpLink(platform(), { email })) };
    const { token } = (await afterGuesses('/api/v3/signup/email/verify', { email, code: 'guess' }, right)).body;
    const form = { email, password, firstName: 'Ann' };
    expect(
      (await afterGuesses('/api/v3/signup/complete-account/signup', { ...form, token: 'guess' }, { ...form, token }))
        .status,
    ).toBe(200);
  });

  it('do not block a password reset', async () => {
    const { email } = await makeUser(test.coffer, { password });
    const right = { email, code: codeOf(await issuePasswordReset(platform(), { email })) };
    const path = '/api/v1/password/email/password-reset-verify';
    const { token } = (await afterGuesses(path, { email, code: 'guess' }, right)).body;
    const newPassword = 'a better one than that';
    expect(
      (await afterGuesses('/api/v2/password/password-reset', { newPassword, token: 'guess' }, { newPassword, token }))
        .status,
    ).toBe(200);
  });

  it('do not block the set-up of the instance', async () => {
    const form = { email: 'first@example.com', password, organization: 'First', setupCode: 'guess' };
    expect(
      (await afterGuesses('/api/v1/admin/bootstrap', form, { ...form, setupCode: await issueSetupCode(platform()) }))
        .status,
    ).toBe(200);
  });

  it('nor calls without a token, or of another user, from changing a password and deleting an account', async () => {
    const newPassword = 'a better one than that';
    const change = { oldPassword: password, newPassword };
    const [mine, others] = [await makeUser(test.coffer, { password }), await makeUser(test.coffer, { password })];
    let { token } = mine;
    for (const [method, path, body] of [
      ['POST', '/api/v2/password/user/password-reset', change],
      ['DELETE', '/api/v2/users/me', { password: newPassword }],
    ] as const) {
      const address = from(`192.0.2.${++last}`);
      const tries: number[] = [];
      const call = (caller = test.as()) => caller(method, path, body, address);
      for (let i = 0; i < LIMIT + 1; i++) tries.push((await call()).status);
      expect([path, tries]).toEqual([path, Array(LIMIT + 1).fill(401)]);
      const wrong = path.includes('users') ? { password: 'guess' } : { ...change, oldPassword: 'guess' };
      const guesses: number[] = [];
      for (let i = 0; i < LIMIT + 1; i++)
        guesses.push((await test.as(others.token)(method, path, wrong, address)).status);
      expect([path, guesses]).toEqual([path, [...Array(LIMIT).fill(401), 429]]);
      const answer = await call(test.as(token));
      expect([path, answer.status]).toEqual([path, 200]);
      ({ token } = answer.body);
    }
  });

  it('while sign-ups without a proof, which cost much, are counted all', async () => {
    const statuses: number[] = [];
    for (let i = 0; i < LIMIT + 1; i++) {
      const form = { email: 'x@example.com', password, firstName: 'X' };
      const call = test.as()('POST', '/api/v3/signup/complete-account/signup', form, from('192.0.2.69'));
      statuses.push((await call).status);
    }
    expect(statuses).toEqual([...Array(LIMIT).fill(403), 429]);
  });
});

describe('attack: the stored rate limits', () => {
  const PATH = '/api/v1/rate-limit';
  const every = (limit: number | null) => Object.fromEntries(RATE_LIMIT_CLASSES.map((name) => [name, limit]));
  let stored: unknown;
  beforeAll(async () => void (await test.coffer.rateLimits.follow((limits) => (stored = limits))));
  const put = async (limits: object) => {
    const root = await makeUser(test.coffer, { isSuperAdmin: true });
    expect((await test.as(root.token)('PUT', PATH, limits)).status).toBe(200);
    await expect.poll(() => stored).toMatchObject(limits);
  };
  afterEach(() => put(every(null)));

  it('an administrator of an organization can neither read nor change them, over REST or tRPC', async () => {
    const { token } = await makeUser(test.coffer, { organizationId: test.organizationId, role: 'admin' });
    for (const call of [test.admin, test.as(token)]) {
      expect((await call('GET', PATH)).status).toBe(403);
      expect((await call('PUT', PATH, every(0))).status).toBe(403);
      expect((await call('POST', '/api/trpc/instanceManagement.updateRateLimits', every(0))).status).toBe(403);
    }
    const { rows } = await test.coffer.pool.query('select 1 from rate_limits where created_at = updated_at');
    expect(rows).toHaveLength(1);
  });

  it('disabling all limits keeps those of guesses and invented tokens', async () => {
    await put(every(0));
    const logIn = await client();
    const guesses: number[] = [];
    for (let i = 0; i <= LIMIT; i++) guesses.push((await logIn('192.0.2.60', `guess ${i}`)).status);
    expect(guesses).toEqual([...Array(LIMIT).fill(401), 429]);
    const invented: number[] = [];
    for (let i = 0; i <= LIMIT; i++) {
      const call = test.as(`invented-${i}`);
      invented.push((await call('GET', '/api/v1/identities/details', undefined, from('192.0.2.61'))).status);
    }
    expect(invented).toEqual([...Array(LIMIT).fill(401), 429]);
  });

  it('the limit of secrets applies to every legacy path and tRPC together', async () => {
    const { id: projectId } = await test.project();
    const { call } = await test.identity({ projectId, projectRole: 'admin' });
    expect((await call('GET', '/api/v1/identities/details')).status).toBe(200);
    await put({ ...every(0), secretsRateLimit: 3 });
    const input = encodeURIComponent(JSON.stringify({ projectId, environment: 'dev' }));
    const paths = [
      `/api/v4/secrets?projectId=${projectId}&environment=dev`,
      `/api/v3/secrets/raw?workspaceId=${projectId}&environment=dev`,
      `/api/trpc/secrets.list?input=${input}`,
    ];
    for (const path of paths) expect((await call('GET', path)).status).toBe(200);
    const statuses = await Promise.all(paths.map(async (path) => (await call('GET', path)).status));
    expect(statuses).toEqual([429, 429, 429]);
  });

  it('a limit is one for all tokens of an identity, and for a user with a session and service tokens', async () => {
    const { id: projectId } = await test.project();
    const machine = await test.identity({ projectId, projectRole: 'admin' });
    const url = `/api/v1/auth/token-auth/identities/${machine.id}/tokens`;
    const further = test.as((await test.admin('POST', url, {})).body.accessToken);
    const user = await makeUser(test.coffer, { organizationId: test.organizationId });
    const membership = { emails: [], usernames: [user.email], roleSlugs: ['admin'] };
    await test.admin('POST', `/api/v1/projects/${projectId}/memberships`, membership);
    const session = test.as(user.token);
    const made = await session('POST', '/api/v2/service-token', {
      workspaceId: projectId,
      name: 'ci',
      scopes: [{ environment: 'dev', secretPath: '/' }],
      permissions: ['read'],
      expiresIn: 3600,
    });
    const service = test.as(made.body.serviceToken);
    const list = `/api/v4/secrets?projectId=${projectId}&environment=dev`;
    for (const call of [machine.call, further, session, service]) expect((await call('GET', list)).status).toBe(200);
    await put({ ...every(0), secretsRateLimit: 3 });
    for (const calls of [
      [machine.call, further],
      [session, service],
    ]) {
      const statuses: number[] = [];
      for (const call of [...calls, ...calls]) statuses.push((await call('GET', list)).status);
      expect(statuses).toEqual([200, 200, 200, 429]);
    }
  });
});
