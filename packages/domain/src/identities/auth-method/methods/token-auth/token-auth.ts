import { z } from 'zod';
import { defineAuthMethod } from '../../auth-method.ts';
import { PRIVATE } from '../../trust-root.ts';

/** No login: whoever may administers the identity makes tokens for it and hands them over. */
export const tokenAuth = defineAuthMethod({
  kind: 'token-auth',
  title: 'Token Auth',
  answerKey: 'identityTokenAuth',
  config: z.object({}),
  trustRoot: PRIVATE,
  notAttached: { read: 'not_found' },
});
