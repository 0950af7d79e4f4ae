export { awsParameterStore } from './aws-parameter-store.ts';
