export * from './expiry.ts';
export { listEndings } from './list.ts';
