import { z } from 'zod';
import { text } from '../../../../kernel/schema.ts';
import { commaList, httpsUrl } from '../../fields.ts';

/** An entry of the list of principals. A `*` matches characters of a name, or everything at the end of the entry. */
const PRINCIPAL = /^arn:(?:aws|aws-us-gov):(?:iam|sts)::\d{12}:(?:\*|(?:user|role|assumed-role)\/[\w+=.@*/-]{1,600})$/;

const MAX_SERVER_ID = 255;

const stsEndpoint = httpsUrl()
  .refine((url) => URL.parse(url)?.pathname === '/', 'Expected a URL without a path')
  .default('https://sts.amazonaws.com/')
  .describe(
    "The URL to which signed requests are sent; https://sts.amazonaws.com/ includes the endpoint of the signature's region",
  );

/** How it is configured for an identity. */
export const Config = z.object({
  type: z.string().default('iam').describe('iam'),
  stsEndpoint,
  allowedPrincipalArns: commaList(PRINCIPAL, 'Expected ARNs of users, roles or assumed roles, or * in an account')
    .default('')
    .describe('Comma-separated; * matches characters of a name. Empty: any principal of allowedAccountIds'),
  allowedAccountIds: commaList(/^\d{12}$/, 'Expected account IDs of 12 digits')
    .default('')
    .describe('Comma-separated. Empty: any account of allowedPrincipalArns'),
  serverId: text(MAX_SERVER_ID)
    .trim()
    .regex(/^[\x21-\x7e]*$/, 'Expected printable ASCII characters without spaces')
    .default('')
    .describe('Required value of the signed header X-Coffer-Server-ID. Empty: the header is not required'),
});

/** The facts of a login. */
export const Credentials = z.object({
  iamHttpRequestMethod: z.string().max(16).default('POST'),
  iamRequestBody: z.string().max(1024).describe('Base64 of Action=GetCallerIdentity&Version=2011-06-15'),
  iamRequestHeaders: z.string().max(20_000).describe('Base64 of a JSON object with the signed headers'),
});
