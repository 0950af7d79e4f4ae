import { unauthenticated } from '../../../../kernel/index.ts';
import { defineAuthMethod } from '../../auth-method.ts';
import { allows } from '../../fields.ts';
import { verifyProof } from '../../proof/index.ts';
import { PRIVATE } from '../../trust-root.ts';
import { Config, Credentials } from './inputs.ts';

const LOGIN = 'https://login.microsoftonline.com';
const STS = 'https://sts.windows.net';

/** An access token that a tenant of Microsoft Entra issued to a service principal or a managed identity. */
export const azureAuth = defineAuthMethod({
  kind: 'azure-auth',
  title: 'Azure Auth',
  answerKey: 'identityAzureAuth',
  config: Config,
  trustRoot: PRIVATE,
  credentials: Credentials,
  async verify({ tenantId, resource, allowedServicePrincipalIds }, { jwt }, { keySets, now }) {
    const tenant = tenantId.toLowerCase();
    const { aud, oid, sub, appid, azp } = await verifyProof(jwt, keySets.keysAt(`${LOGIN}/${tenant}/discovery/keys`), {
      algorithms: ['RS256'],
      // Of the two generations of tokens that a tenant issues.
      issuer: [`${STS}/${tenant}/`, `${LOGIN}/${tenant}/v2.0`],
      now,
    });
    if (![aud].flat().some((one) => typeof one === 'string' && withoutSlash(one) === withoutSlash(resource)))
      throw unauthenticated('proof.audience', 'The token has another audience');
    // In tokens of users, and in those with sign-in information, the subject differs between applications.
    if (typeof oid !== 'string' || sub !== oid)
      throw unauthenticated('proof.subject', 'This is not the token of a service principal');
    const servicePrincipalId = oid.toLowerCase();
    if (!allows(allowedServicePrincipalIds.toLowerCase(), servicePrincipalId))
      throw unauthenticated('azure_auth.principal', 'This service principal may not log in');
    return { azure: { tenantId: tenant, servicePrincipalId, applicationId: appid ?? azp } };
  },
});

const withoutSlash = (resource: string) => resource.replace(/\/$/, '');
