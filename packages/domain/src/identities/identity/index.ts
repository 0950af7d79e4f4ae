export * from './authority.ts';
export { findIdentity } from './find.ts';
export * from './identity.entity.ts';
export * from './identity.service.ts';
export * from './identity.ts';
export * from './list.ts';
export * from './metadata.ts';
export * from './permission.ts';
export { noteIssuer } from './issuer.ts';
