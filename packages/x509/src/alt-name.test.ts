import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { altNamesText, isAmong, parseAltNames, readAltName, readConstraint } from './alt-name.ts';
import { arbitraryAltName } from './testing/arbitrary-content.ts';
import { refusalOf } from './testing/refusal.ts';

describe('readAltName', () => {
  it.each([
    ['dns', 'WWW.Example.com.', 'www.example.com'],
    ['dns', 'localhost', 'localhost'],
    ['dns', '*.Example.com', '*.example.com'],
    ['dns', 'bücher.example', 'xn--bcher-kva.example'],
    ['dns', '*.bücher.example', '*.xn--bcher-kva.example'],
    ['dns', 'xn--bcher-kva.example', 'xn--bcher-kva.example'],
    ['dns', `${'a'.repeat(63)}.com`, `${'a'.repeat(63)}.com`],
    ['ip', '10.1.2.3', '10.1.2.3'],
    ['ip', '2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['ip', '::ffff:10.1.2.3', '10.1.2.3'],
    ['email', 'Some.Body+x@Example.COM', 'Some.Body+x@example.com'],
    ['uri', 'spiffe://example.com/a/b', 'spiffe://example.com/a/b'],
    ['uri', 'urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6', 'urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6'],
    ['uri', 'https://[2001:db8::1]:8443/x?y#z', 'https://[2001:db8::1]:8443/x?y#z'],
    ['uri', 'SPIFFE://Prod/Admin', 'spiffe://prod/Admin'],
    ['uri', 'spiffe://@prod:/%61dmin/%2f', 'spiffe://prod/admin/%2F'],
    ['uri', 'spiffe://prod/x/../a/./%2e%2E/admin', 'spiffe://prod/admin'],
    ['uri', 'spiffe://prod/../../admin/..', 'spiffe://prod/'],
    ['uri', 'https://Me@Example.com:443?A=%41#%7e', 'https://Me@example.com?A=A#~'],
    ['uri', 'https://[2001:DB8:0::1]:8443', 'https://[2001:db8::1]:8443'],
    ['uri', 'URN:Example:A:b', 'urn:example:A:b'],
    ['uri', 'MAILTO:A@b', 'mailto:A@b'],
  ] as const)('takes %s %s', (type, value, normal) => {
    expect(readAltName(type, value)).toEqual({ type, value: normal });
    expect(readAltName(type, normal)).toEqual({ type, value: normal });
  });

  it.each([
    ['dns', 'a_b.example.com', 'dns'],
    ['dns', '-a.example.com', 'dns'],
    ['dns', 'a..b', 'dns'],
    ['dns', '', 'dns'],
    ['dns', '.', 'dns'],
    ['dns', 'a b.com', 'dns'],
    ['dns', 'a\0.com', 'dns'],
    ['dns', '1.2.3.4', 'dns'],
    ['dns', '0x7f.1', 'dns'],
    ['dns', '0x7f000001', 'dns'],
    ['dns', 'a.0X', 'dns'],
    ['dns', '１.２.３.４', 'dns'],
    ['dns', 'example.com:443', 'dns'],
    ['dns', 'ex%61mple.com', 'dns'],
    ['dns', 'xn--a.example', 'dns'],
    ['dns', `${'a'.repeat(64)}.com`, 'dns'],
    ['dns', `${'a.'.repeat(130)}com`, 'dns'],
    ['dns', '*', 'wildcard'],
    ['dns', 'a.*.com', 'wildcard'],
    ['dns', 'www*.example.com', 'wildcard'],
    ['dns', '*.*.example.com', 'wildcard'],
    ['ip', '10.1', 'ip'],
    ['ip', '010.1.2.3', 'ip'],
    ['ip', 'fe80::1%eth0', 'ip'],
    ['ip', '10.0.0.0/8', 'ip'],
    ['email', 'nobody', 'email'],
    ['email', 'a@', 'email'],
    ['email', '@example.com', 'email'],
    ['email', 'a b@example.com', 'email'],
    ['email', 'ä@example.com', 'email'],
    ['email', `${'a'.repeat(65)}@example.com`, 'email'],
    ['uri', '/relative', 'uri'],
    ['uri', 'https:///nohost', 'uri'],
    ['uri', 'https://a b/', 'uri'],
    ['uri', 'https://0x7f000001/', 'uri'],
    ['uri', 'https://bücher.example/', 'uri'],
    ['uri', 'https://example.com/%zz', 'uri'],
  ] as const)('refuses %s "%s"', (type, value, rule) => {
    expect(() => readAltName(type, value)).toThrow(
      expect.objectContaining({ name: 'X509Error', code: `alt_name.${rule}` }),
    );
  });

  it('returns accepted names unchanged, and throws only rejections', () => {
    fc.assert(
      fc.property(arbitraryAltName, ({ type, value }) => {
        expect(readAltName(type, value)).toEqual({ type, value });
      }),
    );
    fc.assert(
      fc.property(fc.constantFrom('dns', 'ip', 'email', 'uri'), fc.string({ unit: 'binary' }), (type, value) => {
        const name = { value: '' };
        refusalOf(() => Object.assign(name, readAltName(type, value)));
        expect(name.value).toMatch(/^[\x21-\x7e]*$/);
      }),
    );
  });
});

describe('parseAltNames', () => {
  it('identifies the types by their form, without duplicates', () => {
    const names = parseAltNames(
      ' www.example.com,10.1.2.3, ::1,a@example.com , https://example.com/x,, WWW.example.com',
    );
    expect(names).toEqual([
      { type: 'dns', value: 'www.example.com' },
      { type: 'ip', value: '10.1.2.3' },
      { type: 'ip', value: '::1' },
      { type: 'email', value: 'a@example.com' },
      { type: 'uri', value: 'https://example.com/x' },
    ]);
    expect(altNamesText(names)).toBe('www.example.com, 10.1.2.3, ::1, a@example.com, https://example.com/x');
    expect(parseAltNames('')).toEqual([]);
    expect(() => parseAltNames('localhost:8080')).toThrow(expect.objectContaining({ code: 'alt_name.dns' }));
  });
});

describe('readConstraint', () => {
  it('normalises what RFC 5280 has, and refuses the rest', () => {
    expect(readConstraint('ip', '10.1.2.3/8')).toEqual({ type: 'ip', value: '10.0.0.0/8' });
    expect(readConstraint('ip', '2001:db8:ffff::/33')).toEqual({ type: 'ip', value: '2001:db8:8000::/33' });
    expect(readConstraint('dns', '.Example.com')).toEqual({ type: 'dns', value: 'example.com' });
    expect(readConstraint('email', '.example.com')).toEqual({ type: 'email', value: '.example.com' });
    expect(readConstraint('email', 'a@example.com')).toEqual({ type: 'email', value: 'a@example.com' });
    for (const [type, value] of [
      ['ip', '10.0.0.0'],
      ['ip', '10.0.0.0/33'],
      ['dns', '*.example.com'],
      ['uri', 'https://a/'],
      ['email', '@'],
    ] as const) {
      expect(() => readConstraint(type, value)).toThrow(expect.objectContaining({ code: `name_constraint.${type}` }));
    }
  });
});

describe('isAmong', () => {
  it('compares as clients do', () => {
    const names = parseAltNames('www.example.com, 2001:db8::1, xn--bcher-kva.example');
    expect(isAmong({ commonName: 'WWW.example.com' }, names)).toBe(true);
    expect(isAmong({ commonName: '2001:DB8:0::1' }, names)).toBe(true);
    expect(isAmong({ commonName: 'bücher.example' }, names)).toBe(true);
    expect(isAmong({ commonName: 'example.com' }, names)).toBe(false);
    expect(isAmong({}, names)).toBe(false);
  });
});
