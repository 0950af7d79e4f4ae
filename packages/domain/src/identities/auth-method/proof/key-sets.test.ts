import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { badRequest, type OutboundFetch } from '../../../kernel/index.ts';
import { makeAuthority } from '../../../outbound/testing/certificates.ts';
import { BOUNDS } from './documents.ts';
import { ProviderKeySets } from './key-sets.ts';

const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const jwk = publicKey.export({ format: 'jwk' });
const keyed = (...kids: string[]) => ({ keys: kids.map((kid) => ({ ...jwk, kid })) });
const ES256 = (kid?: string) => ({ alg: 'ES256', kid });
const URL_A = 'https://a.test/jwks';

/** Key sets of a network whose responses (a function: the text) and clock the test controls. */
function world(documents: Record<string, unknown> = {}) {
  const asked: string[] = [];
  let time = Date.parse('2026-01-01T00:00:00Z');
  let delay: Promise<unknown> = Promise.resolve();
  const fetch: OutboundFetch = async (url, { ca } = {}) => {
    asked.push(ca ? `${url} ${ca}` : url);
    await delay;
    if (!(url in documents)) throw badRequest('outbound.unreachable', 'It is gone');
    const document = documents[url];
    const text = typeof document === 'function' ? String(document()) : JSON.stringify(document);
    const body = new TextEncoder().encode(text);
    return { status: 200, headers: {}, body, text: () => text, json: () => JSON.parse(text) as unknown };
  };
  return {
    keySets: new ProviderKeySets(fetch, () => new Date(time)),
    asked,
    documents,
    advance: (ms: number) => void (time += ms),
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      delay = promise;
      return resolve;
    },
  };
}

describe('a key set', () => {
  it('is fetched once for all concurrent readers, and then cached for ten minutes', async () => {
    const { keySets, asked, advance, hold } = world({ [URL_A]: keyed('one') });
    const release = hold();
    const found = Array.from({ length: 50 }, () => keySets.keysAt(URL_A)(ES256('one')));
    release();
    expect((await Promise.all(found)).every((keys) => keys.length === 1)).toBe(true);
    expect(asked).toHaveLength(1);
    advance(BOUNDS.age - 1);
    await keySets.keysAt(URL_A)(ES256('one'));
    expect(asked).toHaveLength(1);
    advance(1);
    await keySets.keysAt(URL_A)(ES256('one'));
    expect(asked).toHaveLength(2);
  });

  it('loses a withdrawn key after ten minutes, also while the publisher is unreachable', async () => {
    const { keySets, documents, advance } = world({ [URL_A]: keyed('one', 'two') });
    const find = keySets.keysAt(URL_A);
    expect(await find(ES256('one'))).toHaveLength(1);
    documents[URL_A] = keyed('two');
    advance(BOUNDS.age);
    expect(await find(ES256('one'))).toEqual([]);
    delete documents[URL_A];
    advance(BOUNDS.age);
    await expect(find(ES256('two'))).rejects.toMatchObject({ code: 'outbound.unreachable' });
  });

  it('is fetched again for an unknown kid, but not more often than every ten seconds', async () => {
    const { keySets, asked, documents, advance } = world({ [URL_A]: keyed('one') });
    const find = keySets.keysAt(URL_A);
    expect(await find(ES256('one'))).toHaveLength(1);
    documents[URL_A] = keyed('one', 'two');
    advance(BOUNDS.refreshInterval);
    expect(await Promise.all([find(ES256('two')), find(ES256('two')), find(ES256('one'))])).toMatchObject([
      { length: 1 },
      { length: 1 },
      { length: 1 },
    ]);
    expect(asked).toHaveLength(2);
    for (let guess = 0; guess < 100; guess++) expect(await find(ES256(`guess-${guess}`))).toEqual([]);
    expect(asked).toHaveLength(2);
    advance(BOUNDS.refreshInterval);
    await Promise.all(Array.from({ length: 100 }, (_, guess) => find(ES256(`guess-${guess}`))));
    expect(asked).toHaveLength(3);
  });

  it('continues to provide its keys while its publisher is unreachable', async () => {
    const { keySets, asked, documents, advance } = world({ [URL_A]: keyed('one') });
    const find = keySets.keysAt(URL_A);
    await find(ES256('one'));
    delete documents[URL_A];
    advance(BOUNDS.refreshInterval);
    await expect(find(ES256('two'))).rejects.toMatchObject({ code: 'outbound.unreachable' });
    expect(await find(ES256('one'))).toHaveLength(1);
    expect(await find(ES256('two'))).toEqual([]);
    expect(asked).toHaveLength(2);
  });

  it('that could not be fetched is requested again after five seconds', async () => {
    const { keySets, asked, documents, advance } = world();
    const find = keySets.keysAt(URL_A);
    for (let login = 0; login < 10; login++)
      await expect(find(ES256('one'))).rejects.toMatchObject({ kind: 'bad_request', code: 'outbound.unreachable' });
    expect(asked).toHaveLength(1);
    documents[URL_A] = keyed('one');
    advance(BOUNDS.failureAge);
    expect(await find(ES256('one'))).toHaveLength(1);
  });

  it('is a different one for another address, other roots, or another parser', async () => {
    const { keySets, asked, documents } = world({ [URL_A]: keyed('one'), 'https://b.test/': keyed('two') });
    await keySets.keysAt(URL_A)(ES256('one'));
    expect(await keySets.keysAt('https://b.test/')(ES256('one'))).toEqual([]);
    await keySets.keysAt(URL_A, { ca: 'CA 1' })(ES256('one'));
    await keySets.keysAt(URL_A, { ca: 'CA 2' })(ES256('one'));
    await keySets.keysAt(URL_A, { ca: '' })(ES256('one'));
    documents[URL_A] = {};
    expect(await keySets.certificatesAt(URL_A)(ES256('one'))).toEqual([]);
    expect(asked).toEqual([URL_A, 'https://b.test/', `${URL_A} CA 1`, `${URL_A} CA 2`, URL_A]);
    expect(keySets.size).toBe(5);
  });

  it('with a slow publisher delays no other', async () => {
    const { keySets, hold } = world({ [URL_A]: keyed('one'), 'https://slow.test/': keyed('one') });
    await keySets.keysAt(URL_A)(ES256('one'));
    const release = hold();
    const slow = keySets.keysAt('https://slow.test/')(ES256('one'));
    expect(await keySets.keysAt(URL_A)(ES256('one'))).toHaveLength(1);
    release();
    expect(await slow).toHaveLength(1);
  });

  it('is not pushed out by any number of others that cannot be had', async () => {
    const { keySets, asked } = world({ [URL_A]: keyed('one') });
    await keySets.keysAt(URL_A)(ES256('one'));
    for (let index = 0; index < 2 * BOUNDS.documents; index++)
      await expect(keySets.keysAt(`https://none.test/${index}`)(ES256('one'))).rejects.toBeDefined();
    await keySets.keysAt(URL_A)(ES256('one'));
    expect(asked.filter((url) => url === URL_A)).toHaveLength(1);
    expect(keySets.size).toBe(BOUNDS.documents);
  });

  it('is cached in a limited number, replacing the least recently used one', async () => {
    const { keySets, documents, asked } = world();
    const ask = async (name: string | number) => {
      documents[`https://many.test/${name}`] = keyed('one');
      await keySets.keysAt(`https://many.test/${name}`)(ES256('one'));
    };
    for (let index = 0; index < BOUNDS.documents; index++) await ask(index);
    for (const name of [0, 'new', 'new', 0]) await ask(name);
    expect(asked).toHaveLength(BOUNDS.documents + 1);
    await ask(1);
    expect(asked).toHaveLength(BOUNDS.documents + 2);
    expect(keySets.size).toBe(BOUNDS.documents);
  });

  it('serves waiting readers even if the entry is invalidated meanwhile', async () => {
    const { keySets, documents, hold, asked } = world({ [URL_A]: keyed('one') });
    const release = hold();
    const waiting = keySets.keysAt(URL_A)(ES256('one'));
    const others = Array.from({ length: BOUNDS.documents }, (_, index) => {
      documents[`https://many.test/${index}`] = keyed('one');
      return keySets.keysAt(`https://many.test/${index}`)(ES256('one'));
    });
    release();
    expect(await waiting).toHaveLength(1);
    await Promise.all(others);
    expect(keySets.size).toBe(BOUNDS.documents);
    await keySets.keysAt(URL_A)(ES256('one'));
    expect(asked.filter((url) => url === URL_A)).toHaveLength(2);
  });
});

describe('a key set that several owners fetch', () => {
  const ISSUER = 'https://issuer.test';
  const discovery = { jwks_uri: 'https://issuer.test/jwks' };

  /** Key sets of an issuer that answers nothing in the turns of one owner, until these fail. */
  function issuer() {
    const asked: string[] = [];
    let time = Date.parse('2026-01-01T00:00:00Z');
    const stuck: ((error: Error) => void)[] = [];
    const fetch: OutboundFetch = async (url, { whose = '' } = {}) => {
      asked.push([whose, new URL(url).pathname].flat().join(' '));
      if (whose === 'flood') await new Promise((_, fail) => stuck.push(fail));
      const text = JSON.stringify(url.endsWith('/jwks') ? keyed('one') : discovery);
      const body = new TextEncoder().encode(text);
      return { status: 200, headers: {}, body, text: () => text, json: () => JSON.parse(text) as unknown };
    };
    const fail = () =>
      stuck.splice(0).forEach((one) => one(badRequest('outbound.timeout', 'It did not answer in time')));
    const keySets = new ProviderKeySets(fetch, () => new Date(time));
    const login = (whose: string) => keySets.keysOf(ISSUER, { whose })(ES256('one'));
    return { login, asked, fail, advance: (ms: number) => void (time += ms) };
  }

  it('is fetched in the turn of each where that of another takes long, and what arrives is for all', async () => {
    const { login, asked, fail } = issuer();
    const waiting = login('flood');
    expect(await login('other')).toHaveLength(1);
    fail();
    expect(await waiting).toHaveLength(1);
    expect(asked).toEqual([
      'flood /.well-known/openid-configuration',
      'other /.well-known/openid-configuration',
      'flood /jwks',
      'other /jwks',
    ]);
  });

  it('fails for the owner alone in whose turn it failed', async () => {
    const { login, fail, advance } = issuer();
    const first = login('flood');
    fail();
    await expect(first).rejects.toMatchObject({ code: 'outbound.timeout' });
    await expect(login('flood')).rejects.toMatchObject({ code: 'outbound.timeout' });
    expect(await login('other')).toHaveLength(1);
    expect(await login('flood')).toHaveLength(1);
    advance(BOUNDS.age);
    const later = login('flood');
    const meanwhile = login('other');
    fail();
    expect(await meanwhile).toHaveLength(1);
    expect(await Promise.allSettled([later])).toHaveLength(1);
  });

  it('is fetched in the turn of its reader, whoever has fetched the discovery document', async () => {
    const { login, asked, advance } = issuer();
    expect(await login('first')).toHaveLength(1);
    advance(BOUNDS.refreshInterval);
    expect(await Promise.all(['second', 'third'].map(login))).toEqual([expect.anything(), expect.anything()]);
    advance(BOUNDS.age - BOUNDS.refreshInterval - 1);
    expect(await login('second')).toHaveLength(1);
    advance(1);
    expect(await login('second')).toHaveLength(1);
    expect(asked.slice(2)).toEqual(['second /.well-known/openid-configuration', 'second /jwks']);
  });

  it('is fetched once for all of them where it arrives soon', async () => {
    const { login, asked } = issuer();
    await Promise.all(Array.from({ length: 50 }, (_, n) => login(`owner-${n}`)));
    expect(asked).toHaveLength(2);
  });
});

describe('key sets', () => {
  it('stay within their limit; least recently used ones are evicted first', async () => {
    const { keySets, documents, asked } = world();
    const padded = { ...keyed('one'), padding: 'x'.repeat(200_000) };
    const ask = (name: string | number) => keySets.keysAt(`https://many.test/${name}`)(ES256('one'));
    for (let index = 0; index < 400; index++) documents[`https://many.test/${index}`] = padded;
    for (let index = 0; index < 160; index++) await ask(index);
    expect(keySets.size).toBe(160);
    await ask(0);
    for (let index = 160; index < 200; index++) await ask(index);
    expect(keySets.size * 200_000).toBeLessThan(BOUNDS.bytes);
    expect(keySets.size).toBeGreaterThan(160);
    const before = asked.length;
    await ask(0);
    expect(asked).toHaveLength(before);
    await ask(1);
    expect(asked).toHaveLength(before + 1);
  });

  it.each([
    [null],
    [[]],
    ['keys'],
    [{}],
    [{ keys: {} }],
    [{ keys: ['key'] }],
    [{ keys: [null] }],
    [{ keys: Array.from({ length: 1001 }, () => jwk) }],
  ])('are no key sets: %j', async (document) => {
    const { keySets } = world({ [URL_A]: document });
    await expect(keySets.keysAt(URL_A)(ES256('one'))).rejects.toMatchObject({ code: 'provider.bad_answer' });
  });

  it('are parsed with any further fields in their keys, at any depth', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const odd = JSON.stringify({ ...jwk, kid: 'one', ext: 1, oth: { toString: 1 }, key_ops: ['verify'] });
    const { keySets } = world({ [URL_A]: () => `{"keys":[${odd.replace('{', `{"x5c":${deep},`)},{"kid":${deep}}]}` });
    expect(await keySets.keysAt(URL_A)(ES256('one'))).toHaveLength(1);
  });

  it('return for a token without kid all matching keys, and none if there are more than ten', async () => {
    const { publicKey: rsa } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const ten = Array.from({ length: 10 }, (_, index) => `key-${index}`);
    const others = [{ ...rsa.export({ format: 'jwk' }), kid: 'rsa' }];
    const { keySets } = world({
      [URL_A]: { keys: [...keyed(...ten).keys, ...others] },
      'https://b.test/': keyed(...ten, 'eleventh'),
    });
    expect(await keySets.keysAt(URL_A)(ES256())).toHaveLength(10);
    expect(await keySets.keysAt(URL_A)({ alg: 'RS256' })).toHaveLength(1);
    expect(await keySets.keysAt('https://b.test/')(ES256())).toEqual([]);
  });

  it('return all keys with the same name', async () => {
    const { keySets } = world({ [URL_A]: keyed('one', 'one', 'two') });
    expect(await keySets.keysAt(URL_A)(ES256('one'))).toHaveLength(2);
  });

  it('return no key that is secret, private, broken, for another use or of another type', async () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { publicKey: weak } = generateKeyPairSync('rsa', { modulusLength: 1024 });
    const { keySets } = world({
      [URL_A]: {
        keys: [
          { kty: 'oct', k: 'c2VjcmV0', kid: 'secret' },
          { ...privateKey.export({ format: 'jwk' }), kid: 'private' },
          { ...jwk, x: 'AAAA', kid: 'broken' },
          { ...jwk, use: 'enc', kid: 'enc' },
          { ...jwk, alg: 'ES384', kid: 'es384' },
          { ...jwk, key_ops: ['sign'], kid: 'ops' },
          { kid: 'empty' },
          { ...weak.export({ format: 'jwk' }), kid: 'weak' },
        ],
      },
    });
    const find = keySets.keysAt(URL_A);
    for (const kid of ['secret', 'private', 'broken', 'enc', 'es384', 'ops', 'empty', 'weak'])
      for (const alg of ['ES256', 'HS256', 'none', 'toString']) expect(await find({ alg, kid }), kid).toEqual([]);
  });
});

describe('certificates by kid', () => {
  const { cert } = makeAuthority('robot');
  const at = 'https://a.test/x509/robot';

  it('return the named key while it is valid', async () => {
    const { keySets, advance } = world({ [at]: { one: cert, two: makeAuthority('robot').cert } });
    const find = keySets.certificatesAt(at);
    expect(await find(ES256('one'))).toMatchObject([{ asymmetricKeyType: 'ec', type: 'public' }]);
    expect(await find(ES256())).toHaveLength(2);
    for (const kid of ['three', '__proto__', 'constructor', '']) expect(await find(ES256(kid))).toEqual([]);
    advance(Date.parse('2100-01-01') - Date.parse('2026-01-01'));
    expect(await find(ES256('one'))).toEqual([]);
  });

  it('are fetched again for an unknown kid', async () => {
    const { keySets, documents, advance, asked } = world({ [at]: { one: cert } });
    await keySets.certificatesAt(at)(ES256('one'));
    documents[at] = { two: cert };
    advance(BOUNDS.refreshInterval);
    expect(await keySets.certificatesAt(at)(ES256('two'))).toHaveLength(1);
    expect(asked).toHaveLength(2);
  });

  it.each([[{ one: 'no certificate' }], [{ one: 1 }], [[cert]], [null]])('are none: %j', async (document) => {
    const { keySets } = world({ [at]: document });
    await expect(keySets.certificatesAt(at)(ES256('one'))).rejects.toMatchObject({ code: 'provider.bad_answer' });
  });
});

describe('the keys of an OpenID provider', () => {
  const issuer = 'https://idp.test/realm';
  const place = `${issuer}/.well-known/openid-configuration`;
  const document = { issuer, jwks_uri: URL_A, token_endpoint: 'https://idp.test/token' };

  it.each([issuer, `${issuer}/`, `${issuer}//`])('are at the address in the document of %s', async (given) => {
    const { keySets, asked } = world({ [place]: document, [URL_A]: keyed('one') });
    for (const kid of ['one', 'one', 'two']) await keySets.keysOf(given, { ca: 'CA' })(ES256(kid));
    expect(await keySets.keysOf(given, { ca: 'CA' })(ES256('one'))).toHaveLength(1);
    expect(asked).toEqual([`${place} CA`, `${URL_A} CA`]);
  });

  it('are fetched again after the document expires', async () => {
    const { keySets, documents, advance } = world({ [place]: document, [URL_A]: keyed('one') });
    await keySets.keysOf(issuer)(ES256('one'));
    documents[place] = { ...document, jwks_uri: 'https://b.test/' };
    documents['https://b.test/'] = keyed('two');
    advance(BOUNDS.age);
    expect(await keySets.keysOf(issuer)(ES256('two'))).toHaveLength(1);
    expect(await keySets.keysOf(issuer)(ES256('one'))).toEqual([]);
  });

  it('are fetched from a new address for an unknown kid, but not more often than every ten seconds', async () => {
    const { keySets, documents, advance, asked } = world({ [place]: document, [URL_A]: keyed('one') });
    const find = keySets.keysOf(issuer);
    await find(ES256('one'));
    documents[place] = { ...document, jwks_uri: 'https://b.test/' };
    documents['https://b.test/'] = keyed('two');
    expect(await find(ES256('two'))).toEqual([]);
    advance(BOUNDS.refreshInterval);
    expect(await find(ES256('two'))).toHaveLength(1);
    for (let guess = 0; guess < 20; guess++) expect(await find(ES256(`guess-${guess}`))).toEqual([]);
    expect(asked).toEqual([place, URL_A, URL_A, place, 'https://b.test/']);
  });

  it.each([
    ['http', { ...document, jwks_uri: 'http://idp.test/jwks' }],
    ['a file', { ...document, jwks_uri: 'file:///etc/passwd' }],
    ['a path', { ...document, jwks_uri: '/jwks' }],
    ['a number', { ...document, jwks_uri: 1 }],
    ['nothing', { issuer }],
  ])('cannot be at %s', async (_, given) => {
    const { keySets } = world({ [place]: given });
    await expect(keySets.keysOf(issuer)(ES256('one'))).rejects.toMatchObject({ code: 'provider.bad_answer' });
  });
});
