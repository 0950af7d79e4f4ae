export * from './constraints.ts';
export { certificateTemplateById, findCertificateTemplate, type FoundTemplate } from './find.ts';
export * from './template.entity.ts';
export * from './template.service.ts';
export * from './template.ts';
