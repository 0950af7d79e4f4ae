import { z } from 'zod';
import { text, unauthenticated } from '../../../../kernel/index.ts';
import { defineAuthMethod } from '../../auth-method.ts';
import { allows, commaList, httpsUrl, isEmptyList } from '../../fields.ts';
import { askWhoSigned, isPrincipal, PRINCIPAL } from './caller.ts';
import { readSignedRequest, SERVER_ID } from './signed-request.ts';

const MAX_SERVER_ID = 255;

const stsEndpoint = httpsUrl()
  .refine((url) => URL.parse(url)?.pathname === '/', 'Expected a URL without a path')
  .default('https://sts.amazonaws.com/')
  .describe(
    "The URL to which signed requests are sent; https://sts.amazonaws.com/ also stands for the endpoint of the signature's region",
  );

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
      .describe('Comma-separated; * matches characters of a name. Empty: any principal of allowedAccountIds'),
    allowedAccountIds: commaList(/^\d{12}$/, 'Expected account IDs of 12 digits')
      .default('')
      .describe('Comma-separated. Empty: any account of allowedPrincipalArns'),
    serverId: text(MAX_SERVER_ID)
      .trim()
      .regex(/^[\x21-\x7e]*$/, 'Expected printable ASCII characters without spaces')
      .default('')
      .describe('Required value of the signed header X-Coffer-Server-ID. Empty: the header is not required'),
  }),
  trustRoot: {
    kind: 'shared',
    with: 'every customer of AWS',
    bindingsOf: ({ allowedPrincipalArns, allowedAccountIds }) => ({
      allowedPrincipalArns: !isEmptyList(allowedPrincipalArns),
      allowedAccountIds: !isEmptyList(allowedAccountIds),
    }),
  },
  made: { type: () => 'iam' },
  requiresMaxTTL: true,
  notAttached: { update: 'not_found' },
  credentials: z.object({
    iamHttpRequestMethod: z.string().max(16).default('POST'),
    iamRequestBody: z.string().max(1024).describe('Base64 of Action=GetCallerIdentity&Version=2011-06-15'),
    iamRequestHeaders: z.string().max(20_000).describe('Base64 of a JSON object with the signed headers'),
  }),
  async verify(config, credentials, { fetch, useOnce }) {
    const signed = readSignedRequest(config.stsEndpoint, credentials);
    if (config.serverId !== '' && signed.serverId !== config.serverId)
      throw unauthenticated('aws_auth.server_id', `Sign the header ${SERVER_ID} with the configured serverId`);
    useOnce({ id: `aws:${signed.signature}`, expiresAt: signed.expiresAt });
    const caller = await askWhoSigned(fetch, signed);
    if (!allows(config.allowedAccountIds, caller.accountId))
      throw unauthenticated('aws_auth.account', 'This account may not log in');
    if (!allows(config.allowedPrincipalArns, caller.arn, isPrincipal))
      throw unauthenticated('aws_auth.principal', 'This principal may not log in');
    return { aws: caller };
  },
});
