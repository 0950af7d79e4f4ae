export * from './aws-auth.ts';
