import type { Outputs } from '@coffer/client';
import type { State } from '../../ui/detail.tsx';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

export type SshCertificate = Outputs['sshCertificates']['list']['certificates'][number];

export function stateOf({ revokedAt, notAfter }: SshCertificate): State {
  if (revokedAt !== null) return { kind: 'bad', text: texts.revoked, at: revokedAt };
  return new Date(notAfter) < new Date() ? { text: texts.ended, at: notAfter } : { kind: 'good', text: words.valid };
}
