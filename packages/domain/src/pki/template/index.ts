export * from './constraints.ts';
export { certificateTemplateById, findCertificateTemplate } from './find.ts';
export * from './template.entity.ts';
export * from './template.service.ts';
export * from './template.ts';
