import { newId } from '@coffer/domain';
import type { LoginMethodCase } from '@coffer/domain/testing';
import { expect, it } from 'vitest';
import type { Answer, Caller, TestServer } from './test-server.ts';

const METHODS = ['POST', 'GET', 'PATCH', 'DELETE'] as const;
const ANYWHERE = [
  { ipAddress: '0.0.0.0', type: 'ipv4', prefix: 0 },
  { ipAddress: '::', type: 'ipv6', prefix: 0 },
];
/** The name of the field that tells whether a sealed one is set. */
const presenceOf = (name: string) => `has${name.charAt(0).toUpperCase()}${name.slice(1)}`;

/** An answer's body without what differs by request. */
const bodyOf = ({ body: { reqId: _, ...body } }: Answer) => body;

/** An identity of the server's organization; and one with the method attached, and ways to log in. */
export function loginMethodWorld(server: () => TestServer, { kind, key, least, binding, proof }: LoginMethodCase) {
  const urlOf = (identityId: string) => `/api/v1/auth/${kind}/identities/${identityId}`;
  const identity = async (role = 'member'): Promise<string> => {
    const made = { name: 'ci', organizationId: server().organizationId, role };
    return (await server().admin('POST', '/api/v1/identities', made)).body.identity.id;
  };
  const attached = async (given: object = {}, role?: string) => {
    const identityId = await identity(role);
    const { status, body } = await server().admin('POST', urlOf(identityId), { ...least(), ...binding?.(), ...given });
    expect(status, JSON.stringify(body)).toBe(200);
    const logIn = async (presented?: object) =>
      server().as()('POST', `/api/v1/auth/${kind}/login`, {
        identityId,
        ...(presented ?? (await proof(identityId))),
      });
    return { identityId, url: urlOf(identityId), first: body[key], logIn };
  };
  return { urlOf, identity, attached };
}

/** Registers the tests that every such method has to pass at its published paths. */
export function describeLoginMethod(server: () => TestServer, given: LoginMethodCase): void {
  const { kind, key, least, proof } = given;
  const { urlOf, identity, attached } = loginMethodWorld(server, given);
  const admin: Caller = (...call) => server().admin(...call);
  const bodyFor = (method: (typeof METHODS)[number]) =>
    method === 'POST' ? least() : method === 'PATCH' ? { accessTokenTTL: 5 } : undefined;

  /** The response without its sealed fields. */
  const presence = (answer: object) =>
    Object.fromEntries(
      given.sealed.map((name) => {
        const value = (answer as Record<string, unknown>)[name] ?? '';
        return [presenceOf(name), value !== '' && !(Array.isArray(value) && value.length === 0)];
      }),
    );

  it('returns exactly the published fields when it is attached, read, updated and detached', async () => {
    const { url, identityId, first } = await attached();
    expect(first).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      identityId,
      accessTokenTTL: 2592000,
      accessTokenMaxTTL: 2592000,
      accessTokenNumUsesLimit: 0,
      accessTokenPeriod: 0,
      accessTokenTrustedIps: ANYWHERE,
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
      ...given.answered(),
      ...presence(given.answered()),
    });
    expect(await admin('GET', url)).toMatchObject({ status: 200, body: { [key]: first } });
    const { body: changed } = await admin('PATCH', url, {});
    expect(changed).toEqual({ [key]: { ...first, updatedAt: expect.any(String) }, warnings: [] });
    const { status, body: detached } = await admin('DELETE', url);
    const open = Object.entries(changed[key]).filter(
      ([name]) => !given.sealed.some((one) => name === one || name === presenceOf(one)),
    );
    expect({ status, detached }).toEqual({ status: 200, detached: { [key]: Object.fromEntries(open) } });
    expect((await admin('POST', url, least())).status).toBe(200);
    expect((await admin('POST', url, least())).status).toBe(400);
  });

  it.skipIf(!given.binding)('accepts no login without a binding, warns administrators, and records why', async () => {
    const unbound = urlOf(await identity());
    const identityId = unbound.split('/').at(-1)!;
    const warned = { status: 200, body: { warnings: [expect.stringContaining('lets no one log in')] } };
    expect(await admin('POST', unbound, least())).toMatchObject(warned);
    expect(await admin('GET', unbound)).toMatchObject(warned);
    expect(await admin('PATCH', unbound, { accessTokenTTL: 60 })).toMatchObject(warned);
    const logIn = async () =>
      server().as()('POST', `/api/v1/auth/${kind}/login`, { identityId, ...(await proof(identityId)) });
    expect(await logIn()).toMatchObject({ status: 401, body: { error: 'UnauthorizedError' } });
    const reason = async () => {
      const { rows } = await server().coffer.pool.query<{ reason: string }>(
        `select data ->> 'reason' as reason from audit_events where data ->> 'identityId' = $1 and published = $2`,
        [identityId, `fail-login-identity-${kind}`],
      );
      return rows.map((row) => row.reason);
    };
    expect(await reason()).toEqual(['auth_method.unbound']);
    expect((await admin('PATCH', unbound, given.binding!())).body.warnings).toEqual([]);
    expect((await logIn()).status).toBe(200);
  });

  it('keeps the fields that an update omits', async () => {
    const { url, first } = await attached();
    let known = first;
    const changes = { ...given.changes(), accessTokenTTL: 60, accessTokenMaxTTL: 7200, accessTokenNumUsesLimit: 3 };
    for (const [name, value] of Object.entries(changes)) {
      const { status, body } = await admin('PATCH', url, { [name]: value });
      expect([name, status, body.message]).toEqual([name, 200, undefined]);
      known = { ...known, [name]: body[key][name], updatedAt: body[key].updatedAt, ...presence(body[key]) };
      expect(body[key]).toEqual(known);
      expect(body.warnings).toEqual([]);
      expect(body[key][name]).not.toEqual(first[name]);
    }
    expect((await admin('GET', url)).body[key]).toEqual(known);
    const same = await attached(changes);
    const { id: _, identityId: __, createdAt: ___, updatedAt: ____, ...own } = known;
    expect(same.first).toMatchObject(own);
  });

  it('refuses what cannot be', async () => {
    const bare = urlOf(await identity());
    const { url, first } = await attached();
    const common: [object, number][] = [
      [{ accessTokenTTL: -1 }, 422],
      [{ accessTokenMaxTTL: 10 }, 400],
      [{ accessTokenTrustedIps: [] }, 422],
      [{ accessTokenTrustedIps: [{ ipAddress: 'nowhere' }] }, 400],
    ];
    for (const [fields, status] of [...common, ...given.refused()]) {
      for (const [method, at] of [
        ['POST', bare],
        ['PATCH', url],
      ] as const) {
        const body = method === 'POST' ? { ...least(), ...fields } : fields;
        expect([fields, method, (await admin(method, at, body)).status]).toEqual([fields, method, status]);
      }
    }
    for (const name of Object.keys(least())) {
      const { [name]: _, ...without } = least() as Record<string, unknown>;
      const { status } = await admin('POST', bare, without);
      expect([name, [400, 422].includes(status)]).toEqual([name, true]);
    }
    expect((await admin('GET', bare)).status).toBe(given.notAttached.GET);
    expect((await admin('GET', url)).body[key]).toEqual(first);
  });

  it('has the published statuses if it is not attached', async () => {
    const bare = await identity();
    for (const [method, status] of Object.entries(given.notAttached))
      expect((await admin(method as 'GET', urlOf(bare), method === 'PATCH' ? {} : undefined)).status).toBe(status);
    const login = await server().as()('POST', `/api/v1/auth/${kind}/login`, {
      identityId: bare,
      ...(await proof(bare)),
    });
    expect(login.status).toBe(404);
  });

  it('rejects a missing token, a revoked one and an expired one', async () => {
    const { url } = await attached();
    const bare = urlOf(await identity());
    const { logIn } = await attached({ accessTokenTTL: 60, accessTokenMaxTTL: 60 }, 'admin');
    const [expired, revoked] = [(await logIn()).body.accessToken, (await logIn()).body.accessToken];
    expect((await server().as(expired)('GET', url)).status).toBe(200);
    await server().as()('POST', '/api/v1/auth/token/revoke', { accessToken: revoked });
    server().advance(61_000);
    for (const token of [undefined, 'x', expired, revoked])
      for (const method of METHODS)
        expect((await server().as(token)(method, method === 'POST' ? bare : url, bodyFor(method))).status).toBe(401);
    expect((await admin('GET', bare)).status).toBe(given.notAttached.GET);
  });

  it('gives another organization the same answer as for an unknown identity', async () => {
    const { url, identityId, first } = await attached();
    const { call: foreign } = await server().foreign();
    for (const method of METHODS) {
      const ids = [identityId, newId(), 'no-id', '%00'];
      const answers = await Promise.all(ids.map((id) => foreign(method, urlOf(id), bodyFor(method))));
      for (const answer of answers) {
        expect(answer.status).toBe(404);
        expect(bodyOf(answer)).toEqual(bodyOf(answers[0]!));
      }
    }
    expect((await admin('GET', url)).body[key]).toEqual(first);
  });

  it.each([
    ['POST', 'create'],
    ['GET', 'read'],
    ['PATCH', 'edit'],
    ['DELETE', 'edit'],
  ] as const)('needs for %s the right to %s identities, and no other', async (method, action) => {
    const at = method === 'POST' ? urlOf(await identity('no-access')) : (await attached({}, 'no-access')).url;
    const others = ['read', 'create', 'edit', 'delete', 'create-token', 'revoke-auth'].filter((one) => one !== action);
    const allowed = async (actions: string[]) =>
      (await server().identity({ organizationRules: [{ subject: 'identity', action: actions }] })).call;
    expect((await (await allowed(others))(method, at, bodyFor(method))).body.error).toBe('PermissionDenied');
    expect((await (await allowed([action]))(method, at, bodyFor(method))).status).toBe(200);
  });

  it('logs in by JSON and by form; the token reads a secret, until the method is detached', async () => {
    const { identityId, url, logIn } = await attached();
    const project = await server().project();
    await server().admin('POST', `/api/v2/workspace/${project.id}/identity-memberships/${identityId}`, {
      role: 'viewer',
    });
    const at = { projectId: project.id, environment: 'dev' };
    await admin('POST', '/api/v4/secrets/KEY', { ...at, secretValue: 'found' });
    const form = await server().as()(
      'POST',
      `/api/v1/auth/${kind}/login`,
      new URLSearchParams({ identityId, ...(await proof(identityId)) }).toString() as never,
      { 'content-type': 'application/x-www-form-urlencoded' },
    );
    for (const { status, body } of [await logIn(), form]) {
      expect({ status, body }).toEqual({
        status: 200,
        body: {
          accessToken: expect.any(String),
          expiresIn: 2592000,
          accessTokenMaxTTL: 2592000,
          tokenType: 'Bearer',
        },
      });
    }
    const tokens = [(await logIn()).body.accessToken, form.body.accessToken];
    const read = (token: string) => {
      const query = new URLSearchParams(at).toString();
      return server().as(token)('GET', `/api/v4/secrets/KEY?${query}`);
    };
    for (const token of tokens)
      expect(await read(token)).toMatchObject({ status: 200, body: { secret: { secretValue: 'found' } } });
    await admin('DELETE', url);
    for (const token of tokens) expect((await read(token)).status).toBe(401);
    expect((await logIn()).status).toBe(404);
  });

  it('gives tokens the settings of the method at the time of the login', async () => {
    const { url, logIn } = await attached({ accessTokenTTL: 60, accessTokenMaxTTL: 120 });
    expect((await logIn()).body).toMatchObject({ expiresIn: 60, accessTokenMaxTTL: 120 });
    await admin('PATCH', url, { accessTokenTTL: 90, accessTokenTrustedIps: [{ ipAddress: '10.0.0.0/8' }] });
    const { body } = await logIn();
    expect(body).toMatchObject({ expiresIn: 90, accessTokenMaxTTL: 120 });
    expect((await server().as(body.accessToken)('GET', '/api/v1/identities/details')).status).toBe(403);
  });

  it('returns not found for an unknown identity, one without the method and one of no organization', async () => {
    const bare = await identity();
    const { identityId, logIn } = await attached();
    await admin('DELETE', `/api/v1/identities/${identityId}`);
    const presented = await proof(identityId);
    const ask = (id: unknown) => server().as()('POST', `/api/v1/auth/${kind}/login`, { ...presented, identityId: id });
    const gone = await logIn(presented);
    expect(gone.status).toBe(404);
    for (const id of [bare, newId(), 'nobody', '\0']) expect(bodyOf(await ask(id))).toEqual(bodyOf(gone));
    for (const id of [undefined, null, 1, '', {}]) expect((await ask(id)).status).toBe(422);
  });

  it('records logins, refused ones, and changes', async () => {
    const { url, identityId, logIn } = await attached();
    await logIn();
    await admin('GET', url);
    await admin('PATCH', url, {});
    await admin('DELETE', url);
    const { rows } = await server().coffer.pool.query<{ published: string }>(
      `select published from audit_events where data ->> 'authMethodId' is not null and data ->> 'identityId' = $1
       order by created_at, id`,
      [identityId],
    );
    expect(rows.map(({ published }) => published)).toEqual(
      ['add-identity', 'login-identity', 'get-identity', 'update-identity', 'revoke-identity'].map(
        (verb) => `${verb}-${kind}`,
      ),
    );
  });
}
