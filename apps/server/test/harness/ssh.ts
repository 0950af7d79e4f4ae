import { generateKeyPairSync } from 'node:crypto';
import { atSshWork, readSshCertificate, type ReadSshCertificate } from '@coffer/domain/testing';
import { ok } from './certificates.ts';
import { rawly } from './revocation.ts';
import type { Answer, Caller, TestServer } from './test-server.ts';

export const SSH_CA = '/api/v1/ssh/ca';
export const SSH_TEMPLATES = '/api/v1/ssh/certificate-templates';
export const SSH_CERTIFICATES = '/api/v1/ssh/certificates';

/** A key of nobody, and its kind as `ssh-keygen` writes it. */
export const PUBLIC_KEY =
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGqntJknCk1XFVUYzdtaluL9eyIj1Iw6yeiX38p0XbX0 ann@example.com';

/** That of a new key, which nobody has. */
export const newPublicKey = (): string => {
  const { x } = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' });
  const type = Buffer.from('\0\0\0\x0bssh-ed25519\0\0\0\x20', 'latin1');
  return `ssh-ed25519 ${Buffer.concat([type, Buffer.from(x!, 'base64url')]).toString('base64')} root@host`;
};

let number = 0;

/** SSH authorities, templates and certificates of a project, and what tests do with them often. */
export class SshProject {
  readonly test: TestServer;
  readonly projectId: string;

  constructor(test: TestServer, projectId: string) {
    this.test = test;
    this.projectId = projectId;
  }

  static async in(test: TestServer): Promise<SshProject> {
    return new SshProject(test, (await test.project()).id);
  }

  async authority(more: object = {}): Promise<Answer['body']> {
    const body = { projectId: this.projectId, friendlyName: `CA ${number++}`, ...more };
    return ok(await this.test.admin('POST', SSH_CA, body)).ca;
  }

  /** For the user `deploy`, users with the prefix `app-`, and the hosts below example.com. */
  async template(sshCaId: string, more: object = {}): Promise<Answer['body']> {
    return ok(await this.test.admin('POST', SSH_TEMPLATES, templateOf(sshCaId, more)));
  }

  issue(certificateTemplateId: string, more: object = {}, call: Caller = this.test.admin): Promise<Answer> {
    const body = { certificateTemplateId, principals: ['deploy'], ...more };
    return call('POST', `${SSH_CERTIFICATES}/issue`, body);
  }

  sign(certificateTemplateId: string, more: object = {}, call: Caller = this.test.admin): Promise<Answer> {
    const body = { certificateTemplateId, principals: ['deploy'], publicKey: PUBLIC_KEY, ...more };
    return call('POST', `${SSH_CERTIFICATES}/sign`, body);
  }

  /** The certificates, by their names, that the list of an authority revokes in the eyes of `ssh-keygen`. */
  async revokedBy(sshCaId: string, certificates: Readonly<Record<string, string>>): Promise<string[]> {
    const { octets } = await rawly(this.test)('GET', `${SSH_CA}/${sshCaId}/krl`);
    return atSshWork(async ({ put, keygen }) => {
      await put({ krl: octets, ...certificates });
      const { said } = await keygen('-Qf', 'krl', ...Object.keys(certificates));
      return Object.keys(certificates).filter((name) => new RegExp(`^${name} .*REVOKED$`, 'm').test(said));
    });
  }
}

export const templateOf = (sshCaId: string, more: object = {}) => ({
  sshCaId,
  name: `template-${number++}`,
  ttl: '1h',
  maxTTL: '1d',
  allowedUsers: ['deploy', 'app-*'],
  allowedHosts: ['*.example.com'],
  allowUserCertificates: true,
  allowHostCertificates: true,
  allowCustomKeyIds: false,
  ...more,
});

/** The content of a certificate in the form of OpenSSH; its signature is verified. */
export const readSigned = (signedKey: string): ReadSshCertificate =>
  readSshCertificate(Buffer.from(signedKey.split(' ')[1]!, 'base64'));
