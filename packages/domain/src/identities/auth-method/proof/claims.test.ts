import { describe, expect, it } from 'vitest';
import { claimAt, mapClaims, requireAudience, requireBoundClaims, requireReadable, requireSubject } from './claims.ts';

const passes = (check: () => void): boolean => {
  try {
    check();
    return true;
  } catch {
    return false;
  }
};

describe('claimAt', () => {
  const claims = {
    sub: 'me',
    repository: { owner: { name: 'acme' }, 'owner.name': 'nested with a dot' },
    'repository.owner.name': 'eve',
    'kubernetes.io': { namespace: 'apps' },
    'https://example.com/roles': ['a', 'b'],
    list: [{ name: 'first' }],
  };

  it.each([
    ['sub', 'me'],
    ['repository.owner.name', 'acme'],
    ['kubernetes.io.namespace', 'apps'],
    ['https://example.com/roles', ['a', 'b']],
    ['list.0.name', 'first'],
    ['sub.length', undefined],
    ['list.length', undefined],
    ['repository.owner.other', undefined],
    ['repository.constructor', undefined],
    ['toString', undefined],
    ['__proto__', undefined],
    ['', undefined],
    ['.', undefined],
    ['sub.', undefined],
    ['.sub', undefined],
  ])('finds at %j: %j', (path, value) => {
    expect(claimAt(claims, path)).toEqual(value);
  });

  it('finds a name with dots if nothing is inside', () => {
    expect(claimAt({ 'a.b': 1 }, 'a.b')).toBe(1);
    expect(claimAt({ a: 'text', 'a.b': 1 }, 'a.b')).toBeUndefined();
  });
});

describe('numbers', () => {
  // As in a token: what is written there, and not what a program reads.
  const read = (json: string) => JSON.parse(`{"id":${json}}`) as { id: unknown };

  it.each([
    ['9007199254740992', '9007199254740993'],
    ['12345678901234567000', '12345678901234567890'],
    ['12345678901234567000', '[12345678901234567890]'],
    ['-9007199254740992', '-9007199254740993'],
    ['1e\\+21', '1000000000000000000001'],
    ['Infinity', '1e999'],
  ])('%s is not bound by %s, which is read as it', (bound, written) => {
    expect(passes(() => requireBoundClaims(read(written), { id: bound }))).toBe(false);
    expect(passes(() => requireAudience({ aud: read(written).id as string }, bound))).toBe(false);
    expect(passes(() => mapClaims(read(written), { account: 'id' }))).toBe(false);
  });

  it.each(['9007199254740991', '-4711', '1.5', '0'])('%s is bound by itself', (written) => {
    expect(passes(() => requireBoundClaims(read(written), { id: written }))).toBe(true);
    expect(mapClaims(read(written), { account: 'id' })).toEqual({ account: written });
  });
});

describe('bound claims', () => {
  const claims = {
    ref: 'refs/heads/main',
    groups: ['deployers', 'readers'],
    id: 4711,
    isFork: false,
    owner: { name: 'acme' },
    nothing: null,
    empty: [],
  };

  it.each([
    [{}, true],
    [{ ref: 'refs/heads/main' }, true],
    [{ ref: 'refs/tags/*, refs/heads/*' }, true],
    [{ ref: 'refs/*' }, false],
    [{ ref: 'refs/**' }, true],
    [{ ref: 'refs/heads/mai' }, false],
    [{ ref: 'REFS/HEADS/MAIN' }, false],
    [{ groups: 'readers' }, true],
    [{ groups: 'writers, deploy*' }, true],
    [{ groups: 'deployers,readers', id: '4711', isFork: 'false', 'owner.name': 'ac?e' }, true],
    [{ groups: 'readers', id: '471' }, false],
    [{ isFork: 'true' }, false],
    [{ owner: '**' }, false],
    [{ nothing: '**' }, false],
    [{ nothing: 'null' }, false],
    [{ empty: '**' }, false],
    [{ missing: '**' }, false],
    [{ ref: '' }, false],
  ] as [Record<string, string>, boolean][])('%j: %j', (bound, accepted) => {
    expect(passes(() => requireBoundClaims(claims, bound))).toBe(accepted);
  });

  it('are refused by name', () => {
    expect(() => requireBoundClaims(claims, { ref: 'other' })).toThrow(
      expect.objectContaining({
        kind: 'unauthenticated',
        code: 'proof.claim',
        message: expect.stringContaining('ref'),
      }),
    );
  });
});

describe('an audience', () => {
  it.each([
    ['coffer', '', true],
    [undefined, '', true],
    ['coffer', 'coffer', true],
    ['coffer', 'vault, coffer', true],
    [['x', 'coffer'], 'coffer', true],
    ['https://coffer.example.com/api', 'https://coffer.example.com/*', true],
    ['https://coffer.example.com', 'https://*.example.com', true],
    ['coffer', 'vault', false],
    ['coffer, vault', 'coffer', false],
    [undefined, '**', false],
    [[], '**', false],
  ])('%j for the list %j: %j', (aud, list, accepted) => {
    expect(passes(() => requireAudience({ aud }, list))).toBe(accepted);
  });
});

describe('a subject', () => {
  it.each([
    ['repo:acme/website:ref:refs/heads/main', 'repo:acme/*:ref:refs/heads/main', true],
    ['repo:acme/website:ref:refs/heads/main', 'repo:acme/**', true],
    ['repo:acme-evil/website:ref:refs/heads/main', 'repo:acme/**', false],
    ['repo:acme/website:environment:prod', 'repo:acme/{website,api}:environment:prod', true],
    ['anything', '', true],
    [undefined, '', true],
    [undefined, '**', false],
  ])('%j for %j: %j', (sub, glob, accepted) => {
    expect(passes(() => requireSubject({ ...(sub !== undefined && { sub }) }, glob))).toBe(accepted);
  });

  it('that may not log in is forbidden', () => {
    expect(() => requireSubject({ sub: 'a' }, 'b')).toThrow(expect.objectContaining({ kind: 'forbidden' }));
  });
});

describe('a mapping', () => {
  it('names claims, each as a text', () => {
    const claims = { repository: { owner: 'acme', id: 7 }, isFork: false, groups: ['a', 'b'], sub: 'x' };
    const mapping = {
      owner: 'repository.owner',
      id: 'repository.id',
      fork: 'isFork',
      team: 'groups',
      __proto__x: 'sub',
    };
    expect(mapClaims(claims, mapping)).toEqual({ owner: 'acme', id: '7', fork: 'false', team: 'a,b', __proto__x: 'x' });
  });

  it.each([undefined, null, '', [], {}, [{}], 'a\0b', '\uD800'])('rejects a token with the claim %j', (value) => {
    expect(() => mapClaims({ claim: value }, { name: 'claim' })).toThrow(
      expect.objectContaining({ kind: 'unauthenticated', code: 'proof.claim' }),
    );
  });
});

describe('the mapped claims of a token', () => {
  it('is at most 20,000 characters', () => {
    const mapping = (names: number) =>
      Object.fromEntries(Array.from({ length: names }, (_, at) => [`name-${at}`, 'claim'] as const));
    expect(Object.keys(mapClaims({ claim: 'x'.repeat(2000) }, mapping(10)))).toHaveLength(10);
    expect(() => mapClaims({ claim: 'x'.repeat(2000) }, mapping(11))).toThrow(
      expect.objectContaining({ kind: 'unauthenticated', code: 'proof.claim' }),
    );
  });
});

describe('globs in a configuration', () => {
  const none = { boundAudiences: '', boundSubject: '', boundClaims: {} };

  it.each([
    ['boundAudiences', { boundAudiences: 'fine, [' }],
    ['boundSubject', { boundSubject: '!main' }],
    ['boundClaims.ref', { boundClaims: { groups: '*', ref: '(a|b)' } }],
  ])('must be valid: %s', (field, given) => {
    expect(() => requireReadable({ ...none, ...given })).toThrow(
      expect.objectContaining({
        kind: 'bad_request',
        code: 'auth_method.bad_glob',
        message: expect.stringContaining(field),
      }),
    );
    expect(() => requireReadable(none)).not.toThrow();
  });
});
