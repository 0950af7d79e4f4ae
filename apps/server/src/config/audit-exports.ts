import { AWS_REGION } from '@coffer/domain/offline';
import { z } from 'zod';

const isUrl = (text: string) => URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol);

/** The S3-compatible store for exports of the audit log. */
export const exportVariables = {
  COFFER_AUDIT_EXPORT_S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'expected the name of a bucket, such as audit-exports')
    .optional()
    .describe('The bucket of S3, or of a store that speaks its protocol, where they are exported instead'),
  COFFER_AUDIT_EXPORT_S3_URL: z
    .string()
    .refine(
      (text) => isUrl(text) && !/[?#@]/.test(text) && !text.endsWith('//'),
      'expected the URL of a store, such as https://minio.example.com:9000',
    )
    .transform((text) => text.replace(/\/$/, ''))
    .optional()
    .describe('The store; S3 of the region, if absent'),
  COFFER_AUDIT_EXPORT_S3_REGION: z
    .string()
    .regex(/^[a-z0-9-]{1,64}$/, 'expected a region, such as eu-central-1')
    .optional()
    .describe('The region of the bucket; us-east-1, if absent and there is a URL'),
  COFFER_AUDIT_EXPORT_S3_PREFIX: z
    .string()
    .regex(
      /^(?!.*(?:^|\/)\.{1,2}(?:\/|$))[\w.-]+(?:\/[\w.-]+)*\/?$/,
      'expected letters, digits, -, _ and . in parts with slashes between them, such as coffer/audit',
    )
    .transform((text) => `${text.replace(/\/$/, '')}/`)
    .default('')
    .describe('In front of the names of the objects'),
  COFFER_AUDIT_EXPORT_S3_ACCESS_KEY_ID: z
    .string()
    .regex(/^[^\s,/]{1,256}$/, 'expected the ID of an access key')
    .optional(),
  COFFER_AUDIT_EXPORT_S3_SECRET_ACCESS_KEY: z.string().optional().describe('Its secret'),
};

const NAME = 'COFFER_AUDIT_EXPORT_S3_';
const NEEDED = ['BUCKET', 'ACCESS_KEY_ID', 'SECRET_ACCESS_KEY'];

/** What has to be set together, and what excludes each other. */
export function contradictionsOfExports(set: Readonly<Record<string, string | undefined>>): string[] {
  const of = (name: string) => set[`${NAME}${name}`];
  const first = Object.keys(exportVariables).find((name) => set[name]);
  const faults = ['COFFER_AUDIT_EXPORT_DIRECTORY', ...(first ? [first] : [])]
    .filter((name) => set[name] && !set['COFFER_AUDIT_MAX_BYTES'])
    .map((name) => `${name}: requires COFFER_AUDIT_MAX_BYTES, at which events are exported there`);
  if (!first) return faults;
  const missing = NEEDED.filter((name) => !of(name)).map((name) => `${NAME}${name}: required with ${first}`);
  const region = of('REGION');
  if (!of('URL') && !AWS_REGION.test(region ?? ''))
    missing.push(`${NAME}REGION: expected a region of AWS, such as eu-central-1, unless ${NAME}URL is set`);
  const isTwice = set['COFFER_AUDIT_EXPORT_DIRECTORY'] && of('BUCKET');
  return [
    ...faults,
    ...missing,
    ...(isTwice ? [`${NAME}BUCKET: COFFER_AUDIT_EXPORT_DIRECTORY is also set; set only one of them`] : []),
  ];
}
