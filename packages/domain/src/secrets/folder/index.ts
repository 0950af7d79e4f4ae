export { createAgain } from './create.ts';
export * from './find.ts';
export * from './folder.entity.ts';
export * from './folder.ts';
export * from './past.ts';
export * from './place-rules.ts';
export * from './root.ts';
export * from './row.ts';
export * from './version.ts';
