export * from './find.ts';
export * from './group.entity.ts';
export * from './group.service.ts';
export * from './group.ts';
export * from './list-members.ts';
export * from './members.ts';
export * from './of-user.ts';
export * from './projects.ts';
