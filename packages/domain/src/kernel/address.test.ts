import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addressMatcher,
  clientAddress,
  parseCidrs,
  parseTrustedAddress,
  readAddress,
  writeAddress,
  type TrustedAddress,
} from './address.ts';

const invalid = expect.objectContaining({ kind: 'bad_request', code: 'ip.invalid' });
const everything = parseCidrs('0.0.0.0/0, ::/0');

describe('parseTrustedAddress', () => {
  it.each([
    ['10.0.0.1', { ipAddress: '10.0.0.1', type: 'ipv4' }],
    [' 10.0.0.1\n', { ipAddress: '10.0.0.1', type: 'ipv4' }],
    ['0.0.0.0/0', { ipAddress: '0.0.0.0', type: 'ipv4', prefix: 0 }],
    ['10.1.2.3/32', { ipAddress: '10.1.2.3', type: 'ipv4', prefix: 32 }],
    ['::/0', { ipAddress: '::', type: 'ipv6', prefix: 0 }],
    ['2001:DB8::1', { ipAddress: '2001:DB8::1', type: 'ipv6' }],
    ['2001:db8::/128', { ipAddress: '2001:db8::', type: 'ipv6', prefix: 128 }],
    ['::ffff:10.0.0.0/104', { ipAddress: '::ffff:10.0.0.0', type: 'ipv6', prefix: 104 }],
  ])('reads %j', (text, entry) => {
    expect(parseTrustedAddress(text)).toStrictEqual(entry);
  });

  it.each([
    '',
    ' ',
    '/',
    '/8',
    '10.1',
    '10',
    '10.0.0.256',
    '010.0.0.1',
    '0x0a.0.0.1',
    '10.0.0.1/33',
    '10.0.0.1/-1',
    '10.0.0.1/',
    '10.0.0.1/8/8',
    '10.0.0.1/08',
    '10.0.0.1/8.0',
    '10.0.0.1 /8',
    '10.0.0.1/ 8',
    '10.0.0.1/255.0.0.0',
    '10.0.0.1.',
    '::/129',
    ':::',
    '::1::',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '12345::',
    '00001::',
    'fe80::1%eth0',
    '[::1]',
    '::g',
    '::ffff:010.0.0.1',
    '::ffff:10.1',
    '::1.2.3.4.5',
    'localhost',
    '10.0.0.1:80',
    '１０.0.0.1',
    '10.0.0.1\u0000',
  ])('refuses %j', (text) => {
    expect(() => parseTrustedAddress(text)).toThrow(invalid);
  });
});

describe('parseCidrs', () => {
  it('reads a comma list', () => {
    expect(parseCidrs('')).toEqual([]);
    expect(parseCidrs(' 10.0.0.0/8 ,::1, ')).toEqual([
      { ipAddress: '10.0.0.0', type: 'ipv4', prefix: 8 },
      { ipAddress: '::1', type: 'ipv6' },
    ]);
  });

  it('names the faulty entry', () => {
    expect(() => parseCidrs('10.0.0.0/8,10.0.0.0/99,::1')).toThrow(/"10\.0\.0\.0\/99"/);
  });
});

describe('addressMatcher', () => {
  it('matches nothing where the list is empty', () => {
    expect(addressMatcher([])('127.0.0.1')).toBe(false);
  });

  it.each(['', 'unknown', '1.2.3', '1.2.3.4.', 'fe80::1%eth0', '[::1]', '127.1', '0'])(
    'never matches %j, which is no address',
    (text) => {
      expect(addressMatcher(everything)(text)).toBe(false);
    },
  );

  it('counts a mapped address as its IPv4 address, on both sides', () => {
    expect(addressMatcher(parseCidrs('10.0.0.0/8'))('::ffff:10.1.2.3')).toBe(true);
    expect(addressMatcher(parseCidrs('10.0.0.0/8'))('::FFFF:a01:203')).toBe(true);
    expect(addressMatcher(parseCidrs('::ffff:10.0.0.0/104'))('10.1.2.3')).toBe(true);
    expect(addressMatcher(parseCidrs('::ffff:10.0.0.0/104'))('11.1.2.3')).toBe(false);
    expect(addressMatcher(parseCidrs('::ffff:10.1.2.3'))('10.1.2.3')).toBe(true);
  });

  it('separates the two families', () => {
    expect(addressMatcher(parseCidrs('::/0'))('10.0.0.1')).toBe(false);
    expect(addressMatcher(parseCidrs('::/0'))('::ffff:10.0.0.1')).toBe(false);
    expect(addressMatcher(parseCidrs('::ffff:0:0/90'))('10.0.0.1')).toBe(false);
    expect(addressMatcher(parseCidrs('0.0.0.0/0'))('::1')).toBe(false);
    // Not the mapped prefix: an old form with the same last four bytes.
    expect(addressMatcher(parseCidrs('127.0.0.0/8'))('::127.0.0.1')).toBe(false);
  });

  it('ignores the host part of a range', () => {
    expect(addressMatcher(parseCidrs('10.9.9.9/8'))('10.1.2.3')).toBe(true);
  });

  it('agrees with arithmetic on the bits', () => {
    const near = fc
      .tuple(fc.ipV6(), fc.ipV6(), fc.nat(128))
      .chain(([a, b, bits]) => fc.constantFrom([a, b, bits], [a, a, bits]));
    fc.assert(
      fc.property(near as fc.Arbitrary<[string, string, number]>, ([address, range, prefix]) => {
        const expected = bitsOf(address) >> BigInt(128 - prefix) === bitsOf(range) >> BigInt(128 - prefix);
        fc.pre(!isMapped(address) && !isMapped(range));
        expect(addressMatcher([{ ipAddress: range, type: 'ipv6', prefix }])(address)).toBe(expected);
      }),
    );
    fc.assert(
      fc.property(fc.nat(), fc.nat(32), fc.nat(31), (number, prefix, flipped) => {
        const range: TrustedAddress = { ipAddress: quad(number), type: 'ipv4', prefix };
        expect(addressMatcher([range])(quad(number))).toBe(true);
        expect(addressMatcher([range])(quad((number ^ (1 << flipped)) >>> 0))).toBe(32 - flipped > prefix);
      }),
    );
  });
});

describe('clientAddress', () => {
  const trusted = addressMatcher(parseCidrs('10.0.0.0/8, fd00::/8'));

  it.each([
    ['ignores the header by default', '198.51.100.7', '203.0.113.1', '198.51.100.7'],
    ['takes what a trusted proxy saw', '10.0.0.1', '203.0.113.1', '203.0.113.1'],
    ['reads from the right', '10.0.0.1', '1.1.1.1, 203.0.113.1', '203.0.113.1'],
    ['walks through several proxies', '10.0.0.1', '1.1.1.1, 203.0.113.1, 10.0.0.3,10.0.0.2', '203.0.113.1'],
    ['takes the leftmost where all are trusted', '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
    ['joins several headers', '10.0.0.1', ['1.1.1.1, 203.0.113.1', '10.0.0.2'], '203.0.113.1'],
    ['drops a port', '10.0.0.1', '203.0.113.1:4711', '203.0.113.1'],
    ['drops brackets', '10.0.0.1', '[2001:DB8:0::1]', '2001:db8::1'],
    ['drops brackets and a port', '10.0.0.1', '[2001:db8::1]:443', '2001:db8::1'],
    ['takes a bare IPv6 address whole', '10.0.0.1', '2001:db8::1:443', '2001:db8::1:443'],
    ['unwraps a mapped socket address', '::ffff:10.0.0.1', '203.0.113.1', '203.0.113.1'],
    ['unwraps a mapped entry', '10.0.0.1', '::ffff:203.0.113.1', '203.0.113.1'],
    ['stops at a word', '10.0.0.1', '203.0.113.1, unknown', '10.0.0.1'],
    ['stops at an empty entry', '10.0.0.1', '203.0.113.1,, 10.0.0.2', '10.0.0.2'],
    ['stops at an obfuscated entry', '10.0.0.1', '203.0.113.1, _hidden, 10.0.0.2', '10.0.0.2'],
    ['stops at a malformed port', '10.0.0.1', '203.0.113.1:http', '10.0.0.1'],
    ['stops at an odd form', '10.0.0.1', '0xcb.0.0x71.1', '10.0.0.1'],
    ['takes an empty header for none', '10.0.0.1', '', '10.0.0.1'],
    ['takes an empty list for none', '10.0.0.1', [], '10.0.0.1'],
    ['takes an absent header for none', '10.0.0.1', undefined, '10.0.0.1'],
    ['hands on a socket without an address', '', '203.0.113.1', ''],
  ])('%s', (_, socket, header, client) => {
    expect(clientAddress(socket, header, trusted)).toBe(client);
  });

  const proxy = fc.nat(0xffffff).map((rest) => quad(0x0a000000 + rest));
  const outsider = fc.oneof(
    fc.nat(0xffffff).map((rest) => quad(0xcb000000 + rest)),
    fc.constantFrom('2001:db8::5', '[2001:db8::5]:80', '::ffff:203.0.113.9', '203.0.113.9:80'),
  );
  const forged = fc.oneof(fc.string(), fc.ipV4(), fc.ipV6(), proxy, fc.array(fc.oneof(proxy, fc.string())).map(String));

  it('is not affected by anything that a client prepends', () => {
    fc.assert(
      fc.property(proxy, outsider, fc.array(proxy, { maxLength: 4 }), forged, (socket, client, proxies, forgery) => {
        const honest = [client, ...proxies].join(', ');
        const result = clientAddress(socket, honest, trusted);
        expect(trusted(result)).toBe(false);
        expect(clientAddress(socket, `${forgery}, ${honest}`, trusted)).toBe(result);
        expect(clientAddress(socket, `${forgery},${honest}`, trusted)).toBe(result);
        expect(clientAddress(socket, [forgery, honest], trusted)).toBe(result);
      }),
    );
  });

  it('is the socket if that is not a proxy, for any header', () => {
    fc.assert(fc.property(forged, (forgery) => clientAddress('203.0.113.9', forgery, trusted) === '203.0.113.9'));
  });

  it('is in the form in which addresses are compared', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (address) => {
        const result = clientAddress('10.0.0.1', address, addressMatcher(parseCidrs('10.0.0.1')));
        const read = readAddress(result);
        expect(read && writeAddress(read)).toBe(result);
        expect(clientAddress(result, undefined, trusted)).toBe(result);
      }),
    );
  });
});

const quad = (number: number) => [24, 16, 8, 0].map((shift) => (number >>> shift) & 255).join('.');
const isMapped = (text: string) => readAddress(text)?.kind() === 'ipv4';

function bitsOf(text: string): bigint {
  return (readAddress(text)?.toByteArray() ?? []).reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
}
