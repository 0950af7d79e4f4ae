import { gcpAuth } from '@coffer/domain';
import { loginMethodRouter } from './auth-method.router.ts';

export const gcpAuthRouter = loginMethodRouter(gcpAuth);
