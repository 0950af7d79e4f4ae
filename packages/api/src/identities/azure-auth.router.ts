import { azureAuth } from '@coffer/domain';
import { loginMethodRouter } from './auth-method.router.ts';

export const azureAuthRouter = loginMethodRouter(azureAuth);
