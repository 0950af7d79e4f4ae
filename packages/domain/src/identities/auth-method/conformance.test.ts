import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createRole } from '../../access/index.ts';
import { authenticate, bearerToken } from '../../app/authentication.ts';
import { badRequest, inTransaction, newId, type Context } from '../../kernel/index.ts';
import { makeIdentity, makeOrganization, testCoffer, type TestCoffer } from '../../testing/index.ts';
import { issueToken } from '../access-token/index.ts';
import { createIdentity } from '../identity/index.ts';
import { AuthMethodEntity } from './auth-method.entity.ts';
import type { AnyAuthMethod } from './auth-method.ts';
import { attachAuthMethod, detachAuthMethod, readAuthMethod, updateAuthMethod } from './auth-method.service.ts';
import { logInWith } from './log-in.ts';
import { presenceOf } from '../../family/index.ts';
import { describeFamily } from '../../family/testing/conformance.ts';
import { authMethodInputs } from './inputs.ts';
import { authMethods } from './registry.ts';
import { settingNames } from './settings.ts';
import type { LoginMethodExample } from './testing/example.ts';
import { missingBindings, warningsOf } from './trust-root.ts';

let test: TestCoffer;
let ctx: Context;
let organizationId: string;
beforeAll(async () => {
  test = await testCoffer({ fetch: async (url) => Promise.reject(badRequest('outbound.unreachable', url)) });
  const { id, admin } = await makeOrganization(test.coffer);
  organizationId = id;
  ctx = test.coffer.contextFor(admin.actor);
  await createRole(ctx, { slug: ROLE, name: ROLE, permissions: [{ subject: 'billing', action: ['read'] }] });
});
afterAll(() => test.close());

const action = (...names: string[]) => ({ subject: 'identity', action: names });
/** Readers of an identity's login methods; the identity has the right to read bills. */
const READERS = {
  'may change it': [action('read', 'edit'), { subject: 'billing', action: ['read'] }],
  'may only read it': [action('read'), { subject: 'billing', action: ['read'] }],
  'may attach one, and not change it': [action('read', 'create', 'delete'), { subject: 'billing', action: ['read'] }],
  'may change identities that hold less': [action('read', 'edit')],
};
const ROLE = 'pays';

const newIdentity = async () =>
  (
    await createIdentity(ctx, {
      name: 'conforming',
      organizationId,
      role: ROLE,
      metadata: [],
      hasDeleteProtection: false,
    })
  ).id;

async function attached(method: AnyAuthMethod, given: object) {
  const identityId = await newIdentity();
  const input = method.Attach.parse({ ...given, identityId }) as { identityId: string };
  return { identityId, answer: await attachAuthMethod(ctx, method, input) };
}

await describeFamily<AnyAuthMethod, LoginMethodExample>(
  {
    family: authMethods,
    nameOf: ({ kind }) => kind,
    folder: new URL('methods/', import.meta.url),
    guide: 'login-methods.md',
    fieldsOf: ({ config }) => Object.keys(config.shape),
    sayingsOf: ({ kind, credentials }) => [
      `/api/v1/auth/${kind}/identities/`,
      ...(credentials ? [`/api/v1/auth/${kind}/login`] : []),
    ],
  },
  ({ name: kind, member: method, example: { least, full, shared }, guide, tests }) => {
    const attach = (given: object) => attached(method, given);

    it('is named as published', () => {
      expect(kind).toMatch(/^[a-z]+(-[a-z]+)*-auth$/);
      expect(method.answerKey).toMatch(/^identity[A-Z][A-Za-z]+Auth$/);
    });

    it('has its configuration and credentials among the schemas that run in browsers', () => {
      const inputs: Record<string, { Config: unknown; Credentials?: unknown }> = authMethodInputs;
      expect(inputs[kind]?.Config).toBe(method.config);
      expect(inputs[kind]?.Credentials).toBe(method.credentials);
    });

    it('declares each of its own fields as stored, and none of the common ones', () => {
      const own = Object.keys(method.config.shape);
      expect(
        own.filter((name) => (settingNames as string[]).includes(name) || name === 'identityId' || name === 'id'),
      ).toEqual([]);
      expect(Object.keys(method.written?.fields.shape ?? {}).filter((name) => !own.includes(name))).toEqual([]);
      expect(Object.keys(method.made ?? {}).filter((name) => !own.includes(name))).toEqual([]);
    });

    it('does not accept generated fields as input', () => {
      for (const name of Object.keys(method.made ?? {})) {
        expect(Object.keys(method.Attach.shape)).not.toContain(name);
        expect(Object.keys(method.Update.shape)).not.toContain(name);
      }
    });

    it('has a login exactly if it has credentials', () => {
      const logins = (['verify', 'logIn'] as const).filter((name) => method[name] !== undefined);
      expect(logins).toHaveLength(method.credentials ? 1 : 0);
      expect(Boolean(method.Login)).toBe(method.credentials !== undefined);
    });

    it.each(['least', 'full'] as const)(
      'answers every field when attached (%s), and the same when read',
      async (which) => {
        const { identityId, answer } = await attach({ least, full: { ...least, ...full } }[which]);
        expect({ ...method.Answer.parse(answer), warnings: answer.warnings }).toEqual(answer);
        expect(Object.keys(answer).toSorted()).toEqual([...Object.keys(method.Answer.shape), 'warnings'].toSorted());
        expect(await readAuthMethod(ctx, method, { identityId })).toEqual(answer);
      },
    );

    it('changes nothing by a change that names nothing', async () => {
      expect(method.Update.parse({ identityId: 'x' })).toEqual({ identityId: 'x' });
      const { identityId, answer } = await attach({ ...least, ...full });
      const { updatedAt: _, ...changed } = await updateAuthMethod(ctx, method, { identityId });
      expect(answer).toMatchObject(changed);
    });

    /** A credential of `least` whose target this field is: an update must contain both. */
    const credentialsSentTo = (target: string) =>
      Object.fromEntries(
        Object.entries(least).filter(([name]) => method.sealedFields.get(name)?.sentTo.includes(target)),
      );

    it('changes by each single field only that field', async () => {
      for (const [name, value] of Object.entries(full)) {
        const { identityId, answer } = await attach(least);
        const change = { ...credentialsSentTo(name), [name]: value };
        const input = method.Update.parse({ identityId, ...change }) as { identityId: string };
        const changed = await updateAuthMethod(ctx, method, input);
        const differing = Object.keys(answer).filter((field) => !isDeepStrictEqual(answer[field], changed[field]));
        // Derived fields: whether a sealed one is set, and whether the method accepts logins.
        const following = ['updatedAt', 'warnings', ...(method.sealedFields.has(name) ? [presenceOf(name)] : [])];
        expect(differing.filter((field) => !following.includes(field))).toEqual([name]);
      }
    });

    it('stores its sealed fields only sealed, and does not return them on detaching', async () => {
      const { identityId, answer } = await attach({ ...least, ...full });
      const row = await inTransaction(ctx, (tx) => tx.em.findOneOrFail(AuthMethodEntity, { identityId }));
      const detached = method.DetachedAnswer.parse(await detachAuthMethod(ctx, method, { identityId }));
      expect(row.sealed !== null).toBe(method.sealedFields.size > 0);
      for (const name of method.sealedFields.keys()) {
        expect(Object.keys(row.config)).not.toContain(name);
        expect(Object.keys(detached)).not.toContain(name);
        expect(row.sealed?.toString()).not.toContain(answer[name] || 'nothing was given');
      }
      for (const { sentTo } of method.sealedFields.values()) {
        expect(sentTo.filter((field) => !(field in method.config.shape))).toEqual([]);
      }
    });

    it('returns sealed fields to callers who may change it, and to others only whether they are set', async () => {
      const { identityId, answer } = await attach({ ...least, ...full });
      for (const [who, rules] of Object.entries(READERS)) {
        const reader = await makeIdentity(test.coffer, { organizationId, organizationRules: rules });
        const read = await readAuthMethod(test.coffer.contextFor(reader.actor), method, { identityId });
        expect([who, { ...method.Answer.parse(read), warnings: read.warnings }]).toEqual([who, read]);
        for (const name of method.sealedFields.keys()) {
          const isShown = who === 'may change it';
          const value = answer[name];
          expect([who, name, read[name]]).toEqual([who, name, isShown ? value : Array.isArray(value) ? [] : '']);
          expect([name, read[presenceOf(name)]]).toEqual([name, true]);
        }
        const open = Object.keys(answer).filter((name) => !method.sealedFields.has(name));
        for (const name of open) expect([who, name, read[name]]).toEqual([who, name, answer[name]]);
      }
    });

    it('reports sealed fields without a value as not set', async () => {
      const { answer } = await attach(least);
      for (const name of method.sealedFields.keys())
        expect([name, answer[presenceOf(name)]]).toEqual([name, name in least]);
    });

    it('sends stored credentials only to their target', async () => {
      for (const [name, { sentTo }] of method.sealedFields) {
        const credential = { [name]: { ...least, ...full }[name] };
        for (const target of sentTo) {
          const { identityId } = await attach({ ...least, ...credential });
          const change = (given: object) =>
            updateAuthMethod(ctx, method, method.Update.parse({ identityId, ...given }) as { identityId: string });
          const elsewhere = { [target]: { ...least, ...full }[target] };
          await expect(change(elsewhere)).rejects.toMatchObject({ code: 'auth_method.credential_needed' });
          expect(await change({ ...elsewhere, ...credential })).toMatchObject(elsewhere);
        }
      }
    });

    it('reports each unsupported field', () => {
      for (const [name, message] of Object.entries(method.notOffered ?? {})) {
        for (const schema of [method.Attach, method.Update]) {
          const { error } = schema.safeParse({ ...least, identityId: 'x', [name]: 'y' });
          expect(error?.issues).toEqual([expect.objectContaining({ path: [name], message })]);
        }
      }
    });

    it('revokes its tokens when it is detached', async () => {
      const { identityId, answer } = await attach({ ...least, ...full });
      const { issued } = await issueToken(ctx, {
        organizationId,
        identityId,
        method: { ...method.Answer.parse(answer), id: String(answer['id']), kind } as never,
      });
      const use = () => authenticate(test.coffer.contextFor({ type: 'anonymous' }), bearerToken(issued.accessToken));
      expect(await use()).toMatchObject({ id: identityId, authMethod: kind });
      await detachAuthMethod(ctx, method, { identityId });
      await expect(use()).rejects.toMatchObject({ kind: 'unauthenticated' });
    });

    it('documents its messages, and no unknown codes or logins', () => {
      expect(guide.match(/40\d `[a-z_]+\.[a-z_]+`/g)).toBeNull();
      expect(guide.includes(`/api/v1/auth/${kind}/login`)).toBe(method.credentials !== undefined);
    });

    it('reads a row of an earlier release, without newer fields', async () => {
      const { identityId, answer } = await attach(least);
      const optional = Object.entries(method.config.shape).filter(([, schema]) => schema.safeParse(undefined).success);
      for (const [name] of optional) {
        await test.coffer.pool.query('update identity_auth_methods set config = config - $2 where identity_id = $1', [
          identityId,
          name,
        ]);
      }
      expect(await readAuthMethod(ctx, method, { identityId })).toEqual(answer);
    });

    it.runIf(method.credentials)('has a battery of rejected credentials', () => {
      const battery = tests.get('rejected-credentials.test.ts');
      expect(battery?.match(/^\s*it\b/gm)?.length ?? 0).toBeGreaterThanOrEqual(5);
    });

    const nonsense = Object.fromEntries(Object.keys(method.credentials?.shape ?? {}).map((name) => [name, 'x']));

    it.runIf('verify' in method)('rejects malformed credentials, and identities without the method', async () => {
      const { identityId } = await attach(least);
      const anonymous = test.coffer.contextFor({ type: 'anonymous' });
      for (const id of [await newIdentity(), newId(), 'nobody'])
        await expect(logInWith(anonymous, method, { ...nonsense, identityId: id })).rejects.toMatchObject({
          kind: 'not_found',
        });
      await expect(logInWith(anonymous, method, { ...nonsense, identityId })).rejects.toMatchObject({
        kind: expect.stringMatching(/^(bad_request|unauthenticated|forbidden)$/),
      });
    });

    it.runIf('verify' in method)('record a login with malformed credentials, unless it has none', async () => {
      const { identityId } = await attach({ ...least, ...shared?.unbound, ...shared?.bindings[0] });
      const login = logInWith(test.coffer.contextFor({ type: 'anonymous' }), method, { ...nonsense, identityId });
      const { code } = await login.then(
        () => ({ code: 'logged in' }),
        (error: { code: string }) => error,
      );
      const { rows } = await test.coffer.pool.query(
        `select from audit_events where published = $1 and data ->> 'identityId' = $2`,
        [`fail-login-identity-${kind}`, identityId],
      );
      expect([code, rows.length]).toEqual([code, code === 'tls_cert_auth.no_certificate' ? 0 : 1]);
    });

    it('has an example of others exactly if its trust root may be shared', () => {
      expect(shared !== undefined).toBe(method.trustRoot.kind === 'shared');
    });

    it.runIf(method.trustRoot.kind === 'private')(
      'is warned of by nothing where its trust root is private',
      async () => {
        const { answer } = await attach(least);
        expect(warningsOf(method, answer)).toEqual([]);
      },
    );

    if (!shared) return;
    const { unbound, bindings, nonBindings } = shared;
    const given = (change: object = {}) => ({ ...least, ...unbound, ...change });
    const logIn = (identityId: string) =>
      logInWith(test.coffer.contextFor({ type: 'anonymous' }), method, { ...nonsense, identityId }).then(
        () => 'logged in',
        (error: { kind: string; code: string }) => error.code,
      );
    const reasons = async (identityId: string) => {
      const { rows } = await test.coffer.pool.query<{ reason: string }>(
        `select data ->> 'reason' as reason from audit_events where published = $1 and data ->> 'identityId' = $2`,
        [`fail-login-identity-${kind}`, identityId],
      );
      return rows.map(({ reason }) => reason);
    };

    it.each([{}, ...nonBindings].map((change) => ({ change })))(
      'let no one log in with the binding $change if their trust root is shared, warn of it, and record why',
      async ({ change }) => {
        const { identityId, answer } = await attach(given(change));
        const [warning] = warningsOf(method, answer);
        for (const field of missingBindings(method, answer)) expect(warning).toContain(field);
        expect(await logIn(identityId)).toBe('auth_method.unbound');
        expect(await reasons(identityId)).toEqual(['auth_method.unbound']);
      },
    );

    it('verifies credentials once any field binds it', async () => {
      for (const change of bindings) {
        const { identityId, answer } = await attach(given(change));
        expect([change, warningsOf(method, answer)]).toEqual([change, []]);
        expect([change, await logIn(identityId)]).not.toEqual([change, 'auth_method.unbound']);
      }
    });

    it('is bound only by its declared fields', () => {
      const config = method.config.parse({ ...method.config.partial().parse(given()) });
      const missing = missingBindings(method, config);
      const named = new Set(bindings.flatMap((change) => Object.keys(change)));
      expect(missing.toSorted()).toEqual([...named].toSorted());
    });
  },
);
