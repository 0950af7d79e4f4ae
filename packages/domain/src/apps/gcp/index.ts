export * from './account.ts';
export * from './client.ts';
export * from './login.ts';
