export * from './kept.ts';
export * from './request.ts';
export * from './use.ts';
export { pkiSyncWork } from './work.ts';
