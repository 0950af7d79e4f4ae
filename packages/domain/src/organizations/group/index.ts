export * from './find.ts';
export * from './group.entity.ts';
export * from './group.service.ts';
export * from './group.ts';
export * from './members.ts';
export * from './projects.ts';
