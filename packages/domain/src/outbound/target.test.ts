import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalHost, hostOf, readTarget } from './target.ts';

const badUrl = expect.objectContaining({ kind: 'bad_request', code: 'outbound.bad_url' });

describe('canonicalHost', () => {
  it.each([
    ['Example.COM', 'example.com'],
    ['example.com.', 'example.com'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['my_service', 'my_service'],
    ['127.1', '127.0.0.1'],
    ['2130706433', '127.0.0.1'],
    ['0x7f000001', '127.0.0.1'],
    ['0177.0.0.1', '127.0.0.1'],
    ['127.0.0.1.', '127.0.0.1'],
    ['127.0.0.1..', '127.0.0.1'],
    ['0x', '0.0.0.0'],
    ['１２７.0.0.1', '127.0.0.1'],
    ['127%2e0%2e0%2e1', '127.0.0.1'],
    ['::1', '::1'],
    ['[::1]', '::1'],
    ['0:0:0:0:0:FFFF:127.0.0.1', '::ffff:7f00:1'],
  ])('reads %j as %j', (text, host) => {
    expect(canonicalHost(text)).toBe(host);
  });

  it.each([
    '',
    '.',
    '..',
    'a..b',
    'a..',
    '.a',
    'a b',
    'a/b',
    'a?b',
    'a#b',
    'user@host',
    'host:80',
    '[::1]:80',
    'a\\b',
    '::g',
    'fe80::1%eth0',
    '[fe80::1%25eth0]',
    '256.256.256.256',
    '1.2.3.4.5',
    'a%2fb',
    'a\n',
    '[',
    '[]',
    ']',
    'a%00b',
  ])('refuses %j', (text) => {
    expect(() => canonicalHost(text)).toThrow(badUrl);
  });

  it('sees through every spelling of an IPv4 address', () => {
    const spell = fc.constantFrom(10, 8, 16);
    fc.assert(
      fc.property(fc.ipV4(), spell, spell, fc.nat(3), fc.boolean(), (address, first, rest, merged, dot) => {
        const octets = address.split('.').map(Number);
        const tail = octets.slice(3 - merged).reduce((sum, value) => sum * 256 + value, 0);
        const parts = [...octets.slice(0, 3 - merged), tail].map((value, i) => write(value, i ? rest : first));
        const spelled = parts.join('.') + (dot ? '.' : '');
        expect(canonicalHost(spelled)).toBe(address);
        expect(hostOf(readTarget(`http://${spelled}:81/`))).toBe(address);
      }),
    );
  });

  it('changes nothing the second time', () => {
    fc.assert(
      fc.property(fc.oneof(fc.domain(), fc.ipV4Extended(), fc.ipV6()), (text) => {
        expect(canonicalHost(canonicalHost(text))).toBe(canonicalHost(text));
      }),
    );
  });
});

describe('readTarget', () => {
  it('keeps path and query, and drops the fragment', () => {
    expect(readTarget('https://Example.com.:443/a%2Fb?c=d#e').href).toBe('https://example.com/a%2Fb?c=d');
    expect(hostOf(readTarget('http://[::1]:80/'))).toBe('::1');
  });

  it.each([
    '',
    'example.com',
    '/path',
    '//example.com',
    'ftp://example.com',
    'file:///etc/passwd',
    'data:,x',
    'javascript:1',
    'http://',
    'http://user@example.com',
    'http://:password@example.com',
    'https://a..b/',
    'http://a:99999/',
    'http://[::1',
    'ws://example.com',
    'http:///',
    'http://exa mple.com',
  ])('refuses %j', (text) => {
    expect(() => readTarget(text)).toThrow(badUrl);
  });
});

const write = (value: number, base: number) =>
  ({ 8: `0${value.toString(8)}`, 16: `0x${value.toString(16)}` })[base] ?? String(value);
