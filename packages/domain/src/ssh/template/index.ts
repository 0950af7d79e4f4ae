export { findSshTemplate, requireSshTemplate, SSH_TEMPLATE } from './find.ts';
export * from './template.service.ts';
export * from './template.ts';
