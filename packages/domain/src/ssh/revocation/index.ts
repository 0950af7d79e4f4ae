export * from './krl.ts';
