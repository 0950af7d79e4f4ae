export * from './again.ts';
export * from './limit.ts';
export * from './tag.entity.ts';
export * from './tag.ts';
