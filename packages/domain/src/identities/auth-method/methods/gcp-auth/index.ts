export * from './gcp-auth.ts';
