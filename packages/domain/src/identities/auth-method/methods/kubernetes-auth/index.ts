export * from './kubernetes-auth.ts';
