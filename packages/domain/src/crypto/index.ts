export * from './ber.ts';
export * from './keyring.ts';
export * from './password.ts';
export * from './pem.ts';
export * from './root-key.ts';
export * from './seal.ts';
export * from './sealed-fields.ts';
export * from './token.ts';
