import { SSH_KEY_ALGORITHMS } from '@coffer/ssh/content';
import { z } from 'zod';
import { projectPermissions } from '../../access/catalogue.ts';
import { defineEvent, duration, Id, Instant, text, Uuid } from '../../kernel/schema.ts';
import { EXAMPLES } from '../sample-values.ts';

export const sshAuthorityPermissions = projectPermissions('ssh-certificate-authorities');

/** A disabled authority issues nothing; what it has issued stays valid. */
export const SshStatus = z.enum(['active', 'disabled']);
export type SshStatus = z.output<typeof SshStatus>;

export const SshKeyAlgorithmName = z.enum(SSH_KEY_ALGORITHMS).meta({ examples: ['ED25519'] });

/** `external`: the key was generated elsewhere and imported. */
export const SshKeySource = z.enum(['internal', 'external']);
export type SshKeySource = z.output<typeof SshKeySource>;

export const ListedSshAuthority = z.object({
  id: Uuid,
  projectId: Uuid,
  friendlyName: z.string().meta({ examples: ['Deployments'] }),
  status: SshStatus,
  keyAlgorithm: SshKeyAlgorithmName,
  keySource: SshKeySource,
  createdAt: Instant,
  updatedAt: Instant,
});
export type ListedSshAuthority = z.output<typeof ListedSshAuthority>;

export const SshAuthority = ListedSshAuthority.extend({
  publicKey: z
    .string()
    .describe('The key that signs now, in the form of OpenSSH')
    .meta({ examples: [EXAMPLES.publicKey] }),
});
export type SshAuthority = z.output<typeof SshAuthority>;

const friendlyName = text(255)
  .trim()
  .min(1)
  .meta({ examples: ['Deployments'] });

/** A key to generate or to import. */
const Key = {
  keyAlgorithm: SshKeyAlgorithmName.optional().describe('Of a generated key. Default: ED25519'),
  keySource: SshKeySource.optional().describe('Default: `external` with a `privateKey`, otherwise `internal`'),
  publicKey: text(16_384).trim().optional().describe('The public key of an imported key, in the form of OpenSSH'),
  privateKey: text(16_384)
    .trim()
    .optional()
    .describe('An imported key without a passphrase: in the form of OpenSSH, PKCS #8, PKCS #1 or SEC 1'),
};
export const SshKeyOrder = z.object(Key);
export type SshKeyOrder = z.output<typeof SshKeyOrder>;

export const CreateSshAuthority = z.object({ projectId: Id, friendlyName, ...Key });
export type CreateSshAuthority = z.output<typeof CreateSshAuthority>;

export const SshAuthorityRef = z.object({ sshCaId: Id });
export type SshAuthorityRef = z.output<typeof SshAuthorityRef>;

export const UpdateSshAuthority = SshAuthorityRef.extend({
  friendlyName: friendlyName.optional(),
  status: SshStatus.optional(),
});
export type UpdateSshAuthority = z.output<typeof UpdateSshAuthority>;

/** A key that somebody brings could sign for all hosts that trust the authority: a rotation generates keys. */
export const RotateSshAuthority = SshAuthorityRef.extend({
  keyAlgorithm: SshKeyAlgorithmName.optional().describe('Of the new key. Default: that of the present one'),
  overlap: duration()
    .default('30d')
    .describe(
      'How long former keys are trusted at most after the new one signs: at least the longest TTL of their certificates',
    ),
  signAfter: duration()
    .optional()
    .describe('When the new key signs for the first time; until then hosts can fetch it. Default: immediately'),
});
export type RotateSshAuthority = z.output<typeof RotateSshAuthority>;

const data = z.object({ sshCaId: z.string(), friendlyName: z.string() });
export const sshAuthorityCreated = defineEvent(
  'ssh_certificate_authority.created',
  'create-ssh-certificate-authority',
  data.extend({ keyAlgorithm: z.string(), keySource: z.string(), fingerprint: z.string() }),
);
export const sshAuthorityUpdated = defineEvent(
  'ssh_certificate_authority.updated',
  'update-ssh-certificate-authority',
  data.extend({ status: z.string() }),
);
export const sshAuthorityDeleted = defineEvent(
  'ssh_certificate_authority.deleted',
  'delete-ssh-certificate-authority',
  data,
);
export const sshAuthorityRotated = defineEvent(
  'ssh_certificate_authority.rotated',
  'rotate-ssh-certificate-authority',
  data.extend({ caKeyId: z.string(), fingerprint: z.string(), signsFrom: z.string(), formerTrustedUntil: z.string() }),
);
