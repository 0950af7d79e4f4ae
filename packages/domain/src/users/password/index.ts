export * from './new-password.ts';
export * from './password.ts';
