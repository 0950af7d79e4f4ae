export * from './auth-method.entity.ts';
export * from './auth-method.service.ts';
export * from './auth-method.ts';
export { logInWith, NOT_VERIFIED } from './log-in.ts';
export * from './methods/token-auth/index.ts';
export * from './methods/universal-auth/index.ts';
export * from './registry.ts';
export { AttachedLoginMethod, LockoutSettings, LoginMethodSettings } from './settings.ts';
export { addAuthMethod } from './stored.ts';
