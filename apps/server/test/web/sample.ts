export { sampleOf } from '@coffer/domain/testing';
