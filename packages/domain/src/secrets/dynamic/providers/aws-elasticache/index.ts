export { awsElasticache } from './aws-elasticache.ts';
