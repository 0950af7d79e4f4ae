export * from './token-auth.ts';
export * from './tokens.ts';
