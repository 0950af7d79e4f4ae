import type { Outputs } from '@coffer/client';
import type { State } from '../../ui/detail.tsx';

export type SshCertificate = Outputs['sshCertificates']['list']['certificates'][number];

export function stateOf({ revokedAt, notAfter }: SshCertificate): State {
  if (revokedAt !== null) return { kind: 'bad', text: 'Revoked', at: revokedAt };
  return new Date(notAfter) < new Date() ? { text: 'Ended', at: notAfter } : { kind: 'good', text: 'Valid' };
}
