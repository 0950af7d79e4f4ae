import { unauthenticated } from '../../../../kernel/index.ts';
import { defineAuthMethod } from '../../auth-method.ts';
import { allows, isEmptyList } from '../../fields.ts';
import { verifyInstance, verifyServiceAccount } from './google.ts';
import { Config, Credentials } from './inputs.ts';

/**
 * A token that Google issued for an instance, or one that a service account signed itself; the audience of both is the
 * ID of this identity.
 */
export const gcpAuth = defineAuthMethod({
  kind: 'gcp-auth',
  title: 'GCP Auth',
  answerKey: 'identityGcpAuth',
  config: Config,
  trustRoot: {
    kind: 'shared',
    with: 'every customer of Google Cloud',
    // A zone is Google's, not a customer's. A token of type iam names no project.
    bindingsOf: ({ type, allowedServiceAccounts, allowedProjects }) => ({
      allowedServiceAccounts: !isEmptyList(allowedServiceAccounts),
      ...(type === 'gce' && { allowedProjects: !isEmptyList(allowedProjects) }),
    }),
  },
  credentials: Credentials,
  async verify({ type, allowedServiceAccounts, allowedProjects, allowedZones }, { jwt }, attempt) {
    const requireAllowed = (list: string, what: string, value: string | undefined) => {
      if (!allows(list, value))
        throw unauthenticated(`gcp_auth.${what}`, `This ${what.replace('_', ' ')} may not log in`);
    };
    if (type === 'iam') {
      const mayBe = (email: string) => requireAllowed(allowedServiceAccounts, 'service_account', email);
      return { gcp: await verifyServiceAccount(jwt, attempt, mayBe) };
    }
    const instance = await verifyInstance(jwt, attempt);
    requireAllowed(allowedServiceAccounts, 'service_account', instance.serviceAccount);
    requireAllowed(allowedProjects, 'project', instance.projectId);
    requireAllowed(allowedZones, 'zone', instance.zone);
    return { gcp: instance };
  },
});
