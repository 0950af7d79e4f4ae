export * from './sign-up.ts';
