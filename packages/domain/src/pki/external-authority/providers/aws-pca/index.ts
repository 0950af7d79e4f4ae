export { awsPca } from './aws-pca.ts';
