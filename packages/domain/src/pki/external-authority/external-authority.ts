import { z } from 'zod';
import {
  defineEvent,
  defineUpdate,
  flag,
  Id,
  inTypeName,
  Instant,
  schemaNamed,
  slug,
  Uuid,
} from '../../kernel/index.ts';
import { sealedFieldsOf } from '../../family/index.ts';
import { SetStatus } from '../authority/authority.ts';
import type { Issuer } from './issuer.ts';
import { issuers, type ExternalAuthorityType } from './registry.ts';

export type { ExternalAuthorityType } from './registry.ts';

const Name = slug(1, 64).describe('Unique among the external authorities of the project');
const status = SetStatus;
const Common = {
  id: Uuid,
  projectId: Uuid,
  name: z.string(),
  status: SetStatus,
  enableDirectIssuance: z.boolean(),
  createdAt: Instant,
  updatedAt: Instant,
};

const Fields = schemaNamed('ExternalAuthorityFields', z.object(Common));

/** An authority elsewhere, without what is secret in its configuration. */
export interface ExternalAuthority extends z.output<typeof Fields> {
  readonly type: string;
  readonly configuration: Readonly<Record<string, unknown>>;
}

/** The fields of an answer are known to the schema alone: the types of the client are made from it. */
type AnswerSchema = z.ZodType<never>;

export interface CreateExternalAuthority {
  readonly projectId: string;
  readonly name: string;
  readonly status: 'active' | 'disabled';
  readonly enableDirectIssuance: boolean;
  readonly configuration: Readonly<Record<string, unknown>>;
}
export interface UpdateExternalAuthority {
  readonly id: string;
  readonly name?: string | undefined;
  readonly status?: 'active' | 'disabled' | undefined;
  readonly enableDirectIssuance?: boolean | undefined;
  readonly configuration?: Readonly<Record<string, unknown>> | undefined;
}

/** What the operations on authorities of one type take and answer. */
export interface ExternalAuthoritySchemas {
  readonly type: ExternalAuthorityType;
  readonly title: string;
  readonly Create: z.ZodObject & z.ZodType<CreateExternalAuthority>;
  readonly Update: z.ZodObject & z.ZodType<UpdateExternalAuthority>;
  readonly Answer: AnswerSchema;
}

/** What readers see of a configuration. */
export function shownConfiguration({ config }: Issuer): z.ZodObject {
  const hidden = sealedFieldsOf(config.shape);
  return z.object(Object.fromEntries(Object.entries(config.shape).filter(([name]) => !hidden.has(name))));
}

const enableDirectIssuance = z.boolean().describe('Whether it issues without a profile. Default: true');

function schemasOf(issuer: Issuer): ExternalAuthoritySchemas {
  const { title, config } = issuer;
  const type = issuer.type as ExternalAuthorityType;
  return {
    type,
    title,
    Create: z.object({
      projectId: Id,
      name: Name,
      status: status.default('active'),
      enableDirectIssuance: enableDirectIssuance.default(true),
      configuration: config,
    }) as never,
    Update: z.object({
      id: Id,
      name: Name.optional(),
      status: status.optional(),
      enableDirectIssuance: enableDirectIssuance.optional(),
      configuration: config.partial().optional().describe('Omitted fields stay unchanged'),
    }) as never,
    Answer: schemaNamed(
      `${inTypeName(type)}Authority`,
      Fields.extend({ type: z.literal(type), configuration: shownConfiguration(issuer) }),
    ).describe(`An authority of the type ${type}`) as unknown as AnswerSchema,
  };
}

/** Of every type. */
export const externalAuthoritySchemas: readonly ExternalAuthoritySchemas[] = issuers.members.map(schemasOf);

export const ExternalAuthorityRef = z.object({ id: Id });
export type ExternalAuthorityRef = z.output<typeof ExternalAuthorityRef>;
export const DeleteExternalAuthority = ExternalAuthorityRef.extend({
  isForced: flag()
    .default(false)
    .describe('Also while certificates of the authority are valid, which nobody can revoke then; for one that is gone'),
});
export type DeleteExternalAuthority = z.output<typeof DeleteExternalAuthority>;
export const ListExternalAuthorities = z.object({ projectId: Id });
export type ListExternalAuthorities = z.output<typeof ListExternalAuthorities>;

const data = z.object({ caId: z.string(), name: z.string(), type: z.string() });
export const externalAuthorityCreated = defineEvent(
  'external_authority.created',
  'create-external-certificate-authority',
  data.extend({ connectionId: z.string() }),
);
export const externalAuthorityUpdated = defineUpdate(
  'external_authority.updated',
  'update-external-certificate-authority',
  data.extend({ connectionId: z.string() }),
);
export const externalAuthorityDeleted = defineEvent(
  'external_authority.deleted',
  'delete-external-certificate-authority',
  data.extend({
    isForced: z.boolean(),
    left: z
      .array(z.string())
      .optional()
      .describe('Serial numbers of certificates that are valid, and that nobody can revoke'),
    leftOrders: z
      .array(z.string())
      .optional()
      .describe('IDs of ended orders, of which something may be left elsewhere'),
    records: z.array(z.string()).optional().describe('Names of records in DNS that stay'),
  }),
);
