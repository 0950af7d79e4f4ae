export * from './find.ts';
export * from './folder.entity.ts';
export * from './folder.ts';
export * from './place-rules.ts';
export * from './root.ts';
