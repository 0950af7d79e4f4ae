export * from './access/index.ts';
export * from './audit/index.ts';
export * from './authentication.ts';
export * from './coffer.ts';
export * from './crypto/index.ts';
export * from './kernel/index.ts';
export * from './kernel/address.ts';
export * from './instance/index.ts';
