export {
  createIntegrationAuth,
  createIntegrationAuthByCode,
  duplicateIntegrationAuth,
  updateIntegrationAuth,
} from './authorize.ts';
export { createIntegration, updateIntegration } from './configure.ts';
export { deleteIntegration } from './end.ts';
export * from './integration-auth.service.ts';
export * from './integration-auth.ts';
export * from './integration.service.ts';
export * from './integration.ts';
