import { jwtAuth } from '@coffer/domain';
import { loginMethodRouter } from './auth-method.router.ts';

export const jwtAuthRouter = loginMethodRouter(jwtAuth);
