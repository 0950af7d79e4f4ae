export * from './client.ts';
export * from './login.ts';
export * from './vault.ts';
