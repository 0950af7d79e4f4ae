export * from './sasl-prep.ts';
export * from './session.ts';
