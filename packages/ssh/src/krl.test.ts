import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { signCertificate } from './certificate.ts';
import { readKrl, serialOctets, writeKrl, type SshRevocationList } from './krl.ts';
import { lineOf } from './public-key.ts';
import { keyNamed } from './testing/keys.ts';
import { refusalOf } from './testing/refusal.ts';
import { atSshWork, sshKeygen } from './testing/tools.ts';

const NOW = new Date('2026-03-01T08:00:00Z');
const listOf = (changes: Partial<SshRevocationList>): Buffer =>
  writeKrl({ version: 3n, generatedAt: NOW, comment: 'test', certificates: [], ...changes });

interface Made {
  readonly serialNumber: bigint;
  readonly keyId?: string;
  readonly by?: string;
}
async function certificate({ serialNumber, keyId = `key ${serialNumber}`, by = 'ca' }: Made): Promise<string> {
  const content = { type: 'user', principals: ['deploy'], criticalOptions: {}, extensions: {} } as const;
  const times = { notBefore: NOW, notAfter: new Date(NOW.getTime() + 3_600_000) };
  const { publicKey } = await keyNamed('ED25519', 'leaf');
  const ca = await keyNamed('EC_prime256v1', by);
  return lineOf(await signCertificate({ ...content, ...times, publicKey, serialNumber, keyId }, ca));
}

/** The names of the certificates that a list revokes, in the eyes of `ssh-keygen`. */
async function revokedOf(krl: Buffer, certificates: Readonly<Record<string, string>>): Promise<string[]> {
  return atSshWork(async ({ put, keygen }) => {
    await put({ krl, ...certificates });
    const { said } = await keygen('-Qf', 'krl', ...Object.keys(certificates));
    const verdicts = said.trim().split('\n');
    expect(verdicts).toHaveLength(Object.keys(certificates).length);
    return verdicts.filter((line) => line.endsWith('REVOKED')).map((line) => line.split(' ')[0]!.replace(':', ''));
  });
}

describe.skipIf(sshKeygen.isMissing)(`ssh-keygen -Qf${sshKeygen.orSkipped}`, () => {
  it('finds the serial numbers of a list, also distant ones, of this authority only', async () => {
    sshKeygen.require();
    const { publicKey: issuer } = await keyNamed('EC_prime256v1', 'ca');
    const serials = [1n, 2n, 5n, (1n << 62n) + 1n, (1n << 63n) - 1n];
    const krl = listOf({ certificates: [{ issuer, serialNumbers: serialOctets(serials) }] });
    const others: Record<string, Made> = { a4: { serialNumber: 4n }, other: { serialNumber: 5n, by: 'another' } };
    const asked = { ...Object.fromEntries(serials.map((serialNumber, at) => [`r${at}`, { serialNumber }])), ...others };
    const lines = Object.entries(asked).map(async ([name, one]) => [name, await certificate(one)] as const);
    expect(await revokedOf(krl, Object.fromEntries(await Promise.all(lines)))).toEqual(['r0', 'r1', 'r2', 'r3', 'r4']);
  });

  it('finds key IDs, and everything that a revoked key of an authority has signed', async () => {
    sshKeygen.require();
    const ca = await keyNamed('EC_prime256v1', 'ca');
    const another = await keyNamed('EC_prime256v1', 'another');
    const krl = listOf({
      certificates: [{ issuer: ca.publicKey, serialNumbers: Buffer.of(), keyIds: ['ann', 'bob'] }],
      keys: [another.publicKey],
    });
    const lines = {
      ann: await certificate({ serialNumber: 7n, keyId: 'ann' }),
      eve: await certificate({ serialNumber: 8n, keyId: 'eve' }),
      signed: await certificate({ serialNumber: 9n, by: 'another' }),
    };
    expect(await revokedOf(krl, lines)).toEqual(['ann', 'signed']);
  });

  it('reads a list without any entry', async () => {
    sshKeygen.require();
    expect(await revokedOf(listOf({}), { one: await certificate({ serialNumber: 1n }) })).toEqual([]);
  });
});

const octets = fc.uint8Array({ minLength: 1, maxLength: 80 }).map((bytes) => Buffer.from(bytes));
const arbitraryList = fc.record({
  version: fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }),
  generatedAt: fc.nat(4_000_000).map((hours) => new Date(hours * 3_600_000)),
  comment: fc.string(),
  certificates: fc.array(
    fc.record({
      issuer: octets,
      serialNumbers: fc
        .uniqueArray(fc.bigInt({ min: 1n, max: (1n << 63n) - 1n }), { minLength: 1, maxLength: 40 })
        .map(serialOctets),
      keyIds: fc.array(fc.string(), { maxLength: 5 }),
    }),
    { maxLength: 4 },
  ),
  keys: fc.array(octets, { maxLength: 3 }).map((keys) => keys.toSorted((one, other) => Buffer.compare(one, other))),
});

describe('readKrl', () => {
  it('reads exactly what was written', () => {
    fc.assert(
      fc.property(arbitraryList, (list) => {
        expect(readKrl(writeKrl(list))).toEqual(list);
      }),
      { numRuns: 300 },
    );
  });

  it('answers a truncated or changed list with an error of its own, or reads another list', () => {
    fc.assert(
      fc.property(arbitraryList, fc.nat(), fc.nat(255), (list, place, octet) => {
        const bytes = writeKrl(list);
        expect(refusalOf(() => readKrl(bytes.subarray(0, place % bytes.length))) ?? 'ssh_krl.malformed').toBe(
          'ssh_krl.malformed',
        );
        bytes[place % bytes.length] = octet;
        expect(refusalOf(() => readKrl(bytes)) ?? 'ssh_krl.malformed').toBe('ssh_krl.malformed');
      }),
      { numRuns: 500 },
    );
  });
});
