export { gcpIam } from './gcp-iam.ts';
