import { describe, expect, it } from 'vitest';
import { buildCertificate, readCertificate } from './certificate.ts';
import { verifyChain } from './chain.ts';
import { toPem } from './pem.ts';
import { newSerialNumber } from './serial.ts';
import { caContent, inDays, keyOf, leafContent, NOW, rootOf } from './testing/authority.ts';
import { atWork, judges } from './testing/tools.ts';

const pem = (certificate: Uint8Array) => toPem('CERTIFICATE', certificate);

describe('verifyChain', () => {
  it.each([
    [
      'path_length',
      async () => {
        const root = await rootOf('ED25519', { ca: { pathLength: 0 } });
        const child = await root.below('Child');
        return [
          await child.issue(leafContent((await keyOf('ED25519', 'leaf')).publicKey)),
          child.certificate,
          root.certificate,
        ];
      },
    ],
    [
      'not_a_ca',
      async () => {
        const root = await rootOf('ED25519');
        const child = await root.below('Child', { ca: undefined, keyUsages: ['digitalSignature'] });
        return [
          await child.issue(leafContent((await keyOf('ED25519', 'leaf')).publicKey)),
          child.certificate,
          root.certificate,
        ];
      },
    ],
    [
      'key_usage',
      async () => {
        const root = await rootOf('ED25519', { keyUsages: ['cRLSign'] });
        return [await root.issue(leafContent((await keyOf('ED25519', 'leaf')).publicKey)), root.certificate];
      },
    ],
    [
      'issuer_name',
      async () => {
        const leaf = await (await rootOf('ED25519')).issue(leafContent((await keyOf('ED25519', 'leaf')).publicKey));
        return [leaf, (await rootOf('ED25519', {}, 'Other')).certificate];
      },
    ],
    [
      'issuer_key',
      async () => {
        const [root, other] = [await rootOf('ED25519'), await rootOf('ED25519', {}, 'Other')];
        const forged = readCertificate(
          await buildCertificate(caContent(other.publicKey, 'Root ED25519'), 'self', other),
        );
        return [await root.issue(leafContent((await keyOf('ED25519', 'leaf')).publicKey)), forged];
      },
    ],
    [
      'signature',
      async () => {
        const [root, other] = [await rootOf('ED25519'), await rootOf('ED25519', {}, 'Other')];
        const content = leafContent((await keyOf('ED25519', 'leaf')).publicKey);
        return [readCertificate(await buildCertificate(content, root, other)), root.certificate];
      },
    ],
    [
      'expired',
      async () => {
        const root = await rootOf('ED25519');
        const content = {
          ...leafContent((await keyOf('ED25519', 'leaf')).publicKey),
          notBefore: inDays(-2),
          notAfter: inDays(-1),
        };
        return [await root.issue(content), root.certificate];
      },
    ],
    [
      'not_yet_valid',
      async () => {
        const root = await rootOf('ED25519', { notBefore: inDays(1) });
        return [await root.issue(leafContent((await keyOf('ED25519', 'leaf')).publicKey)), root.certificate];
      },
    ],
  ] as const)('says %s', async (rule, make) => {
    const [leaf, ...chain] = await make();
    expect(verifyChain(leaf!, chain, NOW)).toMatchObject({ rule });
  });

  it.skipIf(judges.isMissing)(
    `judges name constraints as OpenSSL does${judges.orSkipped}`,
    { timeout: 300_000 },
    async () => {
      const root = await rootOf('ED25519', {
        nameConstraints: {
          permitted: [
            { type: 'dns', value: 'example.com' },
            { type: 'ip', value: '10.0.0.0/8' },
            { type: 'ip', value: '2001:db8::/32' },
            { type: 'email', value: 'example.com' },
            { type: 'uri', value: '.example.com' },
          ],
          excluded: [
            { type: 'dns', value: 'bad.example.com' },
            { type: 'ip', value: '10.9.0.0/16' },
          ],
        },
      });
      const { publicKey } = await keyOf('ED25519', 'leaf');
      const cases = [
        [{ type: 'dns', value: 'www.example.com' }, true],
        [{ type: 'dns', value: 'example.com' }, true],
        [{ type: 'dns', value: '*.sub.example.com' }, true],
        [{ type: 'dns', value: 'badexample.com' }, false],
        [{ type: 'dns', value: 'bad.example.com' }, false],
        [{ type: 'dns', value: 'a.bad.example.com' }, false],
        [{ type: 'ip', value: '10.1.2.3' }, true],
        [{ type: 'ip', value: '10.9.2.3' }, false],
        [{ type: 'ip', value: '11.1.2.3' }, false],
        [{ type: 'ip', value: '2001:db8::5' }, true],
        [{ type: 'ip', value: '2001:db9::5' }, false],
        [{ type: 'email', value: 'a@example.com' }, true],
        [{ type: 'email', value: 'a@mail.example.com' }, false],
        [{ type: 'uri', value: 'https://www.example.com/x' }, true],
        [{ type: 'uri', value: 'https://example.org/' }, false],
      ] as const;
      await atWork(async ({ put, run }) => {
        await put({ 'root.pem': pem(root.certificate.der) });
        for (const [name, isAllowed] of cases) {
          const leaf = await root.issue({
            ...leafContent(publicKey),
            subject: {},
            altNames: [name],
            serialNumber: newSerialNumber(),
          });
          await put({ 'leaf.pem': pem(leaf.der) });
          const { ok } = await run('openssl', 'verify', '-CAfile', 'root.pem', 'leaf.pem');
          expect([name.value, ok]).toEqual([name.value, isAllowed]);
          expect([name.value, verifyChain(leaf, [root.certificate], NOW)?.rule]).toEqual([
            name.value,
            isAllowed ? undefined : 'name_constraint',
          ]);
        }
      });
    },
  );
});
