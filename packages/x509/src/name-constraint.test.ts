import fc from 'fast-check';
import { expect, it } from 'vitest';
import { verifyChain } from './chain.ts';
import { afterWildcard, Comparisons } from './name-constraint.ts';
import { newSerialNumber } from './serial.ts';
import { keyOf, leafContent, NOW, rootOf } from './testing/authority.ts';

// Where OpenSSL agrees: chain.test.ts.

const dns = (value: string) => ({ type: 'dns' as const, value });
const ip = (value: string) => ({ type: 'ip' as const, value });
const uri = (value: string) => ({ altNames: [{ type: 'uri' as const, value }] });
const called = (commonName: string) => ({ subject: { commonName } });

it.each([
  ['a wildcard that stands for an excluded host', { altNames: [dns('*.example.com')] }, false],
  ['one beside it', { altNames: [dns('*.a.example.com')] }, true],
  ['one below it', { altNames: [dns('*.bad.example.com')] }, false],
  ['a URI elsewhere', uri('https://good.example/'), true],
  ['a URI that is excluded', uri('https://a.evil.example/'), false],
  ['a URI without a host', uri('urn:a:b'), false],
  ['a URI with an address', uri('https://10.0.0.1/'), false],
  ['a URI with the name of a user', uri('https://good.example@a.evil.example/'), false],
  ['a common name that is permitted', called('www.example.com'), true],
  ['a common name that is not', called('www.example.org'), false],
  ['one with a dot behind it', called('www.example.org.'), false],
  ['one with a part of a wildcard', called('b*.example.com'), false],
  ['one that names no host', called('Ann Lee'), true],
  ['one that is an address, which some take for a DNS name', called('10.1.2.3'), false],
  ['one that is an excluded address', { ...called('10.0.0.1'), altNames: [dns('www.example.com')] }, false],
  ['one that is an excluded address of version 6', called('2001:DB8::1'), false],
  [
    'one that is another address beside a DNS name',
    { ...called('10.1.2.3'), altNames: [dns('www.example.com')] },
    true,
  ],
  ['one beside addresses', { ...called('10.0.0.1'), altNames: [dns('www.example.com'), ip('10.1.2.3')] }, true],
])('of an authority that is limited, %s: %j: %s', async (_, names, isAllowed) => {
  const root = await rootOf('ED25519', {
    nameConstraints: {
      permitted: [dns('example.com')],
      excluded: [
        dns('bad.example.com'),
        { type: 'uri', value: '.evil.example' },
        ...['10.0.0.0/24', '2001:db8::/32'].map(ip),
      ],
    },
  });
  const { publicKey } = await keyOf('ED25519', 'leaf');
  const nameless = { ...leafContent(publicKey), subject: {}, altNames: [], serialNumber: newSerialNumber() };
  const leaf = await root.issue({ ...nameless, ...names });
  const rule = isAllowed ? undefined : 'name_constraint';
  expect(verifyChain(leaf, [root.certificate], NOW)?.rule).toBe(rule);
});

const hosts = (count: number, domain: string) => Array.from({ length: count }, (_, n) => dns(`a${n}.${domain}`));

it('rejects more names and constraints than can be compared', async () => {
  const root = await rootOf('ED25519', { nameConstraints: { excluded: hosts(1_001, 'example.org') } });
  const { publicKey } = await keyOf('ED25519', 'leaf');
  for (const [count, rule] of [
    [50, undefined],
    [100, 'name_constraint'],
  ] as const) {
    const leaf = await root.issue({ ...leafContent(publicKey), altNames: hosts(count, 'example.com') });
    expect([count, verifyChain(leaf, [root.certificate], NOW)?.rule]).toEqual([count, rule]);
  }
});

it('counts the comparisons of all pairs of a chain together', async () => {
  const names = { altNames: hosts(150, 'example.com') };
  const limited = { ...names, nameConstraints: { excluded: hosts(150, 'example.org') } };
  const root = await rootOf('ED25519', limited);
  const authorities = [root];
  for (const name of ['A', 'B', 'C']) authorities.unshift(await authorities[0]!.below(name, limited));
  const { publicKey } = await keyOf('ED25519', 'leaf');
  const leaf = await authorities[0]!.issue({ ...leafContent(publicKey), ...names });
  const chain = authorities.map(({ certificate }) => certificate);
  // Each pair has 22,500 comparisons: there are three of them below two authorities, and ten below four.
  const rules = [2, 4].map((count) => verifyChain(leaf, chain.slice(0, count), NOW)?.rule);
  expect(rules).toEqual([undefined, 'name_constraint']);
});

it.each([
  ['DNS', dns(`${'a.'.repeat(120)}example.org`), true],
  ['DNS', dns('*'.repeat(20_000)), false],
  ['DNS', dns(`${'a.'.repeat(200)}example.org`), false],
  ['e-mail', { type: 'email' as const, value: `${'a'.repeat(300)}@example.org` }, false],
  ['URI', { type: 'uri' as const, value: `https://example.org/${'a'.repeat(3000)}` }, false],
])(
  'takes a name of %s that is longer than such names are as one that cannot be compared: %#',
  async (_, name, taken) => {
    const excluded = [dns('a.test'), { ...name, value: 'a.test' }];
    const root = await rootOf('ED25519', { nameConstraints: { excluded } });
    const { publicKey } = await keyOf('ED25519', 'leaf');
    const leaf = await root.issue({ ...leafContent(publicKey), altNames: [name] });
    expect(verifyChain(leaf, [root.certificate], NOW)?.rule).toBe(taken ? undefined : 'name_constraint');
  },
);

it('splits a wildcard reading each character once', () => {
  const before = (name: string) => /^[^.]*\*[^.]*\.(.*)$/s.exec(name)?.[1];
  const name = fc.array(fc.constantFrom('*', '.', 'a'), { maxLength: 12 }).map((all) => all.join(''));
  fc.assert(
    fc.property(name, (text) => {
      expect(afterWildcard(text)).toBe(before(text));
    }),
  );
  expect(afterWildcard('*'.repeat(10_000_000))).toBeUndefined();
});

it('counts up to 100,000 comparisons', () => {
  const comparisons = new Comparisons();
  comparisons.spend(100_000);
  expect(() => comparisons.spend(1)).toThrow('too many names');
});
