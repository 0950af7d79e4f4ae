import { DEFAULT_EXTENSIONS } from '@coffer/ssh/content';
import { z } from 'zod';
import { projectPermissions } from '../../access/catalogue.ts';
import { defineEvent, defineUpdate, duration, Id, Instant, text, Uuid } from '../../kernel/schema.ts';
import { SshStatus } from '../authority/authority.ts';

export const sshTemplatePermissions = projectPermissions('ssh-certificate-templates');

const MAX_ENTRIES = 100;
const name = () => text(255).trim().min(1);
const globs = (what: string, example: string) =>
  z
    .array(name())
    .max(MAX_ENTRIES)
    .describe(`${what}; an asterisk matches any characters`)
    .meta({ examples: [[example]] });

/** Options by their names; flags have an empty value. */
export const SshOptionValues = z
  .record(name(), text(4096))
  .refine((given) => Object.keys(given).length <= MAX_ENTRIES, `At most ${MAX_ENTRIES} options`)
  .meta({ examples: [{}] });
const optionNames = (what: string) => z.array(name()).max(MAX_ENTRIES).describe(what);

const Fields = {
  name: text(64)
    .trim()
    .min(1)
    .describe('Unique in its authority')
    .meta({ examples: ['deploy'] }),
  ttl: duration().describe('Of certificates that are requested without one'),
  maxTTL: duration().describe('The longest TTL that can be requested'),
  allowedUsers: globs('Principals of user certificates', 'deploy'),
  allowedHosts: globs('Principals of host certificates', '*.example.com'),
  allowUserCertificates: z.boolean(),
  allowHostCertificates: z.boolean(),
  allowCustomKeyIds: z.boolean().describe('Whether requests can choose the key ID, which sshd logs'),
  allowedCriticalOptions: optionNames(
    'Critical options that requests can set, also with other values than the default',
  ),
  defaultCriticalOptions: SshOptionValues.describe('Critical options of every user certificate'),
  allowedExtensions: optionNames('Extensions that requests can choose besides the default ones'),
  defaultExtensions: SshOptionValues.describe('Extensions of user certificates whose requests choose none'),
};

/** What certificates of an authority may be. */
export const SshTemplate = z.object({
  id: Uuid,
  sshCaId: Uuid,
  projectId: Uuid,
  status: SshStatus,
  ...Fields,
  createdAt: Instant,
  updatedAt: Instant,
});
export type SshTemplate = z.output<typeof SshTemplate>;

export const CreateSshTemplate = z.object({
  sshCaId: Id,
  ...Fields,
  ttl: Fields.ttl.default('1h'),
  maxTTL: Fields.maxTTL.default('30d'),
  allowedCriticalOptions: Fields.allowedCriticalOptions.default([]),
  defaultCriticalOptions: Fields.defaultCriticalOptions.default({}),
  allowedExtensions: Fields.allowedExtensions.default([]),
  defaultExtensions: Fields.defaultExtensions.default({ ...DEFAULT_EXTENSIONS }),
});
export type CreateSshTemplate = z.output<typeof CreateSshTemplate>;

export const SshTemplateRef = z.object({ certificateTemplateId: Id });
export type SshTemplateRef = z.output<typeof SshTemplateRef>;

export const UpdateSshTemplate = z
  .object({ status: SshStatus, ...Fields })
  .partial()
  .extend(SshTemplateRef.shape);
export type UpdateSshTemplate = z.output<typeof UpdateSshTemplate>;

const data = z.object({ certificateTemplateId: z.string(), name: z.string(), sshCaId: z.string() });
export const sshTemplateCreated = defineEvent(
  'ssh_certificate_template.created',
  'create-ssh-certificate-template',
  data,
);
export const sshTemplateUpdated = defineUpdate(
  'ssh_certificate_template.updated',
  'update-ssh-certificate-template',
  data.extend({ status: z.string() }),
);
export const sshTemplateDeleted = defineEvent(
  'ssh_certificate_template.deleted',
  'delete-ssh-certificate-template',
  data,
);
