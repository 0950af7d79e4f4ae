import { unauthenticated } from '../../../../kernel/index.ts';
import { defineAuthMethod } from '../../auth-method.ts';
import { allows, isEmptyList } from '../../fields.ts';
import { askWhoSigned, isPrincipal } from './caller.ts';
import { Config, Credentials } from './inputs.ts';
import { isOfPartition, readSignedRequest, SERVER_ID } from './signed-request.ts';

/** A signed GetCallerIdentity request, which Coffer sends to AWS. */
export const awsAuth = defineAuthMethod({
  kind: 'aws-auth',
  title: 'AWS Auth',
  answerKey: 'identityAwsAuth',
  config: Config,
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
  isVerifiedElsewhere: true,
  credentials: Credentials,
  async verify(config, credentials, { fetch, useOnce }) {
    const signed = readSignedRequest(config.stsEndpoint, credentials);
    if (config.serverId !== '' && signed.serverId !== config.serverId)
      throw unauthenticated('aws_auth.server_id', `Sign the header ${SERVER_ID} with the configured serverId`);
    useOnce({ id: `aws:${signed.signature}`, expiresAt: signed.expiresAt });
    const caller = await askWhoSigned(fetch, signed);
    // Its numbers of accounts are not those of another partition; ARNs name their own.
    if (isEmptyList(config.allowedPrincipalArns) && !isOfPartition(config.stsEndpoint, caller))
      throw unauthenticated(
        'aws_auth.partition',
        'The account is of another partition of AWS: set stsEndpoint to one there, or allowedPrincipalArns',
      );
    if (!allows(config.allowedAccountIds, caller.accountId))
      throw unauthenticated('aws_auth.account', 'This account may not log in');
    if (!allows(config.allowedPrincipalArns, caller.arn, isPrincipal))
      throw unauthenticated('aws_auth.principal', 'This principal may not log in');
    return { aws: caller };
  },
});
