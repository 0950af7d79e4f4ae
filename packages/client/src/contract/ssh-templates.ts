// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { SshTemplate } from './shared.ts';

export type CreateSshTemplate = {
  sshCaId: string;
  /** Unique in its authority */ name: string;
  /** Of certificates that are requested without one (default: `'1h'`) */ ttl?: string;
  /** The longest TTL that can be requested (default: `'30d'`) */ maxTTL?: string;
  /** Principals of user certificates; an asterisk matches any characters */ allowedUsers: string[];
  /** Principals of host certificates; an asterisk matches any characters */ allowedHosts: string[];
  allowUserCertificates: boolean;
  allowHostCertificates: boolean;
  /** Whether requests can choose the key ID, which sshd logs */ allowCustomKeyIds: boolean;
  /** Critical options that requests can set, also with other values than the default (default: `[]`) */
  allowedCriticalOptions?: string[];
  /** Critical options of every user certificate (default: `{}`) */ defaultCriticalOptions?: Record<string, string>;
  /** Extensions that requests can choose besides the default ones (default: `[]`) */ allowedExtensions?: string[];
  /** Extensions of user certificates whose requests choose none (default: `{"permit-X11-forwarding":"","permit-agent-forwarding":"","permit-port-forwarding":"","permit-pty":"","permit-user-rc":""}`) */
  defaultExtensions?: Record<string, string>;
};

export type UpdateSshTemplate = {
  status?: 'active' | 'disabled';
  /** Unique in its authority */ name?: string;
  /** Of certificates that are requested without one */ ttl?: string;
  /** The longest TTL that can be requested */ maxTTL?: string;
  /** Principals of user certificates; an asterisk matches any characters */ allowedUsers?: string[];
  /** Principals of host certificates; an asterisk matches any characters */ allowedHosts?: string[];
  allowUserCertificates?: boolean;
  allowHostCertificates?: boolean;
  /** Whether requests can choose the key ID, which sshd logs */ allowCustomKeyIds?: boolean;
  /** Critical options that requests can set, also with other values than the default */
  allowedCriticalOptions?: string[];
  /** Critical options of every user certificate */ defaultCriticalOptions?: Record<string, string>;
  /** Extensions that requests can choose besides the default ones */ allowedExtensions?: string[];
  /** Extensions of user certificates whose requests choose none */ defaultExtensions?: Record<string, string>;
  certificateTemplateId: string;
};

export interface SshTemplatesApi {
  /** Create an SSH certificate template. `POST /api/v1/ssh/certificate-templates`. Needs `create` on `ssh-certificate-templates`. */
  create: Mutation<CreateSshTemplate, SshTemplate>;
  /**
   * List the SSH certificate templates of a project.
   * `GET /api/v2/workspace/{projectId}/ssh-certificate-templates`. Needs `read` on `ssh-certificate-templates`.
   */
  list: Query<{ projectId: string }, { certificateTemplates: SshTemplate[] }>;
  /**
   * Read an SSH certificate template.
   * `GET /api/v1/ssh/certificate-templates/{certificateTemplateId}`. Needs `read` on `ssh-certificate-templates`.
   */
  get: Query<{ certificateTemplateId: string }, SshTemplate>;
  /**
   * Update an SSH certificate template.
   * `PATCH /api/v1/ssh/certificate-templates/{certificateTemplateId}`. Needs `edit` on `ssh-certificate-templates`.
   */
  update: Mutation<UpdateSshTemplate, SshTemplate>;
  /**
   * Delete an SSH certificate template.
   * `DELETE /api/v1/ssh/certificate-templates/{certificateTemplateId}`. Needs `delete` on `ssh-certificate-templates`.
   */
  delete: Mutation<{ certificateTemplateId: string }, SshTemplate>;
}
