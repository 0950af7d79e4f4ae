import { randomUUID } from 'node:crypto';
import { atSshWork, sshKeygen } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventsOf, ok } from '../harness/certificates.ts';
import { TIME, UUID } from '../harness/folder-tree.ts';
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
let sshCaId: string;
beforeAll(async () => {
  test = await testServer();
  ssh = await SshProject.in(test);
  sshCaId = (await ssh.authority()).id;
});
afterAll(() => test.close());

const DEFAULT_EXTENSIONS = {
  'permit-X11-forwarding': '',
  'permit-agent-forwarding': '',
  'permit-port-forwarding': '',
  'permit-pty': '',
  'permit-user-rc': '',
};

describe('an SSH certificate template', () => {
  it('is created, read, listed, changed and deleted', async () => {
    const own = await SshProject.in(test);
    const { id: caId } = await own.authority();
    const wanted = templateOf(caId);
    const template = ok(await test.admin('POST', SSH_TEMPLATES, wanted));
    expect(template).toEqual({
      id: UUID,
      projectId: own.projectId,
      status: 'active',
      ...wanted,
      allowedCriticalOptions: [],
      defaultCriticalOptions: {},
      allowedExtensions: [],
      defaultExtensions: DEFAULT_EXTENSIONS,
      createdAt: TIME,
      updatedAt: TIME,
    });
    const one = `${SSH_TEMPLATES}/${template.id}`;
    expect(ok(await test.admin('GET', one))).toEqual(template);
    const all = { certificateTemplates: [template] };
    expect(ok(await test.admin('GET', `/api/v2/workspace/${own.projectId}/ssh-certificate-templates`))).toEqual(all);
    expect(ok(await test.admin('GET', `${SSH_CA}/${caId}/certificate-templates`))).toEqual(all);
    const changes = { status: 'disabled', allowedUsers: [], defaultExtensions: { 'permit-pty': '' } };
    expect(ok(await test.admin('PATCH', one, changes))).toEqual({ ...template, ...changes, updatedAt: TIME });
    expect((await own.issue(template.id)).body.message).toBe('The SSH certificate template is disabled');
    expect(ok(await test.admin('DELETE', one))).toMatchObject({ id: template.id });
    expect((await test.admin('GET', one)).status).toBe(404);
    const event = (what: string) => `ssh_certificate_template.${what}`;
    expect(await eventsOf(test, { certificateTemplateId: template.id })).toEqual(
      ['created', 'updated', 'deleted'].map(event),
    );
  });

  it.each([
    [{ ttl: '2d', maxTTL: '1d' }, 'ttl is 2d, which is more than maxTTL, 1d'],
    [{ defaultExtensions: { 'permit-everything': '' } }, /OpenSSH does not define permit-everything/],
    [{ defaultExtensions: { 'permit-pty': 'yes' } }, /permit-pty has no value/],
    [{ defaultCriticalOptions: { 'force-command': '' } }, /force-command needs a value/],
    [{ defaultCriticalOptions: { 'source-address': '10.0.0.1/8' } }, /source-address has 10.0.0.1\/8/],
    [{ defaultCriticalOptions: { 'source-address': '10.0.0.0/8, ::1' } }, /source-address/],
    [{ defaultCriticalOptions: { 'permit-pty': '' } }, /OpenSSH does not define permit-pty/],
    [{ allowedCriticalOptions: ['source-adress'] }, /OpenSSH does not define source-adress/],
  ])('is rejected with %j', async (more, message) => {
    const { status, body } = await test.admin('POST', SSH_TEMPLATES, templateOf(sshCaId, more));
    expect([status, body.message]).toEqual([400, expect.stringMatching(message)]);
  });

  it('has names and options of 32,768 characters at most; a larger one of before can be disabled, or made smaller', async () => {
    const names = Array.from({ length: 90 }, (_, at) => `${at}`.padEnd(250, 'x'));
    const large = { allowedUsers: names, allowedHosts: names };
    const { status, body } = await test.admin('POST', SSH_TEMPLATES, templateOf(sshCaId, large));
    expect([status, body.message]).toEqual([400, expect.stringContaining('the maximum is 32768')]);
    const { id } = await ssh.template(sshCaId, { allowedUsers: names });
    const change = async (more: object) => (await test.admin('PATCH', `${SSH_TEMPLATES}/${id}`, more)).status;
    expect(await change({ allowedHosts: names })).toBe(400);
    const stored = 'update ssh_certificate_templates set allowed_hosts = allowed_users where id = $1';
    await test.coffer.pool.query(stored, [id]);
    expect(await change({ allowedExtensions: ['permit-pty'] })).toBe(400);
    expect([await change({ status: 'disabled' }), await change({ allowedHosts: [] })]).toEqual([200, 200]);
  });

  it('has a unique name in its authority, and stays valid when it is changed', async () => {
    const [one, other] = [await ssh.template(sshCaId), await ssh.template(sshCaId)];
    const again = await test.admin('POST', SSH_TEMPLATES, templateOf(sshCaId, { name: one.name }));
    expect([again.status, again.body.message]).toEqual([
      400,
      'A template with this name already exists in the SSH certificate authority',
    ]);
    expect((await test.admin('PATCH', `${SSH_TEMPLATES}/${other.id}`, { name: one.name })).status).toBe(400);
    expect((await test.admin('PATCH', `${SSH_TEMPLATES}/${other.id}`, { ttl: '9d' })).status).toBe(400);
    const elsewhere = await ssh.authority();
    ok(await test.admin('POST', SSH_TEMPLATES, templateOf(elsewhere.id, { name: one.name })));
  });
});

describe('a template of an authority that hosts trust', () => {
  it('gives logins on them, and takes the right to edit them all, except to disable it', async () => {
    const own = await SshProject.in(test);
    const { id: caId } = await own.authority();
    const { id: templateId } = await own.template(caId);
    const host = { projectId: own.projectId, hostname: 'db1.example.com', userSshCaId: caId };
    ok(await test.admin('POST', '/api/v1/ssh/hosts', host));
    const editor = async (hostname: string) =>
      (
        await test.identity({
          projectId: own.projectId,
          rules: [
            { subject: 'ssh-certificate-templates', action: ['create', 'edit'] },
            { subject: 'ssh-hosts', action: ['edit'], conditions: { hostname } },
          ],
        })
      ).call;
    const [other, its] = [await editor('db2.example.com'), await editor('db1.example.com')];
    const one = `${SSH_TEMPLATES}/${templateId}`;
    expect((await other('POST', SSH_TEMPLATES, templateOf(caId))).body).toMatchObject({
      statusCode: 403,
      error: 'PermissionBoundaryError',
    });
    expect((await other('PATCH', one, { allowedUsers: ['root'] })).status).toBe(403);
    ok(await other('PATCH', one, { status: 'disabled' }));
    expect((await other('PATCH', one, { status: 'active' })).status).toBe(403);
    ok(await other('POST', SSH_TEMPLATES, templateOf(caId, { allowUserCertificates: false })));
    ok(await its('PATCH', one, { status: 'active', allowedUsers: ['root'] }));
    ok(await its('POST', SSH_TEMPLATES, templateOf(caId)));
  });
});

describe('issued SSH credentials', () => {
  it('are a new key with a certificate that says what was ordered', async () => {
    const { id } = await ssh.template(sshCaId);
    const issued = ok(await ssh.issue(id, { principals: ['deploy', 'app-1', 'deploy'], ttl: '2h' }));
    expect(Object.keys(issued).toSorted()).toEqual([
      'keyAlgorithm',
      'privateKey',
      'publicKey',
      'serialNumber',
      'signedKey',
    ]);
    const { publicKey, issuer, notBefore, notAfter, ...read } = readSigned(issued.signedKey);
    expect(read).toEqual({
      type: 'user',
      serialNumber: BigInt(issued.serialNumber),
      keyId: `identity-${test.adminIdentity.id}`,
      principals: ['deploy', 'app-1'],
      criticalOptions: {},
      extensions: DEFAULT_EXTENSIONS,
    });
    expect(issued.publicKey).toBe(`ssh-ed25519 ${publicKey.blob.toString('base64')}`);
    expect(issuer.type).toBe('ssh-ed25519');
    expect(notAfter.getTime() - notBefore.getTime()).toBe(2 * 3_600_000 + 60_000);
  });

  it.skipIf(sshKeygen.isMissing)(`are read by ssh-keygen, key and certificate${sshKeygen.orSkipped}`, async () => {
    sshKeygen.require();
    const { id } = await ssh.template(sshCaId);
    for (const keyAlgorithm of ['ED25519', 'EC_prime256v1', 'EC_secp384r1', 'RSA_2048']) {
      const issued = ok(await ssh.issue(id, { keyAlgorithm }));
      await atSshWork(async ({ put, keygen }) => {
        await put({ key: issued.privateKey, 'key-cert.pub': issued.signedKey });
        expect((await keygen('-y', '-f', 'key')).said.trim()).toBe(issued.publicKey);
        expect((await keygen('-L', '-f', 'key-cert.pub')).said).toContain(`Serial: ${issued.serialNumber}\n`);
      });
    }
  });

  it('are stored with their event, without the private key', async () => {
    const { id } = await ssh.template(sshCaId);
    const { serialNumber, signedKey, privateKey } = ok(await ssh.issue(id));
    const { certificate } = ok(await test.admin('GET', `${SSH_CERTIFICATES}/${serialNumber}`));
    expect(certificate).toMatchObject({
      sshCaId,
      sshCertificateTemplateId: id,
      sshHostId: null,
      serialNumber,
      certType: 'user',
      principals: ['deploy'],
      keyAlgorithm: 'ED25519',
      revokedAt: null,
      signedKey,
    });
    expect(await eventsOf(test, { serialNumber })).toEqual(['ssh_certificate.issued']);
    const { rows } = await test.coffer.pool.query(
      'select to_jsonb(c)::text as row from ssh_certificates c where serial_number = $1',
      [serialNumber],
    );
    expect(JSON.stringify(rows)).not.toContain(privateKey.split('\n')[2]);
  });

  it('of hosts have no options, and names in lower case', async () => {
    const { id } = await ssh.template(sshCaId);
    const host = { certType: 'host', principals: ['web1.example.com', '*.eu.example.com'] };
    expect(readSigned(ok(await ssh.issue(id, host)).signedKey)).toMatchObject({
      type: 'host',
      principals: host.principals,
      criticalOptions: {},
      extensions: {},
    });
    const refused = await ssh.issue(id, { ...host, extensions: { 'permit-pty': '' } });
    expect(refused.body.message).toContain('Host certificates have no critical options');
  });
});

describe('a signed SSH key', () => {
  it('is the given key with a certificate', async () => {
    const { id } = await ssh.template(sshCaId, { allowCustomKeyIds: true });
    const signed = ok(await ssh.sign(id, { keyId: 'ann at work' }));
    expect(Object.keys(signed).toSorted()).toEqual(['serialNumber', 'signedKey']);
    const read = readSigned(signed.signedKey);
    expect(read.keyId).toBe('ann at work');
    expect(PUBLIC_KEY).toContain(read.publicKey.blob.toString('base64'));
    expect(await eventsOf(test, { serialNumber: signed.serialNumber })).toEqual(['ssh_certificate.signed']);
  });

  it('is rejected if it is a certificate', async () => {
    const { id } = await ssh.template(sshCaId);
    const { signedKey } = ok(await ssh.sign(id));
    const { status, body } = await ssh.sign(id, { publicKey: signedKey });
    expect([status, body.message]).toEqual([
      400,
      'A public key is expected; ssh-ed25519-cert-v01@openssh.com is a certificate',
    ]);
  });
});

describe('an order of an SSH certificate', () => {
  const many = (count: number) => Array.from({ length: count }, (_, at) => `app-${at}`);
  it.each([
    [
      { principals: [] },
      'At least one principal is required: without principals, a certificate would be valid for all',
    ],
    [{ principals: many(257) }, 'There are 257 principals; OpenSSH reads at most 256'],
    [{ principals: ['root'] }, 'root is not among the allowedUsers of the template'],
    [{ principals: ['deploy', 'Deploy'] }, 'Deploy is not among the allowedUsers of the template'],
    [{ principals: ['app-*'] }, /asterisk/],
    [{ principals: [''] }, /not a principal/],
    [{ principals: ['app-1,root'] }, /not a principal/],
    [{ principals: ['app-1\nroot'] }, /not a principal/],
    [{ certType: 'host', principals: ['web.example.org'] }, /not among the allowedHosts/],
    [{ certType: 'host', principals: ['*'] }, /not among the allowedHosts/],
    [{ certType: 'host', principals: ['*example.com'] }, /not among the allowedHosts/],
    [{ certType: 'host', principals: ['web?.example.com'] }, /not a principal/],
    [{ certType: 'host', principals: ['Web.example.com'] }, /upper-case/],
    [{ ttl: '25h' }, 'ttl is 25h; the maximum for this template is 1d'],
    [{ ttl: '10ms' }, /between one second and 100 years/],
    [{ keyId: 'ann' }, 'The template does not allow custom key IDs'],
    [{ criticalOptions: { 'force-command': 'id' } }, /does not allow force-command/],
    [{ extensions: { 'no-touch-required': '' } }, /does not allow no-touch-required/],
  ])('is rejected with %j', async (more, message) => {
    const { id } = await ssh.template(sshCaId);
    const { status, body } = await ssh.issue(id, more);
    expect([status, body.message]).toEqual([400, expect.stringMatching(message)]);
  });

  it('is rejected with options of more than 32,768 characters', async () => {
    const names = Array.from({ length: 9 }, (_, at) => `option-${at}@example.com`);
    const { id } = await ssh.template(sshCaId, { allowedExtensions: names });
    const order = (count: number) =>
      ssh.issue(id, { extensions: Object.fromEntries(names.slice(0, count).map((name) => [name, 'x'.repeat(4_096)])) });
    ok(await order(7));
    const { status, body } = await order(9);
    expect([status, body.message]).toEqual([400, expect.stringContaining('the maximum is 32768')]);
  });

  it('is accepted with as many principals as OpenSSH reads', async () => {
    const { id } = await ssh.template(sshCaId);
    expect(readSigned(ok(await ssh.issue(id, { principals: many(256) })).signedKey).principals).toEqual(many(256));
  });

  it.each([
    [{ allowUserCertificates: false }, {}, 'The template does not allow user certificates'],
    [{ allowHostCertificates: false }, { certType: 'host' }, 'The template does not allow host certificates'],
    [{ allowedUsers: [] }, {}, 'deploy is not among the allowedUsers of the template'],
    [{ allowCustomKeyIds: true }, { keyId: 'a\nline' }, /without control characters/],
  ])('is rejected by a template with %j and %j', async (template, more, message) => {
    const { id } = await ssh.template(sshCaId, template);
    const { status, body } = await ssh.issue(id, more);
    expect([status, body.message]).toEqual([400, expect.stringMatching(message)]);
  });

  it('sets the options that the template allows, and never loses its critical ones', async () => {
    const { id } = await ssh.template(sshCaId, {
      defaultCriticalOptions: { 'source-address': '10.0.0.0/8' },
      allowedCriticalOptions: ['force-command'],
      allowedExtensions: ['login@example.com'],
    });
    const issued = async (more: object) => readSigned(ok(await ssh.issue(id, more)).signedKey);
    expect((await issued({ criticalOptions: {} })).criticalOptions).toEqual({ 'source-address': '10.0.0.0/8' });
    const chosen = { criticalOptions: { 'force-command': 'id' }, extensions: { 'login@example.com': 'ann' } };
    expect(await issued(chosen)).toMatchObject({
      criticalOptions: { 'force-command': 'id', 'source-address': '10.0.0.0/8' },
      extensions: { 'login@example.com': 'ann' },
    });
    expect((await issued({ extensions: {} })).extensions).toEqual({});
    const moved = await ssh.issue(id, { criticalOptions: { 'source-address': '0.0.0.0/0' } });
    expect(moved.body.message).toContain('does not allow source-address');
  });

  it('needs the right to create certificates, and no right to templates', async () => {
    const { id } = await ssh.template(sshCaId);
    const caller = async (action: string) =>
      (await test.identity({ projectId: ssh.projectId, rules: [{ subject: 'ssh-certificates', action: [action] }] }))
        .call;
    const [reader, creator] = [await caller('read'), await caller('create')];
    expect((await ssh.issue(id, {}, reader)).status).toBe(403);
    const { serialNumber } = ok(await ssh.issue(id, {}, creator));
    expect((await creator('GET', `${SSH_CERTIFICATES}/${serialNumber}`)).status).toBe(403);
    expect((await creator('POST', `${SSH_CERTIFICATES}/${serialNumber}/revoke`, {})).status).toBe(403);
    expect((await reader('GET', `${SSH_CERTIFICATES}/${serialNumber}`)).status).toBe(200);
    const { call } = await test.foreign();
    expect((await ssh.sign(id, {}, call)).status).toBe(404);
    expect((await call('POST', `${SSH_CERTIFICATES}/${serialNumber}/revoke`, {})).status).toBe(404);
  });
});

describe('SSH certificates', () => {
  it('are listed by project, the newest first', async () => {
    const own = await SshProject.in(test);
    const template = await own.template((await own.authority()).id);
    const serials: string[] = [];
    for (let at = 0; at < 3; at++) {
      serials.unshift(ok(await own.issue(template.id)).serialNumber);
      test.advance(1000);
    }
    const url = `/api/v2/workspace/${own.projectId}/ssh-certificates`;
    const page = ok(await test.admin('GET', `${url}?offset=1&limit=1`));
    expect([page.certificates[0].serialNumber, page.certificates.length, page.totalCount]).toEqual([serials[1], 1, 3]);
    const all = ok(await test.admin('GET', url)).certificates;
    expect(all.map(({ serialNumber }: { serialNumber: string }) => serialNumber)).toEqual(serials);
    expect(Object.keys(all[0])).not.toContain('signedKey');
  });

  it('are revoked once', async () => {
    const { id } = await ssh.template(sshCaId);
    const { serialNumber } = ok(await ssh.issue(id));
    const revoke = () => test.admin('POST', `${SSH_CERTIFICATES}/${serialNumber}/revoke`, {});
    expect(ok(await revoke()).certificate).toMatchObject({ serialNumber, revokedAt: TIME });
    expect((await revoke()).body.message).toBe('The certificate is already revoked');
    expect(await eventsOf(test, { serialNumber })).toEqual(['ssh_certificate.issued', 'ssh_certificate.revoked']);
    for (const unknown of ['0', '1', '99999999999999999999', 'nothing', randomUUID()])
      expect((await test.admin('POST', `${SSH_CERTIFICATES}/${unknown}/revoke`, {})).status).toBe(404);
  });
});
