export * from './client-secret.ts';
export * from './client-secrets.ts';
export * from './universal-auth.ts';
