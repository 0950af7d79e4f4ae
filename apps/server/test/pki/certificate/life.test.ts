import { randomBytes, randomUUID } from 'node:crypto';
import { issueCertificate, signerOf, type Order } from '@coffer/domain';
import { makeConnection, makeExternalAuthority } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY, eventsOf, issueBy, makeIssuer, nameOf, NEWER, ok, V1, type Issuer } from '../../harness/certificates.ts';
import { TIME, UUID } from '../../harness/folder-tree.ts';
import { issuingServer } from '../../harness/issuing.ts';
import { openssl } from '../../harness/openssl.ts';
import type { TestServer } from '../../harness/test-server.ts';

let test: TestServer;
let projectId: string;
let slug: string;
let ca: Issuer;
beforeAll(async () => {
  ({ test, projectId, slug, ca } = await issuingServer());
});
afterAll(() => test.close());

const issue = () => issueBy(test, ca.id);
const read = async (id: string) => ok(await test.admin('GET', `${NEWER}/${id}`)).certificate;

describe('revoking a certificate', () => {
  it.each([
    ['UNSPECIFIED', 0],
    ['KEY_COMPROMISE', 1],
    ['CA_COMPROMISE', 2],
    ['AFFILIATION_CHANGED', 3],
    ['SUPERSEDED', 4],
    ['CESSATION_OF_OPERATION', 5],
    ['CERTIFICATE_HOLD', 6],
    ['PRIVILEGE_WITHDRAWN', 9],
    ['A_A_COMPROMISE', 10],
  ])('accepts the reason by its name (%s) and returns its number', async (revocationReason, code) => {
    const { serialNumber, certificateId } = await issue();
    const url = code % 2 === 0 ? `${V1}/${serialNumber}` : `${NEWER}/${certificateId}`;
    const revoked = ok(await test.admin('POST', `${url}/revoke`, { revocationReason }));
    expect(revoked).toEqual({ message: expect.any(String), serialNumber, revokedAt: TIME });
    expect(ok(await test.admin('GET', `${V1}/${serialNumber}`)).certificate).toMatchObject({
      status: 'revoked',
      revokedAt: revoked.revokedAt,
      revocationReason: code,
    });
    expect(await eventsOf(test, { certificateId })).toEqual(['certificate.issued', 'certificate.revoked']);
    const again = await test.admin('POST', `${url}/revoke`, { revocationReason });
    expect([again.status, again.body.message]).toEqual([400, expect.stringContaining('certificate.revoked')]);
  });

  it('is done once for many concurrent requests', async () => {
    const { certificateId } = await issue();
    const revoke = () => test.admin('POST', `${NEWER}/${certificateId}/revoke`, { revocationReason: 'SUPERSEDED' });
    const answers = await Promise.all([1, 2, 3, 4].map(revoke));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400, 400, 400]);
  });

  it.each([{}, { revocationReason: 'BECAUSE' }, { revocationReason: 1 }])('refuses %j', async (body) => {
    const { certificateId } = await issue();
    expect((await test.admin('POST', `${NEWER}/${certificateId}/revoke`, body)).status).toBe(422);
  });
});

describe('importing a certificate', () => {
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', 'a.key', '-out', 'a.pem'];
  const authority = (name: string) => {
    const usage = 'keyUsage=critical,keyCertSign';
    const made = openssl(['req', '-x509', ...key, '-subj', `/CN=${name}`, '-days', '900', '-addext', usage]);
    return { 'root.pem': made.file('a.pem'), 'root.key': made.file('a.key') };
  };
  const root = authority('Elsewhere');

  /** A certificate that OpenSSL made, with its key and chain. */
  function elsewhere(serial: string = randomBytes(20).fill(0x0a, 0, 1).toString('hex'), issuer = root) {
    const leaf = openssl(
      [
        ...['req', '-x509', ...key, '-CA', 'root.pem', '-CAkey', 'root.key', '-subj', '/CN=app.example.com'],
        ...['-days', '30', '-set_serial', `0x${serial}`, '-addext', 'basicConstraints=critical,CA:FALSE'],
        ...['-addext', 'subjectAltName=DNS:app.example.com', '-addext', 'extendedKeyUsage=serverAuth'],
      ],
      issuer,
    );
    expect([leaf.code, leaf.code === 0 ? '' : leaf.text]).toEqual([0, '']);
    return {
      certificatePem: leaf.file('a.pem').toString(),
      privateKeyPem: leaf.file('a.key').toString(),
      chainPem: issuer['root.pem'].toString(),
      serial,
    };
  }
  const bring = (body: object) => test.admin('POST', `${NEWER}/import-certificate`, { projectId, ...body });

  it('stores it with its chain and key, under its own serial number', async () => {
    const { certificatePem, privateKeyPem, chainPem, serial } = elsewhere();
    const imported = ok(await bring({ certificatePem, privateKeyPem, chainPem, friendlyName: 'Brought' }));
    expect(imported).toEqual({
      certificateId: UUID,
      certificate: certificatePem,
      certificateChain: chainPem,
      privateKey: privateKeyPem,
      serialNumber: serial,
    });
    const { certificate } = ok(await test.admin('GET', `${V1}/${serial}`));
    expect(certificate).toMatchObject({
      id: imported.certificateId,
      caId: null,
      caCertId: null,
      status: 'active',
      friendlyName: 'Brought',
      commonName: 'app.example.com',
      altNames: 'app.example.com',
      extendedKeyUsages: ['serverAuth'],
    });
    expect(await read(imported.certificateId)).toMatchObject({ source: 'import', caType: null, hasPrivateKey: true });
    const bundle = ok(await test.admin('GET', `${NEWER}/${imported.certificateId}/bundle`));
    expect([bundle.privateKey, bundle.certificateChain]).toEqual([privateKeyPem, chainPem]);
    const revoked = await test.admin('POST', `${V1}/${serial}/revoke`, { revocationReason: 'SUPERSEDED' });
    expect([revoked.status, revoked.body.message]).toEqual([400, expect.stringContaining('certificate.imported')]);
    expect((await test.admin('POST', `${NEWER}/${imported.certificateId}/renew`)).status).toBe(400);
    const twice = await bring({ certificatePem });
    expect([twice.status, twice.body.message]).toEqual([400, 'The project already has this certificate']);
    expect(await eventsOf(test, { certificateId: imported.certificateId })).toEqual([
      'certificate.imported',
      'certificate.bundle_read',
    ]);
  });

  it('accepts the slug of the project, and no key or chain', async () => {
    const { certificatePem } = elsewhere();
    const url = `${V1}/import-certificate`;
    expect(ok(await test.admin('POST', url, { projectSlug: slug, certificatePem }))).toMatchObject({
      certificateChain: '',
      privateKey: null,
    });
    expect((await test.admin('POST', url, { certificatePem })).status).toBe(400);
    expect((await test.admin('POST', url, { certificatePem, projectSlug: 'none' })).status).toBe(404);
  });

  it('is refused for what does not belong together', async () => {
    const [one, other] = [elsewhere(), elsewhere(undefined, authority('Another'))];
    const { certificatePem } = one;
    for (const [body, rule] of [
      [{ certificatePem, privateKeyPem: other.privateKeyPem }, 'certificate.private_key'],
      [{ certificatePem, privateKeyPem: 'no key' }, 'certificate.private_key'],
      [{ certificatePem, chainPem: other.chainPem }, 'certificate.chain'],
      [{ certificatePem: 'nothing' }, 'certificate.malformed'],
      [{ certificatePem, chainPem: '-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----' }, 'certificate.'],
    ] as const) {
      const answer = await bring(body);
      expect([rule, answer.status, answer.body.message]).toEqual([rule, 400, expect.stringContaining(rule)]);
    }
    const none = await bring({ certificatePem, pkiCollectionId: randomUUID() });
    expect([none.status, none.body.message]).toEqual([404, 'There is no such pki collection']);
  });

  it('rejects one that ends in the year 0: no list could show it', async () => {
    const made = openssl(['req', '-x509', ...key, '-subj', '/CN=app.example.com', '-days', '20000']).file('a.pem');
    const octets = Buffer.from(made.toString().replaceAll(/-----.+-----/g, ''), 'base64').toString('latin1');
    const ending = (year: string) => {
      const changed = Buffer.from(octets.replace(/20\d\d(\d{10}Z)/, `${year}$1`), 'latin1').toString('base64');
      return `-----BEGIN CERTIFICATE-----\n${changed}\n-----END CERTIFICATE-----\n`;
    };
    ok(await bring({ certificatePem: ending('0001') }));
    const { status, body } = await bring({ certificatePem: ending('0000') });
    expect([status, body.message]).toEqual([400, expect.stringContaining('certificate.malformed')]);
    ok(await test.admin('GET', `${NEWER}?projectId=${projectId}`));
  });

  it('needs its own permission, and that for the collection', async () => {
    const { certificatePem } = elsewhere();
    const body = { projectId, certificatePem };
    const url = `${NEWER}/import-certificate`;
    const { call } = await test.identity({
      projectId,
      rules: [{ subject: 'certificates', action: ['read', 'create'] }],
    });
    expect((await call('POST', url, body)).status).toBe(403);
    expect((await test.as()('POST', url, body)).status).toBe(401);
    expect((await (await test.foreign()).call('POST', url, body)).status).toBe(404);
    const { id } = ok(await test.admin('POST', '/api/v1/pki/collections', { projectId, name: 'All' }));
    const { call: importer } = await test.identity({
      projectId,
      rules: [{ subject: 'certificates', action: 'import' }],
    });
    expect((await importer('POST', url, { ...body, pkiCollectionId: id })).status).toBe(403);
    ok(await importer('POST', url, body));
  });

  it('of one certificate into two projects makes its serial number ambiguous, and its ID not', async () => {
    const { certificatePem, serial } = elsewhere();
    const { id: other } = await test.project();
    const [first, second] = [
      ok(await bring({ certificatePem })),
      ok(await bring({ certificatePem, projectId: other })),
    ];
    expect(ok(await test.admin('GET', `${V1}/${serial}`)).certificate.id).toBe(first.certificateId);
    expect(await test.admin('DELETE', `${V1}/${serial}`)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('use the ID') },
    });
    ok(await test.admin('DELETE', `${V1}/${second.certificateId}`));
    expect(ok(await test.admin('DELETE', `${V1}/${serial}`)).certificate.id).toBe(first.certificateId);
  });

  it('is found by a serial number of 32 octets, which some authorities have issued', async () => {
    const { certificatePem, serial } = elsewhere('1f'.repeat(32));
    const { certificateId } = ok(await bring({ certificatePem }));
    expect(ok(await test.admin('GET', `${V1}/${serial}`)).certificate.id).toBe(certificateId);
  });

  it('does not take precedence over one with the same serial number that was issued here, or ordered', async () => {
    const issued = await issue();
    ok(await bring({ certificatePem: elsewhere(issued.serialNumber).certificatePem }));
    const found = async () => ok(await test.admin('GET', `${V1}/${issued.serialNumber}`)).certificate.id;
    expect(await found()).toBe(issued.certificateId);
    const place = { organizationId: test.organizationId, projectId };
    const credentials = { method: 'api-key', apiKey: 'a-key' } as never;
    const connection = await makeConnection(test.coffer, { ...place, app: 'digicert', name: nameOf('d'), credentials });
    const external = { ...place, connectionId: connection.id, type: 'digicert', name: nameOf('elsewhere') } as const;
    const { id } = await makeExternalAuthority(test.coffer, { ...external, configuration: {} });
    await test.coffer.pool.query(
      'update certificates set external_ca_id = $1, ca_id = null, ca_key_id = null, ca_certificate_id = null where id = $2',
      [id, issued.certificateId],
    );
    expect(await found()).toBe(issued.certificateId);
  });
});

describe('a certificate that others imitate by imports', () => {
  it('is found by its fingerprint, whatever serial numbers they have, and in whatever projects', async () => {
    const { certificateId, serialNumber } = await issue();
    const { rows } = await test.coffer.pool.query<{ fingerprint: string }>(
      `select encode(fingerprint_sha256, 'hex') as fingerprint from certificates where id = $1`,
      [certificateId],
    );
    const { fingerprint } = rows[0]!;
    const { id: other } = await test.project();
    const { call } = await test.identity({
      projectId,
      rules: [{ subject: 'certificates', action: ['read', 'delete'] }],
    });
    // As if by imports: with the fingerprint, and the serial number, as serial numbers.
    const copies = (reference: string, project: string) =>
      test.coffer.pool.query(
        `insert into certificates (id, organization_id, project_id, serial_number, friendly_name, common_name, alt_names, names,
           subject, not_before, not_after, key_usages, extended_key_usages, key_algorithm, signature_algorithm, is_ca, body, chain,
           fingerprint_sha256, source, created_at, updated_at)
         select gen_random_uuid(), organization_id, $3::uuid, $2::text, 'forged', common_name, alt_names, names, subject, not_before,
           not_after, key_usages, extended_key_usages, key_algorithm, signature_algorithm, is_ca, body, '',
           sha256(convert_to(i::text || $2::text || $3::uuid, 'UTF8')), 'import', created_at + interval '1 minute', updated_at
         from certificates, generate_series(1, 25) i where id = $1`,
        [certificateId, reference, project],
      );
    for (const project of [projectId, other]) {
      await copies(fingerprint, project);
      await copies(serialNumber, project);
    }
    for (const reference of [fingerprint, serialNumber])
      expect(ok(await call('GET', `${V1}/${reference}`)).certificate.id).toBe(certificateId);
    const body = { revocationReason: 'SUPERSEDED' };
    expect((await call('POST', `${V1}/${serialNumber}/revoke`, body)).status).toBe(200);
    // An imported one is not hidden by those of a project that the caller does not know.
    const { rows: imported } = await test.coffer.pool.query<{ id: string; serial: string }>(
      `update certificates set serial_number = 'ab' || substr(serial_number, 3) where project_id = $1 and source = 'import'
         and serial_number = $2 and id = (select id from certificates where project_id = $1 and serial_number = $2
           and source = 'import' limit 1) returning id, serial_number as serial`,
      [projectId, serialNumber],
    );
    await copies(imported[0]!.serial, other);
    expect(ok(await call('GET', `${V1}/${imported[0]!.serial}`)).certificate.id).toBe(imported[0]!.id);
  });

  it('is found behind those that the caller may not read, or not change', async () => {
    const { certificateId } = await issue();
    // As if all were imported, the caller's first.
    const { rows } = await test.coffer.pool.query<{ serial: string }>(
      `with added as (
         insert into certificates (id, organization_id, project_id, serial_number, friendly_name, common_name, alt_names, names,
           subject, not_before, not_after, key_usages, extended_key_usages, key_algorithm, signature_algorithm, is_ca, body, chain,
           fingerprint_sha256, source, created_at, updated_at)
         select gen_random_uuid(), organization_id, project_id, 'cd' || substr(serial_number, 3), 'theirs', common_name, alt_names,
           names, subject, not_before, not_after, key_usages, extended_key_usages, key_algorithm, signature_algorithm, is_ca, body,
           '', sha256(convert_to(i::text || id::text, 'UTF8')), 'import', created_at + interval '1 minute', updated_at
         from certificates, generate_series(1, 450) i where id = $1)
       update certificates set serial_number = 'cd' || substr(serial_number, 3), friendly_name = 'mine', source = 'import',
         ca_id = null, ca_key_id = null, ca_certificate_id = null where id = $1 returning serial_number as serial`,
      [certificateId],
    );
    const url = `${V1}/${rows[0]!.serial}`;
    const conditions = { friendlyName: { $eq: 'mine' } };
    const by = async (...actions: string[]) =>
      (await test.identity({ projectId, rules: [{ subject: 'certificates', action: actions, conditions }] })).call;
    expect(ok(await (await by('read'))('GET', url)).certificate.id).toBe(certificateId);
    expect((await (await by('edit'))('GET', url)).status).toBe(403);
    expect(ok(await (await by('delete'))('DELETE', url)).certificate.id).toBe(certificateId);
  });
});

describe('a certificate that is signed and not stored', () => {
  const wanted: Omit<Order, 'key'> = {
    subject: { commonName: 'app.example.com' },
    altNames: [],
    ttl: DAY,
    keyUsages: ['digitalSignature'],
    extendedKeyUsages: [],
    constraints: [],
    source: 'issue',
  };
  const count = async () => {
    const { rows } = await test.coffer.pool.query<{ rows: number; events: number }>(
      `select (select count(*)::integer from certificates) as rows,
         (select count(*)::integer from audit_events where type like 'certificate.%') as events`,
    );
    return rows[0];
  };

  it('is never returned', async () => {
    const before = await count();
    const ctx = test.coffer.contextFor(test.adminIdentity.actor);
    const signer = await signerOf(ctx, ca.id);
    const seen: string[] = [];
    const issuing = issueCertificate(
      ctx,
      signer,
      { ...wanted, key: { make: 'EC_prime256v1' } },
      {
        also: async (_tx, issued) => {
          seen.push(issued.serialNumber);
          throw new Error('killed');
        },
      },
    );
    await expect(issuing).rejects.toThrow('killed');
    expect(seen).toHaveLength(1);
    expect(await count()).toEqual(before);
  });

  it('is not stored where the authority was disabled meanwhile', async () => {
    const { id } = await makeIssuer(test, projectId);
    const before = await count();
    const ctx = test.coffer.contextFor(test.adminIdentity.actor);
    const signer = await signerOf(ctx, id);
    ok(await test.admin('PATCH', `/api/v1/cert-manager/ca/internal/${id}`, { status: 'disabled' }));
    const issuing = issueCertificate(ctx, signer, { ...wanted, key: { make: 'EC_prime256v1' } });
    await expect(issuing).rejects.toMatchObject({ code: 'certificate_authority.not_active' });
    expect(await count()).toEqual(before);
  });

  it('is not stored either where its event cannot be', async () => {
    const before = await count();
    await test.owner.query(
      `create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$;
       create trigger refuse before insert on audit_events for each row execute function refuse()`,
    );
    try {
      const body = { commonName: 'app.example.com', ttl: '1d' };
      expect((await test.admin('POST', `/api/v1/pki/ca/${ca.id}/issue-certificate`, body)).status).toBe(503);
    } finally {
      await test.owner.query('drop trigger refuse on audit_events; drop function refuse()');
    }
    expect(await count()).toEqual(before);
  });
});
