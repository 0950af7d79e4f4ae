import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addressMatcher, parseCidrs, readAddress, writeAddress } from '../kernel/address.ts';
import type { DomainError } from '../kernel/errors.ts';
import { createGuard } from './guard.ts';

const refused = { kind: 'bad_request', code: 'outbound.refused' };
/** Of a name, the same as for one that nobody has. */
const withoutAddress = {
  kind: 'bad_request',
  code: 'outbound.unreachable',
  message: expect.stringContaining('has no address, or one that Coffer does not call') as string,
};
const nobody = async () => [];
const named = (...addresses: string[]) =>
  createGuard([], async () => addresses.map((address) => ({ address, family: 4 as const })));

describe('guard', () => {
  it.each([
    '1.1.1.1',
    '8.8.8.8',
    '172.15.255.255',
    '172.32.0.0',
    '192.167.255.255',
    '100.63.255.255',
    '100.128.0.0',
    '223.255.255.255',
    '2606:4700::1111',
    '2a00:1450:4001::1',
    '64:ff9b::8.8.8.8',
  ])('permits the public address %s', async (address) => {
    const canonical = expect.objectContaining({ address: writeAddress(readAddress(address)!) });
    expect(await createGuard([], nobody)(address)).toEqual([canonical]);
    expect(await named(address)('name.test')).toEqual([canonical]);
  });

  it.each([
    ['unspecified', '0.0.0.0', '0.1.2.3', '::'],
    ['loopback', '127.0.0.1', '127.255.255.254', '::1'],
    ['private', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1'],
    ['unique-local', 'fc00::1', 'fd12:3456::1', 'fd00:ec2::254', 'fd20:ce::254'],
    ['link-local and metadata', '169.254.169.254', '169.254.0.1', 'fe80::1', 'febf::1', '168.63.129.16'],
    ['carrier-grade NAT', '100.64.0.1', '100.100.100.200', '100.127.255.255'],
    ['multicast', '224.0.0.1', '239.255.255.255', 'ff02::1', 'ff0e::1'],
    [
      'broadcast and reserved',
      '255.255.255.255',
      '240.0.0.1',
      '192.0.0.192',
      '192.88.99.1',
      '198.18.0.1',
      '100::1',
      'fec0::1',
    ],
    ['documentation', '192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '3fff::1'],
    ['IPv4-mapped', '::ffff:127.0.0.1', '::ffff:10.0.0.1', '::ffff:a9fe:a9fe'],
    ['IPv4-compatible', '::127.0.0.1', '::10.0.0.1', '::8.8.8.8'],
    ['IPv4-translated', '::ffff:0:127.0.0.1'],
    ['6to4', '2002:7f00:1::', '2002:a00:1::1', '2002:c0a8:101::1', '2002:a9fe:a9fe::'],
    ['Teredo', '2001::1', '2001:0:7f00:1::1'],
    ['NAT64', '64:ff9b::127.0.0.1', '64:ff9b::10.0.0.1', '64:ff9b::a9fe:a9fe', '64:ff9b:1::8.8.8.8', '64:ff9b:1::1'],
    ['not handed out', '4000::1', 'e000::1', '5f00::1'],
  ])('refuses %s addresses, written out and behind a name', async (_, ...addresses) => {
    for (const address of addresses) {
      await expect(createGuard([], nobody)(address), address).rejects.toMatchObject(refused);
      await expect(named(address)('name.test'), address).rejects.toMatchObject(withoutAddress);
      await expect(createGuard(parseCidrs(address), nobody)(address), address).resolves.toHaveLength(1);
    }
  });

  it('refuses inner IPv4 addresses in every IPv6 dress', async () => {
    const inner = addressMatcher(
      parseCidrs('0.0.0.0/8,10.0.0.0/8,127.0.0.0/8,169.254.0.0/16,192.168.0.0/16,172.16.0.0/12'),
    );
    const base = fc.constantFrom(0, 10, 127, 169, 172, 192);
    const octet = fc.oneof(fc.nat(255), fc.constantFrom(16, 168, 254));
    const guard = createGuard([], nobody);
    await fc.assert(
      fc.asyncProperty(fc.tuple(base, octet, octet, octet), async (octets) => {
        const dotted = octets.join('.');
        fc.pre(inner(dotted));
        const [high, low] = [octets.slice(0, 2), octets.slice(2)].map((half) => Buffer.from(half).toString('hex'));
        const dresses = [
          `::${dotted}`,
          `::ffff:${dotted}`,
          `64:ff9b::${dotted}`,
          `2002:${high}:${low}::1`,
          `::ffff:0:${dotted}`,
        ];
        for (const address of [dotted, ...dresses]) await expect(guard(address)).rejects.toMatchObject(refused);
      }),
    );
  });

  it('rejects a name with one private address', async () => {
    for (const answer of [
      ['8.8.8.8', '10.0.0.1'],
      ['10.0.0.1', '8.8.8.8'],
      ['2606:4700::1', '::1'],
    ]) {
      await expect(named(...answer)('mixed.test')).rejects.toMatchObject(withoutAddress);
    }
  });

  it('rejects invalid results of a resolver', async () => {
    for (const answer of ['', 'localhost', '127.1', '0x8.8.8.8', 'fe80::1%eth0']) {
      await expect(named(answer)('name.test')).rejects.toMatchObject(withoutAddress);
    }
  });

  it('accepts odd forms of an address as the address, without a lookup', async () => {
    const guard = createGuard([], () => Promise.reject(new Error('asked')));
    for (const host of [
      '2130706433',
      '0x7f.1',
      '0177.1',
      '127.0.0.1.',
      '[::ffff:7f00:1]',
      '[::1]',
      'LOCALHOST',
      'a.localhost.',
    ]) {
      await expect(guard(host), host).rejects.toMatchObject(refused);
    }
  });

  it('permits what the operator allows, and only that', async () => {
    const guard = createGuard(parseCidrs('10.1.0.0/16, fd00::/8, 127.0.0.0/8'), async (name) =>
      name === 'dual.test'
        ? [
            { address: 'fd00::1', family: 6 },
            { address: '::ffff:10.1.2.3', family: 6 },
          ]
        : [{ address: '10.2.0.1', family: 4 }],
    );
    expect(await guard('dual.test')).toEqual([
      { address: '10.1.2.3', family: 4 },
      { address: 'fd00::1', family: 6 },
    ]);
    expect(await guard('localhost')).toEqual([{ address: '127.0.0.1', family: 4 }]);
    await expect(guard('other.test')).rejects.toMatchObject(withoutAddress);
    await expect(guard('64:ff9b::10.1.2.3')).rejects.toMatchObject(refused);
    await expect(guard('::1')).rejects.toMatchObject(refused);
  });

  it('reports that a name has no address, or that the lookup failed', async () => {
    const failing = (code: string) =>
      createGuard([], () => Promise.reject(Object.assign(new Error('query'), { code })));
    await expect(named()('gone.test')).rejects.toMatchObject(withoutAddress);
    await expect(failing('ENOTFOUND')('gone.test')).rejects.toMatchObject(withoutAddress);
    await expect(failing('ESERVFAIL')('gone.test')).rejects.toThrow('gone.test cannot be resolved');
    await expect(failing('ETIMEOUT')('gone.test')).rejects.toMatchObject({ code: 'outbound.timeout' });
  });

  it('answers a name alike whatever it leads to inside, or if nobody has it, and tells the operator why', async () => {
    const noted: string[] = [];
    const answers = new Set<string>();
    const known: Record<string, string[]> = {
      a: ['10.0.0.1'],
      b: ['127.0.0.1', '8.8.8.8'],
      c: ['fe80::1'],
      d: ['?'],
      e: [],
    };
    const resolve = async (name: string) => {
      if (!known[name]) throw Object.assign(new Error('query'), { code: 'ENODATA' });
      return known[name].map((address) => ({ address, family: 4 as const }));
    };
    const guard = createGuard([], resolve, (host, reason) => noted.push(`${host}: ${reason}`));
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) {
      const { message, code, details } = (await guard(name).catch((error: unknown) => error)) as DomainError;
      answers.add(JSON.stringify([message.replace(name, '?'), code, { ...(details as object), host: '?' }]));
    }
    expect([...answers]).toHaveLength(1);
    expect(noted.toSorted()).toEqual([
      'a: It has a private address',
      'b: It has a loopback address',
      'c: It has a link-local address',
      'd: It has no usable address',
      'e: It has no address',
      'f: It has no address',
    ]);
  });
});
