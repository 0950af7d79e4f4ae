import { expect, it } from 'vitest';
import { verifyChain } from './chain.ts';
import { newSerialNumber } from './serial.ts';
import { keyOf, leafContent, NOW, rootOf } from './testing/authority.ts';

// Where OpenSSL says the same: chain.test.ts.

const dns = (value: string) => ({ type: 'dns' as const, value });
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
])('of an authority that is limited, %s: %j: %s', async (_, names, isAllowed) => {
  const root = await rootOf('ED25519', {
    nameConstraints: {
      permitted: [dns('example.com')],
      excluded: [dns('bad.example.com'), { type: 'uri', value: '.evil.example' }],
    },
  });
  const { publicKey } = await keyOf('ED25519', 'leaf');
  const nameless = { ...leafContent(publicKey), subject: {}, altNames: [], serialNumber: newSerialNumber() };
  const leaf = await root.issue({ ...nameless, ...names });
  const rule = isAllowed ? undefined : 'name_constraint';
  expect(verifyChain(leaf, [root.certificate], NOW)?.rule).toBe(rule);
});

it('takes nothing where there are more names and constraints than can be compared', async () => {
  const hosts = (count: number, domain: string) => Array.from({ length: count }, (_, n) => dns(`a${n}.${domain}`));
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
