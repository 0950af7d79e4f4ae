export { externalInfisical } from './external-infisical.ts';
