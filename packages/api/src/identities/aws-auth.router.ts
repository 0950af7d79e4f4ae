import { awsAuth } from '@coffer/domain';
import { loginMethodRouter } from './auth-method.router.ts';

export const awsAuthRouter = loginMethodRouter(awsAuth);
