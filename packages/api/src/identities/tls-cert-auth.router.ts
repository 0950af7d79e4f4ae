import { tlsCertAuth } from '@coffer/domain';
import { loginMethodRouter } from './auth-method.router.ts';

export const tlsCertAuthRouter = loginMethodRouter(tlsCertAuth);
