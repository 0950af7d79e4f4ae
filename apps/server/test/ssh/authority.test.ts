import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { atSshWork, readKrl, sshKeygen } from '@coffer/domain/testing';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY, eventsOf, ok } from '../harness/certificates.ts';
import { TIME, UUID } from '../harness/folder-tree.ts';
import { rawly } from '../harness/revocation.ts';
import { formerSshKeys } from '@coffer/domain';
import { hostUrl, issueUserCert, mapping, SshHosts } from '../harness/ssh-hosts.ts';
import {
  PUBLIC_KEY,
  readSigned,
  SSH_CA,
  SSH_CERTIFICATES,
  SSH_TEMPLATES,
  SshProject,
  templateOf,
} from '../harness/ssh.ts';
import { testServer, type TestServer } from '../harness/test-server.ts';

let test: TestServer;
let ssh: SshProject;
beforeAll(async () => {
  test = await testServer();
  ssh = await SshProject.in(test);
});
afterAll(() => test.close());

/** 9,000 revoked certificates like that one. */
const MANY_REVOKED = `insert into ssh_certificates (id, organization_id, project_id, ca_id, ca_key_id, serial_number, cert_type,
    principals, key_id, key_algorithm, critical_options, extensions, not_before, not_after, body, revoked_at)
  select gen_random_uuid(), organization_id, project_id, ca_id, ca_key_id, n, cert_type, principals, key_id, key_algorithm,
    critical_options, extensions, not_before, not_after, body, created_at
  from ssh_certificates, generate_series(1, 9000) n where serial_number = $1::bigint`;

const publicKeys = async (id: string) => {
  const { status, type, octets, headers } = await rawly(test)('GET', `${SSH_CA}/${id}/public-key`);
  expect([status, type]).toEqual([200, 'text/plain; charset=utf-8']);
  return { lines: octets.toString().split('\n').slice(0, -1), etag: headers['etag'] as string };
};

describe('an SSH certificate authority', () => {
  it('is created, read, listed, renamed, disabled and deleted', async () => {
    const { id: projectId } = await test.project();
    const { ca } = ok(await test.admin('POST', SSH_CA, { projectId, friendlyName: 'users' }));
    const { publicKey, ...listed } = ca;
    const times = { createdAt: TIME, updatedAt: TIME };
    const fixed = { id: UUID, projectId, keyAlgorithm: 'ED25519', keySource: 'internal', ...times };
    expect(ca).toEqual({
      ...fixed,
      friendlyName: 'users',
      status: 'active',
      publicKey: expect.stringMatching(/^ssh-ed25519 AAAA/),
    });
    expect(ok(await test.admin('GET', `${SSH_CA}/${ca.id}`))).toEqual({ ca });
    expect(ok(await test.admin('GET', `/api/v2/workspace/${projectId}/ssh-cas`))).toEqual({ cas: [listed] });
    const changed = ok(await test.admin('PATCH', `${SSH_CA}/${ca.id}`, { friendlyName: 'people', status: 'disabled' }));
    expect(changed.ca).toMatchObject({ friendlyName: 'people', status: 'disabled', publicKey });
    expect(ok(await test.admin('DELETE', `${SSH_CA}/${ca.id}`)).ca).toEqual({
      ...listed,
      friendlyName: 'people',
      status: 'disabled',
      updatedAt: TIME,
    });
    expect((await test.admin('GET', `${SSH_CA}/${ca.id}`)).status).toBe(404);
    const event = (what: string) => `ssh_certificate_authority.${what}`;
    expect(await eventsOf(test, { sshCaId: ca.id })).toEqual(['created', 'updated', 'deleted'].map(event));
  });

  it.each([
    ['RSA_2048', 'ssh-rsa'],
    ['EC_prime256v1', 'ecdsa-sha2-nistp256'],
    ['EC_secp384r1', 'ecdsa-sha2-nistp384'],
  ])('has a key of %s if asked, by which its certificates are signed', async (keyAlgorithm, type) => {
    const ca = await ssh.authority({ keyAlgorithm });
    expect(ca).toMatchObject({ keyAlgorithm, publicKey: expect.stringMatching(`^${type} `) });
    const { id } = await ssh.template(ca.id);
    const { issuer } = readSigned(ok(await ssh.issue(id)).signedKey);
    expect(`${issuer.type} ${issuer.blob.toString('base64')}`).toBe(ca.publicKey);
  });

  it('publishes its key to everybody, with a tag', async () => {
    const { id, publicKey } = await ssh.authority();
    const { lines, etag } = await publicKeys(id);
    expect(lines).toEqual([publicKey]);
    const again = await rawly(test)('GET', `${SSH_CA}/${id}/public-key`, undefined, { 'if-none-match': etag });
    expect([again.status, again.octets.length]).toEqual([304, 0]);
    for (const unknown of [randomUUID(), 'nothing'])
      for (const file of ['public-key', 'krl'])
        expect((await rawly(test)('GET', `${SSH_CA}/${unknown}/${file}`)).status).toBe(404);
  });

  it('issues nothing while it is disabled, and again once it is enabled', async () => {
    const { id } = await ssh.authority();
    const template = await ssh.template(id);
    await test.admin('PATCH', `${SSH_CA}/${id}`, { status: 'disabled' });
    expect((await ssh.issue(template.id)).body).toMatchObject({
      statusCode: 400,
      message: 'The SSH certificate authority is disabled, or its key was replaced',
    });
    await test.admin('PATCH', `${SSH_CA}/${id}`, { status: 'active' });
    ok(await ssh.issue(template.id));
  });

  it('is an unknown one in other organizations, and forbidden to members without the right', async () => {
    const { id } = await ssh.authority();
    const foreign = await test.foreign();
    for (const [method, path] of [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['POST', '/rotate'],
      ['GET', '/certificate-templates'],
    ] as const)
      expect((await foreign.call(method, `${SSH_CA}/${id}${path}`, method === 'GET' ? undefined : {})).status).toBe(
        404,
      );
    const { call } = await test.identity({
      projectId: ssh.projectId,
      rules: [{ subject: 'ssh-certificate-authorities', action: ['create', 'edit'] }],
    });
    expect((await call('GET', `${SSH_CA}/${id}`)).status).toBe(403);
    expect((await call('DELETE', `${SSH_CA}/${id}`)).status).toBe(403);
    expect((await call('PATCH', `${SSH_CA}/${id}`, { friendlyName: 'mine' })).status).toBe(200);
  });
});

describe('an SSH certificate authority that hosts trust', () => {
  it.each([
    ['deleted', ['userSshCaId', 'hostSshCaId'], 'DELETE', '', undefined],
    ['disabled', ['userSshCaId', 'hostSshCaId'], 'PATCH', '', { status: 'disabled' }],
    ['rotated before their certificates end', ['userSshCaId'], 'POST', '/rotate', { overlap: '7h' }],
  ] as const)(
    'is %s only by callers who may take the logins on all of them',
    async (_how, which, method, path, body) => {
      const own = await SshProject.in(test);
      const hosts = '/api/v1/ssh/hosts';
      const host = ok(await test.admin('POST', hosts, { projectId: own.projectId, hostname: 'db1.example.com' }));
      const editor = async (hostname: string) =>
        (
          await test.identity({
            projectId: own.projectId,
            rules: [
              { subject: 'ssh-certificate-authorities', action: ['edit', 'delete'] },
              { subject: 'ssh-hosts', action: ['edit'], conditions: { hostname } },
            ],
          })
        ).call;
      const [allowed, other] = [await editor('db1.example.com'), await editor('db2.example.com')];
      for (const field of which) {
        const url = `${SSH_CA}/${host[field]}${path}`;
        const refused = await other(method, url, body);
        expect([refused.status, refused.body.error]).toEqual([403, 'PermissionBoundaryError']);
        expect((await allowed(method, url, body)).status).toBe(200);
      }
    },
  );

  it('is rotated by whoever may edit it if the overlap is longer than the validity of user certificates', async () => {
    const own = await SshProject.in(test);
    const hosts = '/api/v1/ssh/hosts';
    const host = ok(await test.admin('POST', hosts, { projectId: own.projectId, hostname: 'db1.example.com' }));
    const rules = [{ subject: 'ssh-certificate-authorities', action: ['edit'] }];
    const { call } = await test.identity({ projectId: own.projectId, rules });
    for (const field of ['userSshCaId', 'hostSshCaId'])
      expect((await call('POST', `${SSH_CA}/${host[field]}/rotate`, {})).status).toBe(200);
  });

  it.each([
    ['a template, for users', 'userSshCaId', 'user'],
    ['a template, for hosts', 'hostSshCaId', 'host'],
    ['a login that was valid for longer when it was made', 'userSshCaId', undefined],
  ] as const)(
    'is not rotated before the end of certificates of %s by whoever may edit none of these hosts',
    async (_of, field, certType) => {
      const own = await SshHosts.in(test);
      const ann = await own.person();
      const host = await own.host({ loginMappings: [mapping('root', { users: [ann] })], userCertTtl: '30d' });
      const ca = host[field];
      if (certType === undefined) ok(await issueUserCert(ann.call, host, 'root'));
      else {
        const more = { ttl: '30d', maxTTL: '30d', allowHostCertificates: true, allowedHosts: ['*'] };
        const template = ok(await test.admin('POST', SSH_TEMPLATES, templateOf(ca, more)));
        const principals = [certType === 'host' ? host.hostname : 'deploy'];
        const order = { certificateTemplateId: template.id, certType, principals };
        ok(await test.admin('POST', `${SSH_CERTIFICATES}/issue`, order));
      }
      ok(await test.admin('PATCH', hostUrl(host), { userCertTtl: '8h' }));
      const rules = [{ subject: 'ssh-certificate-authorities', action: ['edit'] }];
      const { call } = await test.identity({ projectId: own.projectId, rules });
      const rotate = (overlap: string) => call('POST', `${SSH_CA}/${ca}/rotate`, { overlap });
      const { status, body } = await rotate('29d');
      expect([status, body.error]).toEqual([403, 'PermissionBoundaryError']);
      expect((await rotate('31d')).status).toBe(200);
    },
  );

  it.each([
    [true, { overlap: '25h' }, 200],
    [true, { overlap: '23h' }, 403],
    [false, { overlap: '30d' }, 403],
    [false, { overlap: '2y' }, 200],
  ])(
    'with host certificates (renewed: %s) is rotated with %j by whoever may edit none of these hosts: %d',
    async (autoRenewal, order, status) => {
      const own = await SshProject.in(test);
      const hosts = '/api/v1/ssh/hosts';
      const host = ok(await test.admin('POST', hosts, { projectId: own.projectId, hostname: 'db1.example.com' }));
      const issue = `${hosts}/${host.id}/issue-host-cert`;
      ok(await test.admin('POST', issue, { publicKey: PUBLIC_KEY, autoRenewal }));
      const rules = [{ subject: 'ssh-certificate-authorities', action: ['edit'] }];
      const { call } = await test.identity({ projectId: own.projectId, rules });
      expect((await call('POST', `${SSH_CA}/${host.hostSshCaId}/rotate`, order)).status).toBe(status);
      // A disabled authority renews nothing.
      ok(await test.admin('PATCH', `${SSH_CA}/${host.hostSshCaId}`, { status: 'disabled' }));
      const disabled = await call('POST', `${SSH_CA}/${host.hostSshCaId}/rotate`, order);
      expect(disabled.status).toBe(order.overlap === '2y' ? 200 : 403);
    },
  );

  it('is enabled only by callers who may give the logins on all of them without an end', async () => {
    const own = await SshProject.in(test);
    const { projectId } = own;
    const host = ok(await test.admin('POST', '/api/v1/ssh/hosts', { projectId, hostname: 'db1.example.com' }));
    const ofAuthorities = { subject: 'ssh-certificate-authorities', action: ['edit'] };
    const onHosts = { subject: 'ssh-hosts', action: ['edit'], conditions: { hostname: 'db1.example.com' } };
    const { call: other } = await test.identity({ projectId, rules: [ofAuthorities] });
    const { call: allowed } = await test.identity({ projectId, rules: [ofAuthorities, onHosts] });
    for (const field of ['userSshCaId', 'hostSshCaId']) {
      const url = `${SSH_CA}/${host[field]}`;
      ok(await test.admin('PATCH', url, { status: 'disabled' }));
      expect((await other('PATCH', url, { friendlyName: 'renamed', status: 'disabled' })).status).toBe(200);
      const refused = await other('PATCH', url, { status: 'active' });
      expect([refused.status, refused.body.error]).toEqual([403, 'PermissionBoundaryError']);
      expect((await allowed('PATCH', url, { status: 'active' })).status).toBe(200);
    }
  });
});

describe.skipIf(sshKeygen.isMissing)(`an imported key${sshKeygen.orSkipped}`, () => {
  const made = (...options: string[]) =>
    atSshWork(async ({ path, keygen }) => {
      await keygen('-q', ...options, '-N', '', '-f', 'key');
      const [privateKey, publicKey] = await Promise.all(
        ['key', 'key.pub'].map((name) => readFile(join(path, name), 'utf8')),
      );
      return { privateKey: privateKey!, publicKey: publicKey! };
    });

  it.each([
    ['RSA_2048', ['-t', 'rsa', '-b', '2048']],
    ['EC_prime256v1', ['-t', 'ecdsa', '-b', '256']],
    ['EC_secp384r1', ['-t', 'ecdsa', '-b', '384', '-m', 'PEM']],
    ['ED25519', ['-t', 'ed25519']],
  ])('of %s signs certificates', async (keyAlgorithm, options) => {
    sshKeygen.require();
    const key = await made(...options);
    const ca = await ssh.authority({ ...key, keySource: 'external' });
    expect(ca).toMatchObject({ keyAlgorithm, keySource: 'external' });
    expect(key.publicKey).toContain(ca.publicKey);
    const { id } = await ssh.template(ca.id);
    expect(key.publicKey).toContain(readSigned(ok(await ssh.issue(id)).signedKey).issuer.blob.toString('base64'));
  });

  it('is that of one authority of the organization, once and for all', async () => {
    sshKeygen.require();
    const key = { ...(await made('-t', 'ed25519')), keySource: 'external' };
    const { id, projectId } = await ssh.authority(key);
    const { id: elsewhere } = await test.project();
    const again = async (place: string) => {
      const body = { projectId: place, friendlyName: 'again', ...key };
      const { status, body: said } = await test.admin('POST', SSH_CA, body);
      return [status, said.message];
    };
    const known = [400, expect.stringContaining('or has had it')];
    for (const place of [projectId, elsewhere]) expect(await again(place)).toEqual(known);
    ok(await test.admin('POST', `${SSH_CA}/${id}/rotate`, { overlap: '1s' }));
    expect(await again(projectId)).toEqual(known);
    ok(await test.admin('DELETE', `${SSH_CA}/${id}`));
    expect(await again(elsewhere)).toEqual(known);
    const { call } = await test.foreign();
    const { project } = ok(await call('POST', '/api/v1/projects', { projectName: 'Shop' }));
    const theirs = { projectId: project.id, friendlyName: 'theirs', ...key };
    expect((await call('POST', SSH_CA, theirs)).status).toBe(200);
  });

  it('is rejected where something about it does not fit', async () => {
    sshKeygen.require();
    const [one, other, unusual, large] = await Promise.all([
      made('-t', 'ed25519'),
      made('-t', 'ed25519'),
      made('-t', 'rsa', '-b', '3072'),
      made('-t', 'ecdsa', '-b', '521'),
    ]);
    const { projectId } = ssh;
    const refusal = async (key: object) => {
      const { status, body } = await test.admin('POST', SSH_CA, { projectId, friendlyName: 'refused', ...key });
      return [status, body.message];
    };
    expect(await refusal({ ...one, publicKey: other.publicKey })).toEqual([
      400,
      'publicKey and privateKey do not belong together',
    ]);
    expect(await refusal({ ...one, keyAlgorithm: 'RSA_2048' })).toEqual([
      400,
      'The key is of ED25519, not of RSA_2048',
    ]);
    expect(await refusal({ ...one, keySource: 'internal' })).toEqual([400, expect.stringContaining('internal')]);
    expect(await refusal({ keySource: 'external' })).toEqual([400, expect.stringContaining('privateKey')]);
    expect(await refusal({ privateKey: one.publicKey })).toEqual([400, expect.stringContaining('not a private key')]);
    expect(await refusal({ privateKey: one.privateKey, publicKey: one.privateKey })).toEqual([
      400,
      expect.stringContaining('private key'),
    ]);
    expect(await refusal(unusual)).toEqual([400, expect.stringContaining('another algorithm')]);
    expect(await refusal(large)).toEqual([400, expect.stringContaining('not supported')]);
  });
});

describe('the key of an SSH certificate authority', () => {
  const KNOWN = [400, 'An authority of the organization has this key, or has had it'];
  const newKey = () =>
    generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const importing = async (privateKey: string, projectId = ssh.projectId) => {
    const body = { projectId, friendlyName: 'imported', privateKey };
    const { status, body: said } = await test.admin('POST', SSH_CA, body);
    return [status, said.message];
  };

  it('does not come back after the project of the authority was deleted', async () => {
    const { id } = await test.project();
    const key = newKey();
    expect((await importing(key, id))[0]).toBe(200);
    ok(await test.admin('DELETE', `/api/v1/projects/${id}`));
    expect(await importing(key)).toEqual(KNOWN);
  });

  it('is of one of several to which it is given at the same time', async () => {
    const key = newKey();
    const { id: elsewhere } = await test.project();
    const places = [ssh.projectId, elsewhere, ssh.projectId, elsewhere];
    const answers = await Promise.all(places.map((projectId) => importing(key, projectId)));
    expect(answers.filter(([status]) => status === 200)).toHaveLength(1);
    expect(answers.filter(([status]) => status !== 200)).toEqual([KNOWN, KNOWN, KNOWN]);
  });
});

describe('the rotation of an SSH certificate authority', () => {
  /** The number of private keys that are kept. */
  const keysLeft = async (caId: string) => {
    await formerSshKeys.run(test.coffer.contextFor({ type: 'platform', organizationId: undefined }), {}, {} as never);
    const asked = 'select count(private_key)::integer as left from ssh_ca_keys where ca_id = $1';
    return (await test.coffer.pool.query(asked, [caId])).rows[0].left;
  };

  it('signs by the new key at once, and publishes both until the end of the overlap', async () => {
    const ca = await ssh.authority();
    const template = await ssh.template(ca.id);
    ok(await ssh.issue(template.id));
    const rotated = ok(await test.admin('POST', `${SSH_CA}/${ca.id}/rotate`, { overlap: '2d' })).ca;
    expect(rotated).toMatchObject({ id: ca.id, keyAlgorithm: 'ED25519' });
    expect(rotated.publicKey).not.toBe(ca.publicKey);
    expect(rotated.publicKey).toContain(
      readSigned(ok(await ssh.issue(template.id)).signedKey).issuer.blob.toString('base64'),
    );
    expect((await publicKeys(ca.id)).lines).toEqual([rotated.publicKey, ca.publicKey]);
    test.advance(2 * DAY + 1);
    expect((await publicKeys(ca.id)).lines).toEqual([rotated.publicKey]);
    const { rows } = await test.coffer.pool.query(
      'select private_key is null as "isGone" from ssh_ca_keys where ca_id = $1 order by created_at',
      [ca.id],
    );
    expect(rows).toEqual([{ isGone: true }, { isGone: false }]);
  });

  it('ends the trust of all former keys by the end of its overlap, also where their number is the maximum', async () => {
    const ca = await ssh.authority();
    const rotate = (overlap: string) => test.admin('POST', `${SSH_CA}/${ca.id}/rotate`, { overlap });
    for (let key = 1; key < 10; key++) ok(await rotate('100y'));
    expect((await publicKeys(ca.id)).lines).toHaveLength(10);
    for (const overlap of ['100y', '2m'])
      expect([overlap, (await rotate(overlap)).body]).toEqual([
        overlap,
        expect.objectContaining({ message: expect.stringContaining('At most 10 keys are trusted') }),
      ]);
    ok(await rotate('1m'));
    expect((await publicKeys(ca.id)).lines).toHaveLength(11);
    const last = ok(await rotate('1s')).ca;
    test.advance(1001);
    expect((await publicKeys(ca.id)).lines).toEqual([last.publicKey]);
  });

  it('does not prolong the trust of a former key', async () => {
    const ca = await ssh.authority();
    const rotate = async (overlap: string) => ok(await test.admin('POST', `${SSH_CA}/${ca.id}/rotate`, { overlap })).ca;
    const second = await rotate('1d');
    const third = await rotate('3d');
    expect((await publicKeys(ca.id)).lines).toEqual([third.publicKey, second.publicKey, ca.publicKey]);
    test.advance(DAY + 1);
    expect((await publicKeys(ca.id)).lines).toEqual([third.publicKey, second.publicKey]);
  });

  it('signs by the former key until the new one signs, if asked, so that hosts can fetch it before', async () => {
    const ca = await ssh.authority();
    const template = await ssh.template(ca.id);
    const issuer = async () => readSigned(ok(await ssh.issue(template.id)).signedKey).issuer.blob.toString('base64');
    const rotate = () => test.admin('POST', `${SSH_CA}/${ca.id}/rotate`, { signAfter: '1d', overlap: '1d' });
    expect(ok(await rotate()).ca.publicKey).toBe(ca.publicKey);
    expect(ca.publicKey).toContain(await issuer());
    const [next, former] = (await publicKeys(ca.id)).lines;
    expect(former).toBe(ca.publicKey);
    expect((await rotate()).body.message).toContain('does not sign yet');
    test.advance(DAY + 1);
    expect(next).toContain(await issuer());
    expect((await publicKeys(ca.id)).lines).toEqual([next, former]);
    expect(await keysLeft(ca.id)).toBe(2);
    test.advance(10 * 60_000);
    expect(await keysLeft(ca.id)).toBe(1);
    expect(next).toContain(await issuer());
    test.advance(DAY + 1);
    expect((await publicKeys(ca.id)).lines).toEqual([next]);
  });

  it('is never kept out by a key that waits: one that signs sooner replaces it, and revokes it', async () => {
    const own = await SshProject.in(test);
    const ca = await own.authority();
    const body = { projectId: own.projectId, hostname: 'db1.example.com', userSshCaId: ca.id, hostSshCaId: ca.id };
    ok(await test.admin('POST', '/api/v1/ssh/hosts', body));
    const rules = [{ subject: 'ssh-certificate-authorities', action: ['edit'] }];
    const { call: editor } = await test.identity({ projectId: own.projectId, rules });
    const rotate = (order: object, call = test.admin) => call('POST', `${SSH_CA}/${ca.id}/rotate`, order);
    ok(await rotate({ signAfter: '100y', overlap: '99y' }, editor));
    const [waiting, ...others] = (await publicKeys(ca.id)).lines;
    expect(others).toEqual([ca.publicKey]);
    // Later than it.
    expect((await rotate({ signAfter: '100y' })).body.message).toContain('does not sign yet');
    ok(await rotate({ signAfter: '90y', overlap: '99y' }, editor));
    const last = ok(await rotate({ overlap: '1s' })).ca;
    expect((await publicKeys(ca.id)).lines).toEqual([last.publicKey, ca.publicKey]);
    test.advance(1001);
    expect((await publicKeys(ca.id)).lines).toEqual([last.publicKey]);
    expect(await keysLeft(ca.id)).toBe(1);
    const { octets } = await rawly(test)('GET', `${SSH_CA}/${ca.id}/krl`);
    const revoked = readKrl(octets).keys.map((key) => key.toString('base64'));
    expect(revoked).toHaveLength(2);
    expect(revoked).toContain(waiting!.split(' ')[1]);
  });

  it('by a key that replaces a waiting one trusts the former for no longer, and while that signs', async () => {
    const ca = await ssh.authority();
    const template = await ssh.template(ca.id);
    const issuer = async () => readSigned(ok(await ssh.issue(template.id)).signedKey).issuer.blob.toString('base64');
    const rotate = async (order: object) => ok(await test.admin('POST', `${SSH_CA}/${ca.id}/rotate`, order)).ca;
    await rotate({ signAfter: '2d', overlap: '2d' });
    await rotate({ signAfter: '1d', overlap: '30d' });
    const [next, former] = (await publicKeys(ca.id)).lines;
    expect(former).toBe(ca.publicKey);
    expect(ca.publicKey).toContain(await issuer());
    test.advance(DAY + 1);
    expect(next).toContain(await issuer());
    test.advance(10 * 60_000);
    expect(await keysLeft(ca.id)).toBe(1);
    test.advance(2 * DAY);
    expect((await publicKeys(ca.id)).lines).toEqual([next, former]);
    test.advance(DAY);
    expect((await publicKeys(ca.id)).lines).toEqual([next]);
  });
});

describe.skipIf(sshKeygen.isMissing)(
  `the revocation list of an SSH certificate authority${sshKeygen.orSkipped}`,
  () => {
    it('has what was revoked at once, also of former keys, and nothing else', async () => {
      sshKeygen.require();
      const ca = await ssh.authority();
      const template = await ssh.template(ca.id);
      const before = ok(await ssh.issue(template.id));
      expect(await ssh.revokedBy(ca.id, { before: before.signedKey })).toEqual([]);
      await test.admin('POST', `${SSH_CA}/${ca.id}/rotate`, {});
      const [after, other] = [ok(await ssh.issue(template.id)), ok(await ssh.issue(template.id))];
      for (const { serialNumber } of [before, after])
        ok(await test.admin('POST', `${SSH_CERTIFICATES}/${serialNumber}/revoke`, {}));
      const all = { before: before.signedKey, after: after.signedKey, other: other.signedKey };
      expect(await ssh.revokedBy(ca.id, all)).toEqual(['before', 'after']);
    });

    it('of a deleted authority revokes everything that it has signed, also after its project', async () => {
      sshKeygen.require();
      const own = await SshProject.in(test);
      const [ca, kept] = [await own.authority(), await own.authority()];
      const [one, two] = [await own.template(ca.id), await own.template(kept.id)];
      const lines = { one: ok(await own.issue(one.id)).signedKey, two: ok(await own.issue(two.id)).signedKey };
      ok(await test.admin('DELETE', `${SSH_CA}/${ca.id}`));
      expect((await test.admin('GET', `${SSH_TEMPLATES}/${one.id}`)).status).toBe(404);
      expect((await rawly(test)('GET', `${SSH_CA}/${ca.id}/public-key`)).status).toBe(404);
      expect(await own.revokedBy(ca.id, lines)).toEqual(['one']);
      expect(await own.revokedBy(kept.id, lines)).toEqual([]);
      ok(await test.admin('DELETE', `/api/v1/projects/${own.projectId}`));
      expect(await own.revokedBy(kept.id, lines)).toEqual(['two']);
    });

    it('is made once for each revision if it is long, also in other processes', async () => {
      const ca = await ssh.authority();
      const template = await ssh.template(ca.id);
      const [known, next] = [ok(await ssh.issue(template.id)), ok(await ssh.issue(template.id))];
      const url = `${SSH_CERTIFICATES}/${known.serialNumber}/revoke`;
      await test.coffer.pool.query(MANY_REVOKED, [known.serialNumber]);
      ok(await test.admin('POST', url, {}));
      const list = async () => (await rawly(test)('GET', `${SSH_CA}/${ca.id}/krl`)).octets;
      const serials = (octets: Buffer) => readKrl(octets).certificates[0]!.serialNumbers.length / 8;
      const [one, ...others] = await Promise.all([list(), list(), list()]);
      expect([serials(one), ...others.map((other) => other.equals(one))]).toEqual([9_001, true, true]);
      // What is stored is what everybody gets, until something is revoked.
      await test.coffer.pool.query(`update ssh_revocation_lists set body = 'stored' where ca_id = $1`, [ca.id]);
      expect((await list()).toString()).toBe('stored');
      ok(await test.admin('POST', `${SSH_CERTIFICATES}/${next.serialNumber}/revoke`, {}));
      expect(serials(await list())).toBe(9_002);
    });

    it('does not name certificates that have expired', async () => {
      const ca = await ssh.authority();
      const template = await ssh.template(ca.id);
      const { serialNumber } = ok(await ssh.issue(template.id, { ttl: '10m' }));
      ok(await test.admin('POST', `${SSH_CERTIFICATES}/${serialNumber}/revoke`, {}));
      const listed = async () =>
        readKrl((await rawly(test)('GET', `${SSH_CA}/${ca.id}/krl`)).octets).certificates.flatMap(({ serialNumbers }) =>
          Array.from({ length: serialNumbers.length / 8 }, (_, at) => serialNumbers.readBigUInt64BE(8 * at)),
        );
      expect(await listed()).toEqual([BigInt(serialNumber)]);
      test.advance(11 * 60_000);
      expect(await listed()).toEqual([]);
    });
  },
);
