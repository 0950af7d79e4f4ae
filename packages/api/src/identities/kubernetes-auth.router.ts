import { kubernetesAuth } from '@coffer/domain';
import { loginMethodRouter } from './auth-method.router.ts';

export const kubernetesAuthRouter = loginMethodRouter(kubernetesAuth);
