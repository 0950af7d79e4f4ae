import { oidcAuth } from '@coffer/domain';
import { loginMethodRouter } from './auth-method.router.ts';

export const oidcAuthRouter = loginMethodRouter(oidcAuth);
