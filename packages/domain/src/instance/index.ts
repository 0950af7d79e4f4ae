export * from './admin-sign-up.ts';
export * from './bootstrap.ts';
export * from './config.ts';
export * from './encryption-strategy.ts';
export * from './identity-management.ts';
export * from './instance.ts';
export * from './status.ts';
export * from './user-management.ts';
export { issueSetupCode } from './setup-code.ts';
