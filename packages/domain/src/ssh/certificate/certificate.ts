import { SSH_CERTIFICATE_TYPES } from '@coffer/ssh/content';
import { z } from 'zod';
import { projectPermissions } from '../../access/catalogue.ts';
import { defineEvent, duration, Id, Instant, page, text, Uuid } from '../../kernel/schema.ts';
import { SshKeyAlgorithmName } from '../authority/authority.ts';
import { EXAMPLES } from '../sample-values.ts';
import { SshOptionValues } from '../template/template.ts';

export const sshCertificatePermissions = projectPermissions('ssh-certificates');

export const SshCertificateTypeName = z.enum(SSH_CERTIFICATE_TYPES);

/** Principals in number and form are checked where certificates are issued. */
const MAX_SENT = 1_000;

const Requested = {
  certificateTemplateId: Id,
  certType: SshCertificateTypeName.default('user'),
  principals: z
    .array(text(255).trim())
    .max(MAX_SENT)
    .describe('Login users of a user certificate, host names of a host certificate: 1 to 256')
    .meta({ examples: [['deploy']] }),
  ttl: duration().optional().describe('Default: the TTL of the template'),
  keyId: text(255).trim().min(1).optional().describe('What sshd logs at a login. Default: the ID of the caller'),
  criticalOptions: SshOptionValues.optional().describe('Besides those of the template'),
  extensions: SshOptionValues.optional().describe('Instead of those of the template'),
};

export const IssueSshCredentials = z.object({ ...Requested, keyAlgorithm: SshKeyAlgorithmName.default('ED25519') });
export type IssueSshCredentials = z.output<typeof IssueSshCredentials>;

export const SignSshKey = z.object({
  ...Requested,
  publicKey: text(16_384)
    .describe('In the form of OpenSSH: `ssh-ed25519 AAAA… comment`')
    .meta({ examples: [EXAMPLES.publicKey] }),
});
export type SignSshKey = z.output<typeof SignSshKey>;

const serialNumber = z
  .string()
  .describe('A decimal number of up to 19 digits')
  .meta({ examples: [EXAMPLES.serialNumber] });
const signedKey = z
  .string()
  .describe('The certificate, in the form of OpenSSH')
  .meta({ examples: [EXAMPLES.signedKey] });

export const SignedSshKey = z.object({
  serialNumber,
  signedKey,
});
export type SignedSshKey = z.output<typeof SignedSshKey>;

/** The private key is not stored. */
export const SshCredentials = SignedSshKey.extend({
  privateKey: z
    .string()
    .describe('In the form of OpenSSH, without a passphrase')
    .meta({ examples: [EXAMPLES.privateKey] }),
  publicKey: z.string().meta({ examples: [EXAMPLES.publicKey] }),
  keyAlgorithm: SshKeyAlgorithmName,
});
export type SshCredentials = z.output<typeof SshCredentials>;

export const SshCertificate = z.object({
  id: Uuid,
  projectId: Uuid,
  sshCaId: Uuid.describe('Also of a deleted authority, whose keys are revoked'),
  sshCertificateTemplateId: Uuid.nullable(),
  sshHostId: Uuid.nullable(),
  serialNumber,
  certType: SshCertificateTypeName,
  principals: z.array(z.string()).meta({ examples: [['deploy']] }),
  keyId: z.string().meta({ examples: ['user-00000000-0000-4000-8000-000000000000 ann@example.com'] }),
  keyAlgorithm: z.string().meta({ examples: ['ED25519'] }),
  criticalOptions: z.record(z.string(), z.string()),
  extensions: z.record(z.string(), z.string()),
  notBefore: Instant,
  notAfter: Instant,
  revokedAt: Instant.nullable(),
  createdAt: Instant,
});
export type SshCertificate = z.output<typeof SshCertificate>;

export const WholeSshCertificate = SshCertificate.extend({ signedKey });
export type WholeSshCertificate = z.output<typeof WholeSshCertificate>;

export const SshCertificateRef = z.object({ serialNumber: z.string().trim().min(1).max(40) });
export type SshCertificateRef = z.output<typeof SshCertificateRef>;

export const ListSshCertificates = page({ limit: 25, maxLimit: 100 }).extend({ projectId: Id });
export type ListSshCertificates = z.output<typeof ListSshCertificates>;

const data = z.object({
  certificateId: z.string(),
  serialNumber: z.string(),
  sshCaId: z.string(),
  certificateTemplateId: z.string().nullable(),
  sshHostId: z.string().nullable(),
  certType: z.string(),
  keyId: z.string(),
  principals: z.array(z.string()),
});
export const sshCredentialsIssued = defineEvent('ssh_certificate.issued', 'issue-ssh-creds', data);
export const sshKeySigned = defineEvent('ssh_certificate.signed', 'sign-ssh-key', data);
export const sshCertificateRevoked = defineEvent('ssh_certificate.revoked', 'revoke-ssh-certificate', data);
