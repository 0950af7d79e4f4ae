// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, NoInput, Query } from '../call.ts';
import type { GivenSshLoginMapping, SeenActor, SignedSshKey, SshCredentials, SshHost } from './shared.ts';

export type CreateSshHost = {
  projectId: string;
  /** The name that clients connect to; unique in the project, and the principal of host certificates */ hostname: string;
  alias?: string | null;
  /** How long user certificates are valid (default: `'8h'`) */ userCertTtl?: string;
  /** How long host certificates are valid (default: `'1y'`) */ hostCertTtl?: string;
  /** Who may log in as which local user (default: `[]`) */ loginMappings?: GivenSshLoginMapping[];
  principalMode?: 'login-user' | 'host-bound' | null;
  userSshCaId?: string | null;
  hostSshCaId?: string | null;
};

export type IssueSshHostCertificate = {
  sshHostId: string;
  /** A public key of the host, as in /etc/ssh/ssh_host_ed25519_key.pub */ publicKey: string;
  /** Whether the next certificates for this key are issued automatically (default: `true`) */ autoRenewal?: boolean;
};

export type SshLogin = {
  host: { id: string; hostname: string };
  loginUser: string;
  actor: SeenActor;
  /** The login mappings that hold on this host */
  grants: {
    /** null: by a mapping of the host itself */ hostGroup: { id: string; name: string } | null;
    /** Whether a group is mapped */ isByGroup: boolean;
    /** The group that is mapped; only for callers who may read groups */
    group: { id: string; name: string; slug: string } | null;
  }[];
  /** Without a mapping on this host: hosts with one, whose certificates open this host, too, since both have the principal mode `login-user` and the same user authority. At most 10, of those that the caller may read */
  otherHosts: { id: string; hostname: string }[];
};

export type SshLoginReport = {
  logins: SshLogin[];
  /** Number of logins that the caller may see */ totalCount: number;
  /** Number of logins of actors that the caller may not see */ hiddenCount: number;
};

export type SshLoginsQuery = {
  projectId: string;
  /** Who may log in on this host */ sshHostId?: string;
  /** Where this user may log in */ userId?: string;
  /** Where this machine identity may log in */ identityId?: string;
  loginUser?: string;
  /** Number of items to skip (default: `0`) */ offset?: number;
  /** Maximum number of items (default: `100`) */ limit?: number;
};

export type UpdateSshHost = {
  sshHostId: string;
  /** The name that clients connect to; unique in the project, and the principal of host certificates */
  hostname?: string;
  alias?: string | null;
  /** How long user certificates are valid */ userCertTtl?: string;
  /** How long host certificates are valid */ hostCertTtl?: string;
  /** Who may log in as which local user */ loginMappings?: GivenSshLoginMapping[];
  /** null: that of its host groups, or the default of the project */ principalMode?: 'login-user' | 'host-bound' | null;
  /** null: that of its host groups, or the default of the project */ userSshCaId?: string | null;
  /** null: the default of the project */ hostSshCaId?: string | null;
};

export interface SshHostsApi {
  /**
   * List the SSH hosts that the caller may log in to.
   * In all projects of the organization. The login mappings are those about the caller.
   * `GET /api/v1/ssh/hosts`.
   */
  listOwn: Query<NoInput, SshHost[]>;
  /** List the SSH hosts of a project. `GET /api/v2/workspace/{projectId}/ssh-hosts`. Needs `read` on `ssh-hosts`. */
  list: Query<{ projectId: string }, { hosts: SshHost[] }>;
  /**
   * Create an SSH host.
   * Login mappings need the permission to edit every host that their certificates open.
   * `POST /api/v1/ssh/hosts`. Needs `create` on `ssh-hosts`.
   */
  create: Mutation<CreateSshHost, SshHost>;
  /** Read an SSH host. `GET /api/v1/ssh/hosts/{sshHostId}`. Needs `read` on `ssh-hosts`. */
  get: Query<{ sshHostId: string }, SshHost>;
  /** Update an SSH host. `PATCH /api/v1/ssh/hosts/{sshHostId}`. Needs `edit` on `ssh-hosts`. */
  update: Mutation<UpdateSshHost, SshHost>;
  /** Delete an SSH host and its login mappings. `DELETE /api/v1/ssh/hosts/{sshHostId}`. Needs `delete` on `ssh-hosts`. */
  delete: Mutation<{ sshHostId: string }, SshHost>;
  /**
   * Issue an SSH user certificate for a host, with a new key.
   * Needs a login mapping of the host or one of its groups, and no other permission.
   * `POST /api/v1/ssh/hosts/{sshHostId}/issue-user-cert`.
   */
  issueUserCert: Mutation<{ sshHostId: string; loginUser: string }, SshCredentials>;
  /**
   * Issue an SSH host certificate for a key of the host.
   * It is renewed automatically for the same key and hostname, unless `autoRenewal` is false.
   * `POST /api/v1/ssh/hosts/{sshHostId}/issue-host-cert`. Needs `issue-host-cert` on `ssh-hosts`.
   */
  issueHostCert: Mutation<IssueSshHostCertificate, SignedSshKey>;
  /** Read the newest valid certificate of an SSH host, as text. `GET /api/v1/ssh/hosts/{sshHostId}/host-certificate`. Needs no token. */
  hostCertificate: Query<{ sshHostId: string }, { type: string; /** Base64 */ body: string }>;
  /**
   * Read the user authority of an SSH host, as public keys.
   * For `TrustedUserCAKeys`. One key on each line; two while the authority is rotated.
   * `GET /api/v1/ssh/hosts/{sshHostId}/user-ca-public-key`. Needs no token.
   */
  userCaPublicKey: Query<{ sshHostId: string }, { type: string; /** Base64 */ body: string }>;
  /**
   * Read the host authority of an SSH host, as public keys.
   * For `@cert-authority` in `known_hosts`. One key on each line.
   * `GET /api/v1/ssh/hosts/{sshHostId}/host-ca-public-key`. Needs no token.
   */
  hostCaPublicKey: Query<{ sshHostId: string }, { type: string; /** Base64 */ body: string }>;
  /**
   * List who may log in on SSH hosts, and why.
   * On one host, of one user or machine identity, or all. Counts every host that the certificates open. Actors that the caller may not read are counted, not named.
   * `GET /api/v1/projects/{projectId}/access/ssh-logins`. Needs `read` on `ssh-hosts`.
   */
  logins: Query<SshLoginsQuery, SshLoginReport>;
}
