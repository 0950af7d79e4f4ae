import { z } from 'zod';
import { REGION, ROLE_ARN } from '../../../../apps/aws/service.ts';
import { sealed } from '../../../../family/sealed-field.ts';
import { text } from '../../../../kernel/schema.ts';

const Region = text(32)
  .trim()
  .regex(REGION, 'Expected a region, for example eu-central-1')
  .meta({ examples: ['eu-central-1'] });

/** Clients send an empty text for absent values. */
const optional = (pattern: RegExp, expected: string, max = 2048) =>
  text(max)
    .trim()
    .refine((given) => given === '' || pattern.test(given), expected)
    .nullish();

/** A comma-separated list. */
const list = (pattern: RegExp, max: number, expected: string) =>
  text(20_000)
    .trim()
    .refine(
      (given) => listOf(given).length <= max && listOf(given).every((one) => pattern.test(one)),
      `Expected at most ${max} ${expected}, comma-separated`,
    )
    .nullish();

const POLICY = /^arn:aws[a-z-]*:iam::(?:aws|\d{12}):policy\/[\w+=,.@/-]{1,700}$/;

const shared = {
  credentialType: z.literal('iam-user', 'Supported: iam-user').optional().describe('Only iam-user is supported'),
  accessKey: z
    .string('accessKey and secretAccessKey are required: Coffer has no AWS credentials of its own')
    .trim()
    .regex(/^\w{16,128}$/, 'Expected an access key ID'),
  secretAccessKey: sealed(text(1024).trim().min(1), { sentTo: ['region'] }),
  region: Region.describe('Region of the security token service; IAM users are global'),
  awsPath: optional(/^\/(?:[\x21-\x7e]+\/)?$/, 'Expected a path, for example /coffer/', 512).describe(
    'Path of the users',
  ),
  permissionBoundaryPolicyArn: optional(POLICY, 'Expected the ARN of a policy'),
  policyDocument: text(20_000).trim().nullish().describe('JSON; an inline policy of each user'),
  userGroups: list(/^[\w+=.@-]{1,128}$/, 10, 'names of groups'),
  policyArns: list(POLICY, 20, 'ARNs of policies'),
  tags: z
    .array(z.object({ key: text(128).trim().min(1), value: text(256) }))
    .max(50)
    .optional(),
};
const ByAccessKey = z.object({ method: z.literal('access-key').optional().default('access-key'), ...shared });
const ByRole = z.object({
  method: z.literal('assume-role'),
  ...shared,
  roleArn: text(2048).trim().regex(ROLE_ARN, 'Expected the ARN of a role'),
  externalId: optional(/^[\w+=,.@:/-]{2,1224}$/, 'Expected 2 to 1224 letters, digits and +=,.@:/-').describe(
    'The external ID that the role requires',
  ),
});
export const Inputs = z.discriminatedUnion('method', [ByAccessKey, ByRole], 'Supported: access-key, assume-role');
export type Inputs = z.output<typeof Inputs>;

/** Names of policies may contain commas; a comma between two ARNs is a separator. */
export function listOf(given: string | null | undefined): string[] {
  if (!given) return [];
  return given.split(given.startsWith('arn:') ? /,(?=\s*arn:)/ : ',').map((one) => one.trim());
}

/** Whether text is a document of a policy, by its form. */
export function isPolicy(given: string): boolean {
  try {
    const document = JSON.parse(given) as unknown;
    return typeof document === 'object' && document !== null && 'Statement' in document;
  } catch {
    return false;
  }
}
