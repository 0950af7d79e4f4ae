import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inTransaction, type Context } from '../../kernel/index.ts';
import { makeOrganization, testCoffer, type TestCoffer } from '../../testing/index.ts';
import { createIdentity } from '../identity/index.ts';
import { AuthMethodEntity } from './auth-method.entity.ts';
import { attachAuthMethod, detachAuthMethod, readAuthMethod, updateAuthMethod } from './auth-method.service.ts';
import { authMethods } from './registry.ts';
import { settingNames } from './settings.ts';

/** For each member the least that it can be attached with, and more: a value for every field that has none by itself. */
const examples: Record<string, { least: object; full: object }> = {
  'universal-auth': { least: {}, full: { clientSecretTrustedIps: [{ ipAddress: '10.0.0.0/8' }], lockoutThreshold: 5 } },
  'token-auth': { least: {}, full: {} },
};

let test: TestCoffer;
let ctx: Context;
let organizationId: string;
beforeAll(async () => {
  test = await testCoffer();
  const { id, admin } = await makeOrganization(test.coffer);
  organizationId = id;
  ctx = test.coffer.contextFor(admin.actor);
});
afterAll(() => test.close());

const newIdentity = async () =>
  (
    await createIdentity(ctx, {
      name: 'conforming',
      organizationId,
      role: 'no-access',
      metadata: [],
      hasDeleteProtection: false,
    })
  ).id;

it('knows an example of every member', () => {
  expect(Object.keys(examples).toSorted()).toEqual(authMethods.map(({ kind }) => kind).toSorted());
});

it('has each kind, title and answer key once', () => {
  for (const field of ['kind', 'title', 'answerKey'] as const) {
    expect(new Set(authMethods.map((method) => method[field])).size).toBe(authMethods.length);
  }
});

describe.each(authMethods.map((method) => ({ kind: method.kind, method })))('$kind', ({ kind, method }) => {
  const { least, full } = examples[kind] ?? { least: {}, full: {} };
  const attach = async (given: object) => {
    const identityId = await newIdentity();
    const input = method.Attach.parse({ ...given, identityId }) as { identityId: string };
    return { identityId, answer: await attachAuthMethod(ctx, method, input) };
  };

  it('is named as published', () => {
    expect(kind).toMatch(/^[a-z]+(-[a-z]+)*-auth$/);
    expect(method.answerKey).toMatch(/^identity[A-Z][A-Za-z]+Auth$/);
  });

  it('says of every field of its own that it is stored, and of none that all methods have', () => {
    const own = Object.keys(method.config.shape);
    expect(
      own.filter((name) => (settingNames as string[]).includes(name) || name === 'identityId' || name === 'id'),
    ).toEqual([]);
    expect(Object.keys(method.written?.fields.shape ?? {}).filter((name) => !own.includes(name))).toEqual([]);
    expect(Object.keys(method.made ?? {}).filter((name) => !own.includes(name))).toEqual([]);
  });

  it('lets nobody set what it makes up', () => {
    for (const name of Object.keys(method.made ?? {})) {
      expect(Object.keys(method.Attach.shape)).not.toContain(name);
      expect(Object.keys(method.Update.shape)).not.toContain(name);
    }
  });

  it('has a login exactly where it has credentials', () => {
    const logins = (['verify', 'logIn'] as const).filter((name) => method[name] !== undefined);
    expect(logins).toHaveLength(method.credentials ? 1 : 0);
    expect(Boolean(method.Login)).toBe(method.credentials !== undefined);
  });

  it.each(['least', 'full'] as const)(
    'answers every field when attached (%s), and the same when read',
    async (which) => {
      const { identityId, answer } = await attach({ least, full: { ...least, ...full } }[which]);
      expect(method.Answer.parse(answer)).toEqual(answer);
      expect(Object.keys(answer).toSorted()).toEqual(Object.keys(method.Answer.shape).toSorted());
      expect(await readAuthMethod(ctx, method, { identityId })).toEqual(answer);
    },
  );

  it('changes nothing by a change that names nothing', async () => {
    expect(method.Update.parse({ identityId: 'x' })).toEqual({ identityId: 'x' });
    const { identityId, answer } = await attach({ ...least, ...full });
    const { updatedAt: _, ...changed } = await updateAuthMethod(ctx, method, { identityId });
    expect(answer).toMatchObject(changed);
  });

  it('changes by each single field only that field', async () => {
    for (const [name, value] of Object.entries(full)) {
      const { identityId, answer } = await attach(least);
      const input = method.Update.parse({ identityId, [name]: value }) as { identityId: string };
      const changed = await updateAuthMethod(ctx, method, input);
      const differing = Object.keys(answer).filter((field) => !isDeepStrictEqual(answer[field], changed[field]));
      expect(differing.filter((field) => field !== 'updatedAt')).toEqual([name]);
    }
  });

  it('keeps its sealed fields out of the table in the clear, and out of the answer of detaching', async () => {
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

  it('reads a row that an earlier release wrote, without the fields that came later', async () => {
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
});
