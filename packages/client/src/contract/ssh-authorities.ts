// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { SshKeyAlgorithmName, SshTemplate } from './shared.ts';

export type CreateSshAuthority = {
  projectId: string;
  friendlyName: string;
  /** Of a generated key. Default: ED25519 */ keyAlgorithm?: SshKeyAlgorithmName;
  /** Default: `external` with a `privateKey`, otherwise `internal` */ keySource?: 'internal' | 'external';
  /** The public key of an imported key, in the form of OpenSSH */ publicKey?: string;
  /** An imported key without a passphrase: in the form of OpenSSH, PKCS #8, PKCS #1 or SEC 1 */ privateKey?: string;
};

export type ListedSshAuthority = {
  id: string;
  projectId: string;
  friendlyName: string;
  status: 'active' | 'disabled';
  keyAlgorithm: SshKeyAlgorithmName;
  keySource: 'internal' | 'external';
  createdAt: string;
  updatedAt: string;
};

export type RotateSshAuthority = {
  sshCaId: string;
  /** Of the new key. Default: that of the present one */ keyAlgorithm?: SshKeyAlgorithmName;
  /** How long former keys are trusted at most after the new one signs: at least the longest TTL of their certificates (default: `'30d'`) */
  overlap?: string;
  /** When the new key signs for the first time; until then hosts can fetch it. Default: immediately */
  signAfter?: string;
};

export type SshAuthority = ListedSshAuthority & { /** The key that signs now, in the form of OpenSSH */ publicKey: string };

export type UpdateSshAuthority = { sshCaId: string; friendlyName?: string; status?: 'active' | 'disabled' };

export interface SshAuthoritiesApi {
  /**
   * Create an SSH certificate authority.
   * Its key is generated, or imported with `privateKey`.
   * `POST /api/v1/ssh/ca`. Needs `create` on `ssh-certificate-authorities`.
   */
  create: Mutation<CreateSshAuthority, { ca: SshAuthority }>;
  /**
   * List the SSH certificate authorities of a project.
   * `GET /api/v2/workspace/{projectId}/ssh-cas`. Needs `read` on `ssh-certificate-authorities`.
   */
  list: Query<{ projectId: string }, { cas: ListedSshAuthority[] }>;
  /** Read an SSH certificate authority. `GET /api/v1/ssh/ca/{sshCaId}`. Needs `read` on `ssh-certificate-authorities`. */
  get: Query<{ sshCaId: string }, { ca: SshAuthority }>;
  /**
   * Update an SSH certificate authority: rename, disable or enable it.
   * `PATCH /api/v1/ssh/ca/{sshCaId}`. Needs `edit` on `ssh-certificate-authorities`.
   */
  update: Mutation<UpdateSshAuthority, { ca: SshAuthority }>;
  /**
   * Delete an SSH certificate authority.
   * Its revocation list stays, and revokes everything that its keys have signed.
   * `DELETE /api/v1/ssh/ca/{sshCaId}`. Needs `delete` on `ssh-certificate-authorities`.
   */
  delete: Mutation<{ sshCaId: string }, { ca: ListedSshAuthority }>;
  /**
   * Rotate the key of an SSH certificate authority.
   * Both keys are published and trusted during the overlap.
   * `POST /api/v1/ssh/ca/{sshCaId}/rotate`. Needs `edit` on `ssh-certificate-authorities`.
   */
  rotate: Mutation<RotateSshAuthority, { ca: SshAuthority }>;
  /**
   * List the certificate templates of an SSH certificate authority.
   * `GET /api/v1/ssh/ca/{sshCaId}/certificate-templates`. Needs `read` on `ssh-certificate-templates`.
   */
  templates: Query<{ sshCaId: string }, { certificateTemplates: SshTemplate[] }>;
  /**
   * Download the public keys of an SSH certificate authority.
   * One line for each trusted key: during a rotation two. For `TrustedUserCAKeys` and `known_hosts`.
   * `GET /api/v1/ssh/ca/{sshCaId}/public-key`. Needs no token.
   */
  publicKey: Query<{ sshCaId: string }, { type: string; /** Base64 */ body: string }>;
  /**
   * Download the revocation list of an SSH certificate authority.
   * In the form of OpenSSH (KRL), for `RevokedKeys`.
   * `GET /api/v1/ssh/ca/{sshCaId}/krl`. Needs no token.
   */
  revocationList: Query<{ sshCaId: string }, { type: string; /** Base64 */ body: string }>;
}
