export * from './client.ts';
export * from './login.ts';
