export * from './oidc-auth.ts';
