export * from './account.ts';
export * from './client.ts';
export * from './login.ts';
export { parseServiceAccountKey } from './service-account.ts';
