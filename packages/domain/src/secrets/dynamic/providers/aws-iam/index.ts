export { awsIam } from './aws-iam.ts';
