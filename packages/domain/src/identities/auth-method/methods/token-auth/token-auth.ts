import { defineAuthMethod } from '../../auth-method.ts';
import { PRIVATE } from '../../trust-root.ts';
import { Config } from './inputs.ts';

/** No login: an administrator of the identity creates its tokens and hands them over. */
export const tokenAuth = defineAuthMethod({
  kind: 'token-auth',
  title: 'Token Auth',
  answerKey: 'identityTokenAuth',
  config: Config,
  trustRoot: PRIVATE,
  notAttached: { read: 'not_found' },
});
