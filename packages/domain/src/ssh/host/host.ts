import { z } from 'zod';
import { projectPermissions } from '../../access/catalogue.ts';
import { DAY, defineEvent, defineUpdate, duration, Id, parseDuration, text, Uuid, YEAR } from '../../kernel/schema.ts';
import { EXAMPLES } from '../sample-values.ts';
import { LoginMapping, LoginMappings, LoginUser, PrincipalMode } from '../login/login.ts';

export const sshHostPermissions = projectPermissions('ssh-hosts');

const upTo = (max: number, named: string) =>
  duration().refine((given) => (parseDuration(given) ?? 0) <= max, `Expected at most ${named}`);

const Hostname = text(253)
  .trim()
  .toLowerCase()
  .regex(/^[a-z0-9_](?:[a-z0-9._:-]*[a-z0-9])?$/, 'Expected a host name or an IP address')
  .describe('The name that clients connect to; unique in the project, and the principal of host certificates')
  .meta({ examples: ['db1.example.com'] });
const Alias = text(64)
  .trim()
  .regex(/^(?:[A-Za-z0-9][A-Za-z0-9._-]*)?$/, 'Use letters, digits and ._-')
  .describe('A short name; unique in the project');
const UserCertTtl = upTo(365 * DAY, '365d').describe('How long user certificates are valid');
const HostCertTtl = upTo(10 * YEAR, '10y').describe('How long host certificates are valid');
const NO_DEFAULT = 'null after the default of the project was deleted, until the next certificate';
const INHERITED = 'null: that of its host groups, or the default of the project';

/** A server that people and machines log in to with certificates. */
export const SshHost = z.object({
  id: Uuid,
  projectId: Uuid,
  hostname: z.string().meta({ examples: ['db1.example.com'] }),
  alias: z
    .string()
    .nullable()
    .meta({ examples: ['db1'] }),
  userCertTtl: z.string().meta({ examples: ['8h'] }),
  hostCertTtl: z.string().meta({ examples: ['1y'] }),
  principalMode: PrincipalMode,
  userSshCaId: Uuid.nullable().describe(`The authority whose user certificates the host has to accept; ${NO_DEFAULT}`),
  hostSshCaId: Uuid.nullable().describe(`The authority of its host certificates; ${NO_DEFAULT}`),
  loginMappings: z.array(LoginMapping),
});
export type SshHost = z.output<typeof SshHost>;

export const CreateSshHost = z.object({
  projectId: Id,
  hostname: Hostname,
  alias: Alias.nullish(),
  userCertTtl: UserCertTtl.default('8h'),
  hostCertTtl: HostCertTtl.default('1y'),
  loginMappings: LoginMappings.default([]),
  principalMode: PrincipalMode.nullish(),
  userSshCaId: Id.nullish(),
  hostSshCaId: Id.nullish(),
});
export type CreateSshHost = z.output<typeof CreateSshHost>;

export const SshHostRef = z.object({ sshHostId: Id });
export type SshHostRef = z.output<typeof SshHostRef>;

export const UpdateSshHost = SshHostRef.extend({
  hostname: Hostname.optional(),
  alias: Alias.nullish(),
  userCertTtl: UserCertTtl.optional(),
  hostCertTtl: HostCertTtl.optional(),
  loginMappings: LoginMappings.optional(),
  principalMode: PrincipalMode.nullish().describe(INHERITED),
  userSshCaId: Id.nullish().describe(INHERITED),
  hostSshCaId: Id.nullish().describe('null: the default of the project'),
});
export type UpdateSshHost = z.output<typeof UpdateSshHost>;

export const IssueSshUserCertificate = SshHostRef.extend({ loginUser: LoginUser });
export type IssueSshUserCertificate = z.output<typeof IssueSshUserCertificate>;

export const IssueSshHostCertificate = SshHostRef.extend({
  publicKey: text(16_384)
    .describe('A public key of the host, as in /etc/ssh/ssh_host_ed25519_key.pub')
    .meta({ examples: [EXAMPLES.publicKey] }),
  autoRenewal: z
    .boolean()
    .default(true)
    .describe('Whether the next certificates for this key are issued automatically'),
});
export type IssueSshHostCertificate = z.output<typeof IssueSshHostCertificate>;

const named = z.object({ sshHostId: z.string(), hostname: z.string() });
const settings = {
  alias: z.string().nullable(),
  principalMode: PrincipalMode,
  userSshCaId: z.string().nullable(),
  hostSshCaId: z.string().nullable(),
  /** `loginUser: user or group`, as far as the change gives them. */
  loginMappings: z.array(z.string()).optional(),
};
export const sshHostCreated = defineEvent('ssh_host.created', 'create-ssh-host', named.extend(settings));
export const sshHostUpdated = defineUpdate('ssh_host.updated', 'update-ssh-host', named.extend(settings));
export const sshHostDeleted = defineEvent('ssh_host.deleted', 'delete-ssh-host', named);
