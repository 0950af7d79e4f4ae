export { awsIamUserSecret } from './aws-iam-user-secret.ts';
