import { z } from 'zod';
import { projectPermissions } from '../../access/index.ts';
import { defineEvent, defineUpdate, Id, Instant, text, Uuid } from '../../kernel/index.ts';

export const integrationPermissions = projectPermissions('integrations');

/** Unknown names are a 400, after the check of the caller's permission. */
const IntegrationName = text(64).meta({ examples: ['github'] });
const MAX_CREDENTIAL = 20_000;

/** A credential as it is sent in a header: without surrounding space, without line breaks. */
const credential = text(MAX_CREDENTIAL).trim();
const address = (what: string) =>
  text(2048)
    .trim()
    .refine((given) => given === '' || (URL.canParse(given) && !/\s/.test(given)), `Expected ${what}`);

/** In any form that parsers accept (`https:user:x@host`). */
const holdsCredentials = (url: URL | null): boolean => url !== null && `${url.username}${url.password}` !== '';

const Given = z.object({
  accessId: credential.optional().describe('The ID of the credential, if it has one: an access key, a role'),
  accessToken: credential.optional().describe('The credential itself: a token, or the secret of the access key'),
  awsAssumeIamRoleArn: address('the ARN of a role')
    .optional()
    .describe('A role that the access key assumes: whatever is done is done as this role'),
  url: address('a URL')
    .refine((given) => !holdsCredentials(URL.parse(given)), 'A URL holds no user name and password here')
    .optional()
    .describe('The address of the service, if it is configurable'),
  namespace: text(1024).trim().optional(),
  refreshToken: credential.optional().describe('Exchanged for a token where the other service offers that'),
});

/** The published form of an integration authentication: without credentials. */
export const IntegrationAuth = z.object({
  id: Uuid,
  projectId: Uuid,
  integration: z.string(),
  teamId: z.string().nullable(),
  url: z.string().nullable(),
  namespace: z.string().nullable(),
  accountId: z.string().nullable(),
  metadata: z.unknown(),
  createdAt: Instant,
  updatedAt: Instant,
});
export type IntegrationAuth = z.output<typeof IntegrationAuth>;

export const CreateIntegrationAuth = z.object({
  workspaceId: Id,
  integration: IntegrationName,
  ...Given.shape,
});
export type CreateIntegrationAuth = z.output<typeof CreateIntegrationAuth>;

export const CreateIntegrationAuthByCode = z.object({
  workspaceId: Id,
  integration: IntegrationName,
  code: text(MAX_CREDENTIAL),
  installationId: text(256).optional(),
  url: Given.shape.url,
});
export type CreateIntegrationAuthByCode = z.output<typeof CreateIntegrationAuthByCode>;

export const IntegrationAuthRef = z.object({ integrationAuthId: Id });
export type IntegrationAuthRef = z.output<typeof IntegrationAuthRef>;

export const UpdateIntegrationAuth = IntegrationAuthRef.extend({
  integration: IntegrationName.optional(),
  ...Given.shape,
});
export type UpdateIntegrationAuth = z.output<typeof UpdateIntegrationAuth>;

export const DeleteIntegrationAuths = z.object({
  integration: IntegrationName,
  projectId: Id,
});
export type DeleteIntegrationAuths = z.output<typeof DeleteIntegrationAuths>;

export const DuplicateIntegrationAuth = IntegrationAuthRef.extend({
  projectId: Id.describe('The project that gets the copy'),
});
export type DuplicateIntegrationAuth = z.output<typeof DuplicateIntegrationAuth>;

const data = z.object({ integrationAuthId: z.string(), integration: z.string() });
export const integrationAuthorized = defineEvent(
  'integration_auth.created',
  'authorize-integration',
  data.extend({ copyOf: z.string().optional() }),
);
/** In the project of the original. */
export const integrationAuthCopied = defineEvent(
  'integration_auth.copied',
  'copy-integration-auth',
  data.extend({ copyId: z.string(), copyProjectId: z.string() }),
);
export const integrationAuthUpdated = defineUpdate('integration_auth.updated', 'update-integration-auth', data);
/** What is at the service was asked for with the stored credentials. */
export const integrationAuthListRead = defineEvent(
  'integration_auth.list_read',
  'get-integration-auth-list',
  data.extend({ list: z.string() }),
);
export const integrationUnauthorized = defineEvent(
  'integration_auth.deleted',
  'unauthorize-integration',
  data.extend({ integrationIds: z.array(z.string()) }),
);
