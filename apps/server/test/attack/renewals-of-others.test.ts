import { enqueueDueCertificates } from '@coffer/domain';
import { beforeEach, describe, expect, it } from 'vitest';
import { DAY, nameOf, NEWER, ok } from '../harness/certificates.ts';
import { PkiSyncWorld } from '../harness/pki-syncs.ts';
import { besideStandIns } from '../harness/stand-in-server.ts';
import type { TestServer } from '../harness/test-server.ts';

let test: TestServer;
const standIns = besideStandIns((made) => void (test = made), { clock: 'standing' });
beforeEach(() => test.advance(60_000));

/** A certificate that a PKI sync writes, issued by a profile with auto-renewal, and somebody with rights there. */
async function scene(more: readonly object[] = []) {
  const world = await PkiSyncWorld.make(test, standIns, 'azure-key-vault');
  const { projectId } = world;
  const { certificatePolicy } = ok(
    await test.admin('POST', '/api/v1/cert-manager/certificate-policies', { projectId, name: nameOf('policy') }),
  );
  const { certificateProfile: profile } = ok(
    await test.admin('POST', '/api/v1/cert-manager/certificate-profiles', {
      ...{ projectId, caId: world.authority.id, certificatePolicyId: certificatePolicy.id, slug: nameOf('web') },
      ...{ enrollmentType: 'api', apiConfig: { autoRenew: true, renewBeforeDays: 10 } },
    }),
  );
  const commonName = `${nameOf('shop')}.example.com`;
  const { certificate } = ok(
    await test.admin('POST', NEWER, { profileId: profile.id, attributes: { commonName, ttl: '90d' } }),
  );
  const sync = await world.create({ certificateIds: [certificate.certificateId] });
  await world.run(sync);
  const rules = [
    { subject: 'certificate-profiles', action: 'issue-cert', conditions: { slug: profile.slug } },
    ...more,
  ] as never;
  const developer = await test.identity({ projectId, rules });
  const renew = (body: object) => developer.call('POST', `${NEWER}/${certificate.serialNumber}/renew`, body);
  return { world, sync, certificate, renew };
}

/** The common names and ends of what the destination has. */
const written = ({ target }: PkiSyncWorld) => target.held().map((one) => one.certificate);

describe('attack: a renewal of a certificate of others', () => {
  it('by the right to issue alone is a certificate of its own: syncs and auto-renewal go on with the other one', async () => {
    const { world, sync, certificate, renew } = await scene();
    const before = written(world);

    const own = ok(await renew({ ttl: '2m' }));
    expect(own.serialNumber).not.toBe(certificate.serialNumber);
    const stored = ok(await test.admin('GET', `${NEWER}/${own.certificateId}`)).certificate;
    expect(stored).toMatchObject({ renewedFromCertificateId: null, renewBeforeDays: null });
    // Nothing of the certificate that it repeats is taken: it can be repeated again.
    ok(await renew({}));

    await world.run(sync);
    test.advance(3 * 60_000);
    await world.run(sync);
    expect(written(world)).toEqual(before);
    expect((await world.listed(sync)).map((one) => one.certificateId)).toEqual([certificate.certificateId]);

    test.advance(81 * DAY);
    const { body } = await test.admin('GET', `${NEWER}/${certificate.certificateId}`);
    expect(body.certificate).toMatchObject({ renewBeforeDays: 10, renewedByCertificateId: null });
    expect(await enqueueDueCertificates(world.certificates.platform())).toBe(1);
  });

  it('takes its place with the right to edit it', async () => {
    const { world, sync, certificate, renew } = await scene([{ subject: 'certificates', action: 'edit' }]);
    const next = ok(await renew({}));
    const { body } = await test.admin('GET', `${NEWER}/${certificate.certificateId}`);
    expect(body.certificate.renewedByCertificateId).toBe(next.certificateId);
    await world.run(sync);
    expect((await world.listed(sync)).map((one) => one.certificateId)).toEqual([next.certificateId]);
  });
});
