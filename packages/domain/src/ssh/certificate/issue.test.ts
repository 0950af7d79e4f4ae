import { readSshCertificate } from '@coffer/ssh';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../kernel/index.ts';
import { BACKDATED } from '../../pki/constraint/index.ts';
import { makeOrganization, makeProject, testCoffer, type TestCoffer } from '../../testing/index.ts';
import { runs, SEARCH_SEED, searchTime } from '../../testing/search.ts';
import {
  createSshAuthority,
  defaultSshAuthorities,
  deleteSshAuthority,
  rotateSshAuthority,
  sshSignerOf,
  updateSshAuthority,
} from '../authority/index.ts';
import { CreateSshTemplate, createSshTemplate, updateSshTemplate } from '../template/index.ts';
import { getSshCertificate, listSshCertificates } from './certificate.service.ts';
import { issueSshCertificate, type SshOrder } from './issue.ts';

let test: TestCoffer;
let projectId: string;
let context: () => Context;
beforeAll(async () => {
  test = await testCoffer();
  const { id: organizationId, admin } = await makeOrganization(test.coffer);
  ({ id: projectId } = await makeProject(test.coffer, organizationId, admin.actor));
  context = () => test.coffer.contextFor(admin.actor);
});
afterAll(() => test.close());

const authority = (friendlyName = 'users') => createSshAuthority(context(), { projectId, friendlyName });
const ORDER: SshOrder = {
  certType: 'user',
  principals: ['deploy'],
  keyId: 'ann',
  ttl: 60_000,
  key: { make: 'ED25519' },
  criticalOptions: {},
  extensions: {},
};

const name = fc.stringMatching(/^[a-z][a-z0-9._-]{0,20}$/);
const own = name.map((one) => `${one}@example.com`);
const options = (known: fc.Arbitrary<[string, string]>) =>
  fc.array(fc.oneof(known, fc.tuple(own, fc.string({ maxLength: 30 }))), { maxLength: 5 }).map(Object.fromEntries);
const critical = fc.oneof(
  fc.tuple(fc.constant('force-command'), fc.string({ minLength: 1, maxLength: 40 })),
  fc.constantFrom<[string, string]>(['source-address', '10.0.0.0/8,2001:db8::/32'], ['verify-required', '']),
);
const extension = fc.constantFrom<[string, string]>(['permit-pty', ''], ['permit-user-rc', '']);
const arbitraryUser = fc.record({
  certType: fc.constant('user' as const),
  principals: fc.uniqueArray(name, { minLength: 1, maxLength: 20 }),
  keyId: fc.stringMatching(/^[\x20-\x7e]{1,60}$/),
  ttl: fc.integer({ min: 1, max: 1_000_000 }).map((seconds) => seconds * 1000),
  criticalOptions: options(critical),
  extensions: options(extension),
});

describe('issueSshCertificate', () => {
  it('issues exactly what is ordered, and stores it', { timeout: searchTime(300_000) }, async () => {
    const signer = await sshSignerOf(context(), (await authority()).id);
    const serials = new Set<string>();
    await fc.assert(
      fc.asyncProperty(arbitraryUser, async (order) => {
        const issued = await issueSshCertificate(context(), signer, { ...order, key: { make: 'ED25519' } });
        const stored = await getSshCertificate(context(), issued);
        expect(stored.signedKey).toBe(issued.signedKey);
        const read = readSshCertificate(Buffer.from(issued.signedKey.split(' ')[1]!, 'base64'));
        const { certType: type, ttl, ...rest } = order;
        expect(read).toMatchObject({ type, ...rest });
        expect(Object.keys(read.criticalOptions)).toHaveLength(Object.keys(order.criticalOptions).length);
        expect(Object.keys(read.extensions)).toHaveLength(Object.keys(order.extensions).length);
        expect(read.notAfter.getTime() - read.notBefore.getTime()).toBe(ttl + BACKDATED);
        expect([read.serialNumber > 0n, serials.has(issued.serialNumber)]).toEqual([true, false]);
        serials.add(issued.serialNumber);
      }),
      { numRuns: runs(60, 5_000), seed: SEARCH_SEED },
    );
  });

  it('stores nothing by an authority that was disabled, deleted, or whose key is trusted no more', async () => {
    const refused = { code: 'ssh_certificate.not_issued' };
    const { id } = await authority();
    const signer = await sshSignerOf(context(), id);
    await updateSshAuthority(context(), { sshCaId: id, status: 'disabled' });
    await expect(issueSshCertificate(context(), signer, ORDER)).rejects.toMatchObject(refused);
    await updateSshAuthority(context(), { sshCaId: id, status: 'active' });
    await issueSshCertificate(context(), signer, ORDER);
    await rotateSshAuthority(context(), { sshCaId: id, overlap: '1h' });
    await issueSshCertificate(context(), signer, ORDER);
    test.advance(3_600_001);
    await expect(issueSshCertificate(context(), signer, ORDER)).rejects.toMatchObject(refused);
    await deleteSshAuthority(context(), { sshCaId: id });
    await expect(issueSshCertificate(context(), signer, ORDER)).rejects.toMatchObject(refused);
  });

  it('stores nothing by a template that was changed since it was read', async () => {
    const { id: sshCaId } = await authority();
    const wanted = CreateSshTemplate.parse({
      ...{ sshCaId, name: 'deploy', allowedUsers: ['*'], allowedHosts: [] },
      ...{ allowUserCertificates: true, allowHostCertificates: false, allowCustomKeyIds: false },
    });
    const template = await createSshTemplate(context(), wanted);
    const signer = await sshSignerOf(context(), sshCaId);
    await issueSshCertificate(context(), signer, { ...ORDER, template });
    test.advance(1);
    await updateSshTemplate(context(), { certificateTemplateId: template.id, allowedUsers: ['app'] });
    await expect(issueSshCertificate(context(), signer, { ...ORDER, template })).rejects.toMatchObject({
      code: 'ssh_certificate.not_issued',
    });
  });

  it('stores nothing if what begins its transaction fails', async () => {
    const signer = await sshSignerOf(context(), (await authority()).id);
    const count = async () => (await listSshCertificates(context(), { projectId, offset: 0, limit: 1 })).totalCount;
    const before = await count();
    const failing = issueSshCertificate(context(), signer, ORDER, () => Promise.reject(new Error('It failed')));
    await expect(failing).rejects.toThrow('It failed');
    expect(await count()).toBe(before);
  });
});

describe('the default authorities of a project', () => {
  it('are made once, also if many ask at once', async () => {
    const { id: organizationId, admin } = await makeOrganization(test.coffer);
    const { id } = await makeProject(test.coffer, organizationId, admin.actor);
    const asked = Array.from({ length: 5 }, () => defaultSshAuthorities(test.coffer.contextFor(admin.actor), id));
    const [first, ...others] = await Promise.all(asked);
    for (const other of others) expect(other).toEqual(first);
    const { rows } = await test.coffer.pool.query<{ name: string }>(
      'select friendly_name as name from ssh_certificate_authorities where project_id = $1 order by 1',
      [id],
    );
    expect(rows.map((row) => row.name)).toEqual(['Default host CA', 'Default user CA']);
  });
});
