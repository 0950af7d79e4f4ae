import { badRequest } from '../../../../kernel/index.ts';
import { isFilterTemplate } from '../../../../ldap/index.ts';
import { defineAuthMethod } from '../../auth-method.ts';
import { PRIVATE } from '../../trust-root.ts';
import { Config, Credentials } from './inputs.ts';
import { userSubject } from './user-subject.ts';
import { verifyUser } from './verify-user.ts';

/** A user of a directory and the password. */
export const ldapAuth = defineAuthMethod({
  kind: 'ldap-auth',
  title: 'LDAP Auth',
  answerKey: 'identityLdapAuth',
  config: Config,
  trustRoot: PRIVATE,
  notOffered: { templateId: 'Templates are not supported: send url, bindDN, bindPass and searchBase' },
  check({ searchFilter }) {
    if (!isFilterTemplate(searchFilter))
      throw badRequest('ldap_auth.filter', 'searchFilter must be an LDAP filter that contains {{username}} as a value');
  },
  storedPassword: ({ url, bindDN, bindPass }) => ({ target: url, account: bindDN, password: bindPass }),
  requiresMaxTTL: true,
  isVerifiedElsewhere: true,
  credentials: Credentials,
  lockout: (config, { username }) => ({
    subject: userSubject('name', username),
    policy: config.lockoutEnabled
      ? {
          threshold: config.lockoutThreshold,
          durationSeconds: config.lockoutDurationSeconds,
          resetSeconds: config.lockoutCounterResetSeconds,
        }
      : undefined,
  }),
  verify: verifyUser,
});
