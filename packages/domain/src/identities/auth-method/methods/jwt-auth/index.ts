export * from './jwt-auth.ts';
