export * from './project-identity.service.ts';
export * from './project-identity.ts';
