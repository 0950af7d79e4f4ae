export * from './tls-cert-auth.ts';
