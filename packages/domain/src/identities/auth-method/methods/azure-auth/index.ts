export * from './azure-auth.ts';
