// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { SignedSshKey, SshCredentials, SshKeyAlgorithmName } from './shared.ts';

export type IssueSshCredentials = {
  certificateTemplateId: string;
  /** Default: `'user'` */ certType?: 'user' | 'host';
  /** Login users of a user certificate, host names of a host certificate: 1 to 256 */ principals: string[];
  /** Default: the TTL of the template */ ttl?: string;
  /** What sshd logs at a login. Default: the ID of the caller */ keyId?: string;
  /** Besides those of the template */ criticalOptions?: Record<string, string>;
  /** Instead of those of the template */ extensions?: Record<string, string>;
  /** Default: `'ED25519'` */ keyAlgorithm?: SshKeyAlgorithmName;
};

export type ListSshCertificates = {
  /** Number of items to skip (default: `0`) */ offset?: number;
  /** Maximum number of items (default: `25`) */ limit?: number;
  projectId: string;
};

export type SignSshKey = {
  certificateTemplateId: string;
  /** Default: `'user'` */ certType?: 'user' | 'host';
  /** Login users of a user certificate, host names of a host certificate: 1 to 256 */ principals: string[];
  /** Default: the TTL of the template */ ttl?: string;
  /** What sshd logs at a login. Default: the ID of the caller */ keyId?: string;
  /** Besides those of the template */ criticalOptions?: Record<string, string>;
  /** Instead of those of the template */ extensions?: Record<string, string>;
  /** In the form of OpenSSH: `ssh-ed25519 AAAA… comment` */ publicKey: string;
};

export type SshCertificate = {
  id: string;
  projectId: string;
  /** Also of a deleted authority, whose keys are revoked */ sshCaId: string;
  sshCertificateTemplateId: string | null;
  sshHostId: string | null;
  /** A decimal number of up to 19 digits */ serialNumber: string;
  certType: 'user' | 'host';
  principals: string[];
  keyId: string;
  keyAlgorithm: string;
  criticalOptions: Record<string, string>;
  extensions: Record<string, string>;
  notBefore: string;
  notAfter: string;
  revokedAt: string | null;
  createdAt: string;
};

export type WholeSshCertificate = SshCertificate & { /** The certificate, in the form of OpenSSH */ signedKey: string };

export interface SshCertificatesApi {
  /**
   * Issue SSH credentials.
   * A new key and its certificate, by a template. The private key is not stored.
   * `POST /api/v1/ssh/certificates/issue`. Needs `create` on `ssh-certificates`.
   */
  issue: Mutation<IssueSshCredentials, SshCredentials>;
  /**
   * Sign an SSH public key.
   * A certificate for a key of the caller, by a template.
   * `POST /api/v1/ssh/certificates/sign`. Needs `create` on `ssh-certificates`.
   */
  sign: Mutation<SignSshKey, SignedSshKey>;
  /**
   * List the SSH certificates of a project, newest first.
   * `GET /api/v2/workspace/{projectId}/ssh-certificates`. Needs `read` on `ssh-certificates`.
   */
  list: Query<ListSshCertificates, { certificates: SshCertificate[]; totalCount: number }>;
  /** Read an SSH certificate. `GET /api/v1/ssh/certificates/{serialNumber}`. Needs `read` on `ssh-certificates`. */
  get: Query<{ serialNumber: string }, { certificate: WholeSshCertificate }>;
  /**
   * Revoke an SSH certificate.
   * The revocation list of its authority has it within a second.
   * `POST /api/v1/ssh/certificates/{serialNumber}/revoke`. Needs `delete` on `ssh-certificates`.
   */
  revoke: Mutation<{ serialNumber: string }, { certificate: SshCertificate }>;
}
