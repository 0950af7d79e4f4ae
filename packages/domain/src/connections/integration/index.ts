export { createIntegrationAuth, createIntegrationAuthByCode, duplicateIntegrationAuth } from './authorize.ts';
export { createIntegration, updateIntegration } from './configure.ts';
export { deleteIntegration } from './end.ts';
export { updateIntegrationAuth } from './update-auth.ts';
export { requireMayFreeTargets, type CheckAgain } from '../sync/index.ts';
export * from './integration-auth.service.ts';
export * from './integration-auth.ts';
export * from './integration.service.ts';
export * from './integration.ts';
