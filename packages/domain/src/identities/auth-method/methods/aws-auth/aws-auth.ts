import { z } from 'zod';
import { unauthenticated } from '../../../../kernel/index.ts';
import { defineAuthMethod } from '../../auth-method.ts';
import { allows, commaList, httpsUrl } from '../../fields.ts';
import { askWhoSigned, isPrincipal, PRINCIPAL } from './caller.ts';
import { readSignedRequest } from './signed-request.ts';

const stsEndpoint = httpsUrl()
  .refine((url) => URL.parse(url)?.pathname === '/', 'Expected a URL without a path')
  .default('https://sts.amazonaws.com/')
  .describe("Where signed requests are sent; https://sts.amazonaws.com/ stands for the signature's region as well");

/** A signed GetCallerIdentity request, which AWS is asked about. */
export const awsAuth = defineAuthMethod({
  kind: 'aws-auth',
  title: 'AWS Auth',
  answerKey: 'identityAwsAuth',
  config: z.object({
    type: z.string().default('iam').describe('iam'),
    stsEndpoint,
    allowedPrincipalArns: commaList(PRINCIPAL, 'Expected ARNs of users, roles or assumed roles, or * in an account')
      .default('')
      .describe('Comma list; * stands for characters of a name; nothing: any'),
    allowedAccountIds: commaList(/^\d{12}$/, 'Expected account ids of 12 digits')
      .default('')
      .describe('Comma list; nothing: any'),
  }),
  made: { type: () => 'iam' },
  requiresMaxTTL: true,
  notAttached: { update: 'not_found' },
  credentials: z.object({
    iamHttpRequestMethod: z.string().max(16).default('POST'),
    iamRequestBody: z.string().max(1024).describe('Base64 of Action=GetCallerIdentity&Version=2011-06-15'),
    iamRequestHeaders: z.string().max(20_000).describe('Base64 of a JSON object with the headers, as they were signed'),
  }),
  async verify(config, credentials, { fetch }) {
    const caller = await askWhoSigned(fetch, readSignedRequest(config.stsEndpoint, credentials));
    if (!allows(config.allowedAccountIds, caller.accountId))
      throw unauthenticated('aws_auth.account', 'This account may not log in');
    if (!allows(config.allowedPrincipalArns, caller.arn, isPrincipal))
      throw unauthenticated('aws_auth.principal', 'This principal may not log in');
    return { aws: caller };
  },
});
