import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { followRedirect, isRedirect, type Hop } from './redirect.ts';

const refusedRedirect = expect.objectContaining({ kind: 'bad_request', code: 'outbound.redirect' });
const hop = (changes: Partial<Hop> = {}): Hop => ({
  url: new URL('https://a.test/path?q=1'),
  method: 'GET',
  headers: {
    accept: '*/*',
    authorization: 'Bearer canary',
    cookie: 'canary',
    'x-vault-token': 'canary',
    'content-type': 'text/plain',
  },
  ca: 'root',
  clientCertificate: { cert: 'cert', key: 'canary' },
  ...changes,
});

describe('followRedirect', () => {
  it('keeps everything within an origin', () => {
    expect(followRedirect(hop(), 307, '/other?x=2#y')).toEqual(hop({ url: new URL('https://a.test/other?x=2') }));
    expect(followRedirect(hop({ method: 'PUT', body: 'x' }), 308, './')).toMatchObject({ method: 'PUT', body: 'x' });
  });

  it('turns a POST into a GET without body for 301, 302 and 303, and repeats it for 307 and 308', () => {
    for (const status of [301, 302, 303]) {
      const next = followRedirect(hop({ method: 'POST', body: 'x' }), status, '/');
      expect(next).toMatchObject({ method: 'GET', headers: { authorization: 'Bearer canary' } });
      expect(next).not.toHaveProperty('body');
      expect(next.headers).not.toHaveProperty('content-type');
    }
    for (const status of [307, 308]) {
      expect(followRedirect(hop({ method: 'POST', body: 'x' }), status, '/')).toMatchObject({
        method: 'POST',
        body: 'x',
      });
    }
    expect(followRedirect(hop({ method: 'HEAD' }), 303, '/').method).toBe('HEAD');
  });

  it('does not let a change seem successful: PUT, PATCH and DELETE do not become a GET', () => {
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      for (const status of [301, 302]) {
        expect(() => followRedirect(hop({ method }), status, '/')).toThrow(refusedRedirect);
      }
      expect(followRedirect(hop({ method }), 303, '/').method).toBe('GET');
    }
  });

  it('sends another origin no credential, under any name', () => {
    const elsewhere = fc.constantFrom(
      'https://b.test/',
      'https://a.test:8443/',
      '//b.test',
      'https://sub.a.test/',
      'https://a.test.evil.test/',
    );
    const header = fc.stringMatching(/^x-[a-z-]{1,20}$/);
    fc.assert(
      fc.property(elsewhere, header, fc.constantFrom(301, 302, 303, 307, 308), (location, name, status) => {
        const next = followRedirect(hop({ headers: { ...hop().headers, [name]: 'canary' } }), status, location);
        expect(JSON.stringify(next)).not.toContain('canary');
        expect(next).toMatchObject({ ca: 'root', headers: { accept: '*/*' } });
        // Nor does the way back.
        expect(JSON.stringify(followRedirect(next, status, 'https://a.test/'))).not.toContain('canary');
      }),
    );
  });

  it('carries no body to another origin', () => {
    expect(() => followRedirect(hop({ method: 'POST', body: 'canary' }), 307, 'https://b.test/')).toThrow(
      refusedRedirect,
    );
    expect(
      JSON.stringify(followRedirect(hop({ method: 'POST', body: 'canary' }), 302, 'https://b.test/')),
    ).not.toContain('canary');
  });

  it.each([
    'http://a.test/',
    'http://b.test/',
    'ftp://a.test/',
    'file:///etc/passwd',
    'https://user:canary@b.test/',
    'http://',
    'https://a..b/',
  ])('refuses to go to %j', (location) => {
    expect(() => followRedirect(hop(), 302, location)).toThrow(refusedRedirect);
  });

  it('follows from http to https, without credentials: that is another origin', () => {
    const next = followRedirect(hop({ url: new URL('http://a.test/') }), 301, 'https://a.test/');
    expect(next.url.href).toBe('https://a.test/');
    expect(JSON.stringify(next)).not.toContain('canary');
  });
});

describe('isRedirect', () => {
  it('needs a status and a location', () => {
    expect([301, 302, 303, 307, 308].every((status) => isRedirect(status, '/'))).toBe(true);
    expect([200, 201, 300, 304, 305, 306, 404].some((status) => isRedirect(status, '/'))).toBe(false);
    expect(isRedirect(302, undefined)).toBe(false);
  });
});
