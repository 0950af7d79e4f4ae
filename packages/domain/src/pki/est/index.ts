export * from './est.ts';
export * from './est.service.ts';
export * from './enroll.ts';
