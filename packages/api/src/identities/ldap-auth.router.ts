import { ldapAuth } from '@coffer/domain';
import { loginMethodRouter } from './auth-method.router.ts';

export const ldapAuthRouter = loginMethodRouter(ldapAuth);
